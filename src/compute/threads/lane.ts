/** The threads of one priority, and the fair queue of the tasks that wait for them. */
import type { MessagePort } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { internal, interrupted, stopped, tooManyTasks, tooMuchMemory } from '../../base/errors/requests.ts'
import type { Failure } from '../../base/failure.ts'
import { TASKS_PER_THREAD, THREADS_HELD_MS } from '../../base/limits/callers.ts'
import { MINUTE_MS } from '../../base/time.ts'
import { fairQueue } from './fair-queue.ts'
import type { WorkerData, WorkerOutcome, WorkerTask } from './worker.ts'

interface LaneTask {
  readonly owner: number
  readonly estimateMs: number
  readonly task: WorkerTask
  readonly transferList: readonly (ArrayBuffer | MessagePort)[]
  /** Called when a thread is free for the task; a failure ends the task before it starts. */
  readonly refusal: () => Failure | null
  /** The time by performance.now() at which the task is stopped. */
  readonly deadline: number
  /** Called if the task cost its thread. @param wasStopped whether the thread may still run for a moment */
  readonly onThreadLost: (heldMs: number, wasStopped: boolean) => void
}

export type Lane = ReturnType<typeof openLane>

interface LaneOptions {
  /** While one account holds all of them for long, one more is started for other accounts. */
  readonly threads: number
  /** The time limit of a request, for the message of a task that was stopped. */
  readonly timeLimitMs: number
  readonly memoryLimitMb: number
  readonly worker: URL
  readonly workerData: WorkerData
  /** Called with the time that a task waited for a thread. */
  readonly onStart: (waitedMs: number) => void
}

/**
 * The limit of a thread's young generation is small: one collection then adds little to the old generation. If it added much at
 * the memory limit, Node would end the whole process, not only the thread.
 */
const YOUNG_MB = 16
/** Idle threads end after this time. */
const IDLE_MS = MINUTE_MS

interface Waiting extends LaneTask {
  /** When it was queued, by performance.now(). */
  readonly since: number
  readonly stop: AbortSignal
  readonly end: (outcome: WorkerOutcome | Failure) => void
}

export function openLane(options: LaneOptions) {
  const { memoryLimitMb, onStart, threads, timeLimitMs, worker, workerData } = options
  const piscina = new Piscina<WorkerTask, WorkerOutcome>({
    filename: worker.href,
    minThreads: 0,
    maxThreads: threads + 1,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb, maxYoungGenerationSizeMb: YOUNG_MB },
    workerData,
  })
  const queue = fairQueue<Waiting>()
  let running = 0
  let lastStartAt = 0

  /** Running tasks cannot be interrupted: where one account holds every thread for long, another one gets a further thread. */
  const nextTask = (): Waiting | undefined => {
    if (running < threads) return queue.next()
    const isHeld = running === threads && performance.now() - lastStartAt >= THREADS_HELD_MS
    const holder = isHeld ? queue.onlyOwner : null
    return holder === null ? undefined : queue.next(holder)
  }
  /** A thread gets its next task only when it is free: tasks that were handed to piscina earlier would bypass the fair queue. */
  const startWaiting = (): void => {
    for (let next = nextTask(); next !== undefined; next = nextTask()) {
      const refusal = next.refusal()
      if (refusal === null) {
        running += 1
        start(next)
      } else {
        queue.ended(next.owner, next.estimateMs, 0)
        next.end(refusal)
      }
    }
    clearTimeout(looking)
    if (queue.size > 0) looking = setTimeout(startWaiting, THREADS_HELD_MS)
  }
  let looking: NodeJS.Timeout | undefined
  const start = async (waiting: Waiting): Promise<void> => {
    const { end, estimateMs, onThreadLost, owner, since, stop, task, transferList } = waiting
    const startedAt = performance.now()
    lastStartAt = startedAt
    onStart(startedAt - since)
    const options = { signal: stop, transferList: transferList as ArrayBuffer[] }
    const outcome = await piscina.run(task, options).catch((error) => {
      const failure = stop.aborted ? stopped(timeLimitMs / 1_000, error) : asFailure(error)
      if (failure.code === 'overloaded') onThreadLost(performance.now() - startedAt, stop.aborted)
      return failure
    })
    running -= 1
    queue.ended(owner, estimateMs, performance.now() - startedAt)
    startWaiting()
    end(outcome)
  }

  return {
    /** Fails with `overloaded` if the queue is full, or the task takes too much time or memory. */
    run(task: LaneTask): Promise<WorkerOutcome | Failure> {
      const now = performance.now()
      if (now >= task.deadline) return Promise.resolve(stopped(timeLimitMs / 1_000))
      if (running >= threads && queue.size >= threads * TASKS_PER_THREAD)
        return Promise.resolve(tooManyTasks())
      return new Promise((resolve) => {
        const stop = new AbortController()
        const timer = setTimeout(() => {
          stop.abort()
          if (queue.remove(task.owner, waiting)) waiting.end(stopped(timeLimitMs / 1_000))
        }, task.deadline - now)
        const end = (outcome: WorkerOutcome | Failure): void => {
          clearTimeout(timer)
          resolve(outcome)
        }
        const waiting: Waiting = { ...task, stop: stop.signal, end, since: now }
        queue.add(task.owner, waiting, task.estimateMs)
        startWaiting()
      })
    },
    load: () => ({ threads, running, waiting: queue.size }),
    close: () => piscina.close(),
  }
}

function asFailure(error: unknown): Failure {
  const { code, message } = error as { code?: string; message?: string }
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return tooMuchMemory(error)
  if (code?.startsWith('ERR_WORKER') || message?.startsWith('worker exited')) return interrupted(error)
  return internal(error)
}
