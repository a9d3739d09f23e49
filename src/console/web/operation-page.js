/** The page of one operation: fields with sliders, the preview and its picture, and the answer that is charged. */
import { Answer } from './answer.js'
import { fieldsInTable } from './data/table-values.js'
import { Details } from './details.js'
import { Field } from './field.js'
import forms from './forms.js'
import { html, useEffect, useMemo, useState } from './html.js'
import { numberFrom } from './numbers.js'
import { canBeGuest, guestCredits } from './offers.js'
import { loadOperation } from './operations/index.js'
import { Preview } from './preview.js'
import { Samples } from './samples.js'
import { useSession } from './session.js'
import { Progress, TableInput, textEntry, textOfExample } from './table-input.js'
import { bodyFor, useAnswer } from './use-answer.js'
import { usePreview } from './use-preview.js'

/** Numbers of a table that a sample shows. */
const MOST_IN_SAMPLE = 120

/** Entries stay while the tab is open. */
const kept = new Map()

/** `given`: the values of a request that a link brought, or null. */
export default function OperationPage({ form, given }) {
  const [operation, setOperation] = useState(null)
  useEffect(() => {
    let isCurrent = true
    loadOperation(form.id).then((loaded) => isCurrent && setOperation(loaded))
    return () => {
      isCurrent = false
    }
  }, [])
  const [first, ...others] = form.summary.split(/(?<=\.)\s+/)
  return html`<div>
    <h1>${form.title}</h1>
    <div class="lead"><p>${first}</p>${others.length > 0 && html`<details><summary>More about it</summary><p>${others.join(' ')}</p></details>`}</div>
    <${Modes} form=${form} />
    ${operation === null ? html`<p class="hint">Loading …</p>` : html`<${Work} form=${form} given=${given} operation=${operation} />`}
  </div>`
}

/** One row, or many rows in one request. */
function Modes({ form }) {
  const base = form.path.replace(/\/columns$/, '')
  if (!forms.some(({ path }) => path === `${base}/columns`)) return null
  return html`<nav class="pages" aria-label="Rows">${[
    [base, 'One row'],
    [`${base}/columns`, 'Many rows'],
  ].map(
    ([path, text]) =>
      html`<a href=${`#${path.replace(/^\/quantlib/, '')}`} aria-current=${path === form.path ? 'page' : undefined}>${text}</a>`,
  )}</nav>`
}

function Work({ form, given, operation }) {
  const spec = useMemo(() => operation.table ?? operation.tableOf?.(form) ?? null, [])
  const [entries, setEntries] = useState(
    () => (given === null && kept.get(form.id)) || startEntries(form, spec, given, operation.sample),
  )
  useEffect(() => {
    kept.set(form.id, entries)
  }, [entries])
  const { texts, table } = entries
  const inTable = useMemo(() => fieldsInTable(spec, table), [table])
  const fields = useMemo(() => form.fields.filter(({ name }) => !inTable.includes(name)), [inTable])
  const setText = (name) => (text) =>
    setEntries((before) => ({ ...before, texts: { ...before.texts, [name]: text } }))
  const setTable = (next) => setEntries((before) => ({ ...before, table: next }))

  const session = useSession()
  const sent = useMemo(() => sentValues(fields, texts), [fields, texts])
  const values = useMemo(() => withDefaults(fields, sent), [sent])
  const answer = useAnswer({ form, operation, spec, entries, sent, values, table })
  const preview = usePreview({
    ...{ form, operation, spec, values, table },
    isPaused: answer.progress !== null,
  })
  const errors = answer.fieldErrors
  const isReady = spec === null || table.table !== null
  const submit = (event) => {
    event.preventDefault()
    if (session.key === null && !canBeGuest) location.hash = '#/login'
    else if (answer.progress === null) answer.compute()
  }
  const shown = answer.isFresh && answer.shown !== null ? answer.shown : preview.shown
  const hasSlider = operation.preview !== null
  const body = useMemo(
    () =>
      isReady && !table.worker && !(table.table?.values.length > MOST_IN_SAMPLE)
        ? bodyFor({ spec, table, sent })
        : null,
    [sent, table],
  )
  // The same views again, which the library then skips: while a slider moves, only the numbers and the picture change.
  const input = useMemo(
    () =>
      spec !== null &&
      html`<${TableInput} spec=${spec} field=${spec.kind === 'rows' ? undefined : form.fields.find(({ name }) => inTable.includes(name))} given=${table} error=${answer.tableError} onChange=${setTable} />`,
    [table, answer.tableError],
  )
  const picture = useMemo(
    () =>
      operation.Picture !== null &&
      (shown === null
        ? html`<p class="empty">The picture appears once the input is complete.</p>`
        : html`<section class="picture" aria-label="Picture"><${operation.Picture} ...${shown} table=${table.table} /></section>`),
    [shown, table.table],
  )
  const details = useMemo(
    () => html`<${Details} form=${form} operation=${operation} answer=${answer} />`,
    [answer.reply, answer.isFresh],
  )
  const samples = useMemo(() => html`<${Samples} form=${form} body=${body} />`, [body])
  return html`<div class="work">
    <form class="inputs" novalidate onSubmit=${submit} aria-label="Input">
      ${input}
      ${fields.map(
        (
          described,
        ) => html`<${Field} key=${described.name} described=${{ ...described, wire: true }} text=${texts[described.name]}
        error=${errors[described.name]} onText=${setText(described.name)} hasSlider=${hasSlider} />`,
      )}
      <div class="actions">
        <button type="submit" aria-disabled=${answer.progress !== null ? 'true' : undefined}>${session.key !== null ? 'Compute' : canBeGuest ? 'Compute with a new guest key' : 'Log in to compute'}</button>
        <button type="button" class="quiet" onClick=${() => {
          table.worker?.close()
          setEntries(startEntries(form, spec, null, operation.sample))
        }}>Reset</button>
      </div>
      ${session.key === null && html`<p class="hint">${canBeGuest ? html`A guest key needs no e-mail address and holds ${guestCredits}. <a href="#/login">I have a key</a>` : 'Previews are free; an answer of the service needs a key.'}</p>`}
    </form>
    <div class="outcome">
      <div class="numbers">
        <${Preview} operation=${operation} preview=${preview} isReady=${isReady} />
        <${Answer} form=${form} operation=${operation} answer=${answer} />
      </div>
      ${answer.progress !== null && html`<div class="callout"><${Progress} ...${answer.progress} /><p><button type="button" class="small quiet" onClick=${answer.cancel}>Cancel</button></p></div>`}
      ${picture}
      ${details}
      ${samples}
    </div>
  </div>`
}

/** The values of a link; else the operation's sample, which is longer than the example of the reference; else that example. */
function startEntries(form, spec, given, sample) {
  if (spec?.kind === 'rows') return startRows(form, spec, given)
  const example = given ?? {
    ...Object.fromEntries(form.fields.map(({ name, example }) => [name, example])),
    ...sample,
  }
  const texts = Object.fromEntries(
    form.fields.map((field) => [field.name, textFor(field, example[field.name] ?? null)]),
  )
  if (spec === null) return { texts, table: {} }
  const long = given === null && sample?.[(spec.fields ?? [spec.field])[0]]
  return { texts, table: textEntry(spec, long || textOfExample(spec, example)) }
}

/** One value for all rows where a link gives one; arrays are columns of the table. */
function startRows(form, spec, given) {
  const scalar = ({ example, name }) => (given === null ? example : given.columns?.[name])
  const single = (value) => (Array.isArray(value) ? null : (value ?? null))
  return {
    texts: Object.fromEntries(
      form.fields.map((field) => [field.name, textFor(field, single(scalar(field)))]),
    ),
    table: textEntry(spec, given === null ? spec.sample : textOfExample(spec, given)),
  }
}

function textFor({ kind, choices, default: fallback }, value) {
  const chosen = value ?? (kind === 'choice' ? (fallback ?? choices[0]) : null)
  if (chosen === null) return ''
  return kind === 'json' ? JSON.stringify(chosen, null, 2) : String(chosen)
}

/** The values to send: an empty field is omitted. */
function sentValues(fields, texts) {
  return Object.fromEntries(
    fields
      .filter(({ name }) => texts[name].trim() !== '')
      .map(({ name, kind, choices }) => {
        const text = texts[name]
        if (kind === 'number') return [name, numberFrom(text)]
        if (kind === 'choice') return [name, choices.find((choice) => String(choice) === text) ?? text]
        return [name, kind === 'text' ? text : jsonFrom(text)]
      }),
  )
}

const withDefaults = (fields, sent) =>
  Object.fromEntries(fields.map(({ name, default: fallback }) => [name, sent[name] ?? fallback ?? undefined]))

function jsonFrom(text) {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
