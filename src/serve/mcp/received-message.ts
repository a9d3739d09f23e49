/** One MCP message and its caller, and the requests that it makes, which take the same steps as HTTP requests. */

import type { Failure } from '../../base/failure.ts'
import { uuidv7 } from '../../base/ids.ts'
import type { Computation } from '../../compute/computation.ts'
import type { Caller, Incoming } from '../../protocol/incoming.ts'
import type { Reply } from '../../protocol/reply.ts'
import { serveComputation } from '../pipeline/serve.ts'
import type { AccountPipeline } from '../pipeline/serve-account.ts'
import type { Message, ToolCall } from './message.ts'

export interface ReceivedMessage {
  readonly pipeline: AccountPipeline
  readonly incoming: Incoming
  readonly caller: Caller
  readonly message: Message
  /** Counts the message as one that computes nothing; a second call has no effect. Throws Refused. */
  count(): Promise<void>
  /** Turns the first error into the failure by which the reply is counted, and reports it if it is a bug. */
  failureOf(error: unknown): Failure
  /** The reply to the request that the tool call made, by whose charge and failure the message is counted; null: none yet. */
  served: Reply | null
}

/** A computation with these arguments: the same checks, charge, limits and audit row as over HTTP. */
export async function compute(
  received: ReceivedMessage,
  { idempotencyKey }: ToolCall,
  computation: Computation,
  body: Buffer,
): Promise<Reply> {
  const key = idempotencyKey ?? received.incoming.headers['idempotency-key']
  const headers = key === undefined ? {} : { 'idempotency-key': key }
  const incoming = { ...request(received, 'POST', computation.path), headers, body }
  received.served = await serveComputation({ pipeline: received.pipeline, incoming, computation })
  return received.served
}

const NO_QUERY = new URLSearchParams()

/** A request of the message's caller, without a body. */
export const request = (
  { caller, incoming }: ReceivedMessage,
  method: 'GET' | 'POST',
  path: string,
): Incoming => ({
  ...incoming,
  method,
  path,
  caller,
  headers: {},
  body: Buffer.alloc(0),
  query: NO_QUERY,
  id: uuidv7(),
})
