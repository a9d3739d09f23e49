/** A form that is sent to an account endpoint, and its fields; each error is shown at its field, the rest below. */
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { type DescribedField, Field } from '../field.tsx'
import { nextField } from '../page.tsx'
import { Problem } from '../problem.tsx'
import type { Refusal, Success } from '../replies.ts'
import { send } from '../session.ts'

/** The service's message names the address too, which not every form asks for. */
const worded = (reply: Refusal, fields: readonly DescribedField[]): Refusal =>
  reply.error.code === 'invalid_credentials' && !fields.some(({ name }) => name === 'email')
    ? { ...reply, message: 'The password is wrong.' }
    : reply

/** The entries by the names of the fields. */
export type Texts = Readonly<Record<string, string | undefined>>

/** The entries that are not empty. */
export type SentTexts = Readonly<Record<string, string>>

interface AccountFormProps<Data> {
  readonly path: string
  readonly fields: readonly DescribedField[]
  readonly action: string
  /** The first entries. */
  readonly start?: Texts
  readonly quiet?: boolean
  /** Further values that are sent. */
  added?(sent: SentTexts): object
  onDone(reply: Success<Data>, sent: SentTexts): void
  /** Returns 'next step' for a failure that only asks for more. */
  onFailure?(reply: Refusal): 'next step' | null
  readonly children?: ComponentChildren
}

export function AccountForm<Data>({
  path,
  fields,
  action,
  start = {},
  quiet = false,
  added = () => ({}),
  onDone,
  onFailure,
  children,
}: AccountFormProps<Data>) {
  const [values, setValues] = useState<Texts>(start)
  const [reply, setReply] = useState<Refusal | null>(null)
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const details = reply?.error.details ?? []
  const errorOf = (name: string) => details.find((detail) => detail.path === `/${name}`)?.message
  const left = details.filter((detail) => !fields.some(({ name }) => detail.path === `/${name}`))
  const isAtFields = details.length > 0 && left.length === 0

  async function submit() {
    if (isBusy) return
    setBusy(true)
    const sent: Record<string, string> = {}
    for (const { name } of fields) if (values[name]) sent[name] = values[name]
    const got = await send<Data>(path, JSON.stringify({ ...sent, ...added(sent) }))
    setBusy(false)
    if (got.success) {
      setReply(null)
      return onDone(got, sent)
    }
    const asksForMore = onFailure?.(got) === 'next step'
    setReply(asksForMore ? null : worded(got, fields))
    setTimeout(() => {
      const field = asksForMore
        ? nextField(form.current!)
        : form.current?.querySelector<HTMLElement>('[aria-invalid]')
      field?.focus()
    })
  }

  return (
    <form
      class="account-form"
      ref={form}
      novalidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      aria-label={action}
    >
      {fields.map((described) => (
        <Field
          key={described.name}
          described={described}
          text={values[described.name] ?? ''}
          error={errorOf(described.name)}
          onText={(text) => setValues((before) => ({ ...before, [described.name]: text }))}
        />
      ))}
      {children}
      <div class="actions">
        <button type="submit" class={quiet ? 'quiet' : undefined} aria-disabled={isBusy ? 'true' : undefined}>
          {action}
        </button>
      </div>
      {reply !== null && !isAtFields && <Problem reply={reply} left={left} onRetry={submit} isAct />}
    </form>
  )
}

type More = Pick<DescribedField, 'description' | 'inputmode'>

const field = (name: string, kind: string, autocomplete: string, more: More = {}): DescribedField => ({
  name,
  kind,
  required: true,
  autocomplete,
  ...more,
})

export const email = field('email', 'email', 'email')
export const username = field('username', 'text', 'name')
export const password = field('password', 'password', 'current-password')

const LENGTH = { description: '8 to 128 characters' }
export const chosenPassword = field('password', 'password', 'new-password', LENGTH)
export const newPassword = field('new_password', 'password', 'new-password', LENGTH)

const code = (name: string, description: string, more?: More) =>
  field(name, 'text', 'one-time-code', { description, ...more })
const DIGITS = { inputmode: 'numeric' } as const
export const mailCode = code('otp', 'six digits, from the mail', DIGITS)
export const resetCode = code('otp', 'twelve letters and digits, from the mail')
export const appCode = code('code', 'six digits, from the app', DIGITS)
export const secondFactor = code('mfa_code', 'six digits from the app, or a recovery code')

export interface WithFactor {
  /** The field of the second factor, if the account has one. */
  readonly factor: readonly DescribedField[]
}
