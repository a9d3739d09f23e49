/** The steps of an operator's request: token → role → body → act → reply. Each change writes an event that names the token. */

import { uuidv7 } from '../../base/ids.ts'
import { queryReader } from '../../compute/body/query.ts'
import type { Receiver } from '../../compute/body/receive.ts'
import type { Incoming, OnInternalError } from '../../protocol/incoming.ts'
import { inputReader } from '../../protocol/input.ts'
import { csvReply, type Reply, success } from '../../protocol/reply.ts'
import type { AdminEvent } from '../audit-event.ts'
import type { OperatorToken } from '../tokens.ts'
import { authenticated } from './authenticate.ts'
import { actOf, refuseRole, waitForSecond } from './confirmation.ts'
import type { OperatorContext, OperatorEndpoint, OperatorRequest } from './endpoint.ts'

export interface OperatorPipeline extends OperatorContext {
  readonly receiver: Receiver
  readonly onInternalError: OnInternalError
}

/** Prepares an endpoint: compiles its schemas once. */
export function operatorServer(pipeline: OperatorPipeline, endpoint: OperatorEndpoint) {
  const readInput = inputReader<{ readonly reason?: unknown } | null>(endpoint.input)
  const readQuery = queryReader(endpoint.query)
  return async (incoming: Incoming): Promise<Reply> => {
    const holder = await authenticated(pipeline, incoming)
    await refuseRole(pipeline, endpoint, { by: holder, event: () => eventOf(incoming, holder) })
    const query = readQuery(incoming.query)
    const input = await readInput(pipeline.receiver, incoming)
    // The body may arrive slowly: the token may have been revoked since its first byte.
    const token = endpoint.input === null ? holder : await authenticated(pipeline, incoming)
    const why = typeof input?.reason === 'string' ? input.reason : undefined
    const asked = {
      input: input as OperatorRequest['input'],
      by: token,
      event: () => eventOf(incoming, token, why),
    }
    await waitForSecond(pipeline, endpoint, asked)
    const request = { ...asked, query, act: actOf(pipeline, endpoint, asked) } as OperatorRequest
    const data = await endpoint.handle(pipeline, request)
    const isTable = endpoint.csv !== undefined && (query as { format?: string } | null)?.format === 'csv'
    const { next_cursor: next = null } = data as { next_cursor?: string | null }
    return isTable
      ? csvReply(endpoint.csv!(data), next, incoming.requestId)
      : success(JSON.stringify(data), incoming.requestId)
  }
}

export const eventOf = (
  { ip, path, requestId }: Incoming,
  { name }: Pick<OperatorToken, 'name'>,
  reason?: string,
): AdminEvent => ({
  auditId: uuidv7(),
  ip,
  requestId,
  method: 'OPERATOR',
  path,
  actor: name,
  ...(reason !== undefined && { reason }),
})
