/** The login, and the login after the end of a session. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Field } from '../console/field.tsx'
import type { Refusal } from '../console/replies.ts'
import { provider } from './acts.js'
import { Problem } from './parts.tsx'
import { hold, type Session, send } from './service.ts'

const TOKEN = {
  name: 'token',
  label: 'Operator token',
  kind: 'password',
  required: true,
  description: 'begins with qd_op_',
}

export const LogIn = () => (
  <section class="narrow">
    <h1>Log in</h1>
    <Ways />
  </section>
)

/** A dialog over the page, which keeps the entries. After a sign-on in another tab it closes once this tab is shown again. */
export function LogInAgain() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null
    dialog.current?.showModal()
    const look = async () => {
      const reply = await send<Session>('session')
      if (reply.success) hold(reply.data)
    }
    addEventListener('focus', look)
    return () => {
      removeEventListener('focus', look)
      setTimeout(() => before?.focus())
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class="again"
      aria-label="Log in again"
      closedby="none"
      onCancel={(event) => event.preventDefault()}
      onClose={() => hold(null)}
    >
      <h2>Log in again</h2>
      <p>
        <strong>The session has ended.</strong> Your entries stay on the page. Nothing was changed.
      </p>
      <Ways target="_blank" />
    </dialog>
  )
}

/** The ways to log in. `target`: the window in which the provider is opened. */
function Ways({ target }: { readonly target?: string }) {
  const [text, setText] = useState('')
  const [reply, setReply] = useState<Refusal | null>(null)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const got = await send('session', { token: text.trim() })
    if (!got.success)
      return setReply(
        got.error.code === 'token_invalid' ? { ...got, message: 'This token is not accepted.' } : got,
      )
    // Without TLS, browsers do not store the cookie, because it is only for TLS.
    const session = await send<Session>('session')
    if (session.success) {
      hold(session.data)
      document.querySelector('main')?.focus()
    } else
      setReply({
        ...session,
        message: 'The browser did not keep the session: open this page over https, or on this machine.',
      })
  }
  return (
    <>
      {provider !== null && (
        <>
          <p class="actions">
            <a class="button" href="/operator/sign-on" target={target}>
              Sign on at {provider}
            </a>
          </p>
          <p class="hint">or with a token:</p>
        </>
      )}
      <form class="account-form card" novalidate onSubmit={submit} aria-label="Log in">
        <Field described={TOKEN} text={text} onText={setText} />
        <div class="actions">
          <button type="submit">Log in</button>
        </div>
        {reply !== null && <Problem reply={reply} left={[]} />}
        <p class="hint">
          To make a token, run on the server: <code>quantd admin token create NAME --role viewer</code>
        </p>
      </form>
    </>
  )
}
