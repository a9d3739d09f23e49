/** A TCP proxy before PostgreSQL: cuts a connection when a COMMIT passes, stalls, and closes one direction. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * Where a connection is cut when a COMMIT passes: before it, right behind it, or on its reply. `panic` replaces the reply by the
 * last message of a server whose disk was full while it wrote its log; the log may contain the COMMIT already.
 */
export type Cut = 'before' | 'behind' | 'reply' | 'panic'

export interface CommitProxy {
  /** The database's address by way of the proxy. */
  readonly url: string
  /** Cuts the connection on which the next COMMIT passes, or the one after `spared` others; false if none passed in time. */
  cut(where: Cut, waitMs: number, spared?: number): Promise<boolean>
  /** Delivers nothing in either direction until `resume`, on new connections either. */
  stall(): void
  /** Delivers what was sent meanwhile, or resets every connection instead. */
  resume(how: 'deliver' | 'reset'): void
  /** Closes the direction to the node, or to the database, on every connection. */
  halfClose(to: 'node' | 'database'): void
  /** Resets every connection; later ones reach another database. */
  lead(databaseUrl: string): void
  close(): void
}

/** The end of a client's message with the statement COMMIT, and of the server's message with the tag of the command. */
const COMMIT = Buffer.from('COMMIT\0')
/** The name of the COMMIT that group commits prepare, in the message that binds it. */
const PREPARED = Buffer.from('\0commit\0')
/** A message begins with its type and its length. */
const MESSAGE_HEAD = 5
const PANIC = errorMessage([
  'SPANIC',
  'VPANIC',
  'C53100',
  'Mcould not write to file: No space left on device',
])

export async function openCommitProxy(databaseUrl: string): Promise<CommitProxy> {
  let target = new URL(databaseUrl)
  let armed: { where: Cut; spared: number; strike: () => void } | null = null
  const sockets = new Set<Socket>()
  const sides = { node: new Set<Socket>(), database: new Set<Socket>() }
  let isStalled = false

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    const both = [client, upstream]
    sides.node.add(client)
    sides.database.add(upstream)
    const sever = () => {
      for (const socket of both) socket.destroy()
    }
    for (const socket of both) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', sever).on('close', () => {
        for (const all of [sockets, sides.node, sides.database]) all.delete(socket)
        sever()
      })
    }
    if (isStalled) for (const socket of both) socket.pause()
    let heldReply: Buffer | null = null
    let inPlaceOfReply: Buffer | null = null
    let struck = () => {}
    client.on('data', (data: Buffer) => {
      const at = armed === null ? -1 : Math.max(data.indexOf(COMMIT), data.indexOf(PREPARED))
      if (armed === null || at === -1 || armed.spared-- > 0) {
        if (!upstream.writableEnded) upstream.write(data)
        return
      }
      const { strike, where } = armed
      armed = null
      struck = strike
      if (where === 'before') upstream.write(data.subarray(0, Math.max(0, at - MESSAGE_HEAD)))
      else upstream.write(data)
      if (where === 'reply' || where === 'panic') {
        heldReply = Buffer.alloc(0)
        inPlaceOfReply = where === 'panic' ? PANIC : null
        return
      }
      // Written bytes are sent before the connection ends, so the server reads them first.
      client.destroy()
      upstream.end()
      struck()
    })
    upstream.on('data', (data: Buffer) => {
      if (heldReply === null) {
        if (!client.writableEnded) client.write(data)
        return
      }
      heldReply = Buffer.concat([heldReply, data])
      const at = heldReply.indexOf(COMMIT)
      if (at === -1) return
      if (inPlaceOfReply === null) sever()
      else client.end(Buffer.concat([heldReply.subarray(0, at - MESSAGE_HEAD), inPlaceOfReply]))
      struck()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')

  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    cut: (where, waitMs, spared = 0) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          armed = null
          resolve(false)
        }, waitMs).unref()
        const strike = () => {
          clearTimeout(timer)
          resolve(true)
        }
        armed = { where, spared, strike }
      }),
    stall() {
      isStalled = true
      for (const socket of sockets) socket.pause()
    },
    resume(how) {
      isStalled = false
      for (const socket of sockets) {
        if (how === 'reset') socket.resetAndDestroy()
        else socket.resume()
      }
    },
    halfClose(to) {
      for (const socket of sides[to]) socket.end()
    },
    lead(other) {
      target = new URL(other)
      for (const socket of sockets) socket.resetAndDestroy()
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** @param fields each with the letter of its type */
function errorMessage(fields: readonly string[]): Buffer {
  const text = Buffer.from(`${fields.join('\0')}\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeUInt32BE(text.length + 4, 1)
  return Buffer.concat([head, text])
}
