/** The key, the password, the second factor, the account's data, and log out. */
import { useState } from 'preact/hooks'
import type {
  UserMfaEnableData,
  UserMfaSetupData,
  UserProfileData,
  UserRegenerateApiKeyData,
} from '../../../../clients/typescript/types.ts'
import { Button, Callout, SmallButton, TextButton } from '../buttons.tsx'
import { CopyButton } from '../copy.tsx'
import { useLoaded } from '../loaded.tsx'
import { useKeptFocus } from '../page.tsx'
import type { Success } from '../replies.ts'
import { saveText } from '../save.ts'
import { hold, isGuest, useSession } from '../session.ts'
import {
  AccountForm,
  appCode,
  newPassword,
  password,
  secondFactor,
  type WithFactor,
} from './account-form.tsx'
import { AccountPage, Loaded, LogOut, useReply } from './account-page.tsx'
import { Privacy } from './privacy.tsx'

export default function Security() {
  const [profile, again] = useReply<UserProfileData>('/user/profile')
  return (
    <AccountPage title="Key and security">
      <Loaded reply={profile} onRetry={again}>
        {(data) => <Cards isOn={'mfa_enabled' in data && data.mfa_enabled} onChange={again} />}
      </Loaded>
      {profile?.success === false && (
        <div class="cards">
          <LogOut />
        </div>
      )}
    </AccountPage>
  )
}

interface FactorSwitch {
  /** Whether the account has a second factor. */
  readonly isOn: boolean
  onChange(): void
}

function Cards({ isOn, onChange }: FactorSwitch) {
  const factor = isOn ? [secondFactor] : []
  return (
    <div class="cards">
      <div class="stack">
        <Key factor={factor} />
        <LogOut />
      </div>
      {!isGuest() && (
        <>
          <SecondFactor isOn={isOn} onChange={onChange} />
          <Password factor={factor} />
          <Privacy factor={factor} />
        </>
      )}
    </div>
  )
}

function Key({ factor }: WithFactor) {
  const key = useSession().key!
  const [isShown, setShown] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [isNew, setNew] = useState(false)
  const card = useKeptFocus(isAsking)
  const replaced = ({ data: made }: Success<UserRegenerateApiKeyData>) => {
    hold(made.api_key, { name: key.name, isSignedOn: key.isSignedOn, until: key.until })
    setAsking(false)
    setShown(true)
    setNew(true)
  }
  return (
    <section class="card" tabindex={-1} ref={card}>
      <h2>API key</h2>
      {isNew && (
        <p role="status">
          <strong>This is your new key.</strong> The old one no longer works.
        </p>
      )}
      <p class="key">
        <code>
          {isShown ? key.apiKey : `${key.apiKey.slice(0, 12)}${'•'.repeat(12)}${key.apiKey.slice(-4)}`}
        </code>
      </p>
      <p class="actions">
        <button type="button" class="small quiet" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          Show
        </button>
        <CopyButton text={() => key.apiKey} label="Copy" name="Copy the key" />
        {!isGuest() && !isAsking && <SmallButton onClick={() => setAsking(true)}>Replace …</SmallButton>}
      </p>
      {isAsking && (
        <div class="problem">
          <p>
            <strong>Replace the key?</strong> Every program that sends the old key stops at once, with 401.
            Credits, limits and history stay.
          </p>
          <AccountForm
            path="/user/regenerate-api-key"
            action="Replace the key now"
            fields={factor}
            onDone={replaced}
          />
          <p class="hint">
            <TextButton onClick={() => setAsking(false)}>Keep the old key</TextButton>
          </p>
        </div>
      )}
    </section>
  )
}

function Password({ factor }: WithFactor) {
  const { key } = useSession()
  const [isDone, setDone] = useState(false)
  const card = useKeptFocus(isDone)
  return (
    <section class="card" tabindex={-1} ref={card}>
      <h2>Password</h2>
      {key?.isSignedOn && (
        <p class="hint">
          An account that was made by the sign-on has no password until <em>I forgot my password</em>, on the
          page of <a href="#/login">log in</a>, sets one. The second factor and the deletion of the account
          need it.
        </p>
      )}
      {isDone ? (
        <p role="status">
          <strong>The password was changed.</strong>
        </p>
      ) : (
        <AccountForm
          path="/user/change-password"
          action="Change the password"
          quiet
          fields={[{ ...password, label: 'Present password' }, newPassword, ...factor]}
          onDone={() => setDone(true)}
        />
      )}
    </section>
  )
}

function SecondFactor({ isOn, onChange }: FactorSwitch) {
  const [setup, setSetup] = useState<UserMfaSetupData | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const card = useKeptFocus(isOn, setup, codes)
  const enabled = ({ data }: Success<UserMfaEnableData>) => {
    setSetup(null)
    setCodes(data.recovery_codes)
    onChange()
  }
  const disabled = () => {
    setCodes(null)
    onChange()
  }
  return (
    <section class="card" tabindex={-1} ref={card}>
      <h2>
        Second factor <span class="tag">{isOn ? 'on' : 'off'}</span>
      </h2>
      {codes !== null && <RecoveryCodes codes={codes} />}
      {isOn || codes !== null ? (
        <>
          <p>Logging in and changes of the account and its keys ask for a code from your app.</p>
          <details>
            <summary>Switch it off</summary>
            <AccountForm
              path="/user/mfa/disable"
              action="Switch off"
              quiet
              fields={[{ ...appCode, description: secondFactor.description! }]}
              onDone={disabled}
            />
          </details>
        </>
      ) : setup === null ? (
        <>
          <p>A code from an app on your phone, besides the password.</p>
          <AccountForm
            key="setup"
            path="/user/mfa/setup"
            action="Set up"
            quiet
            fields={[password]}
            onDone={({ data }: Success<UserMfaSetupData>) => setSetup(data)}
          />
        </>
      ) : (
        <>
          <p>Scan this with your authenticator app, then enter the code that it shows.</p>
          <QrCode text={setup.otpauth_url} label="QR code of the secret, for an authenticator app" />
          <p class="hint">
            Or enter the secret: <code class="secret">{setup.secret}</code>{' '}
            <CopyButton text={() => setup.secret} name="Copy the secret" />
          </p>
          <AccountForm
            key="enable"
            path="/user/mfa/enable"
            action="Switch on"
            fields={[appCode]}
            onDone={enabled}
          />
        </>
      )}
    </section>
  )
}

/** Dark on light in every scheme, so that cameras read it. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const made = useLoaded(() => import('./qr-path.ts').then(({ qrPath }) => qrPath(text)), [text])
  if (made === null) return <p class="hint">Loading …</p>
  const { path, side } = made
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${side} ${side}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  const text = () => `${codes.join('\n')}\n`
  return (
    <Callout title="Keep these recovery codes; they are not shown again.">
      <p>
        <strong>Keep these recovery codes.</strong> Each replaces the app once; they are not shown again.
      </p>
      <ul class="codes">
        {codes.map((code) => (
          <li>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p class="actions">
        <Button onClick={() => saveText(text(), 'quantd-recovery-codes.txt', 'text/plain')}>Download</Button>{' '}
        <CopyButton text={text} name="Copy the recovery codes" />
      </p>
    </Callout>
  )
}
