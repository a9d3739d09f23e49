/** `POST /mcp`: MCP over streamable HTTP without sessions; every message is authenticated before it is read. */
import { parse } from '../body/parse.ts'
import { invalidJson } from '../errors.ts'
import { Failure, type FailureCode } from '../failure.ts'
import { MCP_MESSAGE_BYTES } from '../limits.ts'
import { peek } from '../pipeline/admit.ts'
import { apiKeyOf } from '../pipeline/authenticate.ts'
import type { Caller } from '../pipeline/caller.ts'
import type { Incoming } from '../pipeline/incoming.ts'
import { bytesOf, callOf, isSmall } from '../pipeline/receive.ts'
import { failureOf } from '../pipeline/reply.ts'
import { hasSpecialNumbers } from './arguments.ts'
import type { ProtocolServer } from './server.ts'
import type { Session } from './session.ts'
import { type McpParts, tools } from './tools.ts'

/** A reply of the protocol, which is not one of the pipeline. */
export interface ProtocolReply {
  readonly status: number
  /** Names and values alternating. */
  readonly headers: string[]
  readonly body: string
  readonly code: FailureCode | null
  readonly accountId: number | null
}

export function mcpEndpoint(parts: McpParts): (incoming: Incoming) => Promise<ProtocolReply> {
  let loading: Promise<ProtocolServer> | null = null
  // The SDK takes 20 MB of memory, which services without MCP clients save.
  const load = async (): Promise<ProtocolServer> => {
    const { protocolServer } = await import('./server.ts')
    return protocolServer(tools(parts), parts.sources.version)
  }
  return async (incoming) => {
    const origin = foreignOrigin(incoming, parts.corsOrigins)
    if (origin !== null)
      return protocolFailure(incoming, 403, -32_600, `Pages of ${origin} may not use this service.`)
    const caller = await parts.authenticate(keyOf(incoming), incoming.ip)
    const lease = parts.receiver.lease()
    try {
      incoming.outgoing.admit(caller.accountId)
      const bytes = await receive(parts, lease, incoming, caller)
      const share = parts.eventLoop.waitForShare(caller.accountId)
      if (share !== null) await share
      const message = parts.eventLoop.run(caller.accountId, () => parse(bytes))
      if (Array.isArray(message)) return protocolFailure(incoming, 400, -32_600, ONE_MESSAGE)
      loading ??= load()
      let code: FailureCode | null = null
      const session: Session = {
        pipeline: parts,
        incoming,
        caller,
        params: paramsOf(message),
        hasSpecialNumbers: hasSpecialNumbers(bytes),
        failureOf(error) {
          const failure = failureOf(error, parts.onInternalError, incoming.requestId)
          code = failure.code
          return failure
        },
      }
      const response = await (await loading).serve(requestOf(incoming), message, session)
      return { ...(await replyOf(response, incoming, caller)), code }
    } catch (error) {
      if (error instanceof Failure && error.code === 'invalid_json')
        return protocolFailure(incoming, 400, -32_700, error.message)
      throw error
    } finally {
      lease.release()
    }
  }
}

const ONE_MESSAGE =
  'Batches of JSON-RPC messages are not accepted; send each message in a request of its own.'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * The origin of a page that may not send messages, by the check that the protocol requires against DNS rebinding; null: it
 * may. Browsers send an Origin, other clients send none.
 */
function foreignOrigin(incoming: Incoming, allowed: readonly string[]): string | null {
  const origin = incoming.headers.origin
  if (origin === undefined || allowed.includes(origin)) return null
  const host = URL.parse(origin)?.hostname
  return host !== undefined && LOOPBACK.has(host) ? null : origin
}

/** The key in its own header, or as a bearer token, which is all that some MCP clients can be given. */
function keyOf(incoming: Incoming): string {
  const bearer = /^bearer +(\S+)$/i.exec(incoming.headers.authorization ?? '')?.[1]
  return incoming.headers['x-api-key'] ?? bearer ?? apiKeyOf(incoming)
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
      // Also of an account without credits, which may ask for the tools and its balance.
      if (isSmall(declaredBytes)) return null
      return peek(parts, callOf({ incoming, caller, idempotency: null }, 1)).then(() => undefined)
    },
  })
  if (bytes.length === 0) throw invalidJson(null, 1, 1)
  return bytes
}

function paramsOf(message: unknown): Session['params'] {
  const { params } = (message ?? {}) as { params?: unknown }
  return typeof params === 'object' && params !== null ? (params as Session['params']) : {}
}

/** The message was received already; the SDK reads the headers. */
function requestOf(incoming: Incoming): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers))
    if (typeof value === 'string') headers.set(name, value)
  return new Request('http://localhost/mcp', { method: 'POST', headers })
}

async function replyOf(response: Response, { requestId }: Incoming, caller: Caller): Promise<ProtocolReply> {
  const headers = ['cache-control', 'no-store', 'x-request-id', requestId]
  for (const [name, value] of response.headers) if (name !== 'cache-control') headers.push(name, value)
  const body = await response.text()
  return { status: response.status, headers, body, code: null, accountId: caller.accountId }
}

const protocolFailure = (
  { requestId }: Incoming,
  status: number,
  code: number,
  message: string,
): ProtocolReply => ({
  status,
  headers: ['content-type', 'application/json', 'cache-control', 'no-store', 'x-request-id', requestId],
  body: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }),
  code: 'invalid_json',
  accountId: null,
})
