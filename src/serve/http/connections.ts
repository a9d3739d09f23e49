/** Every open connection: how many there may be, which one is closed to make room or because it is silent, and how each ends. */

import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { clearInterval, setInterval } from 'node:timers'
import { addressOf } from './client-ip.ts'
import { bySocket, type Connection, type Exchange } from './exchange.ts'

export interface ConnectionLimits {
  /** Open connections of one client address; trusted proxies have no limit. */
  readonly perAddress: number
  /** Open connections of the process. */
  readonly total: number
  /** A connection is destroyed if its client must send or read, and no byte has moved for this time. */
  readonly silenceMs: number
  /** A connection is destroyed once more bytes than this have arrived after its last reply. */
  readonly discardBytes: number
}

export function openConnections(limits: ConnectionLimits, handlers: SilenceHandlers) {
  const { add, all, ending, idle } = registry(limits)
  /**
   * Sends the last bytes of a connection and closes this side of it. If the connection were destroyed at once, a client that
   * is still sending would be reset before it has read the reply (RFC 9112, 9.6). Therefore what arrives is discarded for a
   * short time first.
   */
  const end = (connection: Connection, bytes = ''): void => {
    const { socket } = connection
    if (connection.isEnding) return
    connection.isEnding = true
    connection.silentLooks = 0
    idle.delete(connection)
    if (all.has(connection)) ending.add(connection)
    if (!socket.writable) socket.destroy()
    else socket.end(bytes)
    discard(socket, limits.discardBytes)
  }
  return {
    /**
     * Registers a new connection; false: there is no room for it. To make room, a connection whose last reply was sent is
     * destroyed, or else the one that has been idle the longest.
     */
    open(socket: Socket, { isProxy }: Pick<Connection, 'isProxy'>): boolean {
      const connection = newConnection(socket, isProxy)
      if (!add(connection)) return false
      bySocket.set(socket, connection)
      // Node calls this method after a reply with `Connection: close`.
      socket.destroySoon = () => {
        if (connection.current?.request.complete === false) end(connection)
        else Socket.prototype.destroySoon.call(socket)
      }
      return true
    },
    busy(connection: Connection): void {
      connection.silentLooks = 0
      idle.delete(connection)
    },
    idle(connection: Connection): void {
      const { bytesRead } = connection.socket
      connection.silentLooks = 0
      connection.readAtLook = bytesRead
      connection.readAtRest = bytesRead
      if (all.has(connection)) idle.add(connection)
    },
    end,
    /** Destroys connections without a request under way or arriving. Node's own method would cut off the ends of replies. */
    closeIdle(): void {
      for (const { isEnding, readAtRest, socket } of idle)
        if (!isEnding && socket.bytesRead === (readAtRest ?? 0)) socket.destroy()
    },
    close: watchSilence(all, limits.silenceMs, handlers),
  }
}

const newConnection = (socket: Socket, isProxy: boolean): Connection => ({
  socket,
  address: addressOf(socket.remoteAddress),
  isProxy,
  current: null,
  waiting: [],
  last: null,
  silentLooks: 0,
  readAtRest: null,
  readAtLook: 0,
  isEnding: false,
})

/** The open connections, within the limits of their number. */
function registry({ perAddress, total }: ConnectionLimits) {
  const all = new Set<Connection>()
  /** The longest idle first. */
  const idle = new Set<Connection>()
  const ending = new Set<Connection>()
  /** The number of connections of each client address, trusted proxies excepted. */
  const bySubject = new Map<string, number>()

  const remove = (connection: Connection): void => {
    if (!all.delete(connection)) return
    idle.delete(connection)
    ending.delete(connection)
    if (!connection.isProxy) count(connection, -1)
  }
  const count = ({ address: { subject } }: Connection, more: number): void => {
    const counted = (bySubject.get(subject) ?? 0) + more
    if (counted === 0) bySubject.delete(subject)
    else bySubject.set(subject, counted)
  }
  const evict = (mayEvict: (connection: Connection) => boolean): boolean => {
    const connection = ending.values().find(mayEvict) ?? idle.values().find(mayEvict)
    if (connection === undefined) return false
    remove(connection)
    connection.socket.destroy()
    return true
  }
  const makeRoom = ({ address: { subject }, isProxy }: Connection): boolean => {
    const isFull = !isProxy && (bySubject.get(subject) ?? 0) >= perAddress
    if (isFull && !evict((other) => !other.isProxy && other.address.subject === subject)) return false
    return all.size < total || evict(() => true)
  }
  const add = (connection: Connection): boolean => {
    if (!makeRoom(connection)) return false
    all.add(connection)
    idle.add(connection)
    if (!connection.isProxy) count(connection, 1)
    connection.socket.once('close', () => remove(connection))
    return true
  }
  return { all, idle, ending, add }
}

/** Frees each piece that arrives, one per iteration of the event loop; Node's parser, which would copy it, is detached. */
function discard(socket: Socket, limitBytes: number): void {
  let left = limitBytes
  const onData = ({ buffer, length }: Buffer<ArrayBuffer>): void => {
    left -= length
    buffer.transfer(0)
    socket.pause()
    if (left < 0) socket.destroy()
    else setImmediate(() => socket.resume())
  }
  const takeOver = () => socket.removeAllListeners('data').on('data', onData)
  // A paused socket reads again only if it is resumed while the parser is attached.
  if (socket.isPaused()) socket.once('resume', takeOver).resume()
  else takeOver()
}

/** File descriptors reserved for the database, for files and for later use. */
const RESERVED_SHARE = 0.1
const RESERVED_LEAST = 64

/** The number of connections that the limit of open files leaves room for. */
export function connectionsThatFit(limitsFile = '/proc/self/limits'): number {
  const files = Number(/^Max open files +(\d+)/m.exec(read(limitsFile))?.[1])
  if (Number.isNaN(files)) return Number.POSITIVE_INFINITY
  return Math.max(1, files - Math.max(RESERVED_LEAST, Math.ceil(files * RESERVED_SHARE)))
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Only Linux has this file; elsewhere the limit of the operating system applies.
    return ''
  }
}

export interface SilenceHandlers {
  /** Answers a request whose head began to arrive and then stopped. */
  readonly onHalfRequest: (connection: Connection) => void
  /** Runs at every look at the connections. @param now by performance.now() */
  readonly onLook: (now: number) => void
}

/** The number of looks at all connections within the silence limit. */
const LOOKS = 10
/** The number of looks for which a connection stays open after its last reply, while its client finishes sending. */
const LOOKS_TO_END = 2

/**
 * Closes connections on which expected bytes do not move: those of a request, or of a reply that its client reads. Looks at every
 * connection at intervals, which costs less than a timer for each. Returns the function that stops it.
 */
function watchSilence(
  connections: Iterable<Connection>,
  silenceMs: number,
  { onHalfRequest, onLook }: SilenceHandlers,
): () => void {
  const look = (): void => {
    onLook(performance.now())
    for (const connection of connections) {
      const { current, isEnding } = connection
      connection.silentLooks += 1
      if (isEnding) destroyAfter(LOOKS_TO_END, connection)
      else if (current !== null) lookAt(current)
      else if (isHalfRequest(connection)) onHalfRequest(connection)
    }
  }
  const looking = setInterval(look, silenceMs / LOOKS).unref()
  return () => clearInterval(looking)
}

/** The client has to send the body or to read the reply; while the request waits or is computed, it may be silent. */
function lookAt({ connection, request, response }: Exchange): void {
  const isReceiving = !request.complete && request.readableFlowing === true
  if (response.headersSent || (isReceiving && !hasArrived(connection))) destroyAfter(LOOKS, connection)
  else if (!isReceiving) connection.silentLooks = 0
}

/** Between two requests the server's keep-alive timeout applies; before the first one, a connection may not be silent. */
function isHalfRequest(connection: Connection): boolean {
  const { bytesRead, writableEnded } = connection.socket
  if (hasArrived(connection)) return false
  if (bytesRead === 0 || writableEnded) destroyAfter(LOOKS, connection)
  else return bytesRead !== connection.readAtRest && connection.silentLooks >= LOOKS - LOOKS_TO_END
  return false
}

/** Whether bytes have arrived since the last look. */
function hasArrived(connection: Connection): boolean {
  const { bytesRead } = connection.socket
  if (bytesRead === connection.readAtLook) return false
  connection.readAtLook = bytesRead
  // The bytes arrived within the interval before this look.
  connection.silentLooks = 1
  return true
}

function destroyAfter(looks: number, { silentLooks, socket }: Connection): void {
  if (silentLooks >= looks) socket.destroy()
}
