/** Malformed requests as bytes: truncated, damaged, wrongly framed, pipelined, or not HTTP. */

import odd from '../../support/odd.json' with { type: 'json' }
import type { Dice } from './dice.ts'

export interface RawRequest {
  readonly kind: string
  readonly pieces: readonly Buffer[]
  /** Whether the client closes its sending side after the bytes. */
  readonly end: boolean
  /** Whether the bytes may contain a HEAD request, whose reply has a Content-Length but no body. */
  readonly mayBeHead: boolean
}

/** @param request a valid request with a body */
export function rawRequest(request: Buffer, dice: Dice): RawRequest {
  const [kind, bytes] = dice.weighted(KINDS)
  const pieces = bytes(request, dice)
  return {
    kind,
    pieces: dice.oneIn(4) ? pieces.flatMap((piece) => inPieces(piece, dice)) : pieces,
    end: dice.oneIn(2),
    mayBeHead: pieces.some((piece) => piece.includes('HEAD')) || kind === 'damaged',
  }
}

type Make = (request: Buffer, dice: Dice) => Buffer[]

const CRLF = '\r\n'

const KINDS: readonly (readonly [number, readonly [string, Make]])[] = [
  [4, ['cut off', (request, dice) => [request.subarray(0, dice.integer(1, request.length - 1))]]],
  [6, ['damaged', (request, dice) => [damaged(request, dice)]]],
  [3, ['chunked', chunked]],
  [3, ['pipelined', pipelined]],
  [
    3,
    ['unusual request line', (request, dice) => [Buffer.from(unusualRequestLine(request, dice), 'latin1')]],
  ],
  [4, ['unusual headers', (request, dice) => [withHeaders(request, dice.pick(HEADER_LINES))]]],
  [1, ['not HTTP', (_, dice) => [notHttp(dice)]]],
]

function inPieces(bytes: Buffer, dice: Dice): Buffer[] {
  const pieces: Buffer[] = []
  for (let start = 0; start < bytes.length; ) {
    const end = Math.min(bytes.length, start + dice.integer(1, Math.max(1, bytes.length >> 2)))
    pieces.push(bytes.subarray(start, end))
    start = end
  }
  return pieces
}

function damaged(request: Buffer, dice: Dice): Buffer {
  let bytes = Buffer.from(request)
  for (let count = dice.integer(1, 4); count > 0; count--) {
    const at = dice.integer(0, bytes.length - 1)
    const other = Buffer.from([dice.integer(0, 255)])
    switch (dice.integer(0, 4)) {
      case 0:
        bytes[at] = bytes[at] ^ (1 << dice.integer(0, 7))
        break
      case 1:
        bytes[at] = other[0]
        break
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, at), other, bytes.subarray(at)])
        break
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + dice.integer(1, 8))])
        break
      default:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(dice.integer(0, at))])
    }
    if (bytes.length < 2) break
  }
  return bytes
}

/** The head of a request without Content-Length, and its body. */
function parts(request: Buffer): { head: string; body: Buffer } {
  const end = request.indexOf('\r\n\r\n')
  const head = request.toString('latin1', 0, end).replace(/\r\ncontent-length:[^\r]*/i, '')
  return { head, body: request.subarray(end + 4) }
}

function chunked(request: Buffer, dice: Dice): Buffer[] {
  const { body, head } = parts(request)
  const start = `${head}${CRLF}${dice.pick(['Transfer-Encoding: chunked', 'transfer-encoding:  CHUNKED'])}${CRLF}${CRLF}`
  const extension = dice.pick(['', '', ';a=b', ';a="\r\n"', `;${'x'.repeat(20_000)}`])
  const chunks = inPieces(body, dice).map((piece) => {
    const size = dice.oneIn(12) ? dice.pick(odd.chunkSizes) : piece.length.toString(16)
    return Buffer.concat([
      Buffer.from(`${size}${extension}${CRLF}`),
      piece,
      Buffer.from(dice.oneIn(20) ? '\n' : CRLF),
    ])
  })
  const end = dice.pick([
    '0\r\n\r\n',
    '0\r\n\r\n',
    '0\r\n\r\n',
    '0\r\nX-Trailer: 1\r\n\r\n',
    '0\r\nContent-Length: 5\r\n\r\n',
    '0',
    '',
  ])
  return [Buffer.concat([Buffer.from(start, 'latin1'), ...chunks, Buffer.from(end)])]
}

function pipelined(request: Buffer, dice: Dice): Buffer[] {
  const small = () => Buffer.from(`${dice.pick(odd.requestLines)} HTTP/1.1${CRLF}Host: quantd${CRLF}${CRLF}`)
  const requests = Array.from({ length: dice.integer(2, 12) }, () => (dice.oneIn(2) ? request : small()))
  if (dice.oneIn(3)) requests.push(request.subarray(0, dice.integer(1, request.length - 1)))
  return [Buffer.concat(requests)]
}

const METHODS = [...odd.methods, 'X'.repeat(100)]
const TARGETS = [...odd.targets, `/${'a'.repeat(8_000)}`, `/${'a/'.repeat(2_000)}`, `/${'a'.repeat(40_000)}`]

function unusualRequestLine(request: Buffer, dice: Dice): string {
  const text = request.toString('latin1')
  const [method, target, version] = text.slice(0, text.indexOf(CRLF)).split(' ')
  const choice = dice.integer(0, 3)
  const line = [
    choice === 0 || choice === 3 ? dice.pick(METHODS) : method,
    choice === 1 || choice === 3 ? dice.pick(TARGETS) : target,
    choice === 2 ? dice.pick(odd.versions) : version,
  ]
  return line.join(dice.oneIn(20) ? '  ' : ' ') + text.slice(text.indexOf(CRLF))
}

/** Header lines to insert after the request line; Content-Length replaces the request's own. */
const HEADER_LINES = [
  ...odd.headerLines,
  `X-Long: ${'v'.repeat(20_000)}`,
  Array.from({ length: 1_500 }, (_, index) => `X-${index}: 1`).join(CRLF),
  Array.from({ length: 100 }, () => 'X-API-Key: twice').join(CRLF),
]

function withHeaders(request: Buffer, lines: string): Buffer {
  const text = request.toString('latin1')
  const end = text.indexOf(CRLF)
  const own = lines.startsWith('Content-Length')
    ? text.slice(end).replace(/\r\ncontent-length:[^\r]*/i, '')
    : text.slice(end)
  return Buffer.from(`${text.slice(0, end)}${CRLF}${lines}${own}`, 'latin1')
}

const notHttp = (dice: Dice): Buffer =>
  dice.oneIn(2)
    ? Buffer.from(dice.pick(odd.prefaces), 'latin1')
    : Buffer.from(Array.from({ length: dice.integer(1, 300) }, () => dice.integer(0, 255)))
