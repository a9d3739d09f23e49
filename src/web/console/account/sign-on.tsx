/** Back from the provider: the key of the account, with the code of its second factor where it has one. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { UserLoginData } from '../../../../clients/typescript/types.ts'
import { Button, Status } from '../buttons.tsx'
import { Problem } from '../problem.tsx'
import type { Refusal, Success } from '../replies.ts'
import { hold, name, send, staying } from '../session.ts'
import { tabStorage } from '../tab-storage.ts'
import { AccountForm, secondFactor } from './account-form.tsx'

const PATH = '/user/sign-on'
/** Set in the tab that began the sign-on: another page can send the browser here with a sign-on that is not this person's. */
const BEGUN = 'quantd sign-on'

const STAY = 'stay'

/** Remembers in this tab that the person begins a sign-on here. */
export const beginSignOn = (isStaying: boolean): void => tabStorage.setItem(BEGUN, isStaying ? STAY : 'begun')

export default function SignOn() {
  const [reply, setReply] = useState<Refusal | null>(null)
  /** The address to which the person has not agreed yet. */
  const [asked, setAsked] = useState<string | null>(null)
  const begun = useRef<string | null>(null)
  const done = ({ data }: Success<UserLoginData>) => {
    const until = begun.current === STAY ? staying() : null
    hold(data.api_key, { credits: data.user.credits, isSignedOn: true, until })
    name(data.user.full_name)
    location.hash = '#/account'
  }
  const take = () => {
    setAsked(null)
    send<UserLoginData>(`${PATH}/key`, '{}').then((got) => (got.success ? done(got) : setReply(got)))
  }
  useEffect(() => {
    begun.current = tabStorage.getItem(BEGUN)
    tabStorage.removeItem(BEGUN)
    if (begun.current !== null) take()
    else
      send<{ readonly email: string }>(`${PATH}/person`, '{}').then((got) =>
        got.success ? setAsked(got.data.email) : setReply(got),
      )
  }, [])
  return (
    <div class="narrow">
      <h1>Sign-on</h1>
      {asked !== null ? (
        <section class="card">
          <p role="status">
            <strong>Continue as {asked}?</strong> This tab did not begin the sign-on.
          </p>
          <p class="actions">
            <Button onClick={take}>Continue</Button>
            <a href="#/login">Log in as somebody else</a>
          </p>
        </section>
      ) : reply === null ? (
        <Status>Loading …</Status>
      ) : reply.error.code === 'mfa_required' ? (
        <section class="card">
          <p role="status">
            <strong>Enter the code of your second factor.</strong>
          </p>
          <AccountForm path={`${PATH}/key`} action="Log in" fields={[secondFactor]} onDone={done} />
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
