/** The rows of a large request, which several threads compute in pieces. */
import type { Failure } from '../../failure.ts'
import { digest } from '../../proofs/hash.ts'
import type { Encoding, Result } from '../result.ts'
import type { Results } from './row-loop.ts'
import type { Table } from './table.ts'

/** Checked rows, and room for their results, in arrays that threads share. */
export interface Rows {
  readonly table: Table
  readonly results: Results
  /** The first row that no thread has taken. */
  readonly next: Int32Array
  /** The body that the rows were read from, where threads share it: one of them takes its digest. */
  readonly body: Uint8Array | null
  /** 1: a thread has taken the body. */
  readonly isBodyTaken: Int32Array
  /** Of the reply. */
  readonly encoding: Encoding
  readonly provesRows: boolean
}

/** SHA-256 of the body, hexadecimal, unless a thread has taken it: while it is hashed, others compute rows. */
export const takenDigest = ({ body, isBodyTaken }: Rows): string | null =>
  body !== null && Atomics.exchange(isBodyTaken, 0, 1) === 0 ? digest(body) : null

/** The outcome of some of the rows, whose results are in their places. */
export interface Piece {
  /** The first of the rows. */
  readonly from: number
  readonly failed: readonly number[]
  /** In JSON: by output, the printed results. */
  readonly texts: readonly (string | Uint8Array)[]
}

export interface InPieces {
  run(rows: Rows, from: number, to: number): Piece
  /** @param done all rows, in order */
  finish(rows: Rows, done: readonly Piece[]): Result | Failure
}
