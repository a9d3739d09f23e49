/** Ends a connection whose bytes are not well-formed HTTP. */
import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Failure } from '../errors.ts'
import { uuidv7 } from '../ids.ts'
import { failed } from '../pipeline/reply.ts'

/**
 * Bytes that are not HTTP have no route; the connection ends with the reply. A complete request before them is answered
 * first, since it may have been charged.
 */
export function endMalformed(
  socket: Duplex,
  code: string | undefined,
  answering: ServerResponse | undefined,
): void {
  const end = (): void => {
    if (socket.writable) socket.end(malformedRequest(code))
  }
  if (answering?.req.complete && !answering.writableFinished) answering.once('finish', end)
  else end()
}

/** Node's error code → status line and message. */
const MALFORMED: Readonly<Record<string, readonly [string, string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are over 16 KiB; send fewer.'],
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    'The request took over a minute to arrive; send it faster.',
  ],
}

function malformedRequest(code: string | undefined): string {
  const [status, message] = MALFORMED[code ?? ''] ?? [
    '400 Bad Request',
    'The request is not well-formed HTTP; correct it and send it again.',
  ]
  const failure = new Failure('invalid_json', message)
  const { headers, body } = failed(failure, uuidv7())
  const rest = [...headers, 'connection', 'close', 'content-length', Buffer.byteLength(body)]
  const head = rest.map((item, index) => (index % 2 === 0 ? `\r\n${item}` : `: ${item}`)).join('')
  return `HTTP/1.1 ${status}${head}\r\n\r\n${body}`
}
