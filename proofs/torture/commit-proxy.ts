/** A TCP proxy before PostgreSQL that cuts a connection when a COMMIT passes. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Cut } from './schedule.ts'

export interface CommitProxy {
  /** The database's address by way of the proxy. */
  readonly url: string
  /** Cuts the next connection on which a COMMIT passes; false when none did in time. */
  cut(where: Cut, waitMs: number): Promise<boolean>
  close(): void
}

/** The end of the statement in the client's message, and of the command's tag in the server's. */
const COMMIT = Buffer.from('COMMIT\0')
/** A query message begins with its type and its length. */
const MESSAGE_HEAD = 5

export async function openCommitProxy(databaseUrl: string): Promise<CommitProxy> {
  const target = new URL(databaseUrl)
  let armed: { where: Cut; strike: () => void } | null = null
  const sockets = new Set<Socket>()

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    const both = [client, upstream]
    const sever = () => {
      for (const socket of both) socket.destroy()
    }
    for (const socket of both) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', sever).on('close', () => {
        sockets.delete(socket)
        sever()
      })
    }
    let heldReply: Buffer | null = null
    let struck = () => {}
    client.on('data', (data: Buffer) => {
      const at = armed === null ? -1 : data.indexOf(COMMIT)
      if (armed === null || at === -1) {
        upstream.write(data)
        return
      }
      const { strike, where } = armed
      armed = null
      struck = strike
      if (where === 'before') upstream.write(data.subarray(0, Math.max(0, at - MESSAGE_HEAD)))
      else upstream.write(data)
      if (where === 'reply') {
        heldReply = Buffer.alloc(0)
        return
      }
      // Written bytes are sent before the connection ends, so the server reads them first.
      client.destroy()
      upstream.end()
      struck()
    })
    upstream.on('data', (data: Buffer) => {
      if (heldReply === null) {
        client.write(data)
        return
      }
      heldReply = Buffer.concat([heldReply, data])
      if (!heldReply.includes(COMMIT)) return
      sever()
      struck()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')

  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    cut: (where, waitMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          armed = null
          resolve(false)
        }, waitMs)
        const strike = () => {
          clearTimeout(timer)
          resolve(true)
        }
        armed = { where, strike }
      }),
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
