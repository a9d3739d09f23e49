/** A free TCP port on the loopback interface, for servers that tests and benches start. */
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

const LOWEST = 20_000
const COUNT = 12_000

/**
 * The first of `count` ports in a row, below the range of outgoing connections, so that they stay free across a restart. Until
 * this process ends, no other one gets them from here.
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
 * Test files in other processes choose ports too, which their servers do not use yet: a port of UDP is held as a mark. Caddy
 * serves HTTP/3 at the UDP port of the same number, so that the marks are below those that are chosen.
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
