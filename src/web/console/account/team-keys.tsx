/** The team keys of the account: listed with what they have spent, created, changed, rotated and revoked. */
import type { ComponentChildren, TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
import type {
  UserKeysCreateData,
  UserKeysData,
  UserKeysUpdateData,
  UserProfileData,
} from '../../../../clients/typescript/types.ts'
import { Callout, LinkButton, SmallButton, TextButton } from '../buttons.tsx'
import { CopyButton } from '../copy.tsx'
import type { DescribedField } from '../field.tsx'
import forms from '../forms.js'
import { Facts } from '../list-table.tsx'
import { numberFrom, plural, whole } from '../numbers.ts'
import { useKeptFocus } from '../page.tsx'
import type { Success } from '../replies.ts'
import { isGuest } from '../session.ts'
import { dateTime } from '../times.ts'
import { AccountForm, type SentTexts, secondFactor, type Texts, type WithFactor } from './account-form.tsx'
import { AccountPage, Loaded, Meter, titleOf, useReply } from './account-page.tsx'

const ACTS = ['Change', 'Rotate', 'Revoke'] as const
/** Of a key that has ended, and of that of programs, who send access tokens of the provider instead. */
const WITHOUT_ROTATION = ['Change', 'Revoke'] as const
type Act = (typeof ACTS)[number]

const OVERLAPS = { 0: 'at once', 3600: 'in an hour', 86400: 'in a day', 604800: 'in a week' }

/** A key that was made, and what is to be done with it. */
interface MadeKey extends Pick<UserKeysCreateData, 'key' | 'name'> {
  readonly text: string
}

export default function TeamKeys() {
  return (
    <AccountPage title="Team keys">
      {isGuest() ? (
        <div class="empty">
          <p>Team keys need a registered account.</p>
          <p>
            <LinkButton href="#/register">Register</LinkButton>
          </p>
        </div>
      ) : (
        <Keys />
      )}
    </AccountPage>
  )
}

function Keys() {
  const [profile] = useReply<UserProfileData>('/user/profile')
  const [keys, renew] = useReply<UserKeysData>('/user/keys')
  const [made, setMade] = useState<MadeKey | null>(null)
  const show = (text: string) => (reply: Success<UserKeysCreateData>) => {
    setMade({ text, key: reply.data.key, name: reply.data.name })
    renew()
  }
  const about = useKeptFocus<HTMLParagraphElement>(made)
  const factor =
    profile?.success && 'mfa_enabled' in profile.data && profile.data.mfa_enabled ? [secondFactor] : []
  return (
    <>
      <p tabindex={-1} ref={about}>
        A key for each person or program, with a limit of its own. All spend the credits of this account; only
        its own key manages them.
      </p>
      {made !== null && <NewKey key={made.key} made={made} onDone={() => setMade(null)} />}
      <Loaded reply={keys} onRetry={renew}>
        {({ items }) => (
          <>
            {items.length === 0 && <p class="hint">There is no team key yet.</p>}
            <ul class="cards keys" aria-label="Team keys">
              {items.map((item) => (
                <Key
                  key={item.id}
                  item={item}
                  factor={factor}
                  onRotated={show('It replaces the old one, which ends as you chose.')}
                  onChanged={renew}
                />
              ))}
            </ul>
            <Create factor={factor} onDone={show('Give it to its user.')} />
          </>
        )}
      </Loaded>
    </>
  )
}

interface NewKeyProps {
  readonly made: MadeKey
  onDone(): void
}

const NewKey = ({ made, onDone }: NewKeyProps) => (
  <Callout title={`The key of “${made.name}”, shown only now`}>
    <p>
      <strong>The key of “{made.name}”, shown only now.</strong> {made.text}
    </p>
    <p class="key">
      <code>{made.key}</code>
    </p>
    <p class="actions">
      <CopyButton text={() => made.key} label="Copy" name="Copy the team key" />
      <SmallButton onClick={onDone}>Done</SmallButton>
    </p>
  </Callout>
)

interface KeyProps extends WithFactor {
  readonly item: UserKeysUpdateData
  onRotated(reply: Success<UserKeysCreateData>): void
  onChanged(): void
}

function Key({ item, factor, onRotated, onChanged }: KeyProps) {
  const [asked, setAsked] = useState<Act | null>(null)
  const [overlap, setOverlap] = useState('0')
  const card = useKeptFocus<HTMLLIElement>(asked, item.state)
  const close =
    <Data,>(then: (reply: Success<Data>) => void) =>
    (reply: Success<Data>) => {
      setAsked(null)
      then(reply)
    }
  const { id, name, state } = item
  const rows: readonly (readonly [string, ComponentChildren])[] = [
    [
      'Key',
      <code>
        {item.prefix}…{item.last4}
      </code>,
    ],
    ['Last used', item.last_used_at === null ? 'never' : dateTime(item.last_used_at)],
    [state === 'expired' ? 'Ended' : 'Ends', item.expires_at && dateTime(item.expires_at)],
    ['An hour', item.hourly_limit === null ? null : plural(item.hourly_limit, 'request')],
    ['Used from', item.allowed_ips?.join(', ')],
    ['May call', item.paths?.map(titleOf).join(', ')],
  ]
  return (
    <li class="card" tabindex={-1} ref={card}>
      <h2>
        {name} <span class="tag">{state}</span>
      </h2>
      <Spent item={item} />
      <Facts facts={rows} />
      {state !== 'revoked' && asked === null && (
        <p class="actions">
          {(state === 'active' && item.last4 !== '' ? ACTS : WITHOUT_ROTATION).map((act) => (
            <button
              type="button"
              class="small quiet"
              aria-label={`${act} ${name}`}
              onClick={() => setAsked(act)}
            >
              {act} …
            </button>
          ))}
        </p>
      )}
      {asked === 'Change' && (
        <TeamKeyForm
          item={item}
          path="/user/keys/update"
          action="Change the key"
          factor={factor}
          onDone={close(onChanged)}
        />
      )}
      {asked === 'Rotate' && (
        <AccountForm
          path="/user/keys/rotate"
          action="Rotate"
          fields={factor}
          added={() => ({ id, overlap_seconds: Number(overlap) })}
          onDone={close(onRotated)}
        >
          <label>
            The old key ends{' '}
            <select value={overlap} onChange={(event) => setOverlap(event.currentTarget.value)}>
              {Object.entries(OVERLAPS).map(([seconds, text]) => (
                <option value={seconds}>{text}</option>
              ))}
            </select>
          </label>
        </AccountForm>
      )}
      {asked === 'Revoke' && (
        <>
          <p>
            <strong>Revoke “{name}”?</strong> Its keys are refused from the next request on. It cannot be
            undone.
          </p>
          <AccountForm
            path="/user/keys/revoke"
            action="Revoke now"
            fields={factor}
            added={() => ({ id })}
            onDone={close(onChanged)}
          />
        </>
      )}
      {asked !== null && (
        <p class="hint">
          <TextButton onClick={() => setAsked(null)}>Cancel</TextButton>
        </p>
      )}
    </li>
  )
}

/** The bar is what was spent of the cap in its present period. */
function Spent({ item }: Pick<KeyProps, 'item'>) {
  const { cap_period, cap_resets_at, credit_cap, spent, spent_total } = item
  if (credit_cap === null) return <p>{plural(spent_total, 'credit')} spent, no cap</p>
  return (
    <Meter id={`spent-${item.id}`} used={spent} limit={credit_cap}>
      {whole(spent)} of {plural(credit_cap, 'credit')} spent {PERIODS[cap_period!]}
      {cap_resets_at !== null && <span class="hint">, renewed {dateTime(cap_resets_at)}</span>}
    </Meter>
  )
}

interface CreateProps extends WithFactor {
  onDone(reply: Success<UserKeysCreateData>): void
}

function Create({ factor, onDone }: CreateProps) {
  const [made, setMade] = useState(0)
  const done = (reply: Success<UserKeysCreateData>) => {
    setMade((count) => count + 1)
    onDone(reply)
  }
  return (
    <section class="card create-key">
      <h2>Create a team key</h2>
      <TeamKeyForm
        key={made}
        path="/user/keys/create"
        action="Create the key"
        factor={factor}
        onDone={done}
      />
    </section>
  )
}

const PERIODS = { total: 'in all', day: 'each day', month: 'each month' }

const FIELDS: readonly DescribedField[] = [
  { name: 'name', kind: 'text', required: true, description: 'its person or program' },
  { name: 'credit_cap', kind: 'number', required: false, description: 'credits that it may spend' },
  { name: 'cap_period', kind: 'choice', choices: Object.keys(PERIODS), label: 'The cap holds' },
  { name: 'hourly_limit', kind: 'number', required: false, label: 'Requests an hour' },
  {
    name: 'allowed_ips',
    kind: 'text',
    required: false,
    label: 'Addresses',
    description: 'from which it may be used, separated by commas, such as 192.0.2.0/24',
  },
  { name: 'expires_at', kind: 'date', required: false, label: 'Ends on', description: 'at midnight UTC' },
]

const count = (text: string) => numberFrom(text, true)
const ranges = (text: string) => text.split(/[\s,;]+/).filter((range) => range !== '')

interface TeamKeyFormProps<Data> extends WithFactor {
  /** The key that is changed; absent: a new one. */
  readonly item?: UserKeysUpdateData
  readonly path: string
  readonly action: string
  onDone(reply: Success<Data>): void
}

/** The settings of a new key or of `item`, of which only those that were changed are sent. */
function TeamKeyForm<Data>({ item, factor, path, action, onDone }: TeamKeyFormProps<Data>) {
  const [paths, setPaths] = useState(item?.paths ?? [])
  const start: Texts = item === undefined ? { cap_period: 'total' } : textsOf(item)
  const isUnchanged = paths.join() === (item?.paths ?? []).join()
  const added = (sent: SentTexts) => {
    // A null lifts the limit.
    const changed = (name: string, read: (text: string) => unknown = String) =>
      sent[name] === start[name] ? undefined : sent[name] === undefined ? null : read(sent[name])
    return {
      id: item?.id,
      name: changed('name'),
      credit_cap: changed('credit_cap', count),
      cap_period: sent.credit_cap === undefined ? undefined : sent.cap_period,
      hourly_limit: changed('hourly_limit', count),
      allowed_ips: changed('allowed_ips', ranges),
      expires_at: changed('expires_at', (day) => `${day}T00:00:00Z`),
      paths: isUnchanged ? undefined : paths.length === 0 ? null : paths,
    }
  }
  return (
    <AccountForm
      path={path}
      action={action}
      fields={[...FIELDS, ...factor]}
      start={start}
      added={added}
      onDone={onDone}
    >
      <Paths paths={paths} onPaths={setPaths} />
    </AccountForm>
  )
}

const textsOf = (item: UserKeysUpdateData): Texts => ({
  name: item.name,
  credit_cap: item.credit_cap === null ? undefined : String(item.credit_cap),
  cap_period: item.cap_period ?? 'total',
  hourly_limit: item.hourly_limit === null ? undefined : String(item.hourly_limit),
  allowed_ips: item.allowed_ips?.join(', '),
  expires_at: item.expires_at?.slice(0, 10),
})

interface PathsProps {
  readonly paths: readonly string[]
  onPaths(paths: string[]): void
}

function Paths({ paths, onPaths }: PathsProps) {
  const choose = ({ currentTarget: { checked, value } }: TargetedEvent<HTMLInputElement>) =>
    onPaths(checked ? [...paths, value] : paths.filter((path) => path !== value))
  return (
    <details>
      <summary>Operations that it may call: {paths.length === 0 ? 'all' : paths.length}</summary>
      <fieldset class="choices">
        <legend>None is chosen: all.</legend>
        {forms
          .filter(({ path }) => !path.endsWith('/columns') && path !== '/quantlib/batch')
          .map(({ path, title }) => (
            <label>
              <input type="checkbox" value={path} checked={paths.includes(path)} onChange={choose} /> {title}
            </label>
          ))}
      </fieldset>
    </details>
  )
}
