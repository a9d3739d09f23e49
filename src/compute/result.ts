/**
 * The result of a job: its data in the encoding of the reply, without the envelope, and the figures that the ledger charges.
 */
import { Failure } from '../base/failure.ts'
import { longDigest, type Sent } from '../wire/proofs/content.ts'

/** JSON, or a stream of Arrow record batches. */
export type Encoding = 'json' | 'arrow'

/** The encodings of a request and its reply. */
export interface Wire {
  readonly body: Encoding
  readonly reply: Encoding
}

export const JSON_WIRE: Wire = { body: 'json', reply: 'json' }

export interface Result {
  /** JSON text or an Arrow stream, in one or more pieces. */
  readonly pieces: readonly (string | Uint8Array)[]
  readonly encoding: Encoding
  /** Credits that its successful calls cost. */
  readonly credits: number
  /** The number of its calls, successful or not. */
  readonly calls: number
  /** For a batch: calls and credits by path, as JSON. */
  readonly parts: string | null
}

/** Text, or bytes in one or more pieces. */
export type Body = Sent['body']

/** A result as it leaves its thread. */
export interface JoinedResult extends Sent, Omit<Result, 'pieces'> {
  /** SHA-256 of the request's body, hexadecimal, if a thread has hashed it. */
  readonly requestDigest?: string
}

export function joinedResult(result: Result | Failure): JoinedResult | Failure {
  if (result instanceof Failure) return result
  const { calls, credits, encoding, parts, pieces } = result
  const body = encoding === 'json' ? pieces.join('') : Buffer.concat(pieces as Uint8Array[])
  return { body, digest: longDigest(body), encoding, calls, credits, parts }
}
