/** The worker threads for large or heavy work: bounded in number, queue, time and memory. */
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { Failure, internal } from '../errors.ts'
import type { Extent } from './computation.ts'
import type { Costs } from './computations.ts'
import type { EnvelopedResult } from './envelope.ts'
import type { WorkerOutcome, WorkerTask } from './worker.ts'

/** A body for the pool, which takes its bytes over: they are moved to the worker. */
export interface PoolTask {
  readonly path: string
  readonly bytes: Uint8Array
  /** The account that sent it. */
  readonly owner: number
}

/** A task ended by a failure before it was admitted, or it was admitted and has an outcome. */
export type AdmittedRun<Admitted> =
  | { readonly admitted: null; readonly outcome: Failure }
  | { readonly admitted: Admitted; readonly outcome: EnvelopedResult | Failure }

export interface Pool {
  /** Reads a body and computes. Fails with `overloaded` at a limit of the pool, with `internal` for a bug. */
  run(task: PoolTask): Promise<EnvelopedResult | Failure>
  /**
   * Reads a body, has its extent admitted, and only then computes.
   * @param admit where it rejects, nothing is computed, and its error is thrown
   */
  runOnceAdmitted<Admitted>(
    task: PoolTask,
    admit: (extent: Extent) => Promise<Admitted>,
  ): Promise<AdmittedRun<Admitted>>
  close(): Promise<void>
}

const TIME_LIMIT_MS = 30_000
const MEMORY_LIMIT_MB = 1_024
/** Node ends only a thread at its memory limit if one collection adds little; with more, it ends the process. */
const YOUNG_MB = 16
const QUEUE_PER_THREAD = 32
/** Tasks that one account may have in the pool; other accounts' tasks then still find a place. */
const TASKS_PER_ACCOUNT = 8
/** Idle threads end after this time. */
const IDLE_MS = 60_000

/** Does nothing but wake the pool. */
const NO_TASK: WorkerTask = { path: '', bytes: new Uint8Array(), admission: null }

export interface PoolOptions {
  readonly threads: number
  readonly costs: Costs
  /** Only tests lower the limits, or replace the worker by one that dies. */
  readonly timeLimitMs?: number
  readonly memoryLimitMb?: number
  readonly worker?: URL
}

export function openPool(options: PoolOptions): Pool {
  const { costs, memoryLimitMb = MEMORY_LIMIT_MB, threads, timeLimitMs = TIME_LIMIT_MS } = options
  const worker = options.worker ?? new URL('./worker.ts', import.meta.url)
  const longestQueue = threads * QUEUE_PER_THREAD
  const piscina = new Piscina<WorkerTask, WorkerOutcome>({
    filename: worker.href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    // One place beyond the limit, for NO_TASK.
    maxQueue: longestQueue + 1,
    resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb, maxYoungGenerationSizeMb: YOUNG_MB },
    workerData: costs,
  })
  const tasksOf = new Map<number, number>()

  const runWithin = async (
    { bytes, path }: PoolTask,
    admission: MessagePort | null,
  ): Promise<EnvelopedResult | Failure> => {
    const own = ownBytes(bytes)
    const transferList = [own.buffer, ...(admission === null ? [] : [admission])]
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), timeLimitMs)
    try {
      const task = { path, bytes: own, admission }
      return outcomeOf(await piscina.run(task, { signal: deadline.signal, transferList }))
    } catch (error) {
      // The pool starts no thread in place of one that ended before it is given another task.
      if (piscina.queueSize > 0) piscina.run(NO_TASK).catch(() => undefined)
      return deadline.signal.aborted ? stopped(timeLimitMs, error) : asFailure(error)
    } finally {
      clearTimeout(timer)
    }
  }

  const run = async (task: PoolTask, admission: MessagePort | null): Promise<EnvelopedResult | Failure> => {
    const { owner } = task
    const tasks = (tasksOf.get(owner) ?? 0) + 1
    if (tasks > TASKS_PER_ACCOUNT) return tooManyAtOnce()
    if (piscina.queueSize >= longestQueue) return tooManyWaiting()
    tasksOf.set(owner, tasks)
    const outcome = await runWithin(task, admission)
    const left = tasksOf.get(owner)! - 1
    if (left === 0) tasksOf.delete(owner)
    else tasksOf.set(owner, left)
    return outcome
  }

  return {
    run: (task) => run(task, null),
    async runOnceAdmitted(task, admit) {
      const desk = admissionDesk(admit)
      try {
        const outcome = await run(task, desk.port)
        // Even of a task that was stopped meanwhile it must be known whether it was admitted.
        const answer = await desk.answer()
        if (answer !== null) return { admitted: answer.admitted, outcome }
        if (outcome instanceof Failure) return { admitted: null, outcome }
        throw new Error('A body was computed without admission.')
      } finally {
        desk.close()
      }
    },
    close: () => piscina.close(),
  }
}

/** The port at which a worker asks for admission, and the answer it got; null: it did not ask. */
function admissionDesk<Admitted>(admit: (extent: Extent) => Promise<Admitted>) {
  const { port1, port2 } = new MessageChannel()
  let answer: Promise<{ readonly admitted: Admitted } | null> = Promise.resolve(null)
  port1.once('message', (extent: Extent) => {
    answer = admit(extent).then((admitted) => ({ admitted }))
    answer.then(
      () => port1.postMessage(true),
      () => port1.postMessage(false),
    )
  })
  return { port: port2, answer: () => answer, close: () => port1.close() }
}

function outcomeOf(outcome: WorkerOutcome): EnvelopedResult | Failure {
  if (outcome === null) return internal(new Error('A worker returned no outcome.'))
  if ('body' in outcome) return outcome
  return new Failure(outcome.code, outcome.message, { details: outcome.details })
}

/** Bytes in a buffer of their own: moving a shared buffer would take the neighbours' bytes along. */
const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? (bytes as Uint8Array<ArrayBuffer>)
    : new Uint8Array(bytes)

const tooManyAtOnce = () =>
  overloaded('This account has several heavy computations running; send the next after one ends.', null)

const tooManyWaiting = () => overloaded('Too many heavy computations are waiting; try again shortly.', null)

const stopped = (limitMs: number, cause: unknown) =>
  overloaded(
    `The computation was stopped after ${limitMs / 1_000} s, waiting included; try again, or send a smaller one.`,
    cause,
  )

function asFailure(error: unknown): Failure {
  const { code, message } = error as { code?: string; message?: string }
  if (code === 'ERR_WORKER_OUT_OF_MEMORY')
    return overloaded('The computation needed more memory than it may use; send a smaller one.', error)
  if (code?.startsWith('ERR_WORKER') || message?.startsWith('worker exited'))
    return overloaded('The computation was interrupted; try again.', error)
  return internal(error)
}

const overloaded = (message: string, cause: unknown) =>
  new Failure('overloaded', message, { retryAfterSeconds: 1, cause })
