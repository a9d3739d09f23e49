/** A process that sends one request after another, so that the process of the service does nothing but answer. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'

export interface Sent {
  readonly url: string
  readonly key: string
  readonly body: string
  readonly times: number
}

export interface Sender {
  /** Returns the statuses of the replies; the requests are sent one after another. */
  send(sent: Sent): Promise<number[]>
  end(): void
}

export function startSender(): Sender {
  let known = ''
  const child: ChildProcess = fork(import.meta.filename, {
    env: { ...process.env, QUANTD_TEST_SENDER: 'yes' },
  })
  return {
    async send({ body, ...sent }) {
      // The body is sent to the process once: that would be measured otherwise.
      child.send({ ...sent, ...(body !== known && { body }) })
      known = body
      const [statuses] = (await once(child, 'message')) as [number[]]
      return statuses
    },
    end: () => child.kill(),
  }
}

/** Sends one request on a new connection; the reply may end the connection before the body is sent. */
const one = ({ body, key, url }: Sent): Promise<number> =>
  new Promise((resolve) => {
    const { hostname, pathname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket
      .once('data', (head) => {
        socket.destroy()
        resolve(Number(head.toString('latin1').split(' ', 2)[1]))
      })
      .once('error', () => undefined)
      .once('close', () => resolve(0))
    const head = [
      `POST ${pathname} HTTP/1.1`,
      'host: test',
      `x-api-key: ${key}`,
      'accept: application/json, text/event-stream',
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  })

if (process.env.QUANTD_TEST_SENDER === 'yes') {
  let body = ''
  process.on('message', async (message: Omit<Sent, 'body'> & { readonly body?: string }) => {
    body = message.body ?? body
    const sent = { ...message, body }
    const statuses: number[] = []
    for (let i = 0; i < sent.times; i++) statuses.push(await one(sent))
    process.send!(statuses)
  })
}
