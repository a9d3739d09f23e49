/** The worker threads for large or heavy work: bounded in number, queue, time and memory, and shared by accounts. */
import { AsyncResource } from 'node:async_hooks'
import { extname } from 'node:path'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { internal, tooManyTasksOfAccount } from '../../base/errors/requests.ts'
import { Failure, failureFrom } from '../../base/failure.ts'
import {
  COMPUTATION_MS,
  TASKS_PER_ACCOUNT,
  THREAD_MIB,
  THREAD_SHARES,
  WAIT_MS,
} from '../../base/limits/callers.ts'
import type { Piece } from '../columns/row-loop.ts'
import { isShared } from '../columns/table.ts'
import type { Costs } from '../computation.ts'
import { type JoinedResult, JSON_WIRE, type Wire } from '../result.ts'
import { openScheduler, type Scheduler } from './scheduler.ts'
import type {
  BodyTask,
  Divided,
  FinishTask,
  PiecesDone,
  PiecesTask,
  WorkerOutcome,
  WorkerTask,
} from './worker.ts'

/** A body for the pool, which takes over its bytes: they are moved to the worker, unless they are in shared memory. */
export interface PoolTask {
  readonly path: string
  /** The costs of all operations at the admission; absent: 1 each. */
  readonly costs?: Costs
  readonly bytes: Uint8Array
  readonly wire?: Wire
  /** The account that sent it. */
  readonly caller: { readonly accountId: number; readonly tier: keyof typeof THREAD_SHARES }
  /** Paths that the calls of a batch may name; null or absent: all. */
  readonly allowed?: ReadonlySet<string> | null
  /** Credits that were admitted; null: the worker asks for admission. */
  readonly cost: number | null
  /** Called when a thread is free for the body; a failure ends the task before it starts. */
  readonly refusal?: () => Failure | null
  /** Called if a thread was stopped, which may still use shared memory for a moment. */
  readonly onStopped?: () => void
  /** Called with the processor time of each part of the request that has left its thread. */
  readonly onUsed?: (processorMs: number) => void
}

/** A task that failed before its admission, or the admission and outcome of a task. */
type AdmittedRun<Admitted> =
  | { readonly admitted: null; readonly outcome: Failure }
  | { readonly admitted: Admitted; readonly outcome: JoinedResult | Failure }

export interface Pool {
  /** Reads a body and computes. Fails with `overloaded` at a limit of the pool, with `internal` for a bug. */
  run(task: PoolTask): Promise<JoinedResult | Failure>
  /**
   * Reads a body, requests admission of its cost, and only then computes.
   * @param admit if it rejects, nothing is computed, and its error is thrown
   */
  runOnceAdmitted<Admitted>(
    task: PoolTask,
    admit: (cost: number) => Promise<Admitted>,
  ): Promise<AdmittedRun<Admitted>>
  /** The running and waiting tasks. */
  load(): ReturnType<Scheduler['load']>
  close(): Promise<void>
}

/** The worker beside this file, which is `.js` in the built package. */
const WORKER = new URL(`./worker${extname(import.meta.filename)}`, import.meta.url)

export interface PoolOptions {
  /** The tasks that usually run at a time. */
  readonly threads: number
  /** Called with the time that a task waited for a thread. */
  readonly onStart?: (waitedMs: number) => void
  /** Only tests lower the limits, or replace the worker by one that dies. */
  readonly timeLimitMs?: number
  readonly waitLimitMs?: number
  readonly memoryLimitMb?: number
  readonly worker?: URL
}

export function openPool({
  memoryLimitMb = THREAD_MIB,
  onStart = () => undefined,
  threads,
  timeLimitMs = COMPUTATION_MS,
  waitLimitMs = WAIT_MS,
  worker = WORKER,
}: PoolOptions): Pool {
  const scheduler = openScheduler({ threads, memoryLimitMb, timeLimitMs, waitLimitMs, worker, onStart })
  const threadsFor = threadsOfRequests(scheduler, threads, timeLimitMs)
  const tasksOf = new Map<number, number>()

  /** Runs all parts of one request, if its account has few other requests in the pool. */
  const begin = async <Outcome>(
    task: PoolTask,
    work: (threads: Threads) => Promise<Outcome | Failure>,
  ): Promise<Outcome | Failure> => {
    const { accountId } = task.caller
    const tasks = (tasksOf.get(accountId) ?? 0) + 1
    if (tasks > TASKS_PER_ACCOUNT) return tooManyTasksOfAccount(TASKS_PER_ACCOUNT)
    tasksOf.set(accountId, tasks)
    try {
      return await work(threadsFor(task, { isFurther: tasks > 1 }))
    } finally {
      const left = tasksOf.get(accountId)! - 1
      if (left === 0) tasksOf.delete(accountId)
      else tasksOf.set(accountId, left)
    }
  }

  return {
    run: (task) =>
      begin(task, async (requestThreads) => {
        const outcome = await startBody(requestThreads, task, null)
        return outcomeOf(isDivided(outcome) ? await runPieces(requestThreads, outcome) : outcome)
      }),
    async runOnceAdmitted(task, admit) {
      const desk = admissionDesk(admit)
      try {
        const run = await begin(task, async (requestThreads) => {
          const outcome = await startBody(requestThreads, task, desk.port)
          if (!isDivided(outcome)) return { divided: null, outcome: outcomeOf(outcome) }
          const admitted = await admit(outcome.cost)
          return { divided: { admitted }, outcome: outcomeOf(await runPieces(requestThreads, outcome)) }
        })
        const outcome = run instanceof Failure ? run : run.outcome
        // A task that was stopped may have been admitted, and must then be settled.
        const answer = run instanceof Failure ? null : (run.divided ?? (await desk.answer()))
        if (answer !== null) return { admitted: answer.admitted, outcome }
        if (outcome instanceof Failure) return { admitted: null, outcome }
        throw new Error('A body was computed without admission.')
      } finally {
        desk.close()
      }
    },
    load: scheduler.load,
    close: scheduler.close,
  }
}

/**
 * Makes the threads of a request, whose parts share its time limit; waiting does not count in it. The account of a further
 * request has others in the pool.
 */
const threadsOfRequests =
  (scheduler: Scheduler, count: number, timeLimitMs: number) =>
  (task: PoolTask, { isFurther }: { readonly isFurther: boolean }): Threads => {
    const { accountId, tier } = task.caller
    let heldMs = 0
    const start: Threads['start'] = (part, transferList = []) =>
      scheduler.run({
        share: { accountId, ...THREAD_SHARES[tier] },
        task: { path: task.path, costs: task.costs ?? {}, ...part } as WorkerTask,
        transferList,
        timeLimitMs: timeLimitMs - heldMs,
        isFurther,
        // Only the first part of a request, which has the body, may be refused.
        refusal: () => ('bytes' in part ? (task.refusal?.() ?? null) : null),
        onStopped: () => task.onStopped?.(),
        onEnd(partHeldMs, processorMs) {
          heldMs += partHeldMs
          task.onUsed?.(processorMs)
        },
      })
    return { count, hasIdle: () => scheduler.load().running < count, start }
  }

/** Starts the first part of a request, which takes over its body. */
function startBody(threads: Threads, task: PoolTask, admission: MessagePort | null) {
  const { allowed = null, bytes, cost, wire = JSON_WIRE } = task
  const movable = ownBytes(bytes)
  const ports = admission === null ? [] : [admission]
  const buffers = isShared(movable.buffer) ? [] : [movable.buffer]
  return threads.start({ bytes: movable, wire, allowed, cost, admission }, [...buffers, ...ports])
}

/** The port through which a worker requests admission, and the answer that it got; null: it did not request it. */
function admissionDesk<Admitted>(admit: (cost: number) => Promise<Admitted>) {
  const { port1, port2 } = new MessageChannel()
  let answer: Promise<{ readonly admitted: Admitted } | null> = Promise.resolve(null)
  const admitted = (cost: number): void => {
    answer = admit(cost).then((admitted) => ({ admitted }))
    answer.then(
      () => port1.postMessage(true),
      () => port1.postMessage(false),
    )
  }
  // Messages of a port arrive outside the context of the request, to which the trace belongs.
  port1.once('message', AsyncResource.bind(admitted))
  return { port: port2, answer: () => answer, close: () => port1.close() }
}

const isDivided = (outcome: WorkerOutcome | Failure): outcome is Divided =>
  outcome !== null && !(outcome instanceof Failure) && 'rows' in outcome

function outcomeOf(outcome: WorkerOutcome | Failure): JoinedResult | Failure {
  if (outcome instanceof Failure) return outcome
  if (outcome === null) return internal(new Error('A worker returned no outcome.'))
  if ('body' in outcome) return outcome
  if (!('code' in outcome)) return internal(new Error('A worker returned a part of an outcome.'))
  return failureFrom(outcome)
}

/** The bytes in shared memory or a buffer of their own: moving part of a buffer would move the other bytes in it, too. */
const ownBytes = (bytes: Uint8Array): Uint8Array =>
  isShared(bytes.buffer) || bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)

type Part<Task> = Omit<Task, 'path' | 'costs' | 'processor'>

/** The threads that a request may use. */
export interface Threads {
  readonly count: number
  /** Whether one of them waits for work. */
  hasIdle(): boolean
  /** Queues a part of the request for a thread. */
  start(
    part: Part<BodyTask> | Part<PiecesTask> | Part<FinishTask>,
    transferList?: readonly (ArrayBuffer | MessagePort)[],
  ): Promise<WorkerOutcome | Failure>
}

/** A thread takes pieces for this time: other tasks wait behind a large request for this time and a piece at most. */
const PIECES_MS = 10
/** The estimated time that a piece is to take. */
const PIECE_MICROS = 1_000
const LEAST_ROWS = 1_024

/** One thread takes pieces, and only idle threads help it, because each task costs time to hand over. */
export async function runPieces(
  threads: Threads,
  { micros, rows }: Divided,
): Promise<WorkerOutcome | Failure> {
  const count = rows.table.rows
  const most = Math.ceil(count / threads.count)
  const size = Math.min(most, Math.max(LEAST_ROWS, Math.floor((count * PIECE_MICROS) / micros)))
  const part = { rows, size, forMs: PIECES_MS }
  const done: Piece[] = []
  let whole: WorkerOutcome | Failure | undefined
  let bodyDigest: string | null = null
  let takers = 0
  const take = async (): Promise<void> => {
    takers += 1
    const helpers: Promise<void>[] = []
    while (Atomics.load(rows.next, 0) < count && whole === undefined) {
      const task = threads.start(part)
      if (takers < threads.count && threads.hasIdle()) helpers.push(take())
      const outcome = await task
      if (isPieces(outcome)) {
        done.push(...outcome.pieces)
        bodyDigest ??= outcome.bodyDigest
      } else whole = outcome
    }
    await Promise.all(helpers)
  }
  await take()
  if (whole !== undefined) return whole
  done.sort((a, b) => a.from - b.from)
  const texts = done.flatMap((piece) => piece.texts as Uint8Array<ArrayBuffer>[])
  return await threads.start(
    { rows, done, bodyDigest },
    texts.map(({ buffer }) => buffer),
  )
}

const isPieces = (outcome: WorkerOutcome | Failure): outcome is PiecesDone =>
  outcome !== null && !(outcome instanceof Failure) && 'pieces' in outcome
