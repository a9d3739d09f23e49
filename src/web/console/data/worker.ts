/** The worker that reads and sends large tables and computes previews on tables, so that the page stays responsive. */
import { calibration } from '../../../numerics/results/variance-gamma.ts'
import { inWords } from '../fault-words.ts'
import { smiles } from '../kernels/calibration.ts'
import { models } from '../kernels/models.ts'
import { rowResults } from '../kernels/row-results.ts'
import type { Values } from '../operation.ts'
import { standingOf, type WorkerOutcome } from '../replies.ts'
import { arrowBody, type Body } from './arrow-body.ts'
import { bodyOf } from './json-body.ts'
import { readFiles } from './read-table.ts'
import { requestOf } from './request.ts'
import type {
  Calling,
  FieldValue,
  Previewed,
  Previewing,
  Reading,
  Table,
  TaskProgress,
  WorkerAnswer,
  WorkerQuestion,
  WorkerTask,
} from './shapes.ts'
import { TableError } from './table.ts'

/** The computations of an operation. Methods, because each takes the values and data of its own operation. */
interface Kernel {
  /** The result, or a generator that computes it in steps. */
  preview(values: object): object
  model(values: object, result: object): unknown
  resultOf(data: object, values: object): object
}

const kernels: Readonly<Record<string, Kernel>> = {
  ...models,
  modelsVarianceGammaCalibrate: { preview: calibration, model: smiles, resultOf: (data: object) => data },
}

let table: Table | null = null
/** The fields of the latest preview. */
let previewed: Readonly<Record<string, FieldValue>> | null = null
/** The request that is running. */
let running: XMLHttpRequest | null = null
/** A function that computes the picture of the latest answer. */
let drawn: () => unknown = () => null

addEventListener('message', async ({ data: { id, asked } }: MessageEvent<WorkerQuestion>) => {
  const answer = (given: WorkerAnswer, transfer: Transferable[] = []) => postMessage(given, { transfer })
  try {
    const result = await resultOf(asked, (progress) => answer({ id, progress }))
    // The columns that were read are moved, because copying a large table takes as long as reading it.
    answer({ id, result }, asked.task === 'read' ? buffersOf(result as Table) : [])
  } catch (error) {
    answer({ id, fault: inWords(error) })
  }
})

type Report = (progress: TaskProgress) => void

function resultOf(asked: WorkerTask, report: Report): unknown {
  switch (asked.task) {
    case 'read':
      return read(asked)
    case 'preview':
      return preview(asked)
    case 'call':
      return call(asked, report)
    case 'body':
      return new Blob([bodyOf(asked.spec, fieldsFor(asked), asked.others)])
    case 'model':
      return drawn()
    case 'cancel':
      return running?.abort()
  }
}

/** The table with copies of its columns, which are moved to the page. */
async function read({ files, ...options }: Reading): Promise<Table> {
  table = await readFiles(files, options)
  return { ...table, columns: table.columns.map((column) => ({ ...column, values: column.values.slice() })) }
}

const buffersOf = ({ columns }: Table): Transferable[] => columns.map(({ values }) => values.buffer)

async function preview({ operation, fields, others }: Previewing): Promise<Previewed> {
  if (fields !== undefined) previewed = fields
  const values = { ...others, ...previewed }
  const result = await finished(kernels[operation].preview(values))
  return { result, model: kernels[operation].model(values, result) }
}

/** The longest time between pauses. Without pauses, Chromium stops a busy worker only after two seconds. */
const LONGEST_STEP_MS = 30

/** The result of a preview. Between the steps of a generator there are pauses, in which the worker can be closed. */
async function finished(given: object): Promise<object> {
  if (!isGenerator(given)) return given
  let paused = performance.now()
  for (;;) {
    const { done, value } = given.next()
    if (done) return value
    if (performance.now() - paused < LONGEST_STEP_MS) continue
    await new Promise((resolve) => setTimeout(resolve))
    paused = performance.now()
  }
}

const isGenerator = (given: object): given is Generator<void, object> =>
  'next' in given && typeof given.next === 'function'

function fieldsFor({ spec, mapping }: Pick<Calling, 'mapping' | 'spec'>) {
  const { asks, fields } = requestOf(spec, table, mapping)
  if (fields === null) throw new TableError(asks[0].text)
  return fields
}

/** Sends a request and returns the answer without its picture, which the task `model` computes afterwards. */
async function call(
  { operation, path, headers, spec, mapping, others, values: given }: Calling,
  report: Report,
): Promise<WorkerOutcome> {
  report({ phase: 'Preparing', share: null })
  const fields = fieldsFor({ spec, mapping })
  const json = (): Body<string> => ({ type: 'application/json', pieces: [bodyOf(spec, fields, others)] })
  const body = arrowBody(fields, others) ?? json()
  const began = performance.now()
  const { outcome, request } = await exchanged(path, headers, body, report)
  if (outcome !== 'reply') return { outcome }
  const ms = performance.now() - began
  const bytes: ArrayBuffer = request.response
  const text = new TextDecoder().decode(bytes)
  const reply = {
    outcome,
    status: request.status,
    ms,
    standing: standingOf({ get: (name) => request.getResponseHeader(name) }),
    size: bytes.byteLength,
  }
  if (request.status !== 200) return { ...reply, text }
  const { data }: { readonly data: Values } = JSON.parse(text)
  const values = { ...given, ...fields }
  const { model, resultOf }: Omit<Kernel, 'preview'> = spec.kind === 'rows' ? rowResults : kernels[operation]
  const result = resultOf(data, values)
  drawn = () => model(values, result)
  return {
    ...reply,
    data: withoutLists(data),
    result,
    blob: new Blob([bytes], { type: 'application/json' }),
  }
}

interface Exchanged {
  readonly outcome: 'reply' | 'lost' | 'cancelled'
  readonly request: XMLHttpRequest
}

/** Sends a body. By XMLHttpRequest, because fetch does not report the progress of an upload. */
async function exchanged(
  path: string,
  headers: Calling['headers'],
  { type, pieces }: Body | Body<string>,
  report: Report,
): Promise<Exchanged> {
  const request = new XMLHttpRequest()
  running = request
  const outcome = await new Promise<Exchanged['outcome']>((resolve) => {
    request.open('POST', path)
    request.responseType = 'arraybuffer'
    for (const [name, value] of Object.entries({ ...headers, 'Content-Type': type }))
      request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) =>
      report({
        phase: loaded < total ? 'Uploading' : 'Computing',
        share: loaded < total ? loaded / total : null,
      })
    request.upload.onload = () => report({ phase: 'Computing', share: null, isSent: true })
    request.onprogress = ({ loaded, total }) =>
      report({ phase: 'Downloading', share: total > 0 ? loaded / total : null })
    request.onload = () => resolve('reply')
    request.onerror = () => resolve('lost')
    request.onabort = () => resolve('cancelled')
    // Chromium takes ten times as long to send the same bytes as an array. A page shares no memory, so the arrays own theirs.
    request.send(new Blob(pieces as (string | Uint8Array<ArrayBuffer>)[]))
  })
  running = null
  return { outcome, request }
}

/** The values of a reply without its long lists, which are in `result` and `blob`. */
const withoutLists = (data: Values): Values =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => !isLong(value)))

const isLong = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 200
    : typeof value === 'object' && value !== null && Object.values(value).some(isLong)
