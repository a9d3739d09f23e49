/**
 * The result of a job: its data in the form that was asked for, without the envelope around it, and the facts that the ledger
 * charges by.
 */
import { Failure } from '../failure.ts'
import { longDigest, type Sent } from '../proofs/content.ts'
import { digest } from '../proofs/hash.ts'
import { rowsRoot } from '../proofs/rows-root.ts'
import type { ProvenRows } from '../receipt-check/proven-rows.ts'

/** The forms in which a computation reads bodies and prints results: JSON, or a stream of Arrow record batches. */
export type Encoding = 'json' | 'arrow'

export interface Wire {
  readonly body: Encoding
  readonly reply: Encoding
  /** Whether each row of a batch or of columns is to have a proof. */
  readonly provesRows?: boolean
}

export const JSON_WIRE: Wire = { body: 'json', reply: 'json' }

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
  /** Of a batch or of columns. @param data what is replied */
  provenRows?(data: Uint8Array): ProvenRows
}

/** Text, or bytes in one or more pieces. */
export type Body = Sent['body']

/** A result as it leaves its thread. */
export interface JoinedResult extends Sent, Omit<Result, 'pieces' | 'provenRows'> {
  /** The root of its rows, hexadecimal; empty: it has none. */
  readonly rowsRoot: string
  /** SHA-256 of the request's body, hexadecimal, where a thread took it. */
  readonly requestDigest?: string
}

export function joinedResult(result: Result | Failure): JoinedResult | Failure {
  if (result instanceof Failure) return result
  const { calls, credits, encoding, parts, pieces } = result
  const body = encoding === 'json' ? pieces.join('') : Buffer.concat(pieces as Uint8Array[])
  const digests = digestsOf(result, body, () => (typeof body === 'string' ? Buffer.from(body) : body))
  return { body, ...digests, encoding, calls, credits, parts }
}

/** @param bytes of the body; called where it has rows */
export function digestsOf(
  { provenRows }: Pick<Result, 'provenRows'>,
  body: Body,
  bytes: () => Uint8Array,
): Pick<JoinedResult, 'digest' | 'rowsRoot'> {
  const own = longDigest(body)
  if (provenRows === undefined) return { digest: own, rowsRoot: '' }
  const data = bytes()
  return { digest: own, rowsRoot: rowsRoot(provenRows(data), own ?? digest(data)) }
}
