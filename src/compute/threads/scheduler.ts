/** The threads, and the tasks that wait for them. */
import type { MessagePort } from 'node:worker_threads'
import { Piscina } from 'piscina'
import {
  internal,
  interrupted,
  stopped,
  tooManyTasks,
  tooMuchMemory,
  waitedTooLong,
} from '../../base/errors/requests.ts'
import type { Failure } from '../../base/failure.ts'
import { FIRST_TASKS_PER_THREAD, LAG_MS, TASKS_PER_THREAD, THREAD_SHARES } from '../../base/limits/callers.ts'
import { MINUTE_MS } from '../../base/time.ts'
import { fairQueue, type Share } from './fair-queue.ts'
import type { WorkerOutcome, WorkerTask } from './worker.ts'

export interface ScheduledTask {
  readonly share: Share
  readonly task: WorkerTask
  readonly transferList: readonly (ArrayBuffer | MessagePort)[]
  /** The time for which the task may have a thread. */
  readonly timeLimitMs: number
  /** Whether the account has other requests in the pool. */
  readonly isFurther: boolean
  /** Called when a thread is free for the task; a failure ends the task before it starts. */
  readonly refusal: () => Failure | null
  /** Called when the task has left its thread. @param processorMs the processor time that it used */
  readonly onEnd: (heldMs: number, processorMs: number) => void
  /** Called if the task was stopped: its thread may still run for a moment. */
  readonly onStopped: () => void
}

export type Scheduler = ReturnType<typeof openScheduler>

export interface SchedulerOptions {
  readonly threads: number
  /** The time limit of a request, for the message of a task that was stopped. */
  readonly timeLimitMs: number
  /** The longest wait of a task for a thread. */
  readonly waitLimitMs: number
  readonly memoryLimitMb: number
  readonly worker: URL
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
const MOST_FURTHER = Math.max(...Object.values(THREAD_SHARES).map(({ furtherThreads }) => furtherThreads))

interface Waiting extends ScheduledTask {
  /** When it was queued, by performance.now(). */
  readonly since: number
  /** Ends the wait with a failure if no thread becomes free in time. */
  readonly timer: NodeJS.Timeout
  readonly end: (outcome: WorkerOutcome | Failure) => void
}

export function openScheduler(options: SchedulerOptions) {
  const { memoryLimitMb, onStart, threads, timeLimitMs, waitLimitMs, worker } = options
  const piscina = new Piscina<WorkerTask, WorkerOutcome>({
    filename: worker.href,
    minThreads: 0,
    maxThreads: threads + MOST_FURTHER,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb, maxYoungGenerationSizeMb: YOUNG_MB },
  })
  const queue = fairQueue<Waiting>(threads)
  let looking: NodeJS.Timeout | undefined

  /** A thread gets its next task only when it is free: tasks that were handed to piscina earlier would bypass the queue. */
  const startWaiting = (): void => {
    for (let next = queue.next(); next !== undefined; next = queue.next()) {
      clearTimeout(next.task.timer)
      const refusal = next.task.refusal()
      if (refusal === null) start(next.task, next.ended)
      else {
        next.ended(0)
        next.task.end(refusal)
      }
    }
    clearTimeout(looking)
    if (queue.size > 0) looking = setTimeout(startWaiting, LAG_MS)
  }
  const start = async (waiting: Waiting, ended: (usedMs: number) => void): Promise<void> => {
    const { end, onEnd, onStopped, since, task, transferList } = waiting
    const startedAt = performance.now()
    onStart(startedAt - since)
    const stop = new AbortController()
    const processor = processorClock(piscina)
    const timer = setTimeout(async () => {
      await processor.read()
      stop.abort()
    }, waiting.timeLimitMs)
    const outcome = await piscina
      .run(
        { ...task, processor: processor.shared },
        { signal: stop.signal, transferList: transferList as ArrayBuffer[] },
      )
      .catch((error) => (stop.signal.aborted ? stopped(timeLimitMs / 1_000, error) : asFailure(error)))
    clearTimeout(timer)
    if (stop.signal.aborted) onStopped()
    const heldMs = performance.now() - startedAt
    const usedMs = processor.usedMs() ?? heldMs
    ended(usedMs)
    startWaiting()
    onEnd(heldMs, usedMs)
    end(outcome)
  }

  return {
    /** Fails with `overloaded` if the queue is full, no thread becomes free, or the task takes too much time or memory. */
    run(task: ScheduledTask): Promise<WorkerOutcome | Failure> {
      const most = threads * (task.isFurther ? TASKS_PER_THREAD : FIRST_TASKS_PER_THREAD)
      if (queue.running >= threads && queue.size >= most) return Promise.resolve(tooManyTasks())
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          if (queue.remove(task.share.accountId, waiting)) resolve(waitedTooLong(waitLimitMs / 1_000))
        }, waitLimitMs)
        const waiting: Waiting = { ...task, since: performance.now(), timer, end: resolve }
        queue.add(task.share, waiting)
        startWaiting()
      })
    },
    load: () => ({ threads, running: queue.running, waiting: queue.size }),
    close: () => piscina.close(),
  }
}

/** Measures the processor time of one task: its thread writes its own number, and its time at the start and at the end. */
function processorClock(piscina: Pick<Piscina, 'threads'>) {
  const shared = new Float64Array(new SharedArrayBuffer(24))
  let readMicros: number | null = null
  return {
    shared,
    /** Asks a thread that is still running. */
    async read(): Promise<void> {
      const [threadId] = shared
      const worker = piscina.threads.find((each) => each.threadId === threadId)
      const usage = await worker?.cpuUsage?.().catch(() => undefined)
      if (usage !== undefined) readMicros = usage.user + usage.system
    },
    /** null: the thread has ended without telling. */
    usedMs(): number | null {
      const [, startMicros, endMicros] = shared
      const lastMicros = endMicros > 0 ? endMicros : readMicros
      return lastMicros === null ? null : Math.max(0, lastMicros - startMicros) / 1_000
    },
  }
}

function asFailure(error: unknown): Failure {
  const { code, message } = error as { code?: string; message?: string }
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return tooMuchMemory(error)
  if (code?.startsWith('ERR_WORKER') || message?.startsWith('worker exited')) return interrupted(error)
  return internal(error)
}
