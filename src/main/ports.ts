/** The ways in which a serving process gets its connections. */
import type { Worker } from 'node:cluster'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, createServer, Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { cannotListen } from './listeners.ts'

export interface Port {
  /** Resolves once connections reach the server. */
  open(server: Server): Promise<void>
  /**
   * Resolves when the server gets no more connections, after the stop delay: a load balancer has then seen that the node
   * is not ready. Not every load balancer can repeat a POST that was refused.
   */
  close(): Promise<void>
}

/** A port that this process listens on. */
export interface ListeningPort extends Port {
  /** The address of the service, once the port is open. */
  url(): string
}

/** Messages of the first process to those with which it shares its port; a connection travels with the first. */
export type PortMessage = { readonly type: 'connection' | 'port closed' }

/**
 * Relative to serving, the processor time of writing the ledger for a call: the first process does it for all, and serves so
 * many fewer connections.
 */
const WRITING = 0.3

/** The port of a service of one process. */
export function ownPort(config: Config): ListeningPort {
  let listening: NetServer
  return {
    open(server) {
      listening = server
      return listen(server, config)
    },
    url: () => urlOf(listening, config),
    close: () => stopListening(listening, config),
  }
}

/** The port of the first of several processes. @param others those that serve at present */
export function sharedPort(config: Config, others: () => readonly Worker[]): ListeningPort {
  const nextOf = turns(config.processes)
  /** Those that have not taken the connections sent to them yet: a process that hangs must not keep more than a few. */
  const late = new Set<Worker>()
  const send = (worker: Worker, socket: Socket): void => {
    const isInTime = worker.send({ type: 'connection' } satisfies PortMessage, socket, (error) => {
      late.delete(worker)
      if (error !== null) socket.destroy()
    })
    if (!isInTime) late.add(worker)
  }
  let server: Server
  // Paused, so that no byte of a connection is read here that another process is to read.
  const listener = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, (socket) => {
    const worker = nextOf(others().filter((other) => !late.has(other)))
    if (worker === null) take(server, socket)
    else send(worker, socket)
  })
  return {
    open(own) {
      server = own
      startTimeouts(server)
      return listen(listener, config)
    },
    url: () => urlOf(listener, config),
    async close() {
      await stopListening(listener, config)
      for (const worker of others()) worker.send({ type: 'port closed' } satisfies PortMessage)
    },
  }
}

/** Returns the process that gets the next connection; null: the first one. */
function turns(processes: number): (others: readonly Worker[]) => Worker | null {
  const ownShare = Math.max(0, (1 - (processes - 1) * WRITING) / processes)
  let [due, next] = [0, 0]
  return (others) => {
    due += ownShare
    if (due >= 1) {
      due -= 1
      return null
    }
    if (others.length === 0) return null
    next = (next + 1) % others.length
    return others[next]!
  }
}

/** The connections that the first process sends to this one. */
export function receivedConnections(): Port {
  const closed = Promise.withResolvers<void>()
  return {
    async open(server) {
      startTimeouts(server)
      process.on('message', ({ type }: PortMessage, socket?: Socket) => {
        if (type === 'port closed') closed.resolve()
        // A connection that its client has closed in the meantime arrives without a socket.
        if (type !== 'connection' || socket === undefined) return
        socket.allowHalfOpen = true
        take(server, socket)
      })
    },
    close: () => closed.promise,
  }
}

async function listen(server: NetServer, { host, port }: Config): Promise<void> {
  server.listen({ host, port })
  await once(server, 'listening').catch((error) => {
    throw cannotListen(error, `${host}:${port}`, 'HOST or PORT')
  })
}

function urlOf(server: NetServer, { host }: Config): string {
  const { port } = server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Closing at once resets connections that the kernel has accepted but the process has not. */
async function stopListening(server: NetServer, { stopDelayMs }: Config): Promise<void> {
  await sleep(stopDelayMs)
  // An iteration of the event loop accepts the waiting connections; closing right after it refuses the fewest.
  await nextIteration()
  // An HTTP server's own close would destroy idle connections, on which a request may be arriving.
  NetServer.prototype.close.call(server)
}

/** Node checks the time limits of requests in servers that listen; this one does not. */
const startTimeouts = (server: Server): void => {
  server.emit('listening')
}

function take(server: Server, socket: Socket): void {
  server.emit('connection', socket)
  socket.resume()
}
