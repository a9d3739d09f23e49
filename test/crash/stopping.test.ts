/** SIGTERM under load: every request that was sent is answered in full, or its connection was never accepted. */
import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openClient } from '../support/edge.ts'
import { freePort } from '../support/free-port.ts'
import { type NodeProcess, nodeProcess } from '../support/node-process.ts'
import { sqliteSql } from '../support/plain-sql.ts'
import { createGuest, UNLIMITED } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const PATH = '/quantlib/economics/utility/log'
const STOPS = 10
const CLIENTS = 8
/** Less than the time that the systemd unit and the compose file give a stop. */
const SLOW_STOP_MS = 25_000

describe('a node that is told to stop', () => {
  it(`${STOPS} times under load answers every request it took, exits 0, and has debited what it answered`, async () => {
    const folder = temporaryFolder('stop')
    const unasked: string[] = []
    const node = await nodeProcess({
      dataDir: folder,
      settings: { QUANTD_IP_LIMITS: 'off', QUANTD_COMPUTE_THREADS: '1', LOG_LEVEL: 'warn' },
      onUnasked: (message) => unasked.push(message),
    })
    let answered = 0
    const dropped: string[] = []
    const stopsWithResets = new Set<number>()
    await node.start()
    const key = await createGuest(node.url)
    const sql = sqliteSql(join(folder, 'quantd.db'))
    try {
      await sql.query('UPDATE accounts SET balance = 1000000, hour_limit = 1000000, day_limit = 1000000')
      for (let stop = 1; stop <= STOPS; stop++) {
        if (stop > 1) await node.start()
        let isOver = false
        const clients = Array.from({ length: CLIENTS }, async () => {
          const agent = new Agent({ keepAlive: true, maxSockets: 1 })
          while (!isOver) {
            const outcome = await send(agent, node.url, key)
            if (outcome === 200) answered += 1
            else if (outcome === 'refused') break
            else if (outcome === 'reset') stopsWithResets.add(stop)
            else if (outcome !== 503) dropped.push(`stop ${stop}: ${outcome}`)
          }
          agent.destroy()
        })
        const before = answered
        await until(() => answered > before + CLIENTS, 'calls were answered')
        assert.equal(await node.stop(), 0)
        isOver = true
        await Promise.all(clients)
      }
      assert.deepEqual(dropped, [])
      // The kernel resets a connection that it accepts while the port closes; a node that drops what it took does so often.
      assert.ok(
        stopsWithResets.size < STOPS / 2,
        `new connections were reset at ${stopsWithResets.size} stops`,
      )
      assert.deepEqual(unasked, [])
      assert.ok(answered > STOPS * CLIENTS, `only ${answered} calls were answered`)
      const [row] = await sql.query<{ balance: number }>('SELECT balance FROM accounts')
      assert.equal(row!.balance, 1_000_000 - answered)
    } finally {
      await node.kill9()
      await sql.close()
    }
  })
})

/** A node, which the test stops, and a key that may call it without end. */
async function withNode(
  settings: Record<string, string>,
  work: (node: NodeProcess, port: number, key: string) => Promise<void>,
): Promise<void> {
  const folder = temporaryFolder('stop')
  const node = await nodeProcess({ dataDir: folder, settings, onUnasked: assert.fail })
  try {
    await node.start()
    const key = await createGuest(node.url)
    const sql = sqliteSql(join(folder, 'quantd.db'))
    await sql.query(`UPDATE accounts SET ${UNLIMITED}`)
    await sql.close()
    await work(node, Number(new URL(node.url).port), key)
  } finally {
    await node.kill9()
  }
}

const isStopped = async (stopped: Promise<number | null>): Promise<void> =>
  assert.equal(await Promise.race([stopped, sleep(SLOW_STOP_MS, 'still runs', { ref: false })]), 0)

describe('clients without a key that send a byte now and then', () => {
  it('hold neither the stop of a node nor its exit code', async () => {
    await withNode({}, async (node, port) => {
      const post = 'POST /user/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
      const senders = [
        ['GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ', 'x'],
        [`${post}Content-Length: 10000\r\n\r\n`, ' '],
        [`${post}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
        [`${post}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Long: `, 'x'],
      ].map(([head, more]) => {
        const socket = connect(port, '127.0.0.1').on('error', () => undefined)
        socket.write(head)
        const sending = setInterval(() => socket.write(more), 500)
        return socket.once('close', () => clearInterval(sending)).resume()
      })
      try {
        await sleep(1_000)
        await isStopped(node.stop())
      } finally {
        for (const socket of senders) socket.destroy()
      }
    })
  })
})

const posted = (path: string, key: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

describe('a client that reads a large reply slowly', () => {
  it('holds neither the stop of a node nor its exit code', async () => {
    await withNode({}, async (node, port, key) => {
      const { socket, text } = await openClient(port)
      const rows = Array.from({ length: 80_000 }, (_, i) => 100 + i / 1_000)
      const common = { strike: 100, risk_free_rate: 0.05, volatility: 0.2, time_to_maturity: 1 }
      const body = JSON.stringify({ columns: { spot: rows, ...common } })
      socket.write(posted('/quantlib/pricing/bs/greeks/columns', key, body))
      // It reads about 64 KB every 200 ms of 18 MB, more than the operating system keeps.
      socket.on('data', () => socket.pause())
      const reading = setInterval(() => socket.resume(), 200)
      try {
        await until(() => text().startsWith('HTTP/1.1 200'), 'the reply is being sent')
        await isStopped(node.stop())
      } finally {
        clearInterval(reading)
        socket.destroy()
      }
    })
  })
})

describe('a call that is computed for longer than idle connections are kept at a stop', () => {
  it('is answered, and its connection ends', async () => {
    const metricsPort = await freePort()
    await withNode({ METRICS_PORT: String(metricsPort) }, async (node, port, key) => {
      const { socket, text } = await openClient(port)
      const X = Array.from({ length: 20_000 }, (_, i) => [(i * 7_919) % 9_973, (i * 104_729) % 9_967])
      const body = JSON.stringify({ X, n_trees: 1_000 })
      socket.write(posted('/quantlib/ml/clustering/isolation-forest', key, body))
      const isComputed = async () =>
        /^quantd_compute_tasks_running 1$/m.test(
          await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
        )
      await until(isComputed, 'the call is computed')
      await isStopped(node.stop())
      assert.match(text(), /^HTTP\/1.1 200 OK\r\n.*connection: close\r\n/s)
    })
  })
})

describe('a request of an operator that arrives at a stop', () => {
  it('is answered', async () => {
    const operatorPort = await freePort()
    await withNode({ QUANTD_OPERATOR_PORT: String(operatorPort) }, async (node) => {
      const { isClosed, socket, text } = await openClient(operatorPort)
      socket.write('GET /operator/v1/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n')
      // Until the node has read them.
      await sleep(500)
      const stopped = node.stop()
      await sleep(500)
      socket.write('\r\n')
      await isStopped(stopped)
      await until(isClosed, 'the connection is closed')
      assert.match(text(), /^HTTP\/1.1 200 OK\r\n.*connection: close\r\n.*\}$/s)
    })
  })
})

/** The status; `refused` or `reset` where the node did not accept the connection; else how the request was dropped. */
const send = (agent: Agent, url: string, key: string): Promise<number | string> =>
  new Promise((resolve) => {
    let isConnected = false
    const sent = request(
      url + PATH,
      { method: 'POST', agent, headers: { 'content-type': 'application/json', 'x-api-key': key } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.once('end', () => resolve(complete(response.statusCode!, Buffer.concat(chunks))))
        response.once('error', (error) => resolve(`cut within its answer: ${error.message}`))
      },
    )
    sent.once('socket', (socket) => {
      isConnected = !socket.connecting
      if (socket.connecting)
        socket.once('connect', () => {
          isConnected = true
        })
    })
    sent.once('error', (error: NodeJS.ErrnoException) => {
      if (!isConnected && error.code === 'ECONNREFUSED') resolve('refused')
      else if (!sent.reusedSocket && error.code === 'ECONNRESET') resolve('reset')
      else resolve(`${error.code}, ${sent.reusedSocket ? 'kept alive' : 'new'}`)
    })
    sent.end('{"wealth":2}')
  })

const complete = (status: number, body: Buffer): number | string =>
  typeof JSON.parse(body.toString()).success === 'boolean' ? status : `not an answer: ${body}`
