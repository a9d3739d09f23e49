/** A request to an account endpoint, in the order of every request, without a charge. */
import { tooManyFromAddress } from '../../base/errors/accounts.ts'
import { guestForbidden, keyForbidden } from '../../base/errors/requests.ts'
import { Failure, retryAfterSeconds } from '../../base/failure.ts'
import { queryReader } from '../../compute/body/validate.ts'
import type { JoinedResult } from '../../compute/result.ts'
import { countAttempt } from '../../ledger/store/attempts.ts'
import { Locked } from '../../ledger/store/sql.ts'
import type { Runner } from '../../ledger/store/store.ts'
import { type AccountRequest, type Handler, originOf } from '../../protocol/handler.ts'
import type { Caller, Incoming, Pipeline } from '../../protocol/incoming.ts'
import { inputReader } from '../../protocol/input.ts'
import { inOrder, pass } from '../../protocol/order.ts'
import {
  failedReply,
  failureOf,
  type Reply,
  type Settled,
  settledReply,
  success,
  unsettledReply,
} from '../../protocol/reply.ts'
import { type Admitted, admit, refusedBefore } from './admit.ts'
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
  /** The failure of every request without a key; null: there is room for what it writes. */
  readonly refuseUnpaid: () => Failure | null
}

/** Prepares an account endpoint: compiles its schemas once. */
export const accountServer = (pipeline: AccountPipeline, handler: Handler): ServeAccount =>
  handler.endpoint.key === 'none' ? openServer(pipeline, handler) : serverWithKey(pipeline, handler)

type Given = Pick<AccountRequest, 'input' | 'query'>

/** Without a key the ledger has no part in a request; the requests of an address are counted. */
function openServer(pipeline: AccountPipeline, handler: Handler): ServeAccount {
  const { message } = handler.endpoint
  const { handle, read } = endpointOf(pipeline, handler)
  return inOrder({
    async authenticate({ path, subject }: Incoming) {
      const refusal = pipeline.closed.get(path)?.() ?? pipeline.refuseUnpaid()
      if (refusal !== null) throw refusal
      await countRequest(pipeline, handler, subject)
    },
    receive: async (incoming: Incoming) => ({ incoming, given: await read(incoming) }),
    admit: pass,
    async act({ given, incoming }: { incoming: Incoming; given: Given }) {
      const headers: string[] = []
      const { body } = await handle(incoming, given, null, headers)
      return { ...success(body, incoming.requestId), message, headers }
    },
    settle: pass,
    reply: (reply: Reply) => reply,
    refuse: refusal(pipeline),
  })
}

interface Received {
  readonly incoming: Incoming
  readonly caller: Caller
  readonly given: Given | Failure
}

interface Done extends Received {
  /** null: the ledger cannot be written, and the request only reads. */
  readonly admitted: Admitted | null
  readonly outcome: JoinedResult | Failure
  /** Those that the handler has added. */
  readonly headers: readonly string[]
}

function serverWithKey(pipeline: AccountPipeline, handler: Handler): ServeAccount {
  const { meter } = pipeline
  const { endpoint } = handler
  const { handle, read } = endpointOf(pipeline, handler)
  const reported = (requestId: string) => (error: unknown) =>
    failureOf(error, pipeline.onInternalError, requestId)
  return inOrder({
    async authenticate(incoming: Incoming): Promise<Caller> {
      const caller = await callerOf(pipeline, incoming)
      const call = accountCallOf(incoming, caller)
      if (caller.tier === 'guest' && endpoint.key === 'registered')
        throw await refusedBefore(meter, call, guestForbidden())
      if (caller.team !== null && !endpoint.teamKeys) throw await refusedBefore(meter, call, keyForbidden())
      return caller
    },
    async receive(incoming: Incoming, caller: Caller): Promise<Received> {
      const given = await read(incoming).catch(reported(incoming.requestId))
      return { incoming, caller, given }
    },
    // After the body, which may arrive slowly: the key may have been replaced since its first byte.
    async admit(received: Received) {
      const call = accountCallOf(received.incoming, received.caller)
      const admitted = await admit(meter, call).catch((error) => {
        if (endpoint.method === 'GET' && error.cause instanceof Locked) return null
        throw error
      })
      return { ...received, admitted }
    },
    async act(request: Received & Pick<Done, 'admitted'>): Promise<Done> {
      const { caller, given, incoming } = request
      const headers: string[] = []
      const outcome =
        given instanceof Failure
          ? given
          : await handle(incoming, given, caller, headers).catch(reported(incoming.requestId))
      return { ...request, outcome, headers }
    },
    // If the act is done and its event in the audit, a reply that may hold a key that is shown once is sent although the row of
    // this request cannot be written.
    async settle(done: Done) {
      const { admitted, incoming, outcome } = done
      if (admitted === null) return { done, settled: null }
      const acted = { ...admitted, outcome, request: null, startedAt: incoming.startedAt }
      const settled = await settle(meter, acted).catch((error) => {
        if (outcome instanceof Failure || endpoint.method === 'GET') throw error
        return null
      })
      return { done, settled }
    },
    reply({ done, settled }: { done: Done; settled: Settled | null }): Reply {
      const { caller, headers, incoming, outcome } = done
      const reply =
        settled !== null
          ? settledReply(settled, incoming.requestId, null)
          : { ...unsettled(outcome, incoming.requestId), accountId: caller.accountId }
      return { ...reply, message: endpoint.message, headers }
    },
    refuse: refusal(pipeline),
  })
}

const unsettled = (outcome: JoinedResult | Failure, requestId: string): Reply =>
  outcome instanceof Failure ? failedReply(outcome, requestId) : success(outcome.body, requestId)

const refusal =
  ({ onInternalError }: AccountPipeline) =>
  (error: unknown, { requestId }: Incoming): Reply =>
    unsettledReply(error, onInternalError, requestId)

function endpointOf(pipeline: AccountPipeline, { endpoint, handle }: Handler) {
  const readInput = inputReader<object | null>(endpoint.input)
  const readQuery = queryReader(endpoint.query)
  return {
    /** Receives a request and checks it. */
    async read(incoming: Incoming): Promise<Given> {
      const query = readQuery(incoming.query)
      return { query, input: await readInput(pipeline.receiver, incoming) } as Given
    },
    /** Calls the handler, which may add headers. */
    async handle(
      incoming: Incoming,
      given: Given,
      caller: Caller | null,
      headers: string[],
    ): Promise<JoinedResult> {
      const request = { ...given, caller, origin: originOf(incoming), headers } as AccountRequest
      const body = JSON.stringify(await handle(request))
      return { body, digest: null, encoding: 'json', credits: 0, calls: 1, parts: null }
    },
  }
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
