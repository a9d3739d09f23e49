/** The page of one operation: fields with sliders, the preview and its picture, and the answer that is charged. */
import { Answer } from './answer.js'
import { costOf, costText } from './cost.js'
import { fieldsInTable } from './data/table-values.js'
import { Details } from './details.js'
import { sentValues, startEntries, withDefaults } from './entries.js'
import { Field } from './field.js'
import forms from './forms.js'
import { html, useEffect, useMemo, useState } from './html.js'
import { canBeGuest, guestCredits } from './offers.js'
import { loadOperation } from './operations/index.js'
import { Preview } from './preview.js'
import { Samples } from './samples.js'
import { useSession } from './session.js'
import { Progress, TableInput } from './table-input.js'
import { bodyFor, useAnswer } from './use-answer.js'
import { useLoaded } from './use-loaded.js'
import { usePreview } from './use-preview.js'

/** Numbers of a table that a sample shows. */
const MOST_IN_SAMPLE = 120

/** Entries stay while the tab is open. */
const kept = new Map()

/** `given`: the values of a request that a link brought, or null. */
export default function OperationPage({ form, given }) {
  const operation = useLoaded(() => loadOperation(form.path))
  const [first, ...others] = form.summary.split(/(?<=\.)\s+(?=[A-Z])/)
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

  const sent = useMemo(() => sentValues(fields, texts), [fields, texts])
  const values = useMemo(() => withDefaults(fields, sent), [sent])
  const answer = useAnswer({ form, operation, spec, entries, sent, values, table })
  const preview = usePreview({
    ...{ form, operation, spec, values, table },
    isPaused: answer.progress !== null,
  })
  const isReady = spec === null || table.table !== null
  const reset = () => {
    table.worker?.close()
    setEntries(startEntries(form, spec, null, operation.sample))
  }
  const isAnswered = answer.isFresh && answer.shown !== null
  const shown = isAnswered ? answer.shown : preview.shown
  const isEarlier = !isAnswered && preview.isStale
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
        ? html`<p class="empty">${operation.preview === null ? 'The picture appears with the answer.' : 'The picture appears once the input is complete.'}</p>`
        : html`<section class=${isEarlier ? 'picture earlier' : 'picture'} aria-label="Picture">${isEarlier && html`<p class="hint late" role="status">Of the earlier input; the new one is being computed.</p>`}<${operation.Picture} ...${shown} table=${table.table} /></section>`),
    [shown, isEarlier, table.table],
  )
  const details = useMemo(
    () => html`<${Details} form=${form} operation=${operation} answer=${answer} />`,
    [answer.reply, answer.isFresh],
  )
  const samples = useMemo(() => html`<${Samples} form=${form} body=${body} />`, [body])
  return html`<div class="work">
    <${Inputs} ...${{ fields, texts, answer, setText, reset }} cost=${costOf(form, spec, table, sent)} hasSlider=${operation.preview !== null}>${input}<//>
    <div class="outcome">
      <div class="numbers">
        <${Preview} operation=${operation} preview=${preview} isReady=${isReady} />
        <${Answer} operation=${operation} answer=${answer} preview=${preview} />
      </div>
      ${answer.progress !== null && html`<div class="callout"><${Progress} ...${answer.progress} /><p><button type="button" class="small quiet" onClick=${answer.cancel}>Cancel</button></p></div>`}
      ${picture}
      ${details}
      ${samples}
    </div>
  </div>`
}

/** The fields of a request and its button; `children`: the table. */
function Inputs({ fields, texts, answer, setText, reset, cost, hasSlider, children }) {
  const { key, credits } = useSession()
  const submit = (event) => {
    event.preventDefault()
    if (key === null && !canBeGuest) location.hash = '#/login'
    else if (answer.progress === null) answer.compute()
  }
  return html`<form class="inputs" novalidate onSubmit=${submit} aria-label="Input">
    ${children}
    ${fields.map(
      (
        described,
      ) => html`<${Field} key=${described.name} described=${{ ...described, wire: true }} text=${texts[described.name]}
      error=${answer.fieldErrors[described.name]} onText=${setText(described.name)} hasSlider=${hasSlider} />`,
    )}
    <div class="actions">
      <button type="submit" aria-disabled=${answer.progress !== null ? 'true' : undefined}>${key !== null ? 'Compute' : canBeGuest ? 'Compute with a new guest key' : 'Log in to compute'}</button>
      <button type="button" class="quiet" onClick=${reset}>Reset</button>
      ${cost !== null && html`<p class=${credits !== null && cost.most > credits ? 'hint cost error' : 'hint cost'}>${costText(cost, credits)}</p>`}
    </div>
    ${key === null && html`<p class="hint">${canBeGuest ? html`A guest key needs no e-mail address and holds ${guestCredits}. <a href="#/login">I have a key</a>` : 'Previews are free; an answer of the service needs a key.'}</p>`}
  </form>`
}
