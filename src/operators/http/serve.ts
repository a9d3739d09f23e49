/** An operator's request, in the order of every request. Each change writes an event that names the token. */

import { uuidv7 } from '../../base/ids.ts'
import type { Receiver } from '../../compute/body/receive.ts'
import { queryReader } from '../../compute/body/validate.ts'
import type { Incoming, OnInternalError } from '../../protocol/incoming.ts'
import { inputReader } from '../../protocol/input.ts'
import { inOrder, pass } from '../../protocol/order.ts'
import { csvReply, type Reply, success, unsettledReply } from '../../protocol/reply.ts'
import type { AdminEvent } from '../audit-event.ts'
import type { OperatorToken } from '../tokens.ts'
import { authenticated } from './authenticate.ts'
import { actOf, refuseRole, waitForSecond } from './confirmation.ts'
import type { OperatorContext, OperatorEndpoint, OperatorRequest } from './endpoint.ts'
import { accountBefore, outcomeOf } from './outcome.ts'

export interface OperatorPipeline extends OperatorContext {
  readonly receiver: Receiver
  readonly onInternalError: OnInternalError
}

/** Prepares an endpoint: compiles its schemas once. */
export function operatorServer(pipeline: OperatorPipeline, endpoint: OperatorEndpoint) {
  const readInput = inputReader<{ readonly reason?: unknown } | null>(endpoint.input)
  const readQuery = queryReader(endpoint.query)
  const context = endpoint.method === 'GET' ? readingContext(pipeline) : pipeline
  return inOrder({
    async authenticate(incoming: Incoming): Promise<OperatorToken> {
      const holder = await authenticated(pipeline, incoming)
      await refuseRole(pipeline, endpoint, { by: holder, event: () => eventOf(incoming, holder) })
      return holder
    },
    async receive(incoming: Incoming, holder: OperatorToken) {
      const query = readQuery(incoming.query)
      return { incoming, holder, query, input: await readInput(pipeline.receiver, incoming) }
    },
    async admit({ holder, incoming, input, query }: Received) {
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
      return { incoming, request }
    },
    async act({ incoming, request }: { incoming: Incoming; request: OperatorRequest }) {
      const given = request.input
      const before = await accountBefore(context, given)
      const data = await endpoint.handle(context, request)
      // The act is done: it is answered also where its sentence cannot be made.
      const outcome = await outcomeOf(context, endpoint, { before, data, given }).catch((error) => {
        pipeline.onInternalError(error, incoming.requestId)
        return null
      })
      return { incoming, request, data, outcome }
    },
    // The event of a change is written in the transaction of the act.
    settle: pass,
    reply({ data, incoming: { requestId }, outcome, request: { query } }): Reply {
      const isTable = endpoint.csv !== undefined && (query as { format?: string } | null)?.format === 'csv'
      const { next_cursor: next = null } = data as { next_cursor?: string | null }
      return isTable
        ? csvReply(endpoint.csv!(data), next, requestId)
        : { ...success(JSON.stringify(data), requestId), ...outcome }
    },
    refuse: (error, { requestId }: Incoming): Reply =>
      unsettledReply(error, pipeline.onInternalError, requestId),
  })
}

interface Received {
  readonly incoming: Incoming
  readonly holder: OperatorToken
  readonly query: unknown
  readonly input: { readonly reason?: unknown } | null
}

/** A request that reads runs its verbs where they delay no call, as the commands do. */
const readingContext = (context: OperatorContext): OperatorContext => ({
  ...context,
  store: { ...context.store, run: context.reads.run },
})

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
