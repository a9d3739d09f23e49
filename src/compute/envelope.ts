/** The envelope that the specification puts around every result. */
import { Failure } from '../errors.ts'
import type { Result } from './result.ts'

/** Text, or bytes in one or more pieces. */
export type Body = string | Uint8Array | readonly Uint8Array[]

/** A result as it is sent, with the facts that the ledger charges by. */
export interface EnvelopedResult extends Pick<Result, 'calls' | 'credits' | 'encoding' | 'parts'> {
  readonly body: Body
}

export function enveloped(result: Result | Failure): EnvelopedResult | Failure {
  if (result instanceof Failure) return result
  const { calls, credits, encoding, parts, pieces } = result
  // An Arrow stream has no envelope.
  const body = encoding === 'json' ? envelope(pieces.join('')) : Buffer.concat(pieces as Uint8Array[])
  return { body, encoding, calls, credits, parts }
}

/** @param data JSON text */
export const envelope = (data: string, message?: string): string =>
  message === undefined
    ? `{"success":true,"data":${data}}`
    : `{"success":true,"data":${data},"message":${JSON.stringify(message)}}`
