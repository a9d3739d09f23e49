/** Forgets the key, in all tabs that use it. */
import { useState } from 'preact/hooks'
import { owner, removeOwnRuns } from '../runs/own-runs.ts'
import { hold, isGuest, useSession } from '../session.ts'
import { dateTime } from '../times.ts'

export function LogOut() {
  const { key } = useSession()
  const [isCleared, setCleared] = useState(isGuest())
  const leave = async () => {
    if (isCleared) await removeOwnRuns(await owner())
    hold(null)
    if (key?.isSignedOn) location.assign('/user/sign-on/end')
    else location.hash = '#/'
  }
  return (
    <section class="card">
      <h2>This browser</h2>
      <p>
        {key?.until
          ? `The key is stored for all tabs of this browser until ${dateTime(key.until)}. Log out removes it from all of them.`
          : 'The key is stored in this tab only. Closing the tab removes it too.'}
        {isGuest() && ' A guest key that you have not copied is lost with it.'}
        {key?.isSignedOn && ' Log out ends your session at the provider too, which asks you first.'}
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={isCleared}
          onChange={(event) => setCleared(event.currentTarget.checked)}
        />{' '}
        Also delete the runs that this browser keeps
      </label>
      <p class="actions">
        <button type="button" class="quiet" onClick={leave}>
          Log out
        </button>
      </p>
    </section>
  )
}
