/** The result of a job, before it is put into an envelope. */
import type { Encoding } from './wire.ts'

/** The outcome of a job. */
export interface Result {
  /** JSON text or an Arrow stream, in one or more pieces. */
  readonly pieces: readonly (string | Uint8Array)[]
  readonly encoding: Encoding
  /** Credits that its successes cost. */
  readonly credits: number
  /** Computations in it, successful or not. */
  readonly calls: number
  /** For a batch: calls and credits by path, as JSON. */
  readonly parts: string | null
}
