/** A form that is sent to an account endpoint; each error is shown at its field, the rest below. */
// @ts-nocheck: to be converted
import { useRef, useState } from 'preact/hooks'
import { Field } from '../field.tsx'
import { nextField } from '../page.tsx'
import { Problem } from '../problem.tsx'
import { send } from '../session.ts'

/** The service's message names the address too, which not every form asks for. */
const worded = (reply, fields) =>
  reply.error?.code === 'invalid_credentials' && !fields.some(({ name }) => name === 'email')
    ? { ...reply, message: 'The password is wrong.' }
    : reply

/**
 * `fields`: by account-fields.ts; `added(values)`: further values that are sent; `onDone(reply, values)` after a success;
 * `onFailure(reply)`, which returns 'next step' for one that only asks for more.
 */
export function AccountForm({
  path,
  fields,
  action,
  start = {},
  quiet = false,
  added = () => ({}),
  onDone,
  onFailure,
  children,
}) {
  const [values, setValues] = useState(start)
  const [reply, setReply] = useState(null)
  const [isBusy, setBusy] = useState(false)
  const form = useRef(null)
  const details = reply?.error?.details ?? []
  const errorOf = (name) => details.find((detail) => detail.path === `/${name}`)?.message
  const left = details.filter((detail) => !fields.some(({ name }) => detail.path === `/${name}`))
  const isAtFields = details.length > 0 && left.length === 0

  async function submit(event) {
    event?.preventDefault()
    if (isBusy) return
    setBusy(true)
    const sent = Object.fromEntries(
      fields.map(({ name }) => [name, values[name]]).filter(([, value]) => value),
    )
    const got = await send(path, JSON.stringify({ ...sent, ...added(sent) }))
    setBusy(false)
    if (got.success) {
      setReply(null)
      return onDone(got, sent)
    }
    const asksForMore = onFailure?.(got) === 'next step'
    setReply(asksForMore ? null : worded(got, fields))
    setTimeout(() => {
      const field = asksForMore ? nextField(form.current) : form.current?.querySelector('[aria-invalid]')
      field?.focus()
    })
  }

  return (
    <form class="account-form" ref={form} novalidate onSubmit={submit} aria-label={action}>
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
