/** Log in, enter a key, become a guest, reset a forgotten password. */
import { useId, useState } from 'preact/hooks'
import type { UserLoginData } from '../../../../clients/typescript/types.ts'
import { Button, QuietButton, TextButton } from '../buttons.tsx'
import { Field } from '../field.tsx'
import { becomeGuest } from '../guest.ts'
import { CLOSED, canBeGuest, canRegister, guestCredits, provider } from '../offers.ts'
import { useKeptFocus } from '../page.tsx'
import { Problem } from '../problem.tsx'
import type { Refusal, Success } from '../replies.ts'
import { hold, name, staying, useSession } from '../session.ts'
import { AccountForm, chosenPassword, email, password, resetCode, secondFactor } from './account-form.tsx'
import { beginSignOn } from './sign-on.tsx'

export default function Login() {
  const [isForgotten, setForgotten] = useState(false)
  const page = useKeptFocus<HTMLDivElement>(isForgotten)
  return (
    <div tabindex={-1} ref={page}>
      <h1>{isForgotten ? 'Reset your password' : 'Log in'}</h1>
      <div class="cards">
        {isForgotten ? (
          <Forgotten onDone={() => setForgotten(false)} />
        ) : (
          <ByPassword onForgotten={() => setForgotten(true)} />
        )}
        <div class="stack">
          {provider !== null && <AtProvider />}
          <ByKey />
          {canBeGuest && <AsGuest />}
        </div>
      </div>
    </div>
  )
}

function AtProvider() {
  const [isStaying, setStaying] = useState(false)
  return (
    <section class="card">
      <h2>At {provider}</h2>
      <StaySignedIn isStaying={isStaying} onChange={setStaying} />
      <p class="actions">
        <a class="button" href="/user/sign-on" onClick={() => beginSignOn(isStaying)}>
          Sign on at {provider}
        </a>
      </p>
    </section>
  )
}

const leave = () => {
  location.hash = '#/account'
}

function ByPassword({ onForgotten }: { onForgotten(): void }) {
  const [isStaying, setStaying] = useState(false)
  const [needsCode, setNeedsCode] = useState(false)
  const [notice, setNotice] = useState<string | null>(null)
  const done = ({ data }: Success<UserLoginData>) => {
    hold(data.api_key, { credits: data.user.credits, until: isStaying ? staying() : null })
    name(data.user.full_name)
    leave()
  }
  const failed = ({ error }: Refusal) => {
    const isNext = error.code === 'mfa_required' && !needsCode
    setNotice(isNext ? 'Enter the code of your second factor.' : null)
    if (!isNext) return null
    setNeedsCode(true)
    return 'next step'
  }
  return (
    <section class="card">
      <h2>With your password</h2>
      <p role="status">{notice !== null && <strong>{notice}</strong>}</p>
      <AccountForm
        path="/user/login"
        action="Log in"
        fields={[email, password, ...(needsCode ? [secondFactor] : [])]}
        onDone={done}
        onFailure={failed}
      >
        <StaySignedIn isStaying={isStaying} onChange={setStaying} />
      </AccountForm>
      <p class="hint">
        <TextButton onClick={onForgotten}>I forgot my password</TextButton>
        {canRegister && (
          <>
            {' '}
            · <a href="#/register">Create an account</a>
          </>
        )}
      </p>
      {!canRegister && <p class="hint">{CLOSED}</p>}
    </section>
  )
}

function Forgotten({ onDone }: { onDone(): void }) {
  const [sent, setSent] = useState<string | null>(null)
  const [isDone, setDone] = useState(false)
  const card = useKeptFocus(sent, isDone)
  if (isDone)
    return (
      <section class="card" tabindex={-1} ref={card}>
        <p role="status">
          <strong>The password was changed.</strong>
        </p>
        <p class="actions">
          <Button onClick={onDone}>Log in with it</Button>
        </p>
      </section>
    )
  return (
    <section class="card" tabindex={-1} ref={card}>
      {sent === null ? (
        <>
          <p>A code is sent to your address, if it has an account.</p>
          <AccountForm
            key="ask"
            path="/user/forgot-password"
            action="Send a reset code"
            fields={[email]}
            onDone={(_, values) => setSent(values.email)}
          />
        </>
      ) : (
        <>
          <p role="status">
            A code was sent to <strong>{sent}</strong>, if it has an account.
          </p>
          <AccountForm
            key="set"
            path="/user/reset-password"
            action="Set the new password"
            fields={[email, resetCode, { ...chosenPassword, label: 'New password' }]}
            start={{ email: sent }}
            onDone={() => setDone(true)}
          />
        </>
      )}
      <p class="hint">
        <TextButton onClick={onDone}>Back to log in</TextButton>
      </p>
    </section>
  )
}

const KEY = {
  name: 'key',
  label: 'API key',
  kind: 'password',
  required: true,
  description: 'begins with qd_user_, qd_team_ or qd_guest_',
}

function ByKey() {
  const [text, setText] = useState('')
  const [isStaying, setStaying] = useState(false)
  const [error, setError] = useState<string>()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!/^qd_(user|team|guest)_[A-Za-z0-9]{43}$/.test(text.trim()))
      return setError(
        'This is not an API key: a key begins with qd_user_, qd_team_ or qd_guest_, followed by 43 letters and digits.',
      )
    hold(text.trim(), { until: isStaying ? staying() : null })
    leave()
  }
  const enter = (entered: string) => {
    setText(entered)
    setError(undefined)
  }
  return (
    <section class="card">
      <h2>With a key</h2>
      <form class="account-form" novalidate onSubmit={submit} aria-label="Use a key">
        <Field described={KEY} text={text} error={error} onText={enter} />
        <StaySignedIn isStaying={isStaying} onChange={setStaying} />
        <div class="actions">
          <button type="submit" class="quiet">
            Use this key
          </button>
        </div>
      </form>
    </section>
  )
}

function AsGuest() {
  const { key } = useSession()
  const [reply, setReply] = useState<Refusal | null>(null)
  const start = async () => {
    const got = await becomeGuest()
    if (got.success) location.hash = '#/pricing/bs/price'
    else setReply(got)
  }
  return (
    <section class="card">
      <h2>As a guest</h2>
      <p>
        No e-mail address; {guestCredits} for 24 hours. Sent with it: a random device ID, and the names of
        your browser and system.
      </p>
      <p class="actions">
        <QuietButton onClick={start}>{key === null ? 'Get a guest key' : 'Get a new guest key'}</QuietButton>
      </p>
      {reply !== null && <Problem reply={reply} left={reply.error.details} />}
    </section>
  )
}

interface StaySignedInProps {
  readonly isStaying: boolean
  onChange(isStaying: boolean): void
}

function StaySignedIn({ isStaying, onChange }: StaySignedInProps) {
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
