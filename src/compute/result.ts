/**
 * The result of a job: its data in the encoding of the reply, without the envelope, and the figures that the ledger charges.
 */
import { Failure } from '../base/failure.ts'
import { longDigest, type Sent } from '../wire/proofs/content.ts'
import { digest } from '../wire/proofs/hash.ts'
import { rowsRoot } from '../wire/proofs/rows-root.ts'
import type { ProvenRows } from '../wire/receipt-check/proven-rows.ts'

/** JSON, or a stream of Arrow record batches. */
export type Encoding = 'json' | 'arrow'

/** The encodings of a request and its reply. */
export interface Wire {
  readonly body: Encoding
  readonly reply: Encoding
  /** Whether each call of a batch, or each row of columns, is to have a proof. */
  readonly provesRows?: boolean
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
  /** The rows of a batch or of columns, if they are to have proofs. @param data the data of the reply */
  provenRows?(data: Uint8Array): ProvenRows
}

/** Text, or bytes in one or more pieces. */
export type Body = Sent['body']

/** A result as it leaves its thread. */
export interface JoinedResult extends Sent, Omit<Result, 'pieces' | 'provenRows'> {
  /** The root of its rows, hexadecimal; empty: they have no proofs. */
  readonly rowsRoot: string
  /** SHA-256 of the request's body, hexadecimal, if a thread has hashed it. */
  readonly requestDigest?: string
}

export function joinedResult(result: Result | Failure): JoinedResult | Failure {
  if (result instanceof Failure) return result
  const { calls, credits, encoding, parts, pieces } = result
  const body = encoding === 'json' ? pieces.join('') : Buffer.concat(pieces as Uint8Array[])
  const digests = digestsOf(result, body, () => (typeof body === 'string' ? Buffer.from(body) : body))
  return { body, ...digests, encoding, calls, credits, parts }
}

/** @param bytes the bytes of the body, which are needed only for the proofs of rows */
export function digestsOf(
  { provenRows }: Pick<Result, 'provenRows'>,
  body: Body,
  bytes: () => Uint8Array,
): Pick<JoinedResult, 'digest' | 'rowsRoot'> {
  const digestIfLong = longDigest(body)
  if (provenRows === undefined) return { digest: digestIfLong, rowsRoot: '' }
  const data = bytes()
  return { digest: digestIfLong, rowsRoot: rowsRoot(provenRows(data), digestIfLong ?? digest(data)) }
}
