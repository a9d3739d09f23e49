/** The steps of one request to an account endpoint: those of a computation, without a charge. */

import { tooManyFromAddress } from '../../base/errors/accounts.ts'
import { guestForbidden, keyForbidden } from '../../base/errors/requests.ts'
import { Failure, retryAfterSeconds } from '../../base/failure.ts'
import { queryReader } from '../../compute/body/query.ts'
import type { JoinedResult } from '../../compute/result.ts'
import { countAttempt } from '../../ledger/store/attempts.ts'
import type { Runner } from '../../ledger/store/store.ts'
import type { AccountRequest, Handler, Origin } from '../../protocol/handler.ts'
import type { Caller, Incoming, Pipeline } from '../../protocol/incoming.ts'
import { inputReader } from '../../protocol/input.ts'
import { failureOf, type Reply, settledReply, success, unsettledReply } from '../../protocol/reply.ts'
import { admit, refusedBefore } from './admit.ts'
import { callerOf } from './authenticate.ts'
import { accountCallOf } from './receive.ts'
import { settle } from './settle.ts'

type ServeAccount = (incoming: Incoming) => Promise<Reply>

export interface AccountPipeline extends Pipeline {
  readonly store: Runner
  /** Whether the limits per client address apply. */
  readonly ipLimits: boolean
  /** The failures of endpoints that the operator has switched off, by path. */
  readonly closed: ReadonlyMap<string, () => Failure>
}

/** Prepares an account endpoint: compiles its schemas once. */
export function accountServer(pipeline: AccountPipeline, handler: Handler): ServeAccount {
  const steps = stepsOf(pipeline, handler)
  const serve = handler.endpoint.key === 'none' ? serveOpen : serveWithKey
  return async (incoming) => {
    try {
      return await serve(pipeline, handler, steps, incoming)
    } catch (error) {
      return unsettledReply(error, pipeline.onInternalError, incoming.requestId)
    }
  }
}

type Given = Pick<AccountRequest, 'input' | 'query'>

interface Steps {
  /** Receives a request and checks it. */
  read(incoming: Incoming): Promise<Given>
  /** Calls the handler, which may add headers. */
  handle(incoming: Incoming, given: Given, caller: Caller | null, headers: string[]): Promise<JoinedResult>
}

function stepsOf(pipeline: AccountPipeline, { endpoint, handle }: Handler): Steps {
  const readInput = inputReader<object | null>(endpoint.input)
  const readQuery = queryReader(endpoint.query)
  return {
    async read(incoming) {
      const query = readQuery(incoming.query)
      return { query, input: await readInput(pipeline.receiver, incoming) } as Given
    },
    async handle(incoming, given, caller, headers) {
      const request = { ...given, caller, origin: originOf(incoming), headers } as AccountRequest
      const data = JSON.stringify(await handle(request))
      return { body: data, digest: null, encoding: 'json', credits: 0, calls: 1, parts: null }
    },
  }
}

async function serveOpen(
  pipeline: AccountPipeline,
  handler: Handler,
  { handle, read }: Steps,
  incoming: Incoming,
): Promise<Reply> {
  const closed = pipeline.closed.get(incoming.path)
  if (closed !== undefined) throw closed()
  await countRequest(pipeline, handler, incoming.subject)
  const headers: string[] = []
  const { body } = await handle(incoming, await read(incoming), null, headers)
  return { ...success(body, incoming.requestId), message: handler.endpoint.message, headers }
}

async function serveWithKey(
  pipeline: AccountPipeline,
  { endpoint }: Handler,
  { handle, read }: Steps,
  incoming: Incoming,
): Promise<Reply> {
  const { requestId, startedAt } = incoming
  const caller = await callerOf(pipeline, incoming)
  const call = accountCallOf(incoming, caller)
  if (caller.tier === 'guest' && endpoint.key === 'registered')
    throw await refusedBefore(pipeline.meter, call, guestForbidden())
  if (caller.team !== null && !endpoint.teamKeys)
    throw await refusedBefore(pipeline.meter, call, keyForbidden())
  const reported = (error: unknown) => failureOf(error, pipeline.onInternalError, requestId)
  const given = await read(incoming).catch(reported)
  // After the body, which may arrive slowly: the key may have been replaced since its first byte.
  const admitted = await admit(pipeline.meter, call)
  const headers: string[] = []
  const outcome =
    given instanceof Failure ? given : await handle(incoming, given, caller, headers).catch(reported)
  const settled = await settle(pipeline.meter, admitted, outcome, startedAt, null).catch((error) => {
    if (outcome instanceof Failure || endpoint.method === 'GET') throw error
    return null
  })
  // The act is done, and its event is in the audit. The reply may hold a key that is shown once, so it is sent although the
  // row of this request could not be written.
  if (settled === null)
    return {
      ...success((outcome as JoinedResult).body, requestId),
      accountId: caller.accountId,
      message: endpoint.message,
      headers,
    }
  return { ...settledReply(settled, requestId, null), message: endpoint.message, headers }
}

async function countRequest(
  { store, ipLimits }: AccountPipeline,
  { perIp }: Handler,
  subject: string,
): Promise<void> {
  if (perIp === null || !ipLimits) return
  const counted = await store.run(countAttempt, [{ ...perIp, subject }])
  if (counted.ok) return
  throw tooManyFromAddress(retryAfterSeconds(counted.retryAt, counted.now))
}

export const originOf = ({ ip, method, path, requestId, subject }: Incoming): Origin => ({
  ip,
  subject,
  requestId,
  method,
  path,
})
