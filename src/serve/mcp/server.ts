/** The protocol: the official SDK speaks it, in the revisions of 2025 and 2026, and recognises tool calls. */
import {
  type CallToolResult,
  classifyInboundRequest,
  createMcpHandler,
  isLegacyRequest,
  isSpecType,
  type McpRequestContext,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  SERVER_INFO_META_KEY,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { MCP_TOOLS_MS } from '../../base/limits/callers.ts'
import { acceptsJson } from '../../compute/body/media-type.ts'
import { isObject } from '../../compute/body/parse.ts'
import type { RequestHeaders } from '../../protocol/incoming.ts'
import {
  errorReply,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  type Message,
  ProtocolRefusal,
  type RpcId,
} from './message.ts'
import type { ReceivedMessage } from './received-message.ts'
import type { Tools } from './tools.ts'

export type ProtocolServer = ReturnType<typeof protocolServer>

const INSTRUCTIONS = `Quantitative-finance computations: option prices, Greeks, implied volatility, credit-risk statistics, outliers, anomaly detection, entropy. Numbers are exact to at least 1e-12 relative where the reference states it; do not recompute them. Each successful computation costs credits and counts in rate limits: "account" tells what is left, "quote" checks a call for free, "batch" makes many computations one request. A failed call costs nothing, and says which arguments to change.`

const MODERN = '2026-07-28'
const ONE_PAGE = 'The list of tools has one page: leave cursor out.'

/** Errors of the SDK are mistakes of clients, which its replies describe; `failureOf` of a message takes faults of the service. */
export function protocolServer(tools: Tools, version: string) {
  const serverInfo = { name: 'quantd', title: 'quantd', version }
  const serverOf = (received: ReceivedMessage): Server => {
    const server = new Server(serverInfo, {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      cacheHints: {
        'tools/list': {
          ttlMs: MCP_TOOLS_MS,
          cacheScope: received.caller.team === null ? 'public' : 'private',
        },
      },
    })
    server.setRequestHandler('tools/list', ({ params }) => {
      if (params?.cursor !== undefined) throw new ProtocolError(INVALID_PARAMS, ONE_PAGE)
      return { tools: tools.listFor(received.caller) as never }
    })
    server.setRequestHandler('tools/call', async () => {
      const result = await tools.call(received).catch(asProtocolError)
      return server.projectCallToolResult(result, undefined)
    })
    return server
  }
  const modern = createMcpHandler((context) => serverOf(receivedOf(context)), { legacy: 'reject' })
  const printers = {
    legacy: (id: Message['id']) => (result: CallToolResult) => printed(id, result),
    modern: (id: Message['id']) => (result: CallToolResult) =>
      printed(id, {
        ...result,
        _meta: { ...result._meta, [SERVER_INFO_META_KEY]: serverInfo },
        resultType: 'complete',
      }),
  }
  return {
    /**
     * Returns the function that prints the result of a tool call, if message and headers have the usual form; null: `serve`
     * takes the message. The SDK needs a server for each message, which costs three times as much as the call.
     */
    shortcut(headers: RequestHeaders, { call, id, value }: Message) {
      if (call === null || !isSpecType.CallToolRequest(value) || !hasUsualFields(value)) return null
      const revision = revisionOf(headers, call.name, value)
      return revision === null ? null : printers[revision](id)
    },
    async serve(received: ReceivedMessage) {
      const { value } = received.message
      const request = requestOf(received)
      if (!(await isLegacyRequest(request, value)))
        return await served(
          received,
          modern.fetch(request, { parsedBody: value, authInfo: authInfoOf(received) }),
        )
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
      const server = serverOf(received)
      await server.connect(transport)
      try {
        return await served(received, transport.handleRequest(request, { parsedBody: value }))
      } finally {
        await server.close()
      }
    },
  }
}

const printed = (id: Message['id'], result: CallToolResult): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result })

const FIELDS = new Set(['name', 'arguments', '_meta'])

/** Whether a tool call asks for nothing besides its result, such as a task. */
const hasUsualFields = ({ params }: { params: object }): boolean =>
  Object.keys(params).every((name) => FIELDS.has(name))

/** The revision of a tool call whose headers agree with its message; null: they do not, or have an unusual form. */
function revisionOf(headers: RequestHeaders, name: string, value: object): 'legacy' | 'modern' | null {
  const version = headers['mcp-protocol-version']
  const method = headers['mcp-method']
  if (!acceptsJson(headers)) return null
  const route = classifyInboundRequest({
    httpMethod: 'POST',
    body: value,
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
  })
  if (route.kind === 'legacy')
    return version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version) ? 'legacy' : null
  const isNamed = version === MODERN && method === 'tools/call' && headers['mcp-name'] === name
  return route.kind === 'modern' && isNamed ? 'modern' : null
}

/** The message was received already; the SDK reads the headers. */
function requestOf({ incoming, message: { value } }: ReceivedMessage): Request {
  const headers = new Headers()
  for (const [name, text] of Object.entries(incoming.headers))
    if (typeof text === 'string') headers.set(name, text)
  // The SDK demands both types, although it answers with JSON.
  if (acceptsJson(incoming.headers)) headers.set('accept', 'application/json, text/event-stream')
  if (isNegotiation(value)) headers.delete('mcp-protocol-version')
  return new Request('http://localhost/mcp', { method: 'POST', headers })
}

/**
 * `initialize` negotiates the revision in its body, so that a client of a later one can also name that one in its header. A message
 * whose `_meta` names the revision is of one that has no `initialize`.
 */
function isNegotiation(message: unknown): boolean {
  if (!isObject(message) || message.method !== 'initialize') return false
  const { params } = message
  return !(isObject(params) && isObject(params._meta) && PROTOCOL_VERSION_META_KEY in params._meta)
}

/** Replaces the texts of the SDK's errors, which may come from V8 or from the validation library. */
async function served(received: ReceivedMessage, responding: Promise<Response>) {
  const response = await responding
  const { status } = response
  const headers = [...response.headers].filter(([name]) => name !== 'cache-control').flat()
  const text = await response.text()
  const reply = text.startsWith('{') ? (JSON.parse(text) as { id?: RpcId; error?: ProtocolError }) : {}
  if (reply.error === undefined) return { status, headers, body: text }
  const { data } = reply.error
  const { code, message } = fixed(reply.error, received)
  return { status, headers, body: errorReply(reply.id ?? null, code, message, data as object | undefined) }
}

/** The issues that the SDK's validation finds, which its texts contain as JSON, alone or after a sentence. */
const ISSUES = /(: )?\[\n.*$/s

function fixed(
  { code, message }: ProtocolError,
  received: ReceivedMessage,
): { code: number; message: string } {
  if (message.search(ISSUES) === 0) return { code: INVALID_PARAMS, message: 'Invalid params' }
  if (code === INTERNAL_ERROR) return { code, message: received.failureOf(new Error(message)).message }
  return { code, message: message.replace(ISSUES, '') }
}

/** The SDK hands this on from the request to the factory of its server. */
const authInfoOf = (received: ReceivedMessage) => ({
  token: '',
  clientId: String(received.caller.accountId),
  scopes: [],
  extra: { received },
})

const receivedOf = ({ authInfo }: McpRequestContext): ReceivedMessage =>
  authInfo!.extra!.received as ReceivedMessage

function asProtocolError(error: unknown): never {
  throw error instanceof ProtocolRefusal ? new ProtocolError(error.code, error.message) : error
}
