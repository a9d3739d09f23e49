/** The story of one request of an operator: token → role → body → act → reply. Each change is an event that names the token. */
import { parse } from '../../body/parse.ts'
import { queryReader } from '../../body/query.ts'
import type { Receiver } from '../../body/receive.ts'
import { validator } from '../../body/validate.ts'
import { roleForbidden } from '../../errors/operator.ts'
import { uuidv7 } from '../../ids.ts'
import { ACCOUNT_BODY_BYTES } from '../../limits.ts'
import type { Incoming, OnInternalError } from '../../pipeline/incoming.ts'
import { bytesOf } from '../../pipeline/receive.ts'
import { csvReply, type Reply, success, unsettledReply } from '../../pipeline/reply.ts'
import type { AdminEvent } from '../event.ts'
import { mayAct } from '../roles.ts'
import { countForbidden, type OperatorToken } from '../tokens.ts'
import { authenticated } from './authenticate.ts'
import { waitForSecond } from './confirmation.ts'
import type { OperatorContext, OperatorEndpoint, OperatorRequest } from './endpoint.ts'

export interface OperatorPipeline extends OperatorContext {
  readonly receiver: Receiver
  readonly onInternalError: OnInternalError
}

/** Prepares an endpoint: compiles its schemas once. */
export function operatorServer(pipeline: OperatorPipeline, endpoint: OperatorEndpoint) {
  const body = endpoint.input === null ? null : validator<Record<string, unknown>>(endpoint.input)
  const bodyNeeded = (endpoint.input?.required ?? []).length > 0
  const readQuery = queryReader(endpoint.query)
  const serve = async (incoming: Incoming): Promise<Reply> => {
    const token = await authenticated(pipeline, incoming)
    await refuseRole(pipeline, endpoint, incoming, token)
    const query = readQuery(incoming.query)
    const bytes = await receive(pipeline, incoming, bodyNeeded)
    const input = body?.validate(bytes.length === 0 ? {} : parse(bytes)) ?? null
    const why = typeof input?.reason === 'string' ? input.reason : undefined
    const request = {
      ...{ input, query, by: token, event: () => eventOf(incoming, token, why) },
      act: (_, verb, ...args) => pipeline.store.run(verb, ...args),
    } as OperatorRequest
    await waitForSecond(pipeline, endpoint, request)
    const data = await endpoint.handle(pipeline, request)
    const isTable = endpoint.csv !== undefined && (query as { format?: string } | null)?.format === 'csv'
    const { next_cursor: next = null } = data as { next_cursor?: string | null }
    return isTable
      ? csvReply(endpoint.csv!(data), next, incoming.requestId)
      : success(JSON.stringify(data), incoming.requestId)
  }
  return async (incoming: Incoming): Promise<Reply> => {
    try {
      return await serve(incoming)
    } catch (error) {
      return unsettledReply(error, pipeline.onInternalError, incoming.requestId)
    }
  }
}

async function refuseRole(
  { store }: OperatorPipeline,
  { role: needed }: OperatorEndpoint,
  incoming: Incoming,
  token: OperatorToken,
): Promise<void> {
  const { role } = token
  if (mayAct(role, needed)) return
  await store.run(countForbidden, { event: eventOf(incoming, token), role, needed })
  throw roleForbidden(role, needed)
}

export const eventOf = (
  { ip, path, requestId }: Incoming,
  { name }: Pick<OperatorToken, 'name'>,
  reason?: string,
): AdminEvent => ({
  ...{ auditId: uuidv7(), ip, requestId, method: 'OPERATOR', path, actor: name },
  ...(reason !== undefined && { reason }),
})

export async function receive(
  { receiver }: OperatorPipeline,
  incoming: Incoming,
  required: boolean,
): Promise<Buffer> {
  const lease = receiver.lease()
  try {
    return await bytesOf(lease, incoming, { required, limitBytes: ACCOUNT_BODY_BYTES })
  } finally {
    lease.release()
  }
}
