/** Alerts reach somebody: Prometheus and Alertmanager with the configuration of deploy/compose.yaml, without containers. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { freePort } from '../../support/free-port.ts'
import { smtpPeer } from '../../support/smtp-peer.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { startPrometheus } from '../metrics/prometheus.ts'
import { root } from './command.ts'
import { readCompose } from './compose.ts'

const folder = temporaryFolder('alertmanager')
const closing: (() => unknown)[] = []
let mails: Awaited<ReturnType<typeof smtpPeer>>
let nodePort: number

/** Replaces texts, each of which must occur. */
function replaced(text: string, values: Readonly<Record<string, string>>): string {
  for (const [from, to] of Object.entries(values)) {
    assert.ok(text.includes(from), from)
    text = text.replaceAll(from, to)
  }
  return text
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

before(async () => {
  mails = await smtpPeer()
  closing.push(() => mails.close())
  const { configs } = readCompose()
  const config = join(folder, 'alertmanager.yml')
  const waits = { 'group_wait: 30s': 'group_wait: 1s', 'group_interval: 5m': 'group_interval: 1s' }
  writeFileSync(
    config,
    replaced(configs.alertmanager!.content, { ...waits, 'mail:1025': new URL(mails.url).host }),
  )
  const port = await freePort()
  const alertmanager = spawn(
    'prometheus-alertmanager',
    [
      ...[`--config.file=${config}`, `--storage.path=${folder}`, `--web.listen-address=127.0.0.1:${port}`],
      ...['--cluster.listen-address=', '--log.level=error'],
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  closing.push(() => stopped(alertmanager))
  nodePort = await freePort()
  const rules = readFileSync(join(root, 'deploy/prometheus/alerts.yml'), 'utf8')
  writeFileSync(join(folder, 'alerts.yml'), rules.replaceAll(/for: \w+/g, 'for: 1s'))
  const scrapes = replaced(configs.prometheus!.content, {
    'scrape_interval: 15s': 'scrape_interval: 1s, evaluation_interval: 1s',
    'alertmanager:9093': `127.0.0.1:${port}`,
    '"node1:9464", "node2:9464"': `"127.0.0.1:${nodePort}"`,
  })
  const prometheus = await startPrometheus(scrapes, folder)
  closing.push(() => prometheus.stop())
})

after(async () => {
  for (const close of closing.reverse()) await close()
})

const subjects = () =>
  mails.deliveries.map(({ source, to }) => `${to} ${/^Subject: (.*)\r$/m.exec(source)?.[1]}`)

describe('an alert', () => {
  it('is mailed once when a node does not answer, and once when it answers again', async () => {
    await until(() => mails.deliveries.length > 0, 'a mail tells that the node is down')
    assert.match(subjects()[0], /^operator@localhost \[FIRING:1\] QuantdDown/)
    assert.match(mails.deliveries[0].source, /does not answer scrapes/)
    const node = createServer((_, reply) => reply.end('up_of_a_node 1\n')).listen(nodePort, '127.0.0.1')
    closing.push(() => node.close())
    await until(() => mails.deliveries.length > 1, 'a mail tells that the node is up')
    assert.match(subjects()[1], /^operator@localhost \[RESOLVED\] QuantdDown/)
    assert.equal(mails.deliveries.length, 2)
  })
})
