/** An HTTP server on a loopback port, which records the requests and replies as a test says. */
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
  /** The requests, in the order of their arrival. */
  readonly sent: readonly Sent[]
  /** The address, without a slash at its end. */
  readonly url: string
  close(): void
}

/** @param reply gets the number of the request, from 1, as `count` */
export async function httpPeer(
  reply: (response: ServerResponse, sent: Sent, count: number) => unknown,
): Promise<HttpPeer> {
  const sent: Sent[] = []
  const server = createServer(async (request, response) => {
    // A client that is killed may have sent only a part of the body.
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
