/** Runs the rows of a large request on all threads, in pieces, in turn with the tasks of other accounts. */
import type { MessagePort } from 'node:worker_threads'
import type { Piece } from '../compute/columns/pieces.ts'
import { Failure } from '../failure.ts'
import type { BodyTask, Divided, FinishTask, PiecesDone, PiecesTask, WorkerOutcome } from './worker.ts'

type Part<Task> = Omit<Task, 'path' | 'costs'>

/** Starts a part of a request; its estimate in microseconds. */
export type Start = (
  part: Part<BodyTask> | Part<PiecesTask> | Part<FinishTask>,
  micros: number,
  transferList?: readonly (ArrayBuffer | MessagePort)[],
) => Promise<WorkerOutcome | Failure>

/** A thread takes pieces for this time, each estimated at as much: nobody waits behind a large request for longer than both. */
const PIECES_MICROS = 10_000
const LEAST_ROWS = 1_024
const FINISH_MICROS = 2_000

export async function runPieces(
  start: Start,
  { micros, rows }: Divided,
  threads: number,
): Promise<WorkerOutcome | Failure> {
  const count = rows.table.rows
  const most = Math.ceil(count / threads)
  const size = Math.min(most, Math.max(LEAST_ROWS, Math.floor((count * PIECES_MICROS) / micros)))
  const done: Piece[] = []
  let failure: Failure | null = null
  const runNext = async (): Promise<void> => {
    while (Atomics.load(rows.next, 0) < count && failure === null) {
      const outcome = await start(
        { rows, size, forMs: PIECES_MICROS / 1_000 },
        Math.min(PIECES_MICROS, micros / threads),
      )
      if (outcome instanceof Failure) failure = outcome
      else done.push(...(outcome as PiecesDone).pieces)
    }
  }
  await Promise.all(Array.from({ length: threads }, runNext))
  if (failure !== null) return failure
  done.sort((a, b) => a.from - b.from)
  const texts = done.flatMap((piece) => piece.texts as Uint8Array<ArrayBuffer>[])
  return await start(
    { rows, done },
    FINISH_MICROS,
    texts.map(({ buffer }) => buffer),
  )
}
