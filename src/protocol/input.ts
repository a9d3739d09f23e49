/** Receives the body of a request; one that is no computation must be small, and is checked against its schema. */
import type { IncomingMessage } from 'node:http'
import type { TObject } from 'typebox'
import { ACCOUNT_BODY_BYTES } from '../base/limits/callers.ts'
import { refuseMediaType } from '../compute/body/media-type.ts'
import { parse } from '../compute/body/parse.ts'
import type { Lease, Receiver, Wanted } from '../compute/body/receive.ts'
import { validator } from '../compute/body/validate.ts'
import type { Incoming } from './incoming.ts'
import type { Result } from './order.ts'

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
      refuseMediaType(incoming.headers)
      return body.validate(parse(bytes))
    } finally {
      lease.release()
    }
  }
}

/** Whether the body arrives over HTTP, and is not in memory yet. */
export const isArriving = (body: Incoming['body']): body is IncomingMessage => !(body instanceof Uint8Array)

/** The body of a request. One that is in memory was received within the limits of the body that contained it. */
export function bytesOf(lease: Lease, { body }: Incoming, wanted: Wanted): Result<Buffer> {
  if (isArriving(body)) return lease.receive(body, wanted)
  const read = () => {
    wanted.onBytes?.(body)
    return body
  }
  return wanted.permit?.(body.length)?.then(read) ?? read()
}
