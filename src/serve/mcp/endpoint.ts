/** `POST /mcp`: MCP over streamable HTTP without sessions; every message is authenticated before it is read. */
import { invalidJson } from '../../base/errors/requests.ts'
import { Failure, type FailureCode } from '../../base/failure.ts'
import { MCP_MESSAGE_BYTES } from '../../base/limits/callers.ts'
import { Refused } from '../../ledger/metering/refused.ts'
import type { Caller, Incoming } from '../../protocol/incoming.ts'
import { bytesOf } from '../../protocol/input.ts'
import { type Charge, failureOf } from '../../protocol/reply.ts'
import { peek } from '../pipeline/admit.ts'
import { apiKeyOf } from '../pipeline/authenticate.ts'
import { callOf, isSmall } from '../pipeline/receive.ts'
import { type Message, readMessage } from './message.ts'
import { hasToolCall, mayCallTool, messageLimit } from './message-limit.ts'
import { errorReply, INVALID_REQUEST, ProtocolRefusal, type RpcId, SERVER_ERROR } from './refusal.ts'
import type { ProtocolServer } from './server.ts'
import type { Session } from './session.ts'
import { type McpParts, type Tools, tools } from './tools.ts'

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
  return async (incoming) => {
    const origin = foreignOrigin(incoming, parts.corsOrigins)
    if (origin !== null) return foreign(incoming, origin)
    const caller = await parts.authenticate(apiKeyOf(incoming), incoming.ip)
    const { accountId } = caller
    const lease = parts.receiver.lease()
    let id: RpcId = null
    try {
      incoming.outgoing.admit(accountId)
      limit.check(caller, () => mayCallTool(incoming))
      const bytes = await receive(parts, lease, incoming, caller)
      limit.check(caller, () => hasToolCall(bytes))
      await parts.eventLoop.waitForShare(accountId)
      const count = once(() => limit.count(incoming, caller))
      const message = await read(parts, bytes, accountId, count)
      id = message.id
      loading ??= load()
      const session = sessionOf(parts, incoming, caller, message, count)
      return await answer(parts, await loading, available, session)
    } catch (error) {
      return refusalOf(error, incoming, accountId, id)
    } finally {
      lease.release()
    }
  }
}

/** Runs a tool call of the usual form at once. The SDK takes every other message, which counts as one that computes nothing. */
async function answer(
  { eventLoop }: McpParts,
  protocol: ProtocolServer,
  available: Tools,
  session: CodedSession,
): Promise<ProtocolReply> {
  const { caller, incoming, message } = session
  const { accountId } = caller
  const print = eventLoop.run(accountId, () => protocol.shortcut(incoming.headers, message))
  if (print === null) {
    await session.count()
    const { body, headers, status } = await eventLoop.runInTurn(accountId, () => protocol.serve(session))
    return counted(replyTo(incoming, status, headers, body, session.code(), accountId), session)
  }
  const result = await available.call(session)
  return counted(replyTo(incoming, 200, JSON_TYPE, print(result), null, accountId), session)
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

/** A session, with the failure code by which its reply is counted. */
type CodedSession = Session & { code(): FailureCode | null }

function sessionOf(
  pipeline: McpParts,
  incoming: Incoming,
  caller: Caller,
  message: Message,
  count: () => Promise<void>,
): CodedSession {
  let failure: Failure | null = null
  return {
    pipeline,
    incoming,
    caller,
    message,
    count,
    failureOf: (error) => (failure ??= failureOf(error, pipeline.onInternalError, incoming.requestId)),
    code: () => failure?.code ?? null,
    served: null,
  }
}

const once = (act: () => Promise<void>): (() => Promise<void>) => {
  let done: Promise<void> | null = null
  return () => (done ??= act())
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * The origin of a page that may not send messages; null: the message is allowed. The protocol requires this check against DNS
 * rebinding. Browsers send an Origin, other clients send none.
 */
function foreignOrigin(incoming: Incoming, allowed: readonly string[]): string | null {
  const origin = incoming.headers.origin
  if (origin === undefined || allowed.includes(origin)) return null
  const host = URL.parse(origin)?.hostname
  return host !== undefined && LOOPBACK.has(host) ? null : origin
}

async function receive(
  parts: McpParts,
  lease: ReturnType<McpParts['receiver']['lease']>,
  incoming: Incoming,
  caller: Caller,
): Promise<Buffer> {
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

const JSON_TYPE = ['content-type', 'application/json']

/** @param headers in addition to those of every reply */
const replyTo = (
  { requestId }: Incoming,
  status: number,
  headers: readonly string[],
  body: string,
  code: FailureCode | null,
  accountId: number | null,
): ProtocolReply => ({
  status,
  headers: [...headers, 'cache-control', 'no-store', 'x-request-id', requestId],
  body,
  code,
  accountId,
})

/** Adds the charge and the failure of the tool that was called. */
function counted(reply: ProtocolReply, { served }: Session): ProtocolReply {
  if (served === null) return reply
  const { charge, outcome } = served
  return {
    ...reply,
    code: reply.code ?? (outcome instanceof Failure ? outcome.code : null),
    charged: charge?.charged ?? 0,
    replayed: charge?.replayed ?? false,
  }
}

const foreign = (incoming: Incoming, origin: string): ProtocolReply => {
  const body = errorReply(null, INVALID_REQUEST, `Pages of ${origin} may not use this service.`)
  return replyTo(incoming, 403, JSON_TYPE, body, 'invalid_json', null)
}

/** Turns the refusal of a message into a reply of the protocol; throws other errors again, which HTTP answers. */
function refusalOf(error: unknown, incoming: Incoming, accountId: number, id: RpcId): ProtocolReply {
  if (error instanceof ProtocolRefusal) {
    const body = errorReply(error.id ?? id, error.code, error.message)
    return replyTo(incoming, error.status, JSON_TYPE, body, error.failureCode, accountId)
  }
  if (!(error instanceof Refused) || error.failure.code !== 'rate_limited') throw error
  const { code, message, retryAfterSeconds = 1 } = error.failure
  const body = errorReply(id, SERVER_ERROR, message, { code, request_id: incoming.requestId })
  const headers = [...JSON_TYPE, 'retry-after', String(retryAfterSeconds)]
  return replyTo(incoming, 429, headers, body, code, accountId)
}
