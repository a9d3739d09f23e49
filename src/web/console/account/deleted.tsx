/** Says that the account was deleted, after the page of the account has deleted it. */
import { LinkButton } from '../buttons.tsx'

let isDeleted = false

/** Opens the page that says so. */
export function tellDeletion(): void {
  isDeleted = true
  location.hash = '#/deleted'
}

export default function Deleted() {
  return (
    <div class="narrow">
      <h1>{isDeleted ? 'The account was deleted' : 'No account was deleted here'}</h1>
      <section class="card">
        {isDeleted ? (
          <p role="status">
            Every key has stopped, the credits are gone, and names, addresses and devices are erased. The runs
            that this browser kept of the account are deleted too.
          </p>
        ) : (
          <p>This page has deleted no account since it was loaded.</p>
        )}
        <p class="actions">
          <LinkButton href="#/">To the start</LinkButton>
        </p>
      </section>
    </div>
  )
}
