/** Replies that their clients do not read: bounded in memory and time, and replayable where they were charged. */

import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { afterEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Failure } from '../../src/base/failure.ts'
import { receiver } from '../../src/compute/body/receive.ts'
import type { ServerLimits } from '../../src/serve/http/guarded-server.ts'
import { failed } from '../../src/serve/http/printed-reply.ts'
import type { Route } from '../../src/serve/http/server.ts'
import { type Client, type Edge, exchange, openClient, plain, startEdge } from '../support/edge.ts'
import { freePort } from '../support/free-port.ts'
import { peopleOf } from '../support/people.ts'
import { closedAfter, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const MB = 1_000_000
/** More than the operating system buffers for a client that does not read (some 4 MB). */
const REPLY = Buffer.alloc(12 * MB, 'x')

let edge: Edge | null = null
let clients: Client[] = []
afterEach(async () => {
  for (const { socket } of clients) socket.destroy()
  clients = []
  await edge?.close()
  edge = null
})

/** Answers each account as the pipeline does: consults the budget first, and holds its lease until the reply is read. */
const bodies = receiver(16 * MB)
const large: Route = {
  method: 'POST',
  path: '/large',
  answer: async ({ body, headers, replyRoom, requestId }) => {
    const account = Number(headers['x-account'])
    const lease = bodies.lease()
    try {
      replyRoom.take(account)
      await lease.receive(body as IncomingMessage, { required: false, owner: account })
      return plain(headers['x-small'] ? 'ok' : REPLY, requestId)
    } catch (error) {
      return failed(error as Failure, requestId)
    } finally {
      replyRoom.afterwards(() => lease.release())
    }
  },
}

const start = async (limits: Partial<ServerLimits>): Promise<number> => {
  edge = await startEdge({ routes: [large], limits })
  return edge.port
}
const call = (account: number, headers = '', body = '') =>
  `POST /large HTTP/1.1\r\nHost: x\r\nX-Account: ${account}\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`
const SMALL = 'X-Small: 1\r\nConnection: close\r\n'

/** Sends a request and reads nothing of its reply. */
async function sendAndIgnore(port: number, text: string): Promise<Client> {
  const client = await openClient(port)
  client.socket.pause()
  client.socket.write(text)
  clients.push(client)
  return client
}
const statusOf = async (port: number, text: string) => (await exchange(port, text)).slice(9, 12)

describe('an account whose replies are not read', () => {
  it('gets 503 for its next call, while other accounts are served', async () => {
    const port = await start({ perAccount: 4 * MB })
    await sendAndIgnore(port, call(1))
    await until(async () => (await statusOf(port, call(1, SMALL))) === '503', 'the account is refused')
    assert.match(await exchange(port, call(1, SMALL)), /"code":"overloaded".*/s)
    assert.match(await exchange(port, call(1, SMALL)), /retry-after: 1\r\n/)
    assert.equal(await statusOf(port, call(2, SMALL)), '200')
  })

  it('is served again once they are read', async () => {
    const port = await start({ perAccount: 4 * MB })
    const client = await sendAndIgnore(port, call(1))
    await until(async () => (await statusOf(port, call(1, SMALL))) === '503', 'the account is refused')
    client.socket.resume()
    await until(async () => (await statusOf(port, call(1, SMALL))) === '200', 'the account is served again')
    await until(() => client.text().length > REPLY.length, 'the reply is read')
  })

  it('loses the connection when it reads nothing of a reply for the silence limit', async () => {
    const port = await start({ silenceMs: 500 })
    await sendAndIgnore(port, call(1))
    await until(async () => (await edge!.open()) === 1, 'the connection is open')
    await until(async () => (await edge!.open()) === 0, 'the connection is closed')
  })

  it('loses the connection when it also floods unknown paths', async () => {
    const port = await start({ silenceMs: 1_000 })
    const health = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
    const nowhere = `GET /nowhere/${'x'.repeat(180)} HTTP/1.1\r\nHost: x\r\n\r\n`
    await sendAndIgnore(port, health + nowhere.repeat(30_000))
    await until(async () => (await edge!.open()) === 1, 'the connection is open')
    await until(async () => (await edge!.open()) === 0, 'the connection is closed')
  })

  it('loses the connection when it does not read a reply in time', async () => {
    const port = await start({ graceMs: 500, leastBytesPerSecond: 100 * MB })
    const client = await sendAndIgnore(port, call(1))
    // It reads about 64 KB every 50 ms.
    client.socket.on('data', () => client.socket.pause())
    const taking = setInterval(() => client.socket.resume(), 50)
    await until(client.isClosed, 'the connection is closed')
    clearInterval(taking)
    assert.ok(client.text().length < REPLY.length)
  })

  it('keeps its share of the large requests until the replies are read', async () => {
    const port = await start({})
    const body = ' '.repeat(100_000)
    for (let i = 0; i < 4; i++) await sendAndIgnore(port, call(1, '', body))
    await until(async () => (await statusOf(port, call(1, SMALL, body))) === '503', 'the account is refused')
    for (const client of clients) client.socket.resume()
    await until(
      async () => (await statusOf(port, call(1, SMALL, body))) === '200',
      'the account is served again',
    )
  })
})

describe('when all accounts together have used up the budget', () => {
  it('large requests are refused, and small ones of accounts that hold nothing are served', async () => {
    const port = await start({ perProcess: 4 * MB })
    await sendAndIgnore(port, call(1))
    await until(async () => (await statusOf(port, call(1, SMALL))) === '503', 'the account is refused')
    assert.equal(await statusOf(port, call(2, SMALL)), '200')
    assert.equal(await statusOf(port, call(2, SMALL, ' '.repeat(100_000))), '503')
  })
})

const FOREST = '/quantlib/ml/clustering/isolation-forest'
const forestOf = (trees: number) =>
  `{"X":[${Array.from({ length: 300_000 }, (_, i) => `[${i % 10}]`).join(',')}],"n_trees":${trees}}`
const forestCall = (key: string, raw: string, name = 'a') =>
  `POST ${FOREST} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nIdempotency-Key: ${name}\r\nContent-Type: application/json\r\nContent-Length: ${raw.length}\r\n\r\n${raw}`

describe('a computation that waits for a thread', () => {
  it('is refused uncharged when replies have used up the budget meanwhile', async () => {
    const metricsPort = await freePort()
    const settings = {
      QUANTD_BODY_LIMIT: '2000000',
      QUANTD_COMPUTE_THREADS: '1',
      METRICS_PORT: String(metricsPort),
    }
    const service = await startTestService(settings, { limits: { perProcess: 4 * MB, silenceMs: 60_000 } })
    const isIn = async (state: string, tasks: number) =>
      new RegExp(`^quantd_compute_tasks_${state} ${tasks}$`, 'm').test(
        await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
      )
    try {
      const [first, second] = [await peopleOf(service).person(), await peopleOf(service).person()]
      const port = Number(new URL(service.url).port)
      // The others send their last byte once the first is computed: they wait for the thread from then on. They are of one
      // account, which gets no further thread beside its own.
      const others = [await openClient(port), await openClient(port)]
      clients.push(...others)
      const texts = ['a', 'b'].map((name) => forestCall(second.key, forestOf(60), name))
      for (const [index, { socket }] of others.entries()) socket.write(texts[index].slice(0, -1))
      await until(() => others.every(({ socket }) => socket.writableLength === 0), 'their bodies are sent')
      await sendAndIgnore(port, forestCall(first.key, forestOf(5)))
      await until(() => isIn('running', 1), 'the first is computed')
      for (const { socket } of others) socket.write('}')
      // One begins while the first is being charged, and takes so long that the first's reply is there when it ends.
      const isAnswered = ({ text }: Client) => /"success":(true|false).*}$/s.test(text())
      await until(() => others.every(isAnswered), 'the others are answered')
      const codes = others.map(
        ({ text }) => /"code":"(\w+)"/.exec(text())?.[1] ?? Number(text().slice(9, 12)),
      )
      // On a busy machine the first's reply may be there before either begins.
      const computed = codes.filter((code) => code === 200).length
      assert.ok(computed <= 1 && codes.includes('overloaded'), codes.join())
      assert.equal((await service.call('/user/credits', second)).body.data.credits, 350 - computed)
    } finally {
      for (const { socket } of clients) socket.destroy()
      await service.close()
    }
  })
})

describe('a computation whose reply is not read', () => {
  it('stays charged and can be replayed; the next one is refused uncharged before it is computed', async () => {
    const raw = forestOf(1)
    const service = closedAfter(
      await startTestService(
        { QUANTD_BODY_LIMIT: '2000000' },
        { limits: { silenceMs: 6_000, perAccount: 4 * MB } },
      ),
    )
    // A guest's thread gets so little of a busy machine that the computation may not end in time.
    const { key } = await peopleOf(service).person()
    const credits = async () => (await service.call('/user/credits', { key })).body.data.credits
    const wealth = (body: object) => service.call('/quantlib/economics/utility/log', { key, body })
    /** Asked by a call that costs nothing, and not more often than a minute's window of the account allows. */
    const isRefused = async () => {
      await sleep(600)
      return (await wealth({})).status === 503
    }
    const client = await sendAndIgnore(Number(new URL(service.url).port), forestCall(key, raw))
    await until(isRefused, 'the reply is ready')
    const refused = await wealth({ wealth: 2 })
    assert.deepEqual([refused.status, refused.body.error?.code], [503, 'overloaded'])
    assert.equal(await credits(), 349)

    await until(async () => !(await isRefused()), 'the reply is abandoned')
    client.socket.resume()
    await until(() => client.isClosed(), 'the connection is closed')
    const replay = await service.call(FOREST, { key, headers: { 'idempotency-key': 'a' }, raw })
    assert.deepEqual([replay.status, replay.headers.get('idempotent-replayed')], [200, 'true'])
    assert.ok(client.text().length < replay.text.length)
    assert.equal(await credits(), 349)
  })
})
