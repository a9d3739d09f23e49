/** The worker threads for large or heavy work: bounded in number, queue, time and memory. */
import { MessageChannel } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { Failure } from '../errors.ts'
import type { Extent, PerformFailure } from './perform.ts'
import type { Costs } from './performers.ts'
import type { AnswerBytes, Task, TaskResult } from './worker.ts'

/** Lets a request go on, once its extent is known; rejects where it may not. */
export type Admit = (extent: Extent) => Promise<void>

export interface Pool {
  /**
   * Computes. Takes the bytes over: they are moved to the worker.
   * @param admit asked between reading the body and computing; when it rejects, nothing is computed and that is thrown
   * @throws Failure `overloaded`
   */
  perform(
    path: string,
    bytes: Uint8Array,
    owner: number,
    admit: Admit | null,
  ): Promise<AnswerBytes | PerformFailure>
  close(): Promise<void>
}

const TIME_LIMIT_MS = 30_000
const MEMORY_LIMIT_MB = 1_024
/** A thread that reaches its limit is ended only if a collection adds little at once; else the whole process is. */
const YOUNG_MB = 16
const QUEUE_PER_THREAD = 32
/** One account may wait for so many at once; others find a place behind them. */
const TASKS_PER_ACCOUNT = 8
/** Threads are let go when there was nothing heavy to do for this long. */
const IDLE_MS = 60_000

/** Does nothing, but wakes the pool. */
const NO_TASK: Task = { path: '', bytes: new Uint8Array(), admission: null }

export interface PoolOptions {
  readonly threads: number
  readonly costs: Costs
  /** Only tests lower the limits, or put a worker in that dies. */
  readonly timeLimitMs?: number
  readonly memoryLimitMb?: number
  readonly worker?: URL
}

export function openPool(options: PoolOptions): Pool {
  const { costs, memoryLimitMb = MEMORY_LIMIT_MB, threads, timeLimitMs = TIME_LIMIT_MS } = options
  const worker = options.worker ?? new URL('./worker.ts', import.meta.url)
  const longestQueue = threads * QUEUE_PER_THREAD
  const piscina = new Piscina<Task, TaskResult>({
    filename: worker.href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    // One place more than is given away: for waking it.
    maxQueue: longestQueue + 1,
    resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb, maxYoungGenerationSizeMb: YOUNG_MB },
    workerData: costs,
  })
  const tasks = new Map<number, number>()
  const run = async (task: Task, owner: number): Promise<TaskResult> => {
    const own = (tasks.get(owner) ?? 0) + 1
    if (own > TASKS_PER_ACCOUNT) throw tooManyAtOnce()
    if (piscina.queueSize >= longestQueue) throw tooManyWaiting()
    tasks.set(owner, own)
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), timeLimitMs)
    const { admission, bytes } = task
    const transferList = [bytes.buffer as ArrayBuffer, ...(admission === null ? [] : [admission])]
    try {
      return await piscina.run(task, { signal: deadline.signal, transferList })
    } catch (error) {
      // The pool starts no thread in place of one that ended, until the next task comes.
      if (piscina.queueSize > 0) piscina.run(NO_TASK).catch(() => undefined)
      throw deadline.signal.aborted ? stopped(timeLimitMs, error) : asFailure(error)
    } finally {
      clearTimeout(timer)
      const left = tasks.get(owner)! - 1
      if (left === 0) tasks.delete(owner)
      else tasks.set(owner, left)
    }
  }
  return {
    async perform(path, bytes, owner, admit) {
      const desk = admit === null ? null : admissionDesk(admit)
      try {
        const result = await run({ path, bytes: ownBytes(bytes), admission: desk?.port ?? null }, owner)
        await desk?.asked()
        return result!
      } catch (error) {
        // Whether it was admitted must be known before anything else becomes of the request.
        await desk?.asked()
        throw error
      } finally {
        desk?.close()
      }
    },
    close: () => piscina.close(),
  }
}

/** Where a worker asks for admission. */
function admissionDesk(admit: Admit) {
  const { port1, port2 } = new MessageChannel()
  let asked: Promise<void> = Promise.resolve()
  port1.once('message', (extent: Extent) => {
    asked = admit(extent)
    asked.then(
      () => port1.postMessage(true),
      () => port1.postMessage(false),
    )
  })
  return { port: port2, asked: () => asked, close: () => port1.close() }
}

/** Bytes in a buffer of their own: what is moved must not take a neighbour's along. */
const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? (bytes as Uint8Array<ArrayBuffer>)
    : new Uint8Array(bytes)

const tooManyAtOnce = () =>
  overloaded(
    'This account has several heavy computations under way; send the next when one is answered.',
    null,
  )

const tooManyWaiting = () => overloaded('Too many heavy computations are waiting; try again shortly.', null)

const stopped = (limitMs: number, cause: unknown) =>
  overloaded(
    `The computation was not done within ${limitMs / 1_000} s, its wait included, and was stopped; try again, or send a smaller one.`,
    cause,
  )

function asFailure(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string }
  if (code === 'ERR_WORKER_OUT_OF_MEMORY')
    return overloaded('The computation needed more memory than it may use; send a smaller one.', error)
  if (code?.startsWith('ERR_WORKER') || message?.startsWith('worker exited'))
    return overloaded('The computation was interrupted; try again.', error)
  return error
}

const overloaded = (message: string, cause: unknown) =>
  new Failure('overloaded', message, { retryAfterSeconds: 1, cause })
