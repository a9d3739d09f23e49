/** QUANTD_PROCESSES: several processes on one database keep the same promises as one. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { compileCache } from '../../scripts/run-node.js'
import { openClient } from '../hostile/edge.ts'
import { createDatabase } from '../postgres.ts'
import { definite, request, TEST_MASTER_KEY } from '../service.ts'
import { until } from '../until.ts'

const LOG = '/quantlib/economics/utility/log'

/** A service of two processes. */
interface Service {
  readonly server: ChildProcess
  readonly url: string
  output(): string
}

const folders: string[] = []
let server: ChildProcess
let output: () => string
let url: string
let metricsPort = 0

async function serve(settings: Record<string, string> = {}): Promise<Service> {
  const postgres = process.env.QUANTD_TEST_DATABASE === 'postgres'
  const dataDir = mkdtempSync(join(tmpdir(), 'quantd-processes-'))
  folders.push(dataDir)
  const server = spawn(process.execPath, [join(import.meta.dirname, '../../src/cli.ts'), 'serve'], {
    env: {
      ...compileCache,
      PATH: process.env.PATH,
      PORT: '0',
      METRICS_PORT: '0',
      QUANTD_DATA_DIR: dataDir,
      QUANTD_MASTER_KEY: TEST_MASTER_KEY,
      QUANTD_PROCESSES: '2',
      ...(postgres && { DATABASE_URL: await createDatabase(process.env.QUANTD_TEST_POSTGRES_URL!) }),
      ...settings,
    },
  })
  let output = ''
  for (const stream of [server.stdout!, server.stderr!])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const address = () => /listens on (\S+)/.exec(output)?.[1] ?? ''
  await until(() => address() !== '', 'the first process listens')
  return { server, url: address(), output: () => output }
}

before(async () => {
  metricsPort = await freePort()
  ;({ output, server, url } = await serve({ METRICS_PORT: String(metricsPort) }))
})

after(async () => {
  server.kill('SIGTERM')
  if (server.exitCode === null) await once(server, 'exit')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** 0 would mean none. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

const guest = async (at = url): Promise<string> => {
  const device = { device_id: 'd', device_name: 'n', platform: 'p' }
  return (await request(`${at}/guest/create`, { body: device })).body.data.api_key
}
const compute = (key: string, headers: Record<string, string> = {}) =>
  definite(() =>
    request(url + LOG, { key, body: { wealth: 2 }, headers: { connection: 'close', ...headers } }),
  )

describe('two processes on one database', () => {
  it('let exactly 50 of 80 parallel calls of a guest pass', async () => {
    const key = await guest()
    const answers = await Promise.all(Array.from({ length: 80 }, () => compute(key)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 50)
    assert.equal(answers.filter(({ status }) => status === 402).length, 30)
  })

  it('charge an Idempotency-Key once', async () => {
    const key = await guest()
    const answers = await Promise.all(
      Array.from({ length: 11 }, () => compute(key, { 'idempotency-key': 'once' })),
    )
    assert.ok(answers.every(({ status }) => status === 200))
    assert.equal((await compute(key)).headers.get('x-credits-remaining'), '48')
  })

  it('add up the metrics of all of them', async () => {
    const answered = async (): Promise<number[]> => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      const route = `method="POST",route="${LOG}"`
      return [
        `quantd_http_requests_total{${route},status="200"}`,
        `quantd_http_request_duration_seconds_count{${route}}`,
      ].map((name) =>
        Number(
          text
            .split('\n')
            .find((line) => line.startsWith(name))
            ?.slice(name.length) ?? 0,
        ),
      )
    }
    const key = await guest()
    const before = await answered()
    const answers = await Promise.all(Array.from({ length: 40 }, () => compute(key)))
    assert.ok(answers.every(({ status }) => status === 200))
    assert.deepEqual(
      await answered(),
      before.map((count) => count + 40),
    )
  })

  it('continue when one of them is killed, and replace it', async () => {
    const key = await guest()
    const children = await import('node:fs').then((fs) =>
      fs
        .readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8')
        .trim()
        .split(' ')
        .map(Number),
    )
    process.kill(children[0]!, 'SIGKILL')
    await until(() => output().includes('another is started'), 'the end of a process was noticed')
    await until(
      async () => (await compute(key).catch(() => null))?.status === 200,
      'a call was answered after the end of a process',
    )
  })

  it('end with the first process, which exits with 0', async () => {
    server.kill('SIGTERM')
    const [code] = await once(server, 'exit')
    assert.equal(code, 0, output())
  })
})

describe('when the first of two processes is killed', () => {
  it('no call is answered 503, because it may have been charged', async () => {
    const { server, url } = await serve()
    const port = Number(new URL(url).port)
    const body = '{"wealth":2}'
    const call = `POST ${LOG} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${await guest(url)}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const clients = await Promise.all(Array.from({ length: 8 }, () => openClient(port)))
    for (const { socket } of clients) socket.write(call)
    await until(
      () => clients.every((client) => client.text().includes('"success":true')),
      'each connection has had a reply',
    )
    // The next entries wait for a process that does not commit them any more.
    server.kill('SIGSTOP')
    for (const { socket } of clients) socket.write(call)
    await sleep(500)
    server.kill('SIGKILL')
    await until(() => clients.every((client) => client.isClosed()), 'the connections have ended')
    for (const client of clients) {
      client.socket.destroy()
      assert.equal(
        client
          .text()
          .match(/HTTP\/1.1 \d+/g)
          ?.join(),
        'HTTP/1.1 200',
      )
    }
  })
})
