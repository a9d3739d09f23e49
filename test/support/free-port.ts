/** A free TCP port on the loopback interface, for servers that tests and benches start. */
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

const LOWEST = 20_000
const COUNT = 12_000

/**
 * The first of `count` successive ports, below the range of outgoing connections, so that they stay free while a server restarts.
 * Until this process ends, this function gives them to no other process.
 */
export async function freePort(count = 1): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, LOWEST + COUNT)
    const free = await Promise.all(Array.from({ length: count }, (_, index) => isFree(port + index)))
    if (free.every(Boolean)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  if (!(await isReserved(port))) return false
  const probe = createServer()
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening')
    return true
  } catch {
    return false
  } finally {
    probe.close()
  }
}

/**
 * Reserves a port against test files in other processes, whose servers may not use their ports yet: a UDP port is kept open as a
 * mark. The marks have lower numbers than the chosen ports, because Caddy serves HTTP/3 at the UDP port of the same number.
 */
async function isReserved(port: number): Promise<boolean> {
  const mark = createSocket('udp4').unref()
  try {
    await once(mark.bind({ port: port - COUNT, address: '127.0.0.1', exclusive: true }), 'listening')
    return true
  } catch {
    return false
  }
}
