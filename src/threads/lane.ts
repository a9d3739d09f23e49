/** Threads of one priority, which serve the accounts that wait for them in turn. */

import type { MessagePort } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { Failure, internal } from '../errors.ts'
import { fairQueue } from './fair-queue.ts'
import type { WorkerData, WorkerOutcome, WorkerTask } from './worker.ts'

export interface LaneTask {
  readonly owner: number
  readonly estimateMs: number
  readonly task: WorkerTask
  readonly transferList: readonly (ArrayBuffer | MessagePort)[]
  /** Asked when a thread is free for the task: a failure ends it before it starts. */
  readonly refusal: () => Failure | null
  /** Called where its thread was stopped at the time limit. */
  readonly onStopped: () => void
}

export interface Lane {
  /** Fails with `overloaded` if the queue is full, or the task takes too much time or memory. */
  run(task: LaneTask): Promise<WorkerOutcome | Failure>
  /** Tasks that run and tasks that wait. */
  load(): { readonly threads: number; readonly running: number; readonly waiting: number }
  close(): Promise<void>
}

export interface LaneOptions {
  readonly threads: number
  readonly timeLimitMs: number
  readonly memoryLimitMb: number
  readonly worker: URL
  readonly workerData: WorkerData
  /** Called with the time that a task waited for a thread. */
  readonly onStart: (waitedMs: number) => void
}

const QUEUE_PER_THREAD = 32
/** Node ends only a thread at its memory limit if one collection adds little; with more, it ends the process. */
const YOUNG_MB = 16
/** Idle threads end after this time. */
const IDLE_MS = 60_000

interface Waiting extends LaneTask {
  /** By performance.now(). */
  readonly since: number
  readonly deadline: AbortSignal
  readonly end: (outcome: WorkerOutcome | Failure) => void
}

export function openLane(options: LaneOptions): Lane {
  const { memoryLimitMb, onStart, threads, timeLimitMs, worker, workerData } = options
  const piscina = new Piscina<WorkerTask, WorkerOutcome>({
    filename: worker.href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb, maxYoungGenerationSizeMb: YOUNG_MB },
    workerData,
  })
  const queue = fairQueue<Waiting>()
  let running = 0

  /** A thread gets its next task only when it is free: what was handed over has no turn any more. */
  const startWaiting = (): void => {
    while (running < threads) {
      const next = queue.next()
      if (next === undefined) return
      const refusal = next.refusal()
      if (refusal === null) {
        running += 1
        start(next)
      } else {
        queue.ended(next.owner, next.estimateMs, 0)
        next.end(refusal)
      }
    }
  }
  const start = async (waiting: Waiting): Promise<void> => {
    const { deadline, end, estimateMs, onStopped, owner, since, task, transferList } = waiting
    const startedAt = performance.now()
    onStart(startedAt - since)
    const options = { signal: deadline, transferList: transferList as ArrayBuffer[] }
    const outcome = await piscina.run(task, options).catch((error) => {
      if (!deadline.aborted) return asFailure(error)
      onStopped()
      return stopped(timeLimitMs, error)
    })
    running -= 1
    queue.ended(owner, estimateMs, performance.now() - startedAt)
    startWaiting()
    end(outcome)
  }

  return {
    run(task) {
      if (running >= threads && queue.size >= threads * QUEUE_PER_THREAD)
        return Promise.resolve(tooManyWaiting())
      return new Promise((resolve) => {
        const deadline = new AbortController()
        const timer = setTimeout(() => {
          deadline.abort()
          if (queue.remove(task.owner, waiting)) waiting.end(stopped(timeLimitMs, null))
        }, timeLimitMs)
        const end = (outcome: WorkerOutcome | Failure): void => {
          clearTimeout(timer)
          resolve(outcome)
        }
        const waiting: Waiting = { ...task, deadline: deadline.signal, end, since: performance.now() }
        queue.add(task.owner, waiting, task.estimateMs)
        startWaiting()
      })
    },
    load: () => ({ threads, running, waiting: queue.size }),
    close: () => piscina.close(),
  }
}

const tooManyWaiting = () => overloaded('Too many heavy computations are waiting; try again shortly.', null)

export const stopped = (limitMs: number, cause: unknown) =>
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
