/** The page of one operation: fields with sliders, the free preview and its picture, and the charged answer of the service. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Form, FormField } from '../../derive/forms.ts'
import { BodyDrop } from './body-drop.tsx'
import { takeCarried } from './carried.ts'
import { costOf } from './cost.ts'
import type { Beside } from './data/beside-table.ts'
import { NO_TABLE, type Table, type TableEntry, type TableRequest, type TableSpec } from './data/shapes.ts'
import { type Entries, startEntries, withTable } from './entries.ts'
import forms from './forms.js'
import { GoOn } from './go-on.tsx'
import { useUnits } from './greek-units.ts'
import { isFileHanded } from './handed-file.ts'
import { Inputs } from './inputs.tsx'
import { keepEntries, keptOf, replaceAddress } from './kept-entries.ts'
import { labelOf } from './labels.ts'
import { addressOfPage, ownAddress } from './link.ts'
import { type Operation, type Values, withDefaults } from './operation.ts'
import { Outcome } from './outcome.tsx'
import type { AnsweredRows } from './row-results.ts'
import { sentValues } from './sent-values.ts'
import type * as TablePage from './table-page.ts'
import { type Answering, bodyFor, useAnswer } from './use-answer.ts'
import { type PreviewState, usePreview } from './use-preview.ts'

/** The most cells of a table whose request is shown as code. */
const MOST_IN_SAMPLE = 120

interface WorkProps {
  readonly form: Form
  /** Its module, and all modules of its script by name. */
  readonly operation: Operation
  readonly operations: Readonly<Record<string, Operation>>
  /** The script for tables; an operation without a table uses nothing of it. */
  readonly tables: typeof TablePage
  /** The values of a link, or null. */
  readonly given: Values | null
}

interface OperationPageProps extends WorkProps {
  /** A message about values of the link that were left out, or null. */
  readonly fault: string | null
}

export default function OperationPage({ fault, ...props }: OperationPageProps) {
  const { form, operation } = props
  const sentences = form.summary.split(/(?<=\.)\s+(?=[A-Z])/)
  const { lead = sentences[0] } = operation
  const others = sentences.filter((sentence) => sentence !== lead)
  return (
    <div>
      <h1>{form.title}</h1>
      <div class="lead">
        <p>{lead}</p>
        {others.length > 0 && (
          <details>
            <summary>More about it</summary>
            <p>{others.join(' ')}</p>
          </details>
        )}
      </div>
      <Modes form={form} />
      {fault !== null && (
        <p class="callout" role="status">
          {fault}
        </p>
      )}
      <Work {...props} />
    </div>
  )
}

/** The links to the pages for one row and for many rows in one request. */
function Modes({ form }: { readonly form: Form }) {
  const rows = rowsOf(form)
  if (rows === null) return null
  const isRows = form.path.endsWith(COLUMNS)
  return (
    <nav class="pages" aria-label="Rows">
      <a href={rows.slice(0, -COLUMNS.length)} aria-current={isRows ? undefined : 'page'}>
        One row
      </a>
      <a href={rows} aria-current={isRows ? 'page' : undefined}>
        Many rows
      </a>
    </nav>
  )
}

const COLUMNS = '/columns'

/** The address of the page for many rows of the operation, or null. */
function rowsOf({ path: own }: Form): string | null {
  const path = own.endsWith(COLUMNS) ? own : `${own}${COLUMNS}`
  return forms.some((form) => form.path === path) ? `#${path.replace(/^\/quantlib/, '')}` : null
}

/** The entries of the page, and the functions that change them. */
function useEntries(props: WorkProps, spec: TableSpec | null) {
  const { form, given, operation, tables } = props
  const started = (given: Values | null) =>
    startEntries(form, spec, { given, tables, sample: operation.sample })
  const [entries, setEntries] = useState(
    () =>
      entriesCarried(started, props, spec) ??
      beforeFile(started, props, spec) ??
      keptFor(form, given) ??
      started(given),
  )
  /** The entries of the example, which are not in the address. */
  const example = useRef(given === null && isPlain(form) ? entries : null)
  const setTexts = (texts: Entries['texts']) =>
    setEntries((before) => ({
      ...before,
      texts: { ...before.texts, ...texts },
      own: [...new Set([...before.own, ...Object.keys(texts)])],
    }))
  return {
    entries,
    isExample: entries === example.current,
    setEntries,
    setText: (name: string) => (text: string) => setTexts({ [name]: text }),
    setTexts,
    setTable: (next: TableEntry) =>
      setEntries((before) => withTable({ form, spec: spec!, tables }, before, next)),
    /** Starts again from these values; null: from the sample. */
    start: (values: Values | null) => {
      entries.table.worker?.close()
      const next = started(values)
      if (values === null) example.current = next
      setEntries(next)
    },
  }
}

/** The entries while a file is read that was dropped on another page, or null: no example is computed in its place. */
function beforeFile(
  started: (given: null) => Entries,
  { form, tables }: WorkProps,
  spec: TableSpec | null,
): Entries | null {
  if (spec === null || !isFileHanded()) return null
  keptOf(form.id)?.entries.table.worker?.close()
  return withTable({ form, spec, tables }, started(null), NO_TABLE)
}

/** The entries with what is carried to the page, or null. The table of a file is read later (sheet.tsx). */
function entriesCarried(
  started: (given: Values) => Entries,
  { form, tables }: WorkProps,
  spec: TableSpec | null,
): Entries | null {
  const load = takeCarried(addressOfPage(form.path))
  if (load === null) return null
  const { given, source, fields } = load
  const entries = { ...started(given), own: Object.keys(given.columns ?? given) }
  if (spec === null || source === null) return entries
  if (source.file !== null) return withTable({ form, spec, tables }, entries, NO_TABLE)
  const { text, types, taken } = source
  const read = tables.textEntry(spec, text, { types, taken })
  const mapping = read.table && tables.carriedMapping(spec, read.table, read.mapping!, { source, fields })
  return withTable({ form, spec, tables }, entries, { ...read, mapping })
}

/** Whether the page has no entries yet, or those that are not in the address. */
const isPlain = ({ id, path }: Form): boolean => {
  const { address = addressOfPage(path) } = keptOf(id) ?? {}
  return address === addressOfPage(path)
}

/** The entries that are kept of the page, if the address has the same or none. */
function keptFor({ id }: Form, given: Values | null): Entries | null {
  const kept = keptOf(id)
  return kept !== undefined && (given === null || kept.address === location.hash) ? kept.entries : null
}

/** Between a change of the inputs and that of the address, which browsers change only so often. */
const ADDRESS_MS = 400

/** Keeps the entries, and shows them in the address: a link to it, and the page when it is loaded again, have the same inputs. */
function useAddress({ id, path }: Form, entries: Entries, body: object | null): void {
  useEffect(() => {
    const address = ownAddress(path, body)
    keepEntries(id, entries, address)
    const { hash } = location
    const timer = setTimeout(() => {
      // A link that was opened meanwhile has other inputs.
      if (location.hash === hash && hash.split('?')[0] === addressOfPage(path)) replaceAddress(address)
    }, ADDRESS_MS)
    return () => clearTimeout(timer)
  }, [entries, body])
}

/** The request that the entries make, and what it lacks. */
function useRequest({ form, tables }: WorkProps, spec: TableSpec | null, { texts, table }: Entries) {
  const request = useMemo(
    () => (spec === null ? NO_REQUEST : tables.requestOf(spec, table.table, table.mapping)),
    [table.table, table.mapping],
  )
  const inTable = useMemo(() => fieldsInTable(spec, table), [table])
  const fields = useMemo(() => form.fields.filter(({ name }) => !inTable.includes(name)), [inTable])
  const sent = useMemo(() => sentValues(fields, texts), [fields, texts])
  const values = useMemo(() => withDefaults(fields, sent), [sent])
  // An optional number has its default; which words or models are meant is asked.
  const unset =
    spec === null || table.table === null
      ? []
      : fields.filter(({ name, required, kind }) => !(name in sent) && (required || kind === 'choice'))
  // The table is still that of the file before.
  const [isReading, setReading] = useState(false)
  const blocked = isReading ? 'The file is being read.' : blockedBy(request, unset)
  const body = useMemo(
    () =>
      blocked === null && !table.worker && !(cellsIn(table.table) > MOST_IN_SAMPLE)
        ? bodyFor({ spec, tables, request, sent })
        : null,
    [sent, request],
  )
  const whole = useMemo(() => {
    const { mapping, worker } = table
    if (blocked !== null) return null
    if (worker !== null && mapping !== null) return () => worker.body({ spec: spec!, mapping, others: sent })
    return async () => new Blob([JSON.stringify(bodyFor({ spec, tables, request, sent }))])
  }, [sent, request, blocked])
  const beside = useBeside(form, fields, sent)
  return { request, inTable, fields, beside, sent, values, unset, blocked, body, whole, setReading }
}

function Work(props: WorkProps) {
  const { form, operation, operations, tables } = props
  const spec = useMemo(() => operation.table ?? operation.tableOf?.(form) ?? null, [])
  const { entries, isExample, setEntries, setText, setTexts, setTable, start } = useEntries(props, spec)
  const { texts, table } = entries
  const asking = useRequest(props, spec, entries)
  const { request, inTable, fields, sent, values, unset, blocked, body, whole } = asking
  useAddress(form, entries, isExample ? null : body)
  const asked = { form, operation, spec, values, request }
  const answer = useAnswer({ ...asked, tables, entries, sent, table })
  const preview = usePreview({ ...asked, isLarge: Boolean(table.worker), isPaused: answer.progress !== null })
  const errors = { ...errorsOf(form, preview), ...answer.fieldErrors }
  const departure = { form, spec, sent, table, isExample, data: dataOf(answer, preview) }
  const answered = useAnsweredRows(props, answer)
  // Memoised views are not rendered again: while a slider moves, only the numbers and the picture change.
  const sheet = useMemo(
    () =>
      spec !== null && (
        <tables.Sheet
          spec={spec}
          field={spec.kind === 'rows' ? undefined : form.fields.find(({ name }) => inTable.includes(name))}
          given={table}
          request={request}
          error={answer.tableError}
          faults={answer.tableFaults}
          answered={answered}
          beside={asking.beside}
          onTexts={setTexts}
          onChange={setTable}
          onReading={asking.setReading}
        />
      ),
    [table, request, answer.tableError, answer.tableFaults, answered, asking.beside],
  )
  const page = {
    form,
    sent,
    move: (name: string, value: number) => setText(name)(String(value)),
    restore: start,
  }
  return (
    <>
      {sheet}
      <div class="work">
        <Inputs
          form={form}
          fields={fields}
          texts={texts}
          answer={answer}
          errors={errors}
          setText={setText}
          body={body}
          reset={() => start(null)}
          cost={costOf(form, request.shown, sent)}
          blocked={blocked}
          unset={unset}
          asked={
            spec?.kind === 'rows' ? 'Choose a column, or enter one value for all rows.' : 'Enter a value.'
          }
          isAnswered={answer.isFresh && answer.shown !== null}
          hasSlider={operation.preview !== undefined}
          goOn={<GoOn {...departure} operations={operations} />}
        >
          {spec === null && <BodyDrop form={form} rows={rowsOf(form)} onEntries={setEntries} />}
        </Inputs>
        <Outcome
          form={form}
          operation={operation}
          spec={spec}
          table={table}
          setTable={setTable}
          page={page}
          body={body}
          whole={whole}
          blocked={blocked}
          answer={answer}
          preview={preview}
        />
      </div>
    </>
  )
}

/** The fields whose values tell something of others. */
const MARKET = ['spot', 'S', 'r', 'q', 'time_to_maturity']

/** The fields beside the table as far as suggestions depend on them: the same while other values change. */
function useBeside({ path }: Form, fields: readonly FormField[], sent: Values): Beside {
  const names = fields.map(({ name }) => name)
  const known = Object.fromEntries(
    names.flatMap((name) => (name in sent ? [[name, MARKET.includes(name) ? sent[name] : true]] : [])),
  )
  return useMemo(
    () => ({ fields: names, sent: known, isEuropean: !path.includes('/american/') }),
    [JSON.stringify([names, known])],
  )
}

/** The data of the present inputs, or null. */
function dataOf({ isFresh, shown }: Answering, preview: PreviewState): Values | null {
  const of = isFresh && shown !== null ? shown : preview.isStale ? null : preview.shown
  return of?.data ?? null
}

/** The results of the rows of the table, if the operation has one for each. */
function useAnsweredRows({ form, operation }: WorkProps, answer: Answering): AnsweredRows | null {
  const { reply, shown, isFresh } = answer
  const units = useUnits()
  return useMemo(() => {
    const isByRow = operation.byRow ?? operation.table?.byRow ?? false
    if (!isByRow || !shown?.isDrawn || shown.table === null || !reply?.success) return null
    const { blob = new Blob([reply.text ?? ''], { type: 'application/json' }) } = reply
    return {
      form,
      table: shown.table,
      result: shown.result as AnsweredRows['result'],
      distances: shown.model as AnsweredRows['distances'],
      blob,
      isFresh,
    }
  }, [reply, isFresh, units])
}

const NO_REQUEST: TableRequest = { asks: [], fields: {}, shown: null }

const cellsIn = (table: Table | null): number => (table === null ? 0 : table.rows * table.columns.length)

/** The fields whose values are in the table. */
const fieldsInTable = (spec: TableSpec | null, { mapping }: TableEntry): readonly string[] => {
  if (spec === null) return []
  const { field, fields = [], more = [], names = '' } = spec
  if (spec.kind !== 'rows') return field === undefined ? [...fields, ...more] : [field, names]
  return fields.filter((name) => mapping?.fields[name] !== undefined)
}

/** The faults of the entries at their fields. */
const errorsOf = ({ fields }: Form, { fault, entryFaults }: PreviewState): Record<string, string> =>
  Object.fromEntries(
    [...entryFaults, ...(fault === null ? [] : [fault])].flatMap(({ label, text }) =>
      fields.filter(({ name }) => labelOf(name) === label).map(({ name }) => [name, text]),
    ),
  )

/** The reason why the call cannot be sent, or null. */
const blockedBy = ({ asks }: TableRequest, unset: readonly FormField[]): string | null =>
  asks[0]?.text ??
  (unset.length > 0 ? `Still needed: ${unset.map(({ name }) => labelOf(name)).join(', ')}.` : null)
