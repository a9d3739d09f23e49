/** Replies to bytes that are not well-formed HTTP, and to requests that only other kinds of server support. */
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import {
  foreignHost,
  headersTooLarge,
  malformed,
  noProxy,
  requestTimeout,
  unknownTransferCoding,
} from '../../base/errors/requests.ts'
import type { Failure } from '../../base/failure.ts'
import { answersTo } from '../../base/hosts.ts'
import { uuidv7 } from '../../base/ids.ts'
import { failed, JSON_SECURITY, type PrintedReply } from './printed-reply.ts'

/** The reply to a request whose head began to arrive and then stopped. */
export const halfRequest = (): PrintedReply => fail(requestTimeout())

/** The reply to bytes that Node could not read as a request. @param code Node's error code */
export function malformedRequest(code: string | undefined): PrintedReply {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return halfRequest()
  if (code === 'HPE_HEADER_OVERFLOW') return fail(headersTooLarge())
  return fail(malformed('The request is not well-formed HTTP; correct it and send it again.'))
}

/** The reply to CONNECT (RFC 9110, 9.3.6: an origin server need not be a proxy). */
export function connectRefused(): PrintedReply {
  const reply = fail(noProxy())
  reply.headers.push('allow', 'GET, HEAD, POST')
  return reply
}

const fail = (failure: Failure): PrintedReply => failed(failure, uuidv7())

/** The text of the last reply of a connection, with its head. */
export function bytesOf({ body, headers, status }: PrintedReply): string {
  const length = String(Buffer.byteLength(body as string))
  const all = [...headers, ...JSON_SECURITY, 'connection', 'close', 'content-length', length]
  const lines = all.map((item, index) => (index % 2 === 0 ? `\r\n${item}` : `: ${item}`)).join('')
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}${lines}\r\n\r\n${body}`
}

/**
 * The reply to a request that Node's parser accepts although HTTP forbids it; null: the request is valid. The connection
 * must close after this reply, because the bytes after the request could be read in another way than their sender meant.
 */
export function faultOf(request: IncomingMessage): PrintedReply | null {
  const failure = failureOf(request)
  return failure === null ? null : fail(failure)
}

/** The reply where the Host header has a name to which the listener does not answer (RFC 9110, 15.5.20); null: it answers to it. */
export function misdirected(
  { headers, socket }: IncomingMessage,
  names: readonly string[],
): PrintedReply | null {
  return answersTo(headers.host, socket.localAddress, names) ? null : { ...fail(foreignHost()), status: 421 }
}

function failureOf({ headers, httpVersionMinor, method, rawHeaders, url }: IncomingMessage): Failure | null {
  const coding = headers['transfer-encoding']
  if (coding !== undefined) {
    // RFC 9112, 6.1: HTTP/1.0 has no transfer codings.
    if (httpVersionMinor === 0)
      return malformed('HTTP/1.0 has no Transfer-Encoding; send a Content-Length instead.')
    // RFC 9112, 6.3: without chunked at the end, the length of the body is unknown.
    if (!/(^|[\s,])chunked$/i.test(coding))
      return malformed('Transfer-Encoding must end with chunked; send a Content-Length instead.')
    // RFC 9112, 6.1: an unknown coding is 501.
    if (coding.toLowerCase() !== 'chunked') return unknownTransferCoding()
  }
  // RFC 9112, 3.2.
  if (hasTwoHosts(rawHeaders)) return malformed('The request has two Host headers; send one.')
  // RFC 9112, 3.2.4.
  if (url === '*' && method !== 'OPTIONS')
    return malformed('The target * is valid for OPTIONS only; send a path.')
  return null
}

function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i].length === 4 && rawHeaders[i].toLowerCase() === 'host') hosts += 1
  return hosts > 1
}
