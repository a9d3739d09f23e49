/** The envelope that the specification puts around every result. */
import type { Result } from './computation.ts'

/** A result as it is sent, with the facts that the ledger charges by. */
export interface EnvelopedResult extends Pick<Result, 'credits' | 'parts'> {
  readonly body: string | Uint8Array
}

/** @param data JSON text */
export const envelope = (data: string, message?: string): string =>
  message === undefined
    ? `{"success":true,"data":${data}}`
    : `{"success":true,"data":${data},"message":${JSON.stringify(message)}}`
