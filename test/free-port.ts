/** A free TCP port on the loopback interface, for servers that tests, proofs and benches start. */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port below the range of outgoing connections, so that it stays free across a restart. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    const probe = createServer()
    try {
      await once(probe.listen(port, '127.0.0.1'), 'listening')
      return port
    } catch {
      // The port is in use.
    } finally {
      probe.close()
    }
  }
}
