/** QUANTD_PROCESSES: several nodes on one port keep the same promises as one. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { refuseUnsupported } from '../../../src/app/main/supervisor.ts'
import { openClient } from '../../support/edge.ts'
import { freePort } from '../../support/free-port.ts'
import { environmentOf } from '../../support/node-process.ts'
import { createDatabase } from '../../support/postgres.ts'
import { isAlive, processTree } from '../../support/processes.ts'
import { createGuest, definite, request, TEST_MASTER_KEY } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const LOG = '/quantlib/economics/utility/log'
const isPostgres = process.env.QUANTD_TEST_DATABASE === 'postgres'
const describePostgres = isPostgres ? describe : () => undefined

/** A service of two nodes. */
interface Service {
  readonly server: ChildProcess
  readonly url: string
  output(): string
}

const servers: ChildProcess[] = []
let server: ChildProcess
let output: () => string
let url: string
let metricsPort: number

async function start(settings: Record<string, string>): Promise<Pick<Service, 'server' | 'output'>> {
  const dataDir = temporaryFolder('processes')
  const server = spawn(process.execPath, [join(import.meta.dirname, '../../../src/app/quantd.ts'), 'serve'], {
    env: {
      ...environmentOf(dataDir),
      QUANTD_MASTER_KEY: TEST_MASTER_KEY,
      QUANTD_PROCESSES: '2',
      ...(isPostgres && { DATABASE_URL: await createDatabase(process.env.QUANTD_TEST_POSTGRES_URL!) }),
      ...settings,
    },
  })
  servers.push(server)
  let output = ''
  for (const stream of [server.stdout!, server.stderr!])
    stream.on('data', (chunk) => {
      output += chunk
    })
  return { server, output: () => output }
}

async function serve(settings: Record<string, string> = {}): Promise<Service> {
  const { output, server } = await start(settings)
  const address = () => /listens on (\S+)/.exec(output())?.[1] ?? ''
  await until(() => address() !== '', 'every node listens')
  return { server, url: address(), output }
}

after(async () => {
  for (const started of servers) {
    started.kill('SIGKILL')
    if (started.exitCode === null && started.signalCode === null) await once(started, 'exit')
  }
})

const guest = () => createGuest(url)
const compute = (key: string, headers: Record<string, string> = {}) =>
  definite(() =>
    request(url + LOG, { key, body: { wealth: 2 }, headers: { connection: 'close', ...headers } }),
  )

/** Enough clients for each node to have some of them. */
const CLIENTS = 32
const openClients = (at = url) =>
  Promise.all(Array.from({ length: CLIENTS }, () => openClient(Number(new URL(at).port))))
/** Sends a request on each, and returns how many were answered. */
function askHealth(clients: Awaited<ReturnType<typeof openClients>>): () => number {
  for (const { socket } of clients) socket.end('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  return () => clients.filter((client) => client.text().startsWith('HTTP/1.1 200 ')).length
}

/** The bytes of a request. */
function callOf(key: string): string {
  const body = '{"wealth":2}'
  return `POST ${LOG} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

/** The output of a start besides its log. */
const behindTheLog = (output: string): string => output.trimEnd().replace(/^(\{.*\}\n)*/, '')

/** The output of the service from now on. */
function fromNow(output: () => string): () => string {
  const { length } = output()
  return () => output().slice(length)
}

describePostgres('two nodes on one port', () => {
  before(async () => {
    metricsPort = await freePort(2)
    ;({ output, server, url } = await serve({ METRICS_PORT: String(metricsPort) }))
  })

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

  it('show their metrics on ports that follow each other', async () => {
    const answered = async (): Promise<number[]> => {
      const route = `method="POST",route="${LOG}"`
      const name = `quantd_http_requests_total{${route},status="200"}`
      const texts = await Promise.all(
        [metricsPort, metricsPort + 1].map(async (port) =>
          (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
        ),
      )
      return texts.map((text) => Number(text.split(`${name} `)[1]?.split('\n')[0] ?? 0))
    }
    const key = await guest()
    const before = await answered()
    const answers = await Promise.all(Array.from({ length: 40 }, () => compute(key)))
    assert.ok(answers.every(({ status }) => status === 200))
    const more = (await answered()).map((count, node) => count - before[node])
    assert.equal(more[0] + more[1], 40)
    assert.ok(
      more.every((count) => count > 0),
      `${more}: the connections are divided`,
    )
  })

  it('serve connections of which the client has closed its side', async () => {
    const call = callOf(await guest())
    const clients = await openClients()
    for (const { socket } of clients) socket.end(call)
    await until(() => clients.every((client) => client.isClosed()), 'the connections have ended')
    for (const client of clients) assert.match(client.text(), /^HTTP\/1.1 200 /)
  })

  it('explain malformed requests on the connections of each', async () => {
    const clients = await openClients()
    for (const { socket } of clients) socket.write('GET / HTTP/1.1\r\nbad header\r\n\r\n')
    await until(() => clients.every((client) => client.isClosed()), 'the connections have ended')
    for (const client of clients) assert.match(client.text(), /^HTTP\/1.1 400 .+"success":false/s)
  })

  it('keep their port from a second service, which is refused in one line', async () => {
    const { port } = new URL(url)
    const second = await start({ PORT: port })
    await until(() => second.server.exitCode !== null, 'the second service has ended')
    assert.equal(second.server.exitCode, 1)
    assert.match(
      behindTheLog(second.output()),
      /^quantd: quantd cannot listen on \S+: it is in use; set HOST or PORT to another\.$/,
    )
    assert.equal((await fetch(`${url}/healthz`)).status, 200)
  })

  it('are started again after growing pauses if they end at each start, until they can', async () => {
    const metricsOfSecond = () => fetch(`http://127.0.0.1:${metricsPort + 1}/metrics`).then(({ ok }) => ok)
    const said = fromNow(output)
    const [supervisor, , second] = processTree(server.pid!)
    // Held up, it starts no other node before the port is taken.
    process.kill(supervisor!, 'SIGSTOP')
    process.kill(second!, 'SIGKILL')
    const holder = createServer()
    const isHeld = () =>
      once(holder.listen(metricsPort + 1, '127.0.0.1'), 'listening').then(
        () => true,
        () => false,
      )
    await until(isHeld, 'the port of the killed node is taken')
    process.kill(supervisor!, 'SIGCONT')
    await until(
      () => said().includes('"node":2,"code":null,"signal":"SIGKILL","seconds":1'),
      'the end of a node was noticed',
    )
    await until(() => said().includes('"node":2,"code":1,"signal":null,"seconds":2'), 'it is tried again')
    holder.close()
    await until(() => metricsOfSecond().catch(() => false), 'it runs again')
    assert.match(said(), /cannot listen on 127\.0\.0\.1:\d+: it is in use; set METRICS_HOST or METRICS_PORT/)
  })

  it('continue while one of them hangs, which answers its connections later', async () => {
    const [, hanging] = processTree(server.pid!)
    process.kill(hanging!, 'SIGSTOP')
    const clients = await openClients()
    const answered = askHealth(clients)
    try {
      // The kernel divides them by chance: it gets fewer than an eighth once in 780,000 runs.
      await until(() => answered() >= CLIENTS / 8, 'the other one answers its part')
    } finally {
      process.kill(hanging!, 'SIGCONT')
    }
    await until(() => answered() === CLIENTS, 'both answer')
  })

  it('leave no connection open without an answer when one of them hangs and is then killed, and replace it', async () => {
    const said = fromNow(output)
    const [, killed] = processTree(server.pid!)
    process.kill(killed!, 'SIGSTOP')
    const clients = await openClients()
    const answered = askHealth(clients)
    process.kill(killed!, 'SIGKILL')
    await until(() => clients.every((client) => client.isClosed()), 'every connection is closed')
    assert.ok(answered() > 0, 'the other one answers')
    await until(() => said().includes('another is started'), 'the end of a node was noticed')
    await until(() => processTree(server.pid!).length === 3, 'another one was started')
    assert.equal((await compute(await guest())).status, 200)
  })

  it('answer the requests under way at a stop, which ends with exit code 0', async () => {
    const call = callOf(await guest())
    const clients = await openClients()
    for (const { socket } of clients) socket.write(call.slice(0, -1))
    // Replies on new connections show that the earlier ones have reached their nodes.
    for (let count = 0; count < CLIENTS; count++)
      await fetch(`${url}/healthz`, { headers: { connection: 'close' } })
    server.kill('SIGTERM')
    await until(() => output().includes('stopping'), 'the nodes stop')
    for (const { socket } of clients) socket.write(call.slice(-1))
    await until(() => clients.every((client) => client.isClosed()), 'the connections have ended')
    for (const client of clients) assert.match(client.text(), /^HTTP\/1.1 200 .+"success":true/s)
    if (server.exitCode === null) await once(server, 'exit')
    assert.equal(server.exitCode, 0, output())
  })
})

describePostgres('a setting with which no node can start', () => {
  it('ends the start with one line', async () => {
    const { output, server } = await start({
      DATABASE_URL: `${await createDatabase(process.env.QUANTD_TEST_POSTGRES_URL!)}-missing`,
    })
    await until(() => server.exitCode !== null, 'the service has ended')
    assert.equal(server.exitCode, 1)
    assert.match(
      behindTheLog(output()),
      /^quantd: The PostgreSQL database cannot be used: [^\n]+ see DATABASE_URL\.$/,
    )
  })
})

describePostgres('a start of two nodes', () => {
  it('takes the port behind those of their metrics', async () => {
    const metricsPort = await freePort(3)
    const { server, url } = await serve({ METRICS_PORT: String(metricsPort), PORT: String(metricsPort + 2) })
    assert.equal(new URL(url).port, String(metricsPort + 2))
    server.kill('SIGTERM')
  })

  it('takes free ports for their metrics if METRICS_PORT is not set and its default is in use', async () => {
    // Another program may hold them already.
    const holders = [9_464, 9_465].map((port) =>
      createServer()
        .on('error', () => undefined)
        .listen(port, '127.0.0.1'),
    )
    const { output, server } = await serve({ METRICS_PORT: '' })
    const ports = [...output().matchAll(/"port":(\d+),"msg":"the metrics are on another port/g)]
    assert.equal(ports.length, 2, output())
    for (const [, port] of ports)
      assert.match(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(), /quantd_/)
    server.kill('SIGTERM')
    for (const holder of holders) holder.close()
  })

  it('is given up at SIGTERM, and leaves no node', async () => {
    const { output, server } = await start({ DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/x` })
    await until(() => output().includes('the database cannot be used yet'), 'the first node waits')
    const [, ...nodes] = processTree(server.pid!)
    server.kill('SIGTERM')
    await until(() => server.exitCode !== null, 'the service has ended')
    assert.equal(server.exitCode, 0, output())
    assert.equal(nodes.length, 1)
    assert.ok(!nodes.some(isAlive))
  })
})

describePostgres('when the process that started the nodes is killed', () => {
  const dataDir = temporaryFolder('processes')
  let next: Service

  it('they end too, and a new service takes their port and folder', async () => {
    const { server, url } = await serve({ QUANTD_DATA_DIR: dataDir })
    const [, ...nodes] = processTree(server.pid!)
    const clients = await openClients(url)
    mkdirSync(join(dataDir, 'node-7'))
    writeFileSync(leftJournal(dataDir), '\n{"auditId":"unknown","accountId":1}')
    server.kill('SIGKILL')
    const starting = serve({ QUANTD_DATA_DIR: dataDir, PORT: new URL(url).port })
    await until(() => clients.every((client) => client.isClosed()), 'the connections have ended')
    await until(() => !nodes.some(isAlive), 'no node is left')
    next = await starting
    assert.equal(next.url, url)
  })

  it('it adopts the refund journal of a node that is no longer started', async () => {
    await until(() => next.output().includes('unresolved debits refunded'), 'its calls were looked up')
    assert.equal(existsSync(leftJournal(dataDir)), false)
  })

  it('a stop while one of its nodes is replaced ends both, with exit code 0', async () => {
    const { output, server } = next
    process.kill(processTree(server.pid!)[1], 'SIGKILL')
    await until(() => output().includes('another is started'), 'the end of a node was noticed')
    await until(() => processTree(server.pid!).length === 3, 'another one starts')
    server.kill('SIGTERM')
    await until(() => server.exitCode !== null, 'the service has ended')
    assert.equal(server.exitCode, 0, output())
  })
})

const leftJournal = (dataDir: string) => join(dataDir, 'node-7', 'refunds.ndjson')

it('several nodes are refused where the system does not divide the connections of a port', () => {
  assert.throws(() => refuseUnsupported('darwin'), /^ConfigError: QUANTD_PROCESSES above 1 needs Linux/)
  refuseUnsupported('linux')
})
