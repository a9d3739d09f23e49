/** The choice to stay signed in, with its risk. */
import { useId } from 'preact/hooks'

interface StaySignedInProps {
  readonly isStaying: boolean
  onChange(isStaying: boolean): void
}

export function StaySignedIn({ isStaying, onChange }: StaySignedInProps) {
  const id = useId()
  return (
    <div class="stay">
      <label class="check">
        <input
          type="checkbox"
          checked={isStaying}
          aria-describedby={id}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />{' '}
        Stay signed in for 30 days
      </label>
      <p class="hint" id={id}>
        {isStaying
          ? 'The browser stores the key for all of its tabs. Whoever uses this browser can spend the credits, read the account and copy the key, until you log out in one of the tabs.'
          : 'The key is stored in this tab until it is closed.'}
      </p>
    </div>
  )
}
