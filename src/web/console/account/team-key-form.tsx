/** The form with the settings of a team key. */
import type { TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
import type { UserKeysUpdateData } from '../../../../clients/typescript/types.ts'
import type { DescribedField } from '../field.tsx'
import forms from '../forms.js'
import { numberFrom } from '../numbers.ts'
import type { Success } from '../replies.ts'
import { AccountForm, type SentTexts, type Texts } from './account-form.tsx'

export const PERIODS = { total: 'in all', day: 'each day', month: 'each month' }

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

interface TeamKeyFormProps<Data> {
  /** The key that is changed; absent: a new one. */
  readonly item?: UserKeysUpdateData
  /** The field of the second factor, if the account has one. */
  readonly factor: readonly DescribedField[]
  readonly path: string
  readonly action: string
  onDone(reply: Success<Data>): void
}

/** The settings of a new key or of `item`, of which only those that were changed are sent. */
export function TeamKeyForm<Data>({ item, factor, path, action, onDone }: TeamKeyFormProps<Data>) {
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
