/** Receives the body of a request that is no computation, which must be small, and checks it against its schema. */
import type { TObject } from 'typebox'
import { refuseMediaType } from '../body/media-type.ts'
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
  const wanted = { required: (schema?.required ?? []).length > 0, limitBytes: ACCOUNT_BODY_BYTES }
  return async (receiver: Receiver, incoming: Incoming): Promise<Input> => {
    const lease = receiver.lease()
    try {
      const bytes = await bytesOf(lease, incoming, wanted)
      if (body === null) return null as Input
      if (bytes.length === 0) return body.validate({})
      // Whether a body that is not required is empty may be known only now.
      refuseMediaType(incoming.headers, false)
      return body.validate(parse(bytes))
    } finally {
      lease.release()
    }
  }
}
