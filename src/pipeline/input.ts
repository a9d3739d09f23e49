/** Receives the body of a request that is no computation, which must be small, and checks it against its schema. */
import type { TObject } from 'typebox'
import { parse } from '../body/parse.ts'
import type { Receiver } from '../body/receive.ts'
import { validator } from '../body/validate.ts'
import { ACCOUNT_BODY_BYTES } from '../limits.ts'
import type { Incoming } from './incoming.ts'
import { bytesOf } from './receive.ts'

/**
 * Compiles the schema once. A body may be missing if no field is required.
 * @param schema null: the endpoint has no input; a body is received and ignored
 */
export function inputReader<Input extends object | null>(schema: TObject | null) {
  const body = schema === null ? null : validator<Input>(schema)
  const isNeeded = (schema?.required ?? []).length > 0
  return async (receiver: Receiver, incoming: Incoming): Promise<Input> => {
    const lease = receiver.lease()
    try {
      // A body that is not needed may be of unknown length and empty, whatever its type.
      const required = isNeeded || (body !== null && incoming.headers['content-length'] !== undefined)
      const bytes = await bytesOf(lease, incoming, { required, limitBytes: ACCOUNT_BODY_BYTES })
      return body === null ? (null as Input) : body.validate(bytes.length === 0 ? {} : parse(bytes))
    } finally {
      lease.release()
    }
  }
}
