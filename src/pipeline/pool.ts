/** The worker threads for large or heavy work: bounded in number, queue, time and memory. */
import { Piscina } from 'piscina'
import { Failure } from '../errors.ts'
import type { Task, TaskResult } from './perform-worker.ts'

export interface Pool {
  /** Takes the bytes over: they are moved to the worker. Throws Failure `overloaded`. */
  run(task: Task): Promise<TaskResult>
  close(): Promise<void>
}

const TIME_LIMIT_MS = 30_000
const MEMORY_LIMIT_MB = 1_024
const QUEUE_PER_THREAD = 32
/** Threads are let go when there was nothing heavy to do for this long. */
const IDLE_MS = 60_000

export function openPool(threads: number): Pool {
  const piscina = new Piscina<Task, TaskResult>({
    filename: new URL('./perform-worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    maxQueue: threads * QUEUE_PER_THREAD,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
  })
  return {
    async run(task) {
      const deadline = new AbortController()
      const timer = setTimeout(() => deadline.abort(), TIME_LIMIT_MS)
      try {
        const bytes = ownBytes(task.bytes)
        return await piscina.run(
          { path: task.path, bytes },
          { signal: deadline.signal, transferList: [bytes.buffer] },
        )
      } catch (error) {
        throw asFailure(error, deadline.signal.aborted)
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => piscina.close(),
  }
}

/** Bytes in a buffer of their own: what is moved must not take a neighbour's along. */
const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? (bytes as Uint8Array<ArrayBuffer>)
    : new Uint8Array(bytes)

function asFailure(error: unknown, timedOut: boolean): unknown {
  if (timedOut)
    return overloaded(
      `The computation took longer than ${TIME_LIMIT_MS / 1_000} s and was stopped; send a smaller one.`,
      error,
    )
  const { code, message } = error as { code?: string; message?: string }
  if (code === 'ERR_WORKER_OUT_OF_MEMORY')
    return overloaded('The computation needed more memory than it may use; send a smaller one.', error)
  if (message?.includes('Task queue is at limit') || message?.includes('No task queue available'))
    return overloaded('Too many heavy computations are waiting; try again shortly.', error)
  if (code?.startsWith('ERR_WORKER')) return overloaded('The computation was interrupted; try again.', error)
  return error
}

const overloaded = (message: string, cause: unknown) =>
  new Failure('overloaded', message, { retryAfterSeconds: 1, cause })
