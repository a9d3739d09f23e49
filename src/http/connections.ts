/** Every open connection: how many there may be, how long each may be silent, and which one gives way. */
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { clearInterval, setInterval } from 'node:timers'
import { countingSubject } from './client-ip.ts'

export interface ConnectionLimits {
  /** Open connections of one client address; trusted proxies have no limit. */
  readonly perAddress: number
  /** Open connections of the process. */
  readonly total: number
  /** A connection on which bytes are due is destroyed at most so long after the last one moved. */
  readonly silenceMs: number
}

export interface Connection {
  readonly socket: Socket
  /** The unit that its address counts towards (`countingSubject`); null: a trusted proxy. */
  readonly subject: string | null
  /** The reply to the request that it is busy with; null: it is idle. */
  response: ServerResponse | null
  /** When the last bytes moved that were due. */
  movedAt: number
  /** Bytes read by the end of the last reply; null: there was none yet. */
  readAtRest: number | null
  /** Bytes read when it was looked at last. */
  readBefore: number
  /** Set when its last reply was sent outside of a request: then it is destroyed shortly. */
  endsAt: number | null
}

export interface Connections {
  /** Takes a new connection in; null: there is no room for it. The longest idle connection gives way first. */
  open(socket: Socket, isProxy: boolean): Connection | null
  of(socket: object): Connection | undefined
  /** A request has begun. */
  busy(connection: Connection, response: ServerResponse): void
  /** No request is left: the connection is idle from now on. */
  idle(connection: Connection): void
  /** Sends the last bytes of a connection that belong to no request; it is destroyed shortly after. */
  end(connection: Connection, bytes: string): void
  close(): void
}

export interface SilenceHandlers {
  /** Answers a request whose head began and stopped arriving. */
  readonly onHalfRequest: (connection: Connection) => void
  /** Runs with every look at the connections. */
  readonly onLook: (now: number) => void
}

/** Looks at all connections so many times within the silence that they are allowed. */
const LOOKS = 10
/** Bytes after the last reply are read and dropped for this many looks, since a reset could overtake the reply. */
const LOOKS_TO_END = 2

export function openConnections(limits: ConnectionLimits, handlers: SilenceHandlers): Connections {
  const bySocket = new WeakMap<object, Connection>()
  const all = new Set<Connection>()
  /** The longest idle first. */
  const idle = new Set<Connection>()
  /** Their last reply was sent: they give way before any idle one. */
  const ending = new Set<Connection>()
  const bySubject = new Map<string, number>()

  const remove = (connection: Connection): void => {
    if (!all.delete(connection)) return
    idle.delete(connection)
    ending.delete(connection)
    const { subject } = connection
    if (subject === null) return
    const left = bySubject.get(subject)! - 1
    if (left === 0) bySubject.delete(subject)
    else bySubject.set(subject, left)
  }
  const evict = (gives: (connection: Connection) => boolean): boolean => {
    const connection = ending.values().find(gives) ?? idle.values().find(gives)
    if (connection === undefined) return false
    remove(connection)
    connection.socket.destroy()
    return true
  }
  const makeRoom = (subject: string | null): boolean => {
    if (subject !== null && (bySubject.get(subject) ?? 0) >= limits.perAddress)
      if (!evict((other) => other.subject === subject)) return false
    return all.size < limits.total || evict(() => true)
  }

  const lookMs = limits.silenceMs / LOOKS
  const look = (): void => {
    const now = performance.now()
    handlers.onLook(now)
    for (const connection of all) lookAt(connection, now)
  }
  const lookAt = (connection: Connection, now: number): void => {
    const { endsAt, readAtRest, response, socket } = connection
    if (endsAt !== null) {
      if (now >= endsAt) socket.destroy()
      return
    }
    if (response === null && socket.bytesRead !== connection.readBefore) {
      connection.readBefore = socket.bytesRead
      connection.movedAt = now
    }
    // The next look may be the last one within the limit.
    const silentMs = now - connection.movedAt + lookMs
    if (response !== null) {
      if (response.headersSent && silentMs >= limits.silenceMs) socket.destroy()
    } else if (socket.bytesRead === 0 || socket.writableEnded) {
      if (silentMs >= limits.silenceMs) socket.destroy()
      // Between two requests the server's keep-alive timeout holds.
    } else if (socket.bytesRead !== readAtRest && silentMs + LOOKS_TO_END * lookMs >= limits.silenceMs)
      handlers.onHalfRequest(connection)
  }
  const looking = setInterval(look, lookMs).unref()

  return {
    open(socket, isProxy) {
      const subject = isProxy ? null : countingSubject(socket.remoteAddress ?? '')
      if (!makeRoom(subject)) return null
      const connection: Connection = {
        socket,
        subject,
        response: null,
        movedAt: performance.now(),
        readAtRest: null,
        readBefore: 0,
        endsAt: null,
      }
      all.add(connection)
      idle.add(connection)
      bySocket.set(socket, connection)
      if (subject !== null) bySubject.set(subject, (bySubject.get(subject) ?? 0) + 1)
      socket.once('close', () => remove(connection))
      return connection
    },
    of: (socket) => bySocket.get(socket),
    busy(connection, response) {
      connection.response = response
      connection.movedAt = performance.now()
      idle.delete(connection)
    },
    idle(connection) {
      const { socket } = connection
      connection.response = null
      connection.movedAt = performance.now()
      connection.readBefore = socket.bytesRead
      connection.readAtRest = socket.bytesRead
      if (all.has(connection)) idle.add(connection)
    },
    end(connection, bytes) {
      const { socket } = connection
      if (connection.endsAt !== null) return
      connection.endsAt = performance.now() + (LOOKS_TO_END - 1) * lookMs
      idle.delete(connection)
      if (all.has(connection)) ending.add(connection)
      if (!socket.writable) socket.destroy()
      else socket.end(bytes)
      socket.resume()
    },
    close: () => clearInterval(looking),
  }
}

/** Descriptors that are left to the database, to files and to what a start opens later. */
const RESERVED_SHARE = 0.1
const RESERVED_LEAST = 64

/** How many connections the limit of open files leaves room for. */
export function connectionsThatFit(limitsFile = '/proc/self/limits'): number {
  const files = Number(/^Max open files +(\d+)/m.exec(read(limitsFile))?.[1])
  if (Number.isNaN(files)) return Number.POSITIVE_INFINITY
  return Math.max(1, files - Math.max(RESERVED_LEAST, Math.ceil(files * RESERVED_SHARE)))
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Not on Linux: the system's own limit holds.
    return ''
  }
}
