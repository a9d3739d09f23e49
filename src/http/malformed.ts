/** Replies to what cannot be read as a request, or asks for what HTTP leaves to others. */
import type { IncomingMessage } from 'node:http'
import { Failure } from '../errors.ts'
import { uuidv7 } from '../ids.ts'
import { failed, type Reply } from '../pipeline/reply.ts'

/** Parser error of bytes that are not valid HTTP → status line and message. */
const MALFORMED: Readonly<Record<string, readonly [string, string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are over 16 KiB; send fewer.'],
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    'The request took over a minute to arrive; send it faster.',
  ],
  SILENT: ['408 Request Timeout', 'The rest of the request did not arrive; send it in full.'],
}

/** The reply to bytes that are no request, as it is sent. @param code Node's, or `SILENT` for a head that stopped arriving */
export function malformedRequest(code: string | undefined): string {
  const [status, message] = MALFORMED[code ?? ''] ?? [
    '400 Bad Request',
    'The request is not well-formed HTTP; correct it and send it again.',
  ]
  return lastReply(status, failed(new Failure('invalid_json', message), uuidv7()))
}

/** The reply to CONNECT, as it is sent (RFC 9110, 9.3.6: an origin server need not be a proxy). */
export function connectRefused(): string {
  const failure = new Failure('method_not_allowed', 'This service is no proxy; it takes GET, HEAD and POST.')
  const reply = failed(failure, uuidv7())
  reply.headers.push('allow', 'GET, HEAD, POST')
  return lastReply('405 Method Not Allowed', reply)
}

function lastReply(status: string, { body, headers }: Reply): string {
  const rest = [...headers, 'connection', 'close', 'content-length', Buffer.byteLength(body as string)]
  const head = rest.map((item, index) => (index % 2 === 0 ? `\r\n${item}` : `: ${item}`)).join('')
  return `HTTP/1.1 ${status}${head}\r\n\r\n${body}`
}

/**
 * The reply to a malformed request that Node's parser accepts; null: it is well formed. The connection must end with this
 * reply, since its next bytes could be taken for something else than their sender meant.
 */
export function faultOf(request: IncomingMessage): Reply | null {
  const { headers, rawHeaders, url } = request
  const coding = headers['transfer-encoding']
  // RFC 9112, 6.1: HTTP/1.0 has no transfer codings; one that the server does not know is 501.
  if (coding !== undefined && request.httpVersionMinor === 0)
    return refused('invalid_json', 'HTTP/1.0 has no Transfer-Encoding; send a Content-Length.')
  // 6.3: without chunked at the end the length of the body is unknown, which is 400.
  if (coding !== undefined && !/(^|[\s,])chunked$/i.test(coding))
    return refused('invalid_json', 'Transfer-Encoding must end with chunked; send a Content-Length instead.')
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    const message = 'The only transfer coding taken is chunked; send the JSON as it is.'
    return { ...refused('unsupported_media_type', message), status: 501 }
  }
  // RFC 9112, 3.2.
  if (hasTwoHosts(rawHeaders)) return refused('invalid_json', 'The request has two Host headers; send one.')
  // RFC 9112, 3.2.4: the asterisk is for OPTIONS alone.
  if (url === '*' && request.method !== 'OPTIONS')
    return refused('invalid_json', 'The target * is for OPTIONS alone; send a path.')
  return null
}

const refused = (code: 'invalid_json' | 'unsupported_media_type', message: string): Reply =>
  failed(new Failure(code, message), uuidv7())

function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === 'host') hosts += 1
  return hosts > 1
}
