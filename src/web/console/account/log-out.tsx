/** Forgets the key of the tab. */
import { hold, isGuest, useSession } from '../session.ts'

export function LogOut() {
  const { key } = useSession()
  const leave = () => {
    hold(null)
    if (key?.isSignedOn) location.assign('/user/sign-on/end')
    else location.hash = '#/'
  }
  return (
    <section class="card">
      <h2>This tab</h2>
      <p>
        The key is kept in this browser tab only. Closing the tab removes it too.
        {isGuest() && ' A guest key that you have not copied is then lost.'}
        {key?.isSignedOn && ' Log out ends your session at the provider too, which asks you first.'}
      </p>
      <p class="actions">
        <button type="button" class="quiet" onClick={leave}>
          Log out
        </button>
      </p>
    </section>
  )
}
