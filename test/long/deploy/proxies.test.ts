/** The configurations in deploy/proxies, run by the real nginx, HAProxy and Caddy in front of a real service. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientHttp2Session, connect } from 'node:http2'
import { Agent, request as httpsRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as tlsConnect } from 'node:tls'
import { createGuest } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { type Certificate, makeCertificate } from './certificate.ts'
import { type NodeProcess, startNode } from './node.ts'
import { PROXIES, type ProxyName, type RunningProxy, startProxy } from './proxy.ts'

const HOST = 'quantd.example.org'
const PRICE_PATH = '/quantlib/models/variance-gamma/price'
const PRICE = { S: 100, K: 90, T: 0.1, r: 0.1, sigma: 0.12, theta_vg: -0.14, nu: 0.2 }
const PRICED = { success: true, data: { vg_call_price: 10.99370318672906 } }
const BODY_LIMIT = 16 * 1_024 * 1_024
/** An address of this machine that is no trusted proxy. */
const CLIENT = '127.0.0.2'

const folder = temporaryFolder('proxies')
const proxies = new Map<ProxyName, RunningProxy>()
const portOf = (name: ProxyName) => proxies.get(name)!.port
let certificate: Certificate
let node: NodeProcess

before(async () => {
  certificate = makeCertificate(folder)
  node = await startNode({ QUANTD_TRUSTED_PROXIES: '127.0.0.1', QUANTD_IP_LIMITS: 'off' })
  for (const name of PROXIES) proxies.set(name, await startProxy(name, folder, [node.port], certificate))
})

after(async () => {
  for (const proxy of proxies.values()) await proxy.stop()
  await node.remove()
})

interface Answer {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly text: string
}

interface Call {
  readonly method?: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** A request over HTTP/1.1 and TLS, from CLIENT. */
async function http1(
  port: number,
  { method = 'POST', path, headers = {}, body = '' }: Call,
): Promise<Answer> {
  const request = httpsRequest({
    host: '127.0.0.1',
    port,
    path,
    method,
    servername: HOST,
    ca: certificate.ca,
    localAddress: CLIENT,
    agent: new Agent({ keepAlive: false }),
    headers: {
      host: HOST,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...headers,
    },
  })
  const replied = once(request, 'response')
  request.end(body)
  const [response] = await replied
  return { status: response.statusCode, headers: response.headers, text: await text(response) }
}

/** Requests over one connection of HTTP/2, all at once. */
async function http2(port: number, calls: readonly Call[]): Promise<Answer[]> {
  const session = connect(`https://127.0.0.1:${port}`, { servername: HOST, ca: certificate.ca })
  await once(session, 'connect')
  assert.equal(session.alpnProtocol, 'h2')
  try {
    return await Promise.all(calls.map((call) => stream(session, call)))
  } finally {
    session.close()
  }
}

async function stream(session: ClientHttp2Session, call: Call): Promise<Answer> {
  const { method = 'POST', path, headers = {}, body = '' } = call
  const request = session.request({
    ':method': method,
    ':path': path,
    ':authority': HOST,
    'content-type': 'application/json',
    ...headers,
  })
  request.end(body)
  const [head] = await once(request, 'response')
  return { status: head[':status'], headers: head, text: await text(request) }
}

/** Writes the start of a request and then its pieces, one every two seconds, until the connection ends; returns the reply. */
async function slowly(port: number, start: string, piece: string): Promise<Answer> {
  const socket = tlsConnect({ host: '127.0.0.1', port, servername: HOST, ca: certificate.ca })
  await once(socket, 'secureConnect')
  socket.write(start)
  const timer = setInterval(() => socket.write(piece), 2_000)
  // A reply may be followed by a reset, because the rest of the request is refused.
  socket.on('error', () => undefined)
  let reply = ''
  socket.on('data', (chunk) => {
    reply += chunk
    // The reply states its length, or is followed by the end of the connection.
    const length = /^content-length: (\d+)\r$/im.exec(reply)?.[1]
    const [, body] = reply.split('\r\n\r\n')
    if (length !== undefined && body !== undefined && body.length >= Number(length)) socket.destroy()
  })
  await once(socket, 'close')
  clearInterval(timer)
  const [head = '', body = ''] = reply.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), headers: {}, text: body }
}

/** A price whose body is padded with spaces to a length. */
const padded = (bytes: number): string => {
  const json = JSON.stringify(PRICE)
  return `${json.slice(0, -1)}${' '.repeat(bytes - json.length)}}`
}

const reachesNode = (name: ProxyName) =>
  until(
    async () => (await http1(portOf(name), { method: 'GET', path: '/readyz' })).status === 200,
    `${name} reaches the node`,
  )

// The tests run at once, because each waits for time-outs of up to a minute.
describe('a client that is too slow', { concurrency: true }, () => {
  for (const name of PROXIES) {
    it(`loses a connection to ${name} whose headers do not arrive, without a page`, async () => {
      const { text } = await slowly(portOf(name), `POST ${PRICE_PATH} HTTP/1.1\r\nx: `, 'y')
      assert.equal(text, '')
    })

    // nginx buffers a slow body, so no node receives any of it.
    if (name !== 'nginx')
      it(`gets a failure in the form of the service through ${name}, if its body stops or arrives too slowly`, async () => {
        await reachesNode(name)
        const key = await createGuest(node.url)
        const start = `POST ${PRICE_PATH} HTTP/1.1\r\nhost: ${HOST}\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`
        const [slow, stopped] = await Promise.all(
          [' ', ''].map(async (piece) => await slowly(portOf(name), start, piece)),
        )
        assert.deepEqual([slow?.status, JSON.parse(slow!.text).error.code], [408, 'request_timeout'])
        assert.ok(stopped!.status >= 400, `${stopped!.status} ${stopped!.text}`)
        assert.equal(JSON.parse(stopped!.text).success, false)
      })
  }
})

for (const name of PROXIES)
  describe(name, () => {
    let port: number
    let key: string

    before(async () => {
      port = portOf(name)
      key = await createGuest(node.url)
      await reachesNode(name)
    })

    const price = (call: Partial<Call> = {}): Call => ({
      path: PRICE_PATH,
      body: JSON.stringify(PRICE),
      ...call,
      headers: { 'x-api-key': key, ...call.headers },
    })

    it('prices over HTTP/1.1 and, many at once, over HTTP/2', async () => {
      const single = await http1(port, price())
      assert.deepEqual([single.status, JSON.parse(single.text)], [200, PRICED])
      assert.equal(single.headers['x-credits-remaining'], '49')
      const many = await http2(
        port,
        Array.from({ length: 20 }, () => price()),
      )
      for (const reply of many) assert.deepEqual([reply.status, JSON.parse(reply.text)], [200, PRICED])
    })

    it('accepts TLS 1.2 and 1.3, and nothing older', async () => {
      const protocolOf = async (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') => {
        const socket = tlsConnect({
          host: '127.0.0.1',
          port,
          servername: HOST,
          ca: certificate.ca,
          minVersion: version,
          maxVersion: version,
          ciphers: 'DEFAULT@SECLEVEL=0',
        })
        await once(socket, 'secureConnect')
        const protocol = socket.getProtocol()
        socket.destroy()
        return protocol
      }
      assert.equal(await protocolOf('TLSv1.2'), 'TLSv1.2')
      assert.equal(await protocolOf('TLSv1.3'), 'TLSv1.3')
      await assert.rejects(protocolOf('TLSv1.1'))
    })

    it('passes a body of 16 MiB, and the refusal of a larger one as JSON', async () => {
      const most = await http1(port, price({ body: padded(BODY_LIMIT) }))
      assert.deepEqual([most.status, JSON.parse(most.text)], [200, PRICED])
      const over = [BODY_LIMIT, BODY_LIMIT + 1, BODY_LIMIT + 2_000_000]
      const replies = await Promise.all(
        // Each request has its own connection over HTTP/2: over HTTP/1.1 a client that still sends may miss the early reply.
        over.map(async (bytes) => (await http2(port, [price({ body: padded(bytes) })]))[0]),
      )
      assert.deepEqual(
        replies.map(({ status, text }) => [status, JSON.parse(text).error?.code]),
        [
          [200, undefined],
          [413, 'body_too_large'],
          [413, 'body_too_large'],
        ],
      )
    })

    it('reports the address of the client, not one that the client made up', async () => {
      const id = `${name}-forwarded`
      const headers = { 'x-forwarded-for': '203.0.113.9', 'x-request-id': id }
      assert.equal((await http1(port, price({ headers }))).status, 200)
      let rows: { request_id: string; ip: string }[] = []
      await until(() => {
        rows = node
          .quantd('admin', 'export-audit')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
          .filter(({ request_id }) => request_id === id)
        return rows.length > 0
      }, 'the call is in the audit')
      assert.deepEqual(
        rows.map(({ ip }) => ip),
        [CLIENT],
      )
    })

    it('keeps a node that is busy for two seconds', async () => {
      node.signal('SIGSTOP')
      let called: Promise<Answer>
      try {
        // By now a health check is waiting; the call arrives meanwhile.
        await sleep(2_300)
        called = http1(port, price())
        await sleep(200)
      } finally {
        node.signal('SIGCONT')
      }
      assert.equal((await called).status, 200)
      assert.equal((await http1(port, price())).status, 200)
    })

    it('tells browsers to use TLS only', async () => {
      const served = await http1(port, { method: 'GET', path: '/readyz' })
      assert.match(String(served.headers['strict-transport-security']), /^max-age=\d{8}$/)
    })

    it('waits for a computation of several seconds', async () => {
      const X = Array.from({ length: 60_000 }, (_, row) => [Math.sin(row), Math.cos(row * row), row % 97])
      const body = JSON.stringify({ X, n_trees: 200 })
      const { status, text } = await http1(
        port,
        price({ path: '/quantlib/ml/clustering/isolation-forest', body }),
      )
      assert.equal(status, 200, text.slice(0, 300))
    })

    it('answers in the form of the service while no node runs, and finds the node again', async () => {
      await node.stop()
      const { status, headers, text } = await http1(port, price())
      assert.deepEqual(
        [status, JSON.parse(text).success, JSON.parse(text).error.code],
        [503, false, 'unavailable'],
      )
      assert.match(String(headers['content-type']), /^application\/json/)
      assert.equal(headers['retry-after'], '1')
      assert.match(String(headers['strict-transport-security']), /^max-age=\d{8}$/)
      await node.start()
      await until(async () => (await http1(port, price())).status === 200, `${name} finds the node`)
    })
  })
