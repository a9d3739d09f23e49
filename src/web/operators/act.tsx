/** An act: its form, made from its declaration, with the command and the request that do the same. */
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { ActForm as DeclaredForm, FormField } from '../../derive/forms.ts'
import { QuietButton } from '../console/buttons.tsx'
import { CopyButton } from '../console/copy.tsx'
import { type DescribedField, Field } from '../console/field.tsx'
import { numberFrom } from '../console/numbers.ts'
import type { Reply } from '../console/replies.ts'
import acts from './acts.js'
import { type ActValues, commandOf, requestOf } from './command.ts'
import { type ActData, Done, messageOf, secretsOf, undoOf, Waits } from './outcome.tsx'
import { Problem } from './parts.tsx'
import { may, send } from './service.ts'

/** The entries of a form by the names of its fields. */
type Texts = Readonly<Record<string, string>>

/** By its path below /operator/v1/; undefined: the service has none, or the role may not do it. */
export function actAt(path: string): DeclaredForm | undefined {
  const act = acts.find((one) => one.path === `/operator/v1/${path}`)
  return act !== undefined && may(act.role) ? act : undefined
}

/** The acts that name an account. */
export const accountActs = (): DeclaredForm[] =>
  acts.filter(({ fields, role }) => may(role) && fields.some(({ name }) => name === 'account'))

/** The request of an act, and what it is about. */
interface About {
  /** Values of fields that are not asked for. */
  readonly given?: ActValues
  /** Texts of fields that are asked for. */
  readonly start?: Texts
  /** Fields that stay without a value. */
  readonly omitted?: readonly string[]
  /** The name of what is acted on. */
  readonly name?: string | undefined
  /** The act that this one has done; undefined: the page does not know it. */
  readonly confirms?: { readonly act: DeclaredForm | undefined; readonly facts: ComponentChildren }
  onDone?: (() => void) | undefined
}

interface ActProps extends About {
  readonly path: string
  /** Absent: the title of the act. */
  readonly label?: string | undefined
  readonly isSmall?: boolean
}

interface Opened extends About {
  readonly act: DeclaredForm
}

/** A button that opens the form. */
export function Act({ path, label, isSmall = true, ...about }: ActProps) {
  // A list that renews itself may give the place of the button to another row while the form is open.
  const [opened, setOpened] = useState<Opened | null>(null)
  const act = actAt(path)
  if (act === undefined) return null
  return (
    <>
      <button
        type="button"
        class={`quiet${isSmall ? ' small' : ''}${act.final ? ' danger' : ''}`}
        aria-haspopup="dialog"
        onClick={() => setOpened({ act, ...about })}
      >
        {label ?? act.title}
        {' …'}
      </button>
      {opened !== null && <ActDialog {...opened} onClose={() => setOpened(null)} />}
    </>
  )
}

interface DialogProps extends Opened {
  onClose(): void
}

/** The change, or that of somebody else, is shown once the dialog is closed: the button may be gone then. */
function ActDialog({ act, name, onClose, onDone, ...rest }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isChanged = useRef(false)
  const [hasSecrets, setHasSecrets] = useState(false)
  const opened = (element: HTMLDialogElement | null) => {
    if (element === null || dialog.current !== null) return
    dialog.current = element
    element.showModal()
  }
  const closed = () => {
    onClose()
    if (isChanged.current) onDone?.()
  }
  const changed = (reply: Reply<ActData>) => {
    isChanged.current = true
    setHasSecrets(reply.success && secretsOf(act, reply.data).length > 0)
  }
  // Escape would close a secret that is not shown again.
  const cancelled = (event: Event) => {
    if (hasSecrets) event.preventDefault()
  }
  return (
    <dialog
      ref={opened}
      aria-label={act.title}
      closedby={hasSecrets ? 'none' : 'closerequest'}
      onCancel={cancelled}
      onClose={closed}
    >
      <h2>
        {act.title}
        {name && (
          <>
            {' '}
            <span class="tag">{name}</span>
          </>
        )}
      </h2>
      <ActForm act={act} name={name} onChange={changed} onClose={() => dialog.current?.close()} {...rest} />
    </dialog>
  )
}

/** Statuses of a refusal for what somebody else has done. */
const CHANGED_MEANWHILE = [404, 409]

interface ActFormProps extends Omit<Opened, 'onDone'> {
  /** Takes the reply of an act that has changed something, or that somebody else has made obsolete. */
  onChange(reply: Reply<ActData>): void
  onClose(): void
}

function ActForm(props: ActFormProps) {
  const { act, given = {}, start = {}, omitted = [], name, confirms, onChange, onClose } = props
  const fields = act.fields.filter(({ name: field }) => !(field in given) && !omitted.includes(field))
  const [texts, setTexts] = useState<Texts>({
    ...Object.fromEntries(fields.map((one) => [one.name, startOf(one)])),
    ...start,
  })
  const [typed, setTyped] = useState('')
  const [reply, setReply] = useState<Reply<ActData> | null>(null)
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const values = { ...given, ...valuesOf(fields, texts) }
  // The name of what a final act is done to is typed.
  const mustName = (confirms === undefined ? act : confirms.act)?.final === true && name !== undefined
  const isNamed = !mustName || typed.trim() === name
  const details = reply?.success === false ? (reply.error.details ?? []) : []
  const errorOf = (field: string) => details.find(({ path }) => path === `/${field}`)?.message
  const left = details.filter(({ path }) => !fields.some((field) => path === `/${field.name}`))

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isBusy || !isNamed) return
    setBusy(true)
    const got = await send<ActData>(act.path.slice('/operator/'.length), values)
    setBusy(false)
    setReply(got)
    if (got.success || CHANGED_MEANWHILE.includes(got.status)) onChange(got)
    if (!got.success) setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus())
  }

  if (reply?.status === 202) return <Waits text={messageOf(reply)} onClose={onClose} />
  if (reply?.success) {
    const undo = undoOf(reply)
    return <Done act={act} data={reply.data} message={messageOf(reply)} undo={undo} onClose={onClose} />
  }
  return (
    <form class="account-form" ref={form} novalidate onSubmit={submit} aria-label={act.title}>
      {confirms && <p>{confirms.facts}</p>}
      <p class="hint">{inForm(act.summary)}</p>
      {fields.map((field) => {
        const text = texts[field.name] ?? ''
        const onText = (text: string) => setTexts((before) => ({ ...before, [field.name]: text }))
        return (
          <Field
            key={field.name}
            described={asked(field)}
            text={text}
            error={errorOf(field.name)}
            onText={onText}
            {...(field.kind === 'choices' && { control: choices(field, text, onText) })}
          />
        )
      })}
      {mustName && (
        <Field
          described={{
            name: 'confirmation',
            kind: 'text',
            label: `Type ${name} to confirm`,
            required: true,
            description: 'this cannot be undone',
          }}
          text={typed}
          onText={setTyped}
        />
      )}
      <Same act={act} values={values} />
      <div class="actions">
        <button
          type="submit"
          class={mustName ? 'final' : undefined}
          aria-disabled={isBusy || !isNamed ? 'true' : undefined}
        >
          {act.title}
        </button>
        <QuietButton onClick={onClose}>Cancel</QuietButton>
      </div>
      {reply?.success === false && <Problem reply={reply} left={left} />}
    </form>
  )
}

interface SameProps {
  readonly act: DeclaredForm
  readonly values: ActValues
}

/** The command and the request that do the same. */
export function Same({ act, values }: SameProps) {
  const command = commandOf(act, values)
  const request = requestOf(act, values, location.origin)
  return (
    <details class="same">
      <summary>The same as a command and as a request</summary>
      {command !== null && <Sample title="Command" text={command} />}
      <Sample title="Request" text={request} />
    </details>
  )
}

const Sample = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <figure class="sample">
    <figcaption>
      <span>{title}</span>
      <CopyButton text={() => text} name={`Copy the ${title.toLowerCase()}`} />
    </figcaption>
    <pre tabindex={0}>
      <code>{text}</code>
    </pre>
  </figure>
)

/** A box for each choice, with a line about it. @param text the chosen ones, separated by commas */
const choices =
  ({ choices, lines = {}, name }: FormField, text: string, onText: (text: string) => void) =>
  ({ label, descriptions }: { readonly label: string; readonly descriptions: string }) => {
    const chosen = text.split(',').filter((one) => one !== '')
    return (
      <div class="choices" role="group" aria-labelledby={label} aria-describedby={descriptions}>
        {choices.map(String).map((choice) => (
          <label>
            <input
              type="checkbox"
              name={name}
              value={choice}
              checked={chosen.includes(choice)}
              onChange={({ currentTarget: { checked } }) =>
                onText((checked ? [...chosen, choice] : chosen.filter((one) => one !== choice)).join())
              }
            />
            <code>{choice}</code> <span class="hint">{lines[choice]?.replaceAll('`', '')}</span>
          </label>
        ))}
      </div>
    )
  }

/** Of controls that are not those of the console. */
const KINDS: Readonly<Record<string, string>> = {
  vector: 'text',
  matrix: 'text',
  json: 'text',
  texts: 'text',
  either: 'text',
  timestamp: 'datetime-local',
}

/** A null of a request is entered as a word. */
const inForm = (text: string) =>
  text
    .replaceAll('`', '')
    .replace(/\bnull\b/g, 'default')
    .replace(/\babsent:/, 'empty:')

const asked = (field: FormField): DescribedField => ({
  ...field,
  description: inForm(field.description),
  kind: KINDS[field.type === 'timestamp' ? 'timestamp' : field.kind] ?? field.kind,
  wire: true,
})

const startOf = ({ choices, kind, required }: FormField) =>
  kind === 'choice' && required ? String(choices[0]) : ''

/** Only what was entered; numbers as numbers; lists separated by commas; `default` lifts a limit. */
function valuesOf(fields: readonly FormField[], texts: Texts): ActValues {
  const entered = fields.filter(({ name }) => (texts[name] ?? '').trim() !== '')
  return Object.fromEntries(
    entered.map((field) => [field.name, readValue(field, (texts[field.name] ?? '').trim())]),
  )
}

function readValue({ choices, kind, name, type }: FormField, text: string): unknown {
  if (kind === 'choice') return choices.find((choice) => String(choice) === text)
  if (type === 'timestamp') return new Date(text).toISOString()
  if (kind === 'number') return text === 'default' ? null : numberFrom(text, type === 'integer')
  if (/^(true|false)$/.test(text) && /boolean/.test(type)) return text === 'true'
  if (kind === 'vector') return text.split(',').map((part) => numberFrom(part))
  if (kind === 'json' || kind === 'texts' || kind === 'choices')
    return name === 'account' ? text : text.split(',').map((part) => part.trim())
  return text
}
