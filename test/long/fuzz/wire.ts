/** HTTP/1.1 over a plain socket: sends arbitrary bytes and parses replies strictly. */
import { connect, type Socket } from 'node:net'
import { setImmediate as nextIteration } from 'node:timers/promises'

export interface Reply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  /** Names of headers that occur more than once. */
  readonly repeated: readonly string[]
  readonly body: Buffer
}

/** A connection that is kept alive between requests and reopened after it ended. */
export interface Wire {
  /** Sends one request, not a HEAD, and reads its reply; null: the connection ended, or was idle for PATIENCE_MS. */
  exchange(pieces: readonly Buffer[]): Promise<Reply | null>
  close(): void
}

/** Longer than any time limit of the service. */
const PATIENCE_MS = 40_000

export function openWire(port: number): Wire {
  let socket: Socket | null = null
  let received: Buffer = Buffer.alloc(0)
  let waiting: ((reply: Reply | null) => void) | null = null

  const settle = (reply: Reply | null): void => {
    const resolve = waiting!
    waiting = null
    if (reply?.headers.get('connection') === 'close' || reply === null) {
      socket?.destroy()
      socket = null
    }
    resolve(reply)
  }
  const open = (): Socket => {
    const opened = connect({ port, host: '127.0.0.1', noDelay: true })
    received = Buffer.alloc(0)
    opened.setTimeout(PATIENCE_MS, () => opened.destroy())
    opened.on('error', () => undefined)
    opened.on('data', (bytes) => {
      received = received.length === 0 ? bytes : Buffer.concat([received, bytes])
      if (waiting === null || socket !== opened) return
      const found = readReply(received)
      if (found === null) return
      received = received.subarray(found.end)
      settle(found.reply)
    })
    opened.on('close', () => {
      if (socket !== opened) return
      socket = null
      if (waiting !== null) settle(null)
    })
    return opened
  }
  return {
    exchange(pieces) {
      return new Promise((resolve) => {
        waiting = resolve
        if (socket === null || !socket.writable) socket = open()
        const [first, ...rest] = pieces
        if (rest.length === 0) socket.write(first!)
        else writePieces(socket, pieces)
      })
    },
    close() {
      socket?.destroy()
      socket = null
    },
  }
}

async function writePieces(socket: Socket, pieces: readonly Buffer[]): Promise<void> {
  for (const piece of pieces) {
    if (!socket.writable) return
    socket.write(piece)
    await nextIteration()
  }
}

/** The replies on one connection, and how it ended. */
export interface RawReplies {
  readonly replies: readonly Reply[]
  /** The bytes after the last complete reply. */
  readonly rest: Buffer
  readonly endedBy: 'service' | 'silence'
}

/** Sends bytes on a new connection and reads until the service ends it or is silent for `quietMs`. */
export function sendRaw(
  port: number,
  pieces: readonly Buffer[],
  { end, quietMs }: { end: boolean; quietMs: number },
): Promise<RawReplies> {
  return new Promise((resolve) => {
    const received: Buffer[] = []
    let endedBy: RawReplies['endedBy'] = 'service'
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, async () => {
      await writePieces(socket, pieces)
      if (end && socket.writable) socket.end()
    })
    socket.setTimeout(quietMs, () => {
      endedBy = 'silence'
      socket.destroy()
    })
    socket.on('data', (bytes) => received.push(bytes))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve({ ...readReplies(Buffer.concat(received)), endedBy }))
  })
}

function readReplies(bytes: Buffer): Pick<RawReplies, 'replies' | 'rest'> {
  const replies: Reply[] = []
  let rest = bytes
  for (let found = readReply(rest, true); found !== null; found = readReply(rest, true)) {
    replies.push(found.reply)
    rest = rest.subarray(found.end)
  }
  return { replies, rest }
}

const HEAD_END = Buffer.from('\r\n\r\n')
const NEXT = Buffer.from('HTTP/1.1 ')

/**
 * The first final reply in these bytes, after any interim ones; null: it is incomplete.
 * @param mayBeBare a reply to HEAD is recognised by the next reply in the place of its body
 */
function readReply(bytes: Buffer, mayBeBare = false): { reply: Reply; end: number } | null {
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd === -1) return null
  const [first = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const status = /^HTTP\/1\.1 ([1-5]\d\d) [ -~]+$/.test(first) ? Number(first.slice(9, 12)) : 0
  const bodyStart = headEnd + HEAD_END.length
  if (status >= 100 && status < 200) {
    const later = readReply(bytes.subarray(bodyStart), mayBeBare)
    return later && { reply: later.reply, end: bodyStart + later.end }
  }
  const headers = new Map<string, string>()
  const repeated: string[] = []
  for (const line of lines) {
    const colon = line.indexOf(': ')
    const name = line.slice(0, colon).toLowerCase()
    if (headers.has(name)) repeated.push(name)
    headers.set(name, line.slice(colon + 2))
  }
  const isBare = mayBeBare && bytes.subarray(bodyStart, bodyStart + 9).equals(NEXT)
  const length = !isBare && status !== 304 ? Number(headers.get('content-length') ?? 0) : 0
  const end = bodyStart + length
  if (bytes.length < end) return null
  return { reply: { status, headers, repeated, body: bytes.subarray(bodyStart, end) }, end }
}
