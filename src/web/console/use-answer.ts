/** Requests an answer from the service: sends and cancels calls, repeats them without a second charge, and keeps the answer. */
import { useMemo } from 'preact/hooks'
import type { Form } from '../../derive/forms.ts'
import { type Charge, chargeOf } from './cost.ts'
import type {
  FieldValue,
  Mapping,
  SentTable,
  TableEntry,
  TableRequest,
  TableSpec,
  TableWorker,
  TaskProgress,
} from './data/shapes.ts'
import type { Entries } from './entries.ts'
import { becomeGuest } from './guest.ts'
import { labelOf, withLabels } from './labels.ts'
import { observable } from './observable.ts'
import type { Operation, Shown, Values } from './operation.ts'
import type { Detail, Reply } from './replies.ts'
import type { CellFault } from './row-results.ts'
import { keepCall, key, keyHeader, send, workerReply } from './session.ts'
import type * as TablePage from './table-page.ts'

/** The most times that a page repeats one call by itself. */
const MOST_RETRIES = 10

/** A call, which a repetition sends with the same ids. */
interface Call {
  readonly ids: { readonly 'X-Request-Id': string; readonly 'Idempotency-Key': string }
  /** null: the worker makes it. */
  readonly body: string | null
  readonly worker: TableWorker | null
  readonly entries: Entries
  readonly sent: Values
  readonly values: Values
  readonly fields: Readonly<Record<string, FieldValue>> | null
  readonly mapping: Mapping | null
  readonly table: SentTable | null
  /** Whether its whole body was sent, for chargeOf. */
  isSent: boolean
}

/** A reply with its call; the call is absent where no key could be created. */
export type Answered = Reply<Values> & {
  readonly entries: Entries
  readonly call?: Call
  /** From a worker: the result and the body of the reply, and later the model. */
  readonly result?: object
  readonly blob?: Blob
  readonly model?: unknown
  /** Of a cancelled call. */
  readonly charge?: Charge
}

/** `isDrawn`: whether the model exists, which a worker computes after the reply. */
export interface ShownAnswer extends Shown {
  readonly result: object
  readonly isDrawn: boolean
}

interface State {
  apiKey: string | undefined
  reply: Answered | null
  /** null: no call is running. */
  progress: TaskProgress | null
  running: { readonly controller: AbortController; readonly call: Call } | null
  retries: number
}

/** What a page asks the service. `tables`: absent where the operation has no table. */
export interface Asked {
  readonly form: Form
  readonly operation: Operation
  readonly spec: TableSpec | null
  readonly values: Values
  readonly request: TableRequest
}

interface Computing {
  /** The call to repeat. */
  readonly again?: Call | null
  readonly isAutomatic?: boolean
}

interface AnswerInput extends Asked, Requested {
  readonly entries: Entries
  readonly table: TableEntry
}

interface Requested {
  readonly spec: TableSpec | null
  readonly tables: Pick<typeof TablePage, 'bodyOf'>
  readonly request: TableRequest
  readonly sent: Values
}

/** The state of each page while the tab is open: a call goes on while another page is shown, and its answer is kept. */
const states = new Map<string, State>()
const { notify, useChanges } = observable()

/** The service charges a call whose page is left, and its answer is lost. */
addEventListener('beforeunload', (event) => {
  if ([...states.values()].some(({ running }) => running !== null)) event.preventDefault()
})

/** The state of a page if it has a running call or the answer to these entries, with the key in use; else a new state. */
function stateOf({ id }: Form, entries: Entries): State {
  const before = states.get(id)
  const isOwn = before !== undefined && before.apiKey === key()?.apiKey
  if (isOwn && (before.progress !== null || before.reply?.entries === entries)) return before
  const state = { apiKey: key()?.apiKey, reply: null, progress: null, running: null, retries: 0 }
  states.set(id, state)
  return state
}

export type Answering = ReturnType<typeof useAnswer>

export function useAnswer(input: AnswerInput) {
  const { form, operation, spec, entries } = input
  useChanges()
  const state = useMemo(() => stateOf(form, entries), [])
  const { progress, reply } = state
  const set = (changes: Partial<State>) => {
    Object.assign(state, changes)
    notify()
  }
  const setProgress = (progress: TaskProgress | null) => set({ progress })

  async function compute({ again = null, isAutomatic = false }: Computing = {}): Promise<void> {
    if (isAutomatic && ++state.retries > MOST_RETRIES) return
    if (!isAutomatic) state.retries = 0
    if (state.progress !== null) return
    setProgress({ phase: 'Computing', share: null })
    if (key() === null) {
      const made = await becomeGuest()
      if (!made.success) return set({ progress: null, reply: { ...made, entries } })
    }
    const call = again ?? newCall(input)
    const controller = new AbortController()
    Object.assign(state, { apiKey: key()?.apiKey, running: { controller, call } })
    const got: Reply<Values> & { readonly result?: object } = await replyTo(call, {
      form,
      spec,
      controller,
      onProgress: setProgress,
    })
    if (call.body !== null) keepCall(call.ids['X-Request-Id'], form.path, call.body)
    set({ running: null, progress: null, reply: { ...got, call, entries: call.entries } })
    const add = (more: Pick<Answered, 'model' | 'charge'>) =>
      state.reply?.call === call && set({ reply: { ...state.reply, ...more } })
    if (got.result !== undefined) add({ model: await call.worker?.model() })
    if (!got.success && got.error.code === 'cancelled') chargeOf(call, (charge) => add({ charge }))
  }

  const cancel = () => {
    if (state.running === null) return
    const { call, controller } = state.running
    call.worker ? call.worker.cancel() : controller.abort()
  }

  const { fieldErrors, tableError, tableFaults, left } = useMemo(() => placed(reply, form, spec), [reply])
  const shown = useMemo(() => shownOf(reply, operation), [reply])
  const isFresh = reply !== null && reply.entries === entries
  return {
    reply,
    progress,
    compute,
    cancel,
    left,
    shown,
    isFresh,
    fieldErrors: isFresh ? fieldErrors : {},
    tableError: isFresh ? tableError : null,
    tableFaults: isFresh ? tableFaults : NO_FAULTS,
    retry: (isAutomatic?: boolean) =>
      compute({ again: reply?.call ?? null, isAutomatic: isAutomatic === true }),
  }
}

/** A new call. If the table is in a worker, the worker makes the body and sends it. */
const newCall = ({ entries, sent, spec, tables, table, values, request }: AnswerInput): Call => ({
  ids: freshIds(),
  body: table.worker ? null : JSON.stringify(bodyFor({ spec, tables, request, sent })),
  worker: table.worker,
  isSent: false,
  entries,
  sent,
  values,
  fields: request.fields,
  mapping: table.mapping,
  table: request.shown,
})

/** The ids of a new call. A repetition has the same ids, so that it is not charged twice. */
function freshIds() {
  const id = [...crypto.getRandomValues(new Uint8Array(12))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  return { 'X-Request-Id': `console-${id}`, 'Idempotency-Key': `console-${id}` }
}

interface Sending {
  readonly form: Form
  readonly spec: TableSpec | null
  readonly controller: AbortController
  onProgress(progress: TaskProgress): void
}

/** Sends a call. Records in it whether its whole body was sent, for chargeOf. */
async function replyTo(call: Call, { form, spec, controller, onProgress }: Sending): Promise<Reply<Values>> {
  const { body, ids, sent, values, mapping, worker } = call
  const { id: operation, path } = form
  call.isSent = worker === null
  if (worker === null) return await send(path, body!, { headers: ids, signal: controller.signal })
  const headers = { ...keyHeader(), ...ids }
  const given = { operation, path, headers, spec: spec!, mapping: mapping!, others: sent, values }
  return workerReply(
    key()?.apiKey,
    await worker.call(given, (progress) => {
      if (progress.isSent) call.isSent = true
      onProgress(progress)
    }),
  )
}

/** The body of a request whose table is not in a worker, as an object. */
export const bodyFor = ({ spec, tables, request, sent }: Requested): Values =>
  spec === null ? sent : JSON.parse(tables.bodyOf(spec, request.fields!, sent))

/** The data, result and model of a successful reply. `isDrawn`: whether the model exists, which a worker computes afterwards. */
function shownOf(reply: Answered | null, operation: Operation): ShownAnswer | null {
  if (!reply?.success || reply.call === undefined) return null
  const { call, data, result: received } = reply
  const isDrawn = received === undefined || 'model' in reply
  const values = received === undefined ? { ...call.values, ...call.fields } : call.values
  const result = received ?? operation.resultOf?.(data, values) ?? data
  const model = received === undefined ? operation.model?.(values, result) : reply.model
  return { values, table: call.table, data: { ...data, ...result }, model, result, isDrawn }
}

/** The name of a column in a message: a column of a matrix has a number, that of records is named as its field. */
const columnName = (column: string) =>
  /^\d+$/.test(column) ? `column ${Number(column) + 1}` : labelOf(column)

/**
 * The field, row and column that the path of a detail names. In requests of many rows and in Arrow streams the path begins with
 * `columns`. In an Arrow stream the columns of a matrix have numbers in place of the name of the field (data/arrow-body.ts).
 */
function placeOf({ path }: Detail, spec: TableSpec | null) {
  const [, ...names] = path.split('/')
  const isOfColumns = spec !== null && names[0] === 'columns'
  if (!isOfColumns) return { name: names[0], row: names[1], column: names[2] }
  return spec.field === undefined
    ? { name: names[1], row: names[2] }
    : { name: spec.field, row: names[2], column: names[1] }
}

const NO_FAULTS: readonly CellFault[] = []

/** The messages of a failure by field, those of the table and its cells, and the details that belong to neither. */
function placed(reply: Answered | null, form: Form, spec: TableSpec | null) {
  const fieldErrors: Record<string, string> = {}
  const left: Detail[] = []
  const tableFaults: CellFault[] = []
  let tableError: string | null = null
  const { fields, table } = reply?.call ?? {}
  const details = reply?.success === false ? (reply.error.details ?? []) : []
  for (const detail of details) {
    const { name = '', row, column } = placeOf(detail, spec)
    const place = [
      row === undefined ? '' : (table?.nameOf(Number(row)) ?? `Row ${Number(row) + 1}`),
      column === undefined ? '' : (table?.names?.[Number(column)] ?? columnName(column)),
    ]
      .filter((part) => part !== '')
      .join(', ')
    const text = `${place === '' ? '' : `${place}: `}${withLabels(detail.message)}`
    if (fields && name in fields) {
      tableError ??= `${labelOf(name)}: ${text}`
      if (table && row !== undefined)
        tableFaults.push({
          row: table.rowOf(Number(row)),
          ...(column !== undefined && /^\d+$/.test(column)
            ? { place: Number(column) }
            : { field: column ?? name }),
          reason: withLabels(detail.message),
        })
    } else if (form.fields.some((field) => field.name === name)) fieldErrors[name] ??= text
    else left.push(detail)
  }
  return { fieldErrors, tableError, tableFaults, left }
}
