/** The rows of a large request, which several threads compute in pieces. */
import type { Failure } from '../../base/failure.ts'
import { digest } from '../../wire/proofs/hash.ts'
import type { Encoding, Result } from '../result.ts'
import type { Results } from './row-loop.ts'
import type { Table } from './table.ts'

/** Checked rows, and room for their results, in arrays that threads share. */
export interface Rows {
  readonly table: Table
  /** The seconds that the estimates of all rows begin. */
  readonly seconds: number
  readonly results: Results
  /** The first row that no thread has taken. */
  readonly next: Int32Array
  /** The body that the rows were read from, if threads share it: one of them hashes it. */
  readonly body: Uint8Array | null
  /** 1: a thread has begun to hash the body. */
  readonly isBodyTaken: Int32Array
  /** The format of the reply. */
  readonly encoding: Encoding
}

/** Hashes the body (SHA-256, hexadecimal) while other threads compute rows; null: another thread does, or it is not shared. */
export const takenDigest = ({ body, isBodyTaken }: Rows): string | null =>
  body !== null && Atomics.exchange(isBodyTaken, 0, 1) === 0 ? digest(body) : null

/** The outcome of consecutive rows; their results are in `Rows.results`. */
export interface Piece {
  /** The first of the rows. */
  readonly from: number
  readonly failed: readonly number[]
  /** For a JSON reply: the printed results of each output. */
  readonly texts: readonly (string | Uint8Array)[]
}

export interface InPieces {
  run(rows: Rows, from: number, to: number): Piece
  /** @param done the pieces of all rows, in order */
  finish(rows: Rows, done: readonly Piece[]): Result | Failure
}
