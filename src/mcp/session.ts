/** One MCP message and its caller; sends requests of its own through the steps that HTTP requests take. */
import type { Computation } from '../compute/computation.ts'
import type { Failure } from '../failure.ts'
import { uuidv7 } from '../ids.ts'
import type { Caller } from '../pipeline/caller.ts'
import type { Incoming } from '../pipeline/incoming.ts'
import type { Reply } from '../pipeline/reply.ts'
import { serveComputation } from '../pipeline/serve.ts'
import type { AccountPipeline } from '../pipeline/serve-account.ts'
import { IDEMPOTENCY_META } from './idempotency-meta.ts'

export interface Session {
  readonly pipeline: AccountPipeline
  readonly incoming: Incoming
  readonly caller: Caller
  /** `params` of the message, as they were parsed. */
  readonly params: { readonly [name: string]: unknown }
  /** Whether the message may have numbers that JSON.stringify changes. */
  readonly hasSpecialNumbers: boolean
  /** An error of a tool as the failure that the reply is counted by; a bug is reported. */
  failureOf(error: unknown): Failure
}

/** A computation with these arguments: the same checks, charge, limits and audit row as over HTTP. */
export function compute(session: Session, computation: Computation, body: Buffer): Promise<Reply> {
  const key = idempotencyKeyOf(session)
  const headers = key === undefined ? {} : { 'idempotency-key': key }
  const incoming = { ...request(session, 'POST', computation.path), headers, body }
  return serveComputation(session.pipeline, incoming, computation)
}

const NO_QUERY = new URLSearchParams()

/** A request of the session's caller, without a body. */
export const request = ({ caller, incoming }: Session, method: 'GET' | 'POST', path: string): Incoming => ({
  ...incoming,
  ...{ method, path, caller, headers: {}, body: Buffer.alloc(0) },
  query: NO_QUERY,
  id: uuidv7(),
})

function idempotencyKeyOf({ incoming, params }: Session): string | undefined {
  const meta = params._meta as { readonly [IDEMPOTENCY_META]?: unknown } | undefined
  const key = meta?.[IDEMPOTENCY_META]
  return key === undefined ? incoming.headers['idempotency-key'] : String(key)
}
