/** MCP over standard input and output: each line is sent to `POST /mcp` of a running service, and its reply printed. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { MCP_RETRIES_MS } from '../../base/limits/callers.ts'
import { parsedJson } from '../../base/text.ts'
import { isObject } from '../../compute/body/parse.ts'
import { IDEMPOTENCY_META } from './message.ts'

interface BridgeOptions {
  /** Address of the service. */
  readonly url: string
  readonly apiKey: string
  /** Lines of JSON-RPC from the client. */
  readonly lines: AsyncIterable<string>
  /** Prints a line for the client. */
  readonly write: (line: string) => Promise<void>
}

interface Message {
  readonly id?: string | number
  readonly method?: string
  readonly params?: {
    readonly name?: string
    readonly requestId?: string | number
    readonly uri?: string
    readonly _meta?: Readonly<Record<string, unknown>>
  }
}

/** Messages other than tool calls are repeated less often, so that the user soon learns that the service does not run. */
const FEW_RETRIES_MS = MCP_RETRIES_MS.slice(0, 2)
const VERSION_META = 'io.modelcontextprotocol/protocolVersion'

/** Resolves when the input has ended and every request was answered. */
export async function bridge({ apiKey, lines, url, write }: BridgeOptions): Promise<void> {
  const endpoint = `${url.replace(/\/+$/, '')}/mcp`
  const running = new Map<string | number, AbortController>()
  const answers = new Set<Promise<void>>()
  /** The revision that `initialize` has agreed on. Clients of later revisions name theirs in every message. */
  let version: string | undefined

  const post = (message: Message, signal: AbortSignal): Promise<string> =>
    posted(endpoint, headersOf(message, apiKey, version), message, signal)

  /** Repeats a request whose reply was lost: each tool call has an idempotency key, and the other methods change nothing. */
  const postAgain = async (message: Message, signal: AbortSignal): Promise<string> => {
    for (const wait of message.method === 'tools/call' ? MCP_RETRIES_MS : FEW_RETRIES_MS) {
      try {
        return await post(message, signal)
      } catch {
        await sleep(wait, undefined, { signal })
      }
    }
    return await post(message, signal)
  }

  const answer = async (message: Message): Promise<void> => {
    const { id } = message
    const abort = new AbortController()
    if (id !== undefined) running.set(id, abort)
    try {
      const text = await postAgain(withIdempotencyKey(message), abort.signal)
      if (id === undefined) return
      const reply = replyFrom(text, id)
      if (message.method === 'initialize') version = reply.result?.protocolVersion
      await write(JSON.stringify(reply))
    } catch (error) {
      if (id === undefined || abort.signal.aborted) return
      await write(JSON.stringify(failure(id, -32_000, unreachable(url, error as Error))))
    } finally {
      if (id !== undefined) running.delete(id)
    }
  }

  for await (const line of lines) {
    if (line.trim() === '') continue
    const message = parsed(line)
    if (message === null) {
      await write(JSON.stringify(failure(null, -32_700, 'The line is not a JSON object.')))
      continue
    }
    if (message.method === 'notifications/cancelled') {
      running.get(message.params?.requestId ?? '')?.abort()
      continue
    }
    const answered = answer(message)
    // Later messages name the revision that the reply agrees on.
    if (message.method === 'initialize') await answered
    answers.add(answered)
    answered.finally(() => answers.delete(answered))
  }
  await Promise.all(answers)
}

/** The headers that repeat facts of a message, for proxies. @param version the revision, where the message does not name its own */
function headersOf({ method, params }: Message, apiKey: string, version = ''): Record<string, string> {
  const named = String(params?._meta?.[VERSION_META] ?? version)
  const name = params?.name ?? params?.uri
  return {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'x-api-key': apiKey,
    ...(named !== '' && { 'mcp-protocol-version': named }),
    ...(method !== undefined && { 'mcp-method': method }),
    ...(name !== undefined && { 'mcp-name': headerValue(name) }),
  }
}

/** Sends a message once. Rejects if it is to be sent again. */
async function posted(
  endpoint: string,
  headers: Record<string, string>,
  message: Message,
  signal: AbortSignal,
): Promise<string> {
  const body = JSON.stringify(message)
  // A redirection that is followed would send the key to another address.
  const response = await fetch(endpoint, { method: 'POST', redirect: 'manual', signal, headers, body })
  if (response.status >= 300 && response.status < 400) return redirection(response)
  if (RETRIED.has(response.status)) throw new Error(`The service replied with status ${response.status}.`)
  return await response.text()
}

/** A redirection as a failure in the form of the service, which `replyFrom` turns into an error. */
const redirection = ({ headers }: Response): string =>
  JSON.stringify({
    message: `The address redirects to ${headers.get('location')}; set QUANTD_URL to the address of the service itself.`,
  })

/** Statuses of a service that is stopping, and of a proxy that does not reach the service. */
const RETRIED = new Set([502, 503, 504])

function parsed(line: string): Message | null {
  const message = parsedJson(line)
  return isObject(message) ? message : null
}

function withIdempotencyKey(message: Message): Message {
  const { method, params } = message
  if (method !== 'tools/call' || params?._meta?.[IDEMPOTENCY_META] !== undefined) return message
  return { ...message, params: { ...params, _meta: { ...params?._meta, [IDEMPOTENCY_META]: randomUUID() } } }
}

/** A header value, in the protocol's encoding if it is not plain ASCII. */
const headerValue = (name: string): string =>
  /^[\x21-\x7e]+$/.test(name) ? name : `=?base64?${Buffer.from(name).toString('base64')}?=`

interface RpcReply {
  readonly result?: { readonly protocolVersion?: string }
}

/** The JSON-RPC reply. A failure that is not JSON-RPC, such as that of an invalid key, becomes a JSON-RPC error. */
function replyFrom(text: string, id: string | number): RpcReply {
  const reply = parsed(text) as (RpcReply & { jsonrpc?: string; message?: string; error?: object }) | null
  if (reply?.jsonrpc === '2.0') return { ...reply, ...(reply.error !== undefined && { id }) }
  const message = reply?.message ?? 'The reply does not come from quantd; check QUANTD_URL.'
  return failure(id, -32_000, message, reply?.error) as RpcReply
}

const failure = (id: string | number | null, code: number, message: string, data?: object) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data !== undefined && { data }) },
})

const unreachable = (url: string, { message }: Error): string =>
  `Cannot reach quantd at ${url} (${message}). Start it with "quantd serve", or set QUANTD_URL.`
