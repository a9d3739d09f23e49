/** `POST /mcp`: MCP over streamable HTTP without sessions; every message is authenticated before it is read. */
import { invalidJson } from '../../base/errors/requests.ts'
import { Failure, type FailureCode } from '../../base/failure.ts'
import { isLoopbackOrigin } from '../../base/hosts.ts'
import { MCP_MESSAGE_BYTES } from '../../base/limits/callers.ts'
import type { Lease } from '../../compute/body/receive.ts'
import { minuteUsedUp, Refused } from '../../ledger/metering/refused.ts'
import type { Caller, Incoming, Pipeline } from '../../protocol/incoming.ts'
import { bytesOf } from '../../protocol/input.ts'
import { inOrder, pass } from '../../protocol/order.ts'
import { type Charge, failureOf } from '../../protocol/reply.ts'
import { admit, peek } from '../pipeline/admit.ts'
import { accountCallOf, callOf, isSmall } from '../pipeline/receive.ts'
import {
  errorReply,
  INVALID_REQUEST,
  type Message,
  ProtocolRefusal,
  type RpcId,
  readMessage,
  SERVER_ERROR,
} from './message.ts'
import type { ReceivedMessage } from './received-message.ts'
import type { ProtocolServer } from './server.ts'
import { type McpParts, tools } from './tools.ts'

/** The reply to an MCP message. */
interface ProtocolReply extends Partial<Charge> {
  readonly status: number
  /** Names and values alternating. */
  readonly headers: string[]
  readonly body: string
  readonly code: FailureCode | null
  readonly accountId: number | null
}

export function mcpEndpoint(parts: McpParts): (incoming: Incoming) => Promise<ProtocolReply> {
  const limit = messageLimit(parts)
  const available = tools(parts)
  let loading: Promise<ProtocolServer> | null = null
  // The SDK takes 20 MB of memory, which services without MCP clients save.
  const load = async (): Promise<ProtocolServer> => {
    const { protocolServer } = await import('./server.ts')
    return protocolServer(available, parts.sources.version)
  }
  return inOrder({
    async authenticate(incoming: Incoming): Promise<Caller> {
      refuseForeignOrigin(incoming, parts.corsOrigins)
      return await parts.authenticate(incoming)
    },
    async receive(incoming: Incoming, caller: Caller): Promise<Leased> {
      incoming.replyRoom.take(caller.accountId)
      limit.check(caller, () => mayCallTool(incoming))
      const lease = parts.receiver.lease()
      try {
        const bytes = await receive(parts, lease, incoming, caller)
        limit.check(caller, () => hasToolCall(bytes))
        await parts.eventLoop.waitForShare(caller.accountId)
        const count = once(() => limit.count(incoming, caller))
        const message = await read(parts, bytes, caller.accountId, count)
        return { lease, received: receivedOf(parts, { incoming, caller, message, count }) }
      } catch (error) {
        lease.release()
        throw error
      }
    },
    /** A tool call of the usual form is run at once. The SDK takes every other message, which counts as one that computes nothing. */
    async admit({ received }: Leased) {
      const { caller, count, incoming, message } = received
      loading ??= load()
      const protocol = await loading
      const print = parts.eventLoop.run(caller.accountId, () => protocol.shortcut(incoming.headers, message))
      if (print === null) await count()
      return { received, protocol, print }
    },
    async act({ print, protocol, received }: Admitted): Promise<ProtocolReply> {
      if (print !== null) {
        const result = await available.call(received)
        return replyTo(received, { status: 200, headers: JSON_TYPE, body: print(result), code: null })
      }
      const { accountId } = received.caller
      const { body, headers, status } = await parts.eventLoop.runInTurn(accountId, () =>
        protocol.serve(received),
      )
      return replyTo(received, { status, headers, body, code: received.code() })
    },
    settle: pass,
    reply: (reply: ProtocolReply) => reply,
    refuse: (error, incoming: Incoming, caller: Caller | null, leased: Leased | null): ProtocolReply =>
      refusalOf(error, { incoming, caller }, leased?.received.message.id ?? null),
    end({ lease }: Leased) {
      lease.release()
    },
  })
}

const JSON_TYPE = ['content-type', 'application/json']

interface Leased {
  readonly lease: Lease
  readonly received: CodedMessage
}

interface Admitted {
  readonly received: CodedMessage
  readonly protocol: ProtocolServer
  /** Prints the result of a tool call; null: the SDK takes the message. */
  readonly print: ReturnType<ProtocolServer['shortcut']>
}

/** A message that cannot be read is counted as one that computes nothing. Throws ProtocolRefusal. */
async function read(
  { eventLoop }: McpParts,
  bytes: Buffer,
  accountId: number,
  count: () => Promise<void>,
): Promise<Message> {
  try {
    return eventLoop.run(accountId, () => readMessage(bytes))
  } catch (error) {
    await count()
    throw error
  }
}

/** A message, with the failure code by which its reply is counted. */
type CodedMessage = ReceivedMessage & { code(): FailureCode | null }

function receivedOf(
  pipeline: McpParts,
  given: Pick<ReceivedMessage, 'caller' | 'count' | 'incoming' | 'message'>,
): CodedMessage {
  let failure: Failure | null = null
  return {
    pipeline,
    ...given,
    failureOf: (error) => (failure ??= failureOf(error, pipeline.onInternalError, given.incoming.requestId)),
    code: () => failure?.code ?? null,
    served: null,
  }
}

const once = (act: () => Promise<void>): (() => Promise<void>) => {
  let done: Promise<void> | null = null
  return () => (done ??= act())
}

/**
 * Throws ProtocolRefusal for a page of an origin that may not send messages. The protocol requires this check against DNS rebinding.
 * Browsers send an Origin, other clients send none.
 */
function refuseForeignOrigin({ headers: { origin } }: Incoming, allowed: readonly string[]): void {
  if (origin === undefined || allowed.includes(origin) || isLoopbackOrigin(origin)) return
  throw new ProtocolRefusal(INVALID_REQUEST, `Pages of ${origin} may not use this service.`, { status: 403 })
}

async function receive(parts: McpParts, lease: Lease, incoming: Incoming, caller: Caller): Promise<Buffer> {
  const bytes = await bytesOf(lease, incoming, {
    required: true,
    owner: caller.accountId,
    limitBytes: MCP_MESSAGE_BYTES,
    permit(declaredBytes) {
      // A small message is received even from an account without credits, which may ask for the tools and its balance.
      if (isSmall(declaredBytes)) return null
      return peek(parts, callOf({ incoming, caller }, 1)).then(() => undefined)
    },
  })
  if (bytes.length === 0) throw invalidJson(null, 1, 1)
  return bytes
}

/** The reply to a message that was read, or to a caller whose message was not, with the charge and the failure of the tool that it called. */
function replyTo(
  {
    caller,
    incoming,
    served = null,
  }: Pick<ReceivedMessage, 'incoming'> & { caller: Caller | null; served?: ReceivedMessage['served'] },
  {
    body,
    code,
    headers,
    status,
  }: Pick<ProtocolReply, 'body' | 'code' | 'status'> & { headers: readonly string[] },
): ProtocolReply {
  const reply = {
    status,
    headers: [...headers, 'cache-control', 'no-store', 'x-request-id', incoming.requestId],
    body,
    code,
    accountId: caller?.accountId ?? null,
  }
  if (served === null) return reply
  const { charge, outcome } = served
  return {
    ...reply,
    code: code ?? (outcome instanceof Failure ? outcome.code : null),
    charged: charge?.charged ?? 0,
    replayed: charge?.replayed ?? false,
  }
}

/** Turns the refusal of a message into a reply of the protocol; throws other errors again, which HTTP answers. */
function refusalOf(
  error: unknown,
  to: { readonly incoming: Incoming; readonly caller: Caller | null },
  id: RpcId,
): ProtocolReply {
  if (error instanceof ProtocolRefusal) {
    const { failureCode: code, status } = error
    const body = errorReply(error.id ?? id, error.code, error.message)
    return replyTo(to, { status, headers: JSON_TYPE, body, code })
  }
  if (!(error instanceof Refused) || error.failure.code !== 'rate_limited') throw error
  const { code, message, retryAfterSeconds = 1 } = error.failure
  const body = errorReply(id, SERVER_ERROR, message, { code, request_id: to.incoming.requestId })
  const headers = [...JSON_TYPE, 'retry-after', String(retryAfterSeconds)]
  return replyTo(to, { status: 429, headers, body, code })
}

/** At this number all keys are forgotten: their next messages are read before they are refused. */
const MAX_KEYS = 10_000

/** The limit on messages that compute nothing: they count in the minute window of requests to account endpoints. */
function messageLimit({ meter }: Pick<Pipeline, 'meter'>) {
  /** When the window ends that a key has used up, by performance.now(). Team keys have a lower limit than their account. */
  const usedUpUntil = new Map<number, number>()
  return {
    /** Refuses a message that cannot compute, as long as the window is known to be used up. Throws Refused. */
    check({ accountId, keyId, team }: Caller, mayCompute: () => boolean): void {
      const leftMs = (usedUpUntil.get(keyId) ?? 0) - performance.now()
      if (leftMs <= 0 || mayCompute()) return
      const failure = minuteUsedUp('account_requests', team?.id ?? null, Math.ceil(leftMs / 1_000))
      throw new Refused(failure, null, accountId)
    },
    /** Counts a message in the ledger, without a row of the audit. Throws Refused. */
    async count(incoming: Incoming, caller: Caller): Promise<void> {
      const { keyId } = caller
      try {
        await admit(meter, accountCallOf(incoming, caller))
      } catch (error) {
        const seconds = error instanceof Refused ? (error.failure.retryAfterSeconds ?? 0) : 0
        if (usedUpUntil.size >= MAX_KEYS) usedUpUntil.clear()
        if (seconds > 0) usedUpUntil.set(keyId, performance.now() + 1_000 * seconds)
        throw error
      }
      usedUpUntil.delete(keyId)
    },
  }
}

/** Whether a message may call a tool, as far as its headers show; the older revision does not name the method there. */
const mayCallTool = ({ headers }: Incoming): boolean => (headers['mcp-method'] ?? TOOL_CALL) === TOOL_CALL

/** Whether a message that was not parsed may call a tool. Some printers of JSON escape the slash, none the letters. */
const hasToolCall = (bytes: Buffer): boolean =>
  bytes.includes(TOOL_CALL) || bytes.includes(TOOL_CALL.replace('/', '\\/'))

const TOOL_CALL = 'tools/call'
