/** One request at a time on each connection: the next one begins when the reply before it was taken. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Connection, Connections } from './connections.ts'

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void

export interface InTurn {
  readonly listener: RequestListener
  /** Runs `end` once every request that was read in full is answered; no further one is read. */
  afterLast(connection: Connection, end: () => void): void
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** The requests of one connection. */
interface Line {
  current: Exchange | null
  readonly waiting: Exchange[]
  /** Runs in place of the next request. */
  end: (() => void) | null
  /** Gives the parser the next bytes that were held back; null while the connection does not pipeline. */
  feed: (() => void) | null
}

/** The parser of a connection that pipelines gets so many bytes at once: at most some 200 requests. */
const SLICE_BYTES = 4_096
/** Requests that wait on all connections together; each takes some 2 KB. */
const MOST_WAITING = 50_000

/**
 * Node parses up to 64 KiB of a connection at a stretch and begins every request in it at once, also when nobody reads
 * the replies. Here the requests behind the first one wait, and each begins in an iteration of the event loop of its own.
 * From the second one on, the connection's bytes are held back while there is a request to answer: a client that does
 * not read its replies is not read either.
 */
export function inTurn(handle: RequestListener, connections: Connections): InTurn {
  const lines = new WeakMap<object, Line>()
  let waitingInAll = 0

  const lineOf = (socket: object): Line => {
    const known = lines.get(socket)
    if (known !== undefined) return known
    const line: Line = { current: null, waiting: [], end: null, feed: null }
    lines.set(socket, line)
    return line
  }
  const begin = (connection: Connection, line: Line, exchange: Exchange): void => {
    line.current = exchange
    connections.busy(connection, exchange.response)
    exchange.response.once('close', () => {
      line.current = null
      if (line.waiting.length === 0 && line.feed === null && line.end === null) connections.idle(connection)
      else setImmediate(next, connection, line)
    })
    handle(exchange.request, exchange.response)
  }
  const next = (connection: Connection, line: Line): void => {
    const exchange = connection.socket.destroyed ? undefined : line.waiting.shift()
    if (exchange !== undefined) {
      waitingInAll -= 1
      begin(connection, line, exchange)
    } else {
      connections.idle(connection)
      line.end?.()
    }
    line.feed?.()
  }
  const wait = (connection: Connection, line: Line, exchange: Exchange): void => {
    const { socket } = connection
    if (waitingInAll >= MOST_WAITING) {
      socket.destroy()
      return
    }
    waitingInAll += 1
    line.waiting.push(exchange)
    if (line.feed !== null) return
    line.feed = holdBack(socket, () => line.end === null && line.waiting.length === 0 && !isRead(line))
    socket.once('close', () => {
      waitingInAll -= line.waiting.length
      line.waiting.length = 0
    })
  }
  return {
    listener(request, response) {
      const connection = connections.of(request.socket)
      // Without room for it the connection is being destroyed.
      if (connection === undefined) return
      const line = lineOf(request.socket)
      const exchange = { request, response }
      if (line.current === null && line.waiting.length === 0) begin(connection, line, exchange)
      else wait(connection, line, exchange)
    },
    afterLast(connection, end) {
      const line = lineOf(connection.socket)
      // It is the request that cannot be read.
      if (line.waiting.at(-1)?.request.complete === false) {
        line.waiting.pop()
        waitingInAll -= 1
      }
      if (line.waiting.length === 0 && !isRead(line)) return end()
      line.end = end
      connection.socket.pause()
    },
  }
}

/** Whether a request is being answered that has arrived in full. */
const isRead = ({ current }: Line): boolean => current?.request.complete === true

/**
 * Takes the bytes of a connection before they reach Node's parser, and gives them to it in slices while `mayFeed` says
 * so. Not done on every connection from the start, since Node reads faster where it need not hand the bytes over.
 */
function holdBack(socket: Socket, mayFeed: () => boolean): () => void {
  // Node's own listeners are the last ones that were added.
  const parse = socket.listeners('data').at(-1) as (bytes: Buffer) => void
  const parseEnd = socket.listeners('end').at(-1) as () => void
  const held: Buffer[] = []
  let hasEnded = false
  let isScheduled = false
  const feed = (): void => {
    // Node's parser refuses bytes while the connection must drain.
    if (socket.destroyed || !mayFeed() || socket.writableNeedDrain) {
      socket.pause()
      return
    }
    const bytes = held.shift()
    if (bytes === undefined) {
      if (hasEnded) parseEnd()
      else socket.resume()
      hasEnded = false
      return
    }
    if (bytes.length > SLICE_BYTES) held.unshift(bytes.subarray(SLICE_BYTES))
    parse(bytes.subarray(0, SLICE_BYTES))
    schedule()
  }
  const schedule = (): void => {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      feed()
    })
  }
  socket
    .off('data', parse)
    .off('end', parseEnd)
    .on('data', (bytes) => {
      held.push(bytes)
      schedule()
      socket.pause()
    })
    .once('end', () => {
      hasEnded = true
      schedule()
    })
    .on('drain', schedule)
  return feed
}
