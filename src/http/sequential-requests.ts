/** One request at a time on each connection: the next one begins when the client has taken the reply before it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Connections } from './connections.ts'
import { type Connection, connectionOf, Exchange } from './exchange.ts'
import type { ReplyBudget } from './reply-budget.ts'

export interface SequentialRequests {
  readonly listener: (request: IncomingMessage, response: ServerResponse) => void
  /** Runs `action` once every request that was read in full is answered; no further one is read. */
  afterLast(connection: Connection, action: () => void): void
}

/** The parser of a connection that pipelines gets so many bytes at once: at most about 200 requests. */
const SLICE_BYTES = 4_096
/** Requests that may wait on all connections together; each takes about 2 KB. */
const MAX_WAITING = 50_000

/**
 * Node parses up to 64 KiB of a connection at once and emits every request in it immediately, even if the client does not
 * read the replies. This listener lets the requests behind the first one wait, and begins each in an iteration of the
 * event loop of its own. From the second one on, it holds back the bytes of the connection while there is a request to
 * answer, so that a client that does not read its replies cannot send more.
 */
export function sequentialRequests(
  handle: (exchange: Exchange) => void,
  connections: Connections,
  budget: ReplyBudget,
): SequentialRequests {
  let waitingInTotal = 0

  const begin = (exchange: Exchange): void => {
    const { connection, response } = exchange
    connection.current = exchange
    connections.busy(connection)
    response.on('close', () => end(exchange))
    handle(exchange)
  }
  const end = (exchange: Exchange): void => {
    const { connection } = exchange
    exchange.end()
    connection.current = null
    const { feed, last, waiting } = connection
    if (waiting.length === 0 && feed === null && last === null) connections.idle(connection)
    else setImmediate(next, connection)
  }
  const next = (connection: Connection): void => {
    const exchange = connection.socket.destroyed ? undefined : connection.waiting.shift()
    if (exchange !== undefined) {
      waitingInTotal -= 1
      begin(exchange)
    } else {
      connections.idle(connection)
      connection.last?.()
    }
    connection.feed?.()
  }
  const wait = (exchange: Exchange): void => {
    const { connection } = exchange
    const { socket, waiting } = connection
    if (waitingInTotal >= MAX_WAITING) {
      socket.destroy()
      return
    }
    waitingInTotal += 1
    waiting.push(exchange)
    if (connection.feed !== null) return
    const mayFeed = () => connection.last === null && waiting.length === 0 && !isAnswering(connection)
    connection.feed = holdBack(connection, mayFeed)
    socket.once('close', () => {
      waitingInTotal -= waiting.length
      waiting.length = 0
    })
  }
  return {
    listener(request, response) {
      const connection = connectionOf(request.socket)
      // The connection was refused and is being destroyed.
      if (connection === undefined) return
      const exchange = new Exchange(connection, request, response, budget)
      if (connection.current === null && connection.waiting.length === 0) begin(exchange)
      else wait(exchange)
    },
    afterLast(connection, action) {
      const { socket, waiting } = connection
      // The last one is the malformed request itself if its head could be parsed.
      if (waiting.at(-1)?.request.complete === false) {
        waiting.pop()
        waitingInTotal -= 1
      }
      if (waiting.length === 0 && !isAnswering(connection)) return action()
      connection.last = action
      socket.pause()
    },
  }
}

/** Whether a request that has arrived in full is being answered. */
const isAnswering = ({ current }: Connection): boolean => current?.request.complete === true

/**
 * Takes the bytes of a connection before they reach Node's parser, and gives them to it in slices while `mayFeed` allows
 * it. Connections that do not pipeline are left alone, because Node parses faster without a listener in between. Returns
 * a function that continues feeding.
 */
function holdBack(connection: Connection, mayFeed: () => boolean): () => void {
  const { socket } = connection
  // Node's own listeners were added last.
  const parse = socket.listeners('data').at(-1) as (bytes: Buffer) => void
  const parseEnd = socket.listeners('end').at(-1) as () => void
  const held: Buffer[] = []
  let hasEnded = false
  let isScheduled = false
  const feed = (): void => {
    // Its last reply was sent; connections.ts discards the rest.
    if (connection.isEnding) return
    // Node's parser refuses bytes while the socket waits for 'drain'.
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
