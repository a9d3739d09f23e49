/**
 * The services of deploy/compose.yaml without containers, on the loopback interface: two nodes on PostgreSQL behind the proxy of
 * the file, with its configuration and TLS, a mail catcher, and Prometheus with the configuration of the file. Under load each
 * node is restarted in turn, and no call is lost, behind HAProxy either. Grafana is not run;
 * grafana.test.ts checks its dashboard.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../support/free-port.ts'
import { createDatabase, startPostgres } from '../../support/postgres.ts'
import { smtpPeer } from '../../support/smtp-peer.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { type Prometheus, startPrometheus } from '../metrics/prometheus.ts'
import { type Certificate, makeCertificate } from './certificate.ts'
import { root } from './command.ts'
import { readCompose, SECRETS } from './compose.ts'
import { type NodeProcess, startNode } from './node.ts'
import { configurationOf, PROXIES, type ProxyName, type RunningProxy, startProxy } from './proxy.ts'

const HOST = 'quantd.example.org'
const WORKERS = 8
/** Bounds the load; a restart of two nodes takes some hundred calls on a fast machine. */
const MOST_CALLS_A_WORKER = 10_000
const CALLS_BETWEEN_RESTARTS = 100
const PRICE = JSON.stringify({ S: 100, K: 90, T: 0.1, r: 0.1, sigma: 0.12, theta_vg: -0.14, nu: 0.2 })
const CREDITS = 1_000_000
/** The proxies that check health; nginx does not, so it may send a call to a node that is just closing its port. */
const CHECKING = PROXIES.filter((name) => name !== 'nginx')

const folder = temporaryFolder('topology')
const closing: (() => unknown)[] = []
let nodes: NodeProcess[]
let prometheus: Prometheus
const metricsPorts: number[] = []
let mails: Awaited<ReturnType<typeof smtpPeer>>
let certificate: Certificate
/** The proxy of the compose file. */
let own: Way

/** A proxy in front of the nodes, and requests through it. */
interface Way {
  readonly proxy: RunningProxy
  send(path: string, body?: string, key?: string): Promise<{ status: number; text: string }>
}

before(async () => {
  certificate = makeCertificate(folder)
  const postgres = await startPostgres()
  closing.push(() => postgres.stop())
  mails = await smtpPeer()
  closing.push(() => mails.close())
  const compose = readCompose()
  const settings = {
    ...compose.services.node1!.environment!,
    METRICS_HOST: '127.0.0.1',
    DATABASE_URL: await createDatabase(postgres.url),
    SMTP_URL: mails.url,
    QUANTD_TRUSTED_PROXIES: '127.0.0.1',
  }
  nodes = []
  for (let count = 0; count < 2; count += 1) {
    const metricsPort = await freePort()
    const node = await startNode({ ...settings, METRICS_PORT: String(metricsPort) })
    closing.push(() => node.remove())
    nodes.push(node)
    metricsPorts.push(metricsPort)
  }
  let config = compose.configs.prometheus!.content
  const replace = (from: string, to: string): void => {
    assert.ok(config.includes(from), from)
    config = config.replace(from, to)
  }
  for (const [index, port] of metricsPorts.entries()) replace(`node${index + 1}:9464`, `127.0.0.1:${port}`)
  replace('scrape_interval: 15s', 'scrape_interval: 1s')
  prometheus = await startPrometheus(config, join(root, 'deploy/prometheus'))
  closing.push(() => prometheus.stop())
  const name = PROXIES.find((name) =>
    compose.services.proxy!.volumes!.some((mount) => mount.startsWith(`./proxies/${configurationOf(name)}:`)),
  )
  own = await openWay(name!)
})

after(async () => {
  for (const close of closing.reverse()) await close()
})

async function openWay(name: ProxyName): Promise<Way> {
  const ports = nodes.map(({ port }) => port)
  const proxy = await startProxy(name, folder, ports, certificate)
  closing.push(() => proxy.stop())
  const agent = new Agent({ keepAlive: true })
  closing.push(() => agent.destroy())
  const send: Way['send'] = async (path, body, key) => {
    const request = httpsRequest({
      host: '127.0.0.1',
      port: proxy.port,
      path,
      servername: HOST,
      ca: certificate.ca,
      agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        host: HOST,
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
        ...(key !== undefined && { 'x-api-key': key }),
      },
    })
    const replied = once(request, 'response')
    request.end(body)
    const [response] = await replied
    return { status: response.statusCode, text: await text(response) }
  }
  await until(async () => (await send('/readyz')).status === 200, `${name} reaches a node`)
  return { proxy, send }
}

/** An account whose limits are above the load. */
function account(node: NodeProcess, email: string): string {
  const made = JSON.parse(
    node.quantd('admin', 'create', email, '--username', 'Load', '--credits', String(CREDITS), '--json'),
  )
  node.quantd('admin', 'set-limits', email, '--hour', String(CREDITS), '--day', String(CREDITS))
  return made.api_key
}

/** Prices that a node has computed since its start. */
async function pricesOf(node: NodeProcess): Promise<number> {
  const port = metricsPorts[nodes.indexOf(node)]
  const headers = { authorization: `Bearer ${SECRETS.METRICS_TOKEN}` }
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text()
  return Number(
    /^quantd_http_requests_total\{[^}]*variance-gamma\/price"[^}]*\} (\d+)$/m.exec(text)?.[1] ?? 0,
  )
}

describe('two nodes behind a proxy', () => {
  it('register an account with one mail, whichever node sends it', async () => {
    const body = { username: 'Ada', email: 'ada@example.org', password: 'a long and unusual sentence 7' }
    const { status, text } = await own.send('/user/register', JSON.stringify(body))
    assert.equal(status, 200, text)
    await until(() => mails.deliveries.length > 0, 'the mail has arrived')
    assert.deepEqual(
      mails.deliveries.map(({ to }) => to),
      [['ada@example.org']],
    )
  })

  const scraped = async () => (await prometheus.targets()).filter(({ health }) => health === 'up').length

  it('are scraped by Prometheus with the token, which loads every alert rule', async () => {
    await until(async () => (await scraped()) === nodes.length, 'both nodes are scraped')
    const names = readFileSync(join(root, 'deploy/prometheus/alerts.yml'), 'utf8').match(
      /(?<=- alert: )\w+/g,
    )!
    assert.deepEqual(
      (await prometheus.rules()).map(({ name }) => name),
      names,
    )
    assert.equal((await fetch(`http://127.0.0.1:${metricsPorts[0]}/metrics`)).status, 401)
  })

  for (const name of CHECKING)
    it(`lose no call behind ${name} while one after the other is restarted under load`, async () => {
      const email = `${name}@example.org`
      const key = account(nodes[0], email)
      const { proxy, send } = await openWay(name)
      const replies = new Map<string, number>()
      let calls = 0
      let isOver = false
      const worker = async (): Promise<void> => {
        for (let count = 0; count < MOST_CALLS_A_WORKER && !isOver; count += 1) {
          // No repetition: a call that gets no reply is lost.
          const reply = await send('/quantlib/models/variance-gamma/price', PRICE, key).then(
            ({ status, text }) =>
              text.includes('10.99370318672906') ? String(status) : `${status} ${text.slice(0, 80)}`,
            (error) => String(error),
          )
          replies.set(reply, (replies.get(reply) ?? 0) + 1)
          calls += 1
          await sleep(5)
        }
      }
      const callsMade = async (count: number): Promise<void> => {
        const target = calls + count
        await until(() => calls >= target, `${count} more calls were made`)
      }
      const load = Promise.all(Array.from({ length: WORKERS }, worker))
      await callsMade(CALLS_BETWEEN_RESTARTS)
      for (const node of nodes) {
        const pid = node.pid
        assert.equal(await node.stop(), 0)
        await callsMade(CALLS_BETWEEN_RESTARTS)
        await node.start()
        assert.notEqual(node.pid, pid)
        await until(async () => (await fetch(`${node.url}/readyz`)).ok, 'the node is ready')
        await callsMade(CALLS_BETWEEN_RESTARTS)
        await until(async () => (await pricesOf(node)) > 0, 'the proxy uses the restarted node')
      }
      isOver = true
      await load
      await proxy.stop()
      console.log(
        `measured: rolling restart behind ${name}: ${calls} calls, replies ${JSON.stringify(Object.fromEntries(replies))}`,
      )
      if (replies.size > 1) console.log(proxy.output().split('\n').slice(-20).join('\n'))
      assert.deepEqual([...replies], [['200', calls]])
      const shown = JSON.parse(nodes[1].quantd('admin', 'show', email, '--json'))
      assert.equal(shown.credits, CREDITS - calls)
    })

  it('are scraped again, and the balances agree with the ledger', async () => {
    await until(async () => (await scraped()) === nodes.length, 'both nodes are scraped')
    assert.equal(JSON.parse(nodes[0].quantd('admin', 'verify-ledger', '--json')).ok, true)
  })
})
