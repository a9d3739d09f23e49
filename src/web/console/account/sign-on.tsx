/** Back from the provider: the key of the account, with the code of its second factor where it has one. */
import { useEffect, useState } from 'preact/hooks'
import type { UserLoginData } from '../../../../clients/typescript/types.ts'
import { Problem } from '../problem.tsx'
import type { Refusal, Success } from '../replies.ts'
import { hold, name, send } from '../session.ts'
import { secondFactor } from './account-fields.ts'
import { AccountForm } from './account-form.tsx'

const PATH = '/user/sign-on/key'

export default function SignOn() {
  const [reply, setReply] = useState<Refusal | null>(null)
  const done = ({ data }: Success<UserLoginData>) => {
    hold(data.api_key, { credits: data.user.credits, isSignedOn: true })
    name(data.user.full_name)
    location.hash = '#/account'
  }
  useEffect(() => {
    send<UserLoginData>(PATH, '{}').then((got) => (got.success ? done(got) : setReply(got)))
  }, [])
  return (
    <div class="narrow">
      <h1>Sign-on</h1>
      {reply === null ? (
        <p class="hint" role="status">
          Loading …
        </p>
      ) : reply.error.code === 'mfa_required' ? (
        <section class="card">
          <p role="status">
            <strong>Enter the code of your second factor.</strong>
          </p>
          <AccountForm path={PATH} action="Log in" fields={[secondFactor]} onDone={done} />
        </section>
      ) : (
        <>
          <Problem reply={reply} left={[]} />
          <p>
            <a href="#/login">Log in</a>
          </p>
        </>
      )}
    </div>
  )
}
