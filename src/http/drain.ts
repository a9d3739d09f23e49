/** Closes a server gracefully: it closes each open connection with its next reply. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_EVERY_MS = 10

/** Counts the open connections of a server, also of those that another one has accepted. */
export function connectionCount(server: Server): () => number {
  let count = 0
  server.on('connection', (socket) => {
    count += 1
    socket.once('close', () => {
      count -= 1
    })
  })
  return () => count
}

/**
 * Sends `Connection: close` with every reply. Node's own close would destroy idle connections, on which a request may be
 * arriving; `graceMs` after the last connection has come they are. Resolves when every request is answered.
 * @param closePort resolves when no more connections come
 */
export async function drain(
  server: Server,
  openConnections: () => number,
  closePort: () => Promise<void>,
  graceMs: number,
): Promise<void> {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('connection', 'close')
  })
  await closePort()
  const deadline = performance.now() + graceMs
  while (openConnections() > 0) {
    if (performance.now() > deadline) server.closeIdleConnections()
    await sleep(LOOK_EVERY_MS)
  }
  server.close()
}
