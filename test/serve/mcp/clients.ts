/** Clients of the official SDK for the tests of MCP: one per protocol revision. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { IDEMPOTENCY_META } from '../../../src/serve/mcp/message.ts'

/** The revisions that the SDK speaks: with a handshake, and with every message complete in itself. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const

export type Revision = (typeof REVISIONS)[number]

export interface ToolReply {
  readonly isError: boolean
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: results may have any shape
  readonly value: any
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly content: readonly any[]
  readonly standing: {
    readonly credits: number
    readonly charged: number
    readonly replayed: boolean
    readonly windows: readonly { readonly window: string; readonly remaining: number }[]
  }
}

export async function connect(
  url: string,
  revision: Revision,
  headers: Readonly<Record<string, string>>,
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } } },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  return client
}

export async function callTool(
  client: Client,
  name: string,
  given: Record<string, unknown> = {},
  idempotencyKey?: string,
): Promise<ToolReply> {
  const result = await client.callTool({
    name,
    arguments: given,
    ...(idempotencyKey !== undefined && { _meta: { [IDEMPOTENCY_META]: idempotencyKey } }),
  })
  const content = result.content as readonly { type: string; text?: string }[]
  return {
    isError: result.isError === true,
    text: content[0]?.text ?? '',
    value: result.structuredContent,
    content,
    standing: result._meta?.['quantd/standing'] as ToolReply['standing'],
  }
}
