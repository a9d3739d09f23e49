/** A worker thread of the pool: reads and runs the bodies that are sent to it. */
import { once } from 'node:events'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { type MessagePort, threadId } from 'node:worker_threads'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { Failure, type FailureFacts } from '../../base/failure.ts'
import { yieldToEventLoop } from '../../base/thread-priority.ts'
import { longDigest } from '../../wire/proofs/content.ts'
import { type InPieces, type Piece, type Rows, takenDigest } from '../columns/row-loop.ts'
import { isShared } from '../columns/table.ts'
import { type Costs, factsOf, orFailure } from '../computation.ts'
import { compileComputations } from '../computations.ts'
import type { JoinedResult, Result, Wire } from '../result.ts'

export type WorkerTask = BodyTask | PiecesTask | FinishTask

interface Task {
  readonly path: string
  /** The costs of all operations at the admission of the request. */
  readonly costs: Costs
  /** Shared: the thread's number, and its processor time in microseconds at the start and at the end of the task. */
  readonly processor: Float64Array
}

export interface BodyTask extends Task {
  readonly bytes: Uint8Array
  readonly wire: Wire
  /** Paths that the calls of a batch may name; null: all. */
  readonly allowed: ReadonlySet<string> | null
  /** Credits that were admitted; null: not admitted yet. */
  readonly cost: number | null
  /** The port through which the worker requests admission once the body is read; null: it need not. */
  readonly admission: MessagePort | null
}

/** Computes pieces of the rows, one after another, as long as there are rows that no thread has taken. */
export interface PiecesTask extends Task {
  readonly rows: Rows
  /** The number of rows in a piece. */
  readonly size: number
  /** After this time no further piece is taken. */
  readonly forMs: number
}

export interface PiecesDone {
  readonly pieces: readonly Piece[]
  /** SHA-256 of the request's body, hexadecimal; null: this task did not hash it. */
  readonly bodyDigest: string | null
}

export interface FinishTask extends Task {
  readonly rows: Rows
  readonly done: readonly Piece[]
  readonly bodyDigest: string | null
}

/** A job that the pool runs in pieces, once it is admitted. */
export interface Divided {
  readonly rows: Rows
  readonly cost: number
  readonly micros: number
}

/** null: not admitted. */
export type WorkerOutcome = JoinedResult | FailureFacts | Divided | PiecesDone | null

yieldToEventLoop()

const priced = compileComputations()

export default (task: WorkerTask): Promise<WorkerOutcome> => measured(task, () => runTask(task))

/** Runs work of a task, and tells the thread that started it how much processor time it takes. */
export async function measured<Outcome>(
  { processor }: Pick<WorkerTask, 'processor'>,
  work: () => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  processor[0] = threadId
  processor[1] = processorMicros()
  try {
    return await work()
  } finally {
    processor[2] = processorMicros()
  }
}

/** The processor time of this thread; before Node 23.9 the time of the clock. */
export function processorMicros(): number {
  const usage = process.threadCpuUsage?.()
  return usage === undefined ? performance.now() * 1_000 : usage.user + usage.system
}

async function runTask(task: WorkerTask): Promise<WorkerOutcome> {
  if ('bytes' in task) return await runBody(task).finally(() => closed(task.admission))
  const outcome = orFailure(() => runPart(task))
  return outcome instanceof Failure ? factsOf(outcome) : outcome
}

function runPart(task: PiecesTask | FinishTask): WorkerOutcome {
  const inPieces = priced(task.costs).get(task.path)!.inPieces!
  if ('done' in task) return outcomeOf(inPieces.finish(task.rows, task.done), task.bodyDigest)
  return runPieces(inPieces, task)
}

/** If this task computed all rows, and hashed a shared body, it also finishes the request. */
function runPieces(inPieces: InPieces, { forMs, rows, size }: PiecesTask): WorkerOutcome {
  const until = performance.now() + forMs
  const bodyDigest = takenDigest(rows)
  const count = rows.table.rows
  const pieces: Piece[] = []
  do {
    const from = Atomics.add(rows.next, 0, size)
    if (from >= count) break
    pieces.push(inPieces.run(rows, from, Math.min(count, from + size)))
  } while (performance.now() < until)
  if (pieces.length === Math.ceil(count / size) && (rows.body === null || bodyDigest !== null))
    return outcomeOf(inPieces.finish(rows, pieces), bodyDigest)
  const movable = pieces.map((piece) => ({ ...piece, texts: piece.texts.map((text) => joined([text])) }))
  return moved<PiecesDone>(
    { pieces: movable, bodyDigest },
    movable.flatMap(({ texts }) => texts),
  )
}

async function runBody(task: BodyTask): Promise<WorkerOutcome> {
  const { admission, allowed, bytes, cost, costs, path, wire } = task
  const job = priced(costs).get(path)!.read(bytes, wire, allowed)
  if (job instanceof Failure) return factsOf(job)
  if (cost !== null && job.cost > cost)
    throw new Error(`A job of ${job.cost} credits was admitted for ${cost}.`)
  if (job.rows !== undefined) return { rows: job.rows, cost: job.cost, micros: job.micros }
  if (admission !== null && !(await isAdmitted(admission, job.cost))) return null
  return outcomeOf(job.run())
}

/**
 * Closes a port. Ports end in an iteration of the event loop, and between tasks a thread waits without one: ports of tasks that
 * never waited would stay in its memory.
 */
async function closed(admission: MessagePort | null): Promise<void> {
  if (admission === null) return
  admission.close()
  // The first resolves before the ports of its iteration end.
  await nextIteration()
  await nextIteration()
}

async function isAdmitted(admission: MessagePort, cost: number): Promise<boolean> {
  admission.postMessage(cost)
  const [answer] = (await once(admission, 'message')) as [boolean]
  return answer
}

function outcomeOf(result: Result | Failure, bodyDigest: string | null = null): WorkerOutcome {
  if (result instanceof Failure) return factsOf(result)
  const { calls, credits, encoding, parts, pieces } = result
  const body = encoding === 'json' ? joined(pieces) : sharedOrJoined(pieces as Uint8Array[])
  const bytes = [body].flat()
  const request = bodyDigest !== null && { requestDigest: bodyDigest }
  const digest = longDigest(body)
  return moved<JoinedResult>({ body, digest, ...request, encoding, calls, credits, parts }, bytes)
}

/** Pieces in shared memory stay in their place; the others are joined. */
function sharedOrJoined(pieces: readonly Uint8Array[]): Uint8Array[] {
  const all: Uint8Array[] = []
  let others: Uint8Array[] = []
  for (const piece of pieces) {
    if (isShared(piece.buffer)) {
      all.push(joined(others), piece)
      others = []
    } else others.push(piece)
  }
  return [...all, joined(others)]
}

/** Wraps a value so that piscina moves its bytes to the other thread instead of copying them. */
function moved<Value>(value: Value, bytes: readonly Uint8Array[]): Value {
  const buffers = bytes.map(({ buffer }) => buffer).filter((buffer) => !isShared(buffer))
  return move({ [transferableSymbol]: buffers, [valueSymbol]: value } as never) as never
}

/** Joins pieces into a buffer of their own, which can be moved. */
function joined(pieces: readonly (string | Uint8Array)[]): Buffer<ArrayBuffer> {
  const length = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
  const bytes = Buffer.allocUnsafeSlow(length)
  let at = 0
  for (const piece of pieces) {
    if (typeof piece === 'string') at += bytes.write(piece, at)
    else {
      bytes.set(piece, at)
      at += piece.length
    }
  }
  return bytes
}
