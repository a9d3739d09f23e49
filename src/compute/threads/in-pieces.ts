/** Runs the rows of a large request on all threads, in pieces, in turn with the tasks of other accounts. */
import type { MessagePort } from 'node:worker_threads'
import { Failure } from '../../base/failure.ts'
import type { Piece } from '../columns/row-loop.ts'
import type { BodyTask, Divided, FinishTask, PiecesDone, PiecesTask, WorkerOutcome } from './worker.ts'

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
