/** From no account to the first price: registration, code, key. */
import { useState } from 'preact/hooks'
import type {
  UserRegisterData,
  UserResendOtpData,
  UserVerifyOtpData,
} from '../../../../clients/typescript/types.ts'
import { LinkButton, Status, TextButton } from '../buttons.tsx'
import { CopyButton } from '../copy.tsx'
import { accountCredits, CLOSED, canRegister, sendsMail } from '../offers.ts'
import { useKeptFocus } from '../page.tsx'
import type { Success } from '../replies.ts'
import { moveOwnRuns } from '../runs/own-runs.ts'
import { forgetInBrowser, hold, isGuest, key, name, send, useSession } from '../session.ts'
import { tabStorage } from '../tab-storage.ts'
import { AccountForm, chosenPassword, email, mailCode, type SentTexts, username } from './account-form.tsx'

const STORED = 'quantd-registration'

/** A registration that waits for its code. */
interface Registration {
  /** Empty: the page did not make it. */
  readonly email: string
  readonly name?: string
  readonly registration?: string
}

const steps = ['Your details', 'The code', 'Your key']

export default function Register() {
  const pending: Registration | null = JSON.parse(tabStorage.getItem(STORED) ?? 'null')
  const [step, setStep] = useState(pending === null ? 0 : 1)
  const page = useKeptFocus<HTMLDivElement>(step)
  const isClosed = !canRegister && step === 0
  const [registered, setRegistered] = useState<Registration>(pending ?? { email: '' })
  const done = ({ data }: Success<UserRegisterData>, sent: SentTexts) => {
    const made = { email: sent.email, name: sent.username, registration: data.registration }
    tabStorage.setItem(STORED, JSON.stringify(made))
    setRegistered(made)
    setStep(1)
  }
  const verified = ({ data }: Success<UserVerifyOtpData>) => {
    tabStorage.removeItem(STORED)
    const guestKey = isGuest() ? key()!.apiKey : null
    hold(data.api_key)
    // The credits of the guest key have moved to the account.
    if (guestKey !== null) {
      forgetInBrowser(guestKey)
      moveOwnRuns(guestKey)
    }
    if (registered.name) name(registered.name)
    setStep(2)
  }
  return (
    <div class="narrow" tabindex={-1} ref={page}>
      <h1>Create an account</h1>
      {isClosed && (
        <section class="card">
          <p>{CLOSED}</p>
          <p class="actions">
            <LinkButton href="#/login">Log in</LinkButton>
          </p>
        </section>
      )}
      {!isClosed && (
        <ol class="steps">
          {steps.map((title, i) => (
            <li aria-current={i === step ? 'step' : undefined} class={i < step ? 'done' : undefined}>
              {title}
            </li>
          ))}
        </ol>
      )}
      {step === 0 && !isClosed && <Details onDone={done} onCode={() => setStep(1)} />}
      {step === 1 && <Code registered={registered} onDone={verified} onBack={() => setStep(0)} />}
      {step === 2 && <Key />}
    </div>
  )
}

interface DetailsProps {
  onDone(reply: Success<UserRegisterData>, sent: SentTexts): void
  onCode(): void
}

function Details({ onDone, onCode }: DetailsProps) {
  const guestKey = isGuest() ? key()!.apiKey : null
  return (
    <section class="card">
      <p>
        A permanent key with {accountCredits}.
        {guestKey && ' The credits and the history of your guest key move along.'}
      </p>
      <AccountForm
        path="/user/register"
        action="Register"
        fields={[username, email, chosenPassword]}
        onDone={onDone}
        added={() => (guestKey === null ? {} : { guest_api_key: guestKey })}
      />
      <p class="hint">
        <a href="#/login">I have an account</a> · <TextButton onClick={onCode}>I have a code</TextButton>
      </p>
    </section>
  )
}

interface CodeProps {
  readonly registered: Registration
  onDone(reply: Success<UserVerifyOtpData>): void
  onBack(): void
}

function Code({ registered, onDone, onBack }: CodeProps) {
  const [message, setMessage] = useState<string | null>(null)
  const token = (email?: string) =>
    registered.email === email && registered.registration ? { registration: registered.registration } : {}
  const again = async () => {
    const reply = await send<UserResendOtpData>(
      '/user/resend-otp',
      JSON.stringify({ email: registered.email, ...token(registered.email) }),
    )
    setMessage(reply.success ? reply.data.message : reply.message)
  }
  return (
    <section class="card">
      {!sendsMail && (
        <p class="callout">
          <strong>This service sends no mail.</strong> The code is in the newest file of the folder{' '}
          <code>outbox</code> in the service’s data folder, and in its log where only this machine can reach
          it; ask its operator.
        </p>
      )}
      <p>
        {!sendsMail ? (
          'Enter the code. It is valid for 10 minutes.'
        ) : registered.email ? (
          <>
            A mail with a code was sent to <strong>{registered.email}</strong>. It is valid for 10 minutes.
          </>
        ) : (
          'Enter the code from the mail.'
        )}
      </p>
      <AccountForm
        path="/user/verify-otp"
        action="Verify"
        fields={[email, mailCode]}
        start={{ email: registered.email }}
        added={(sent) => token(sent.email)}
        onDone={onDone}
      />
      {message !== null && <Status>{message}</Status>}
      <p class="hint">
        {registered.email && (
          <>
            <TextButton onClick={again}>Send the code again</TextButton>
            {' · '}
          </>
        )}
        <TextButton onClick={onBack}>Other details</TextButton>
      </p>
    </section>
  )
}

function Key() {
  const { key: held } = useSession()
  if (held === null) return null
  return (
    <section class="card">
      <p>
        <strong>Your key is in use.</strong> Copy it into your programs; it does not expire. You can see it
        again by logging in.
      </p>
      <p class="key">
        <code>{held.apiKey}</code>
      </p>
      <p class="actions">
        <CopyButton text={() => held.apiKey} label="Copy the key" name="Copy the key" />{' '}
        <LinkButton href="#/pricing/bs/price">Compute a first price</LinkButton>
      </p>
    </section>
  )
}
