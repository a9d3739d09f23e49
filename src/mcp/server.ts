/** The MCP server of one message: the official SDK speaks the protocol, in the revisions of 2025 and 2026. */
import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { MCP_TOOLS_MS } from '../limits.ts'
import type { Session } from './session.ts'
import type { Tools } from './tools.ts'

export interface ProtocolServer {
  /** @param message the parsed body of the request */
  serve(request: Request, message: unknown, session: Session): Promise<Response>
}

const INSTRUCTIONS = `Quantitative-finance computations: option prices, Greeks, implied volatility, credit-risk statistics, outliers, anomaly detection, entropy. Numbers are exact to at least 1e-12 relative where the reference states it; do not recompute them. Each successful computation costs credits and counts in rate limits: "account" tells what is left, "quote" checks a call for free, "batch" makes many computations one request. A failed call costs nothing, and says which arguments to change.`

/** The SDK's own errors are mistakes of clients, which its replies tell; faults of the service are the session's. */
export function protocolServer(tools: Tools, version: string): ProtocolServer {
  const serverOf = (session: Session): Server => {
    const server = new Server(
      { name: 'quantd', title: 'quantd', version },
      {
        capabilities: { tools: {} },
        instructions: INSTRUCTIONS,
        cacheHints: { 'tools/list': { ttlMs: MCP_TOOLS_MS, cacheScope: 'public' } },
      },
    )
    server.setRequestHandler('tools/list', () => ({ tools: [...tools.list] as never }))
    server.setRequestHandler('tools/call', async ({ params: { name } }) => {
      const result = await callTool(tools, session, name)
      return server.projectCallToolResult(result, undefined)
    })
    return server
  }
  // Notifications about changes are never sent, so subscriptions to them are refused.
  const modern = createMcpHandler((context) => serverOf(sessionOf(context)), {
    legacy: 'reject',
    maxSubscriptions: 0,
  })
  return {
    async serve(request, message, session) {
      if (!(await isLegacyRequest(request, message)))
        return await modern.fetch(request, { parsedBody: message, authInfo: authInfoOf(session) })
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
      const server = serverOf(session)
      await server.connect(transport)
      try {
        return await transport.handleRequest(request, { parsedBody: message })
      } finally {
        await server.close()
      }
    },
  }
}

/** The SDK hands this on from the request to the factory of its server. */
const authInfoOf = (session: Session) => ({
  token: '',
  clientId: String(session.caller.accountId),
  scopes: [],
  extra: { session },
})

const sessionOf = ({ authInfo }: McpRequestContext): Session => authInfo!.extra!.session as Session

async function callTool(tools: Tools, session: Session, name: string): Promise<CallToolResult> {
  try {
    return await (tools.call(session, name) ?? refuseUnknown(tools, name))
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    throw new ProtocolError(ProtocolErrorCode.InternalError, session.failureOf(error).message)
  }
}

function refuseUnknown(tools: Tools, name: string): Promise<CallToolResult> {
  const close = tools.nearest(name)
  const hint = close === null ? 'tools/list names them all' : `did you mean ${close}?`
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name.slice(0, 64)}; ${hint}`)
}
