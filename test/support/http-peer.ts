/** A server of HTTP on a loopback port, which keeps what it is sent and replies as a test says. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface HttpPeer {
  /** In the order in which they came. */
  readonly sent: readonly Sent[]
  /** Without a slash at its end. */
  readonly url: string
  close(): void
}

/** @param reply `count`: which request this is, from 1 */
export async function httpPeer(
  reply: (response: ServerResponse, sent: Sent, count: number) => unknown,
): Promise<HttpPeer> {
  const sent: Sent[] = []
  const server = createServer(async (request, response) => {
    // A client that is killed may not have sent all of it.
    const body = await text(request).catch(() => null)
    if (body === null) return
    const one = { method: request.method!, url: request.url!, headers: request.headers, body }
    await reply(response, one, sent.push(one))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    sent,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
