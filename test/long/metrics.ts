/** The metrics of a loaded service, the alert rules and the dashboard, checked by promtool and a real Prometheus. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { type NodeProcess, nodeProcess } from '../support/node-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'
import { applyEverything } from './metrics/load.ts'
import { type Prometheus, startPrometheus } from './metrics/prometheus.ts'
import './metrics/faults.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const RULES = 'deploy/prometheus/alerts.yml'
const RULE_TESTS = 'deploy/prometheus/alerts.test.yml'

const dataDir = temporaryFolder('monitoring')
let node: NodeProcess
let metricsUrl: string
let prometheus: Prometheus
let text: string

before(async () => {
  const metricsPort = await freePort()
  metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`
  node = await nodeProcess({
    dataDir,
    settings: { METRICS_PORT: String(metricsPort), QUANTD_COMPUTE_THREADS: '1' },
    onUnasked: (message) => assert.fail(message),
  })
  await node.start()
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['quantd/alerts.yml'],
    scrape_configs: [{ job_name: 'quantd', static_configs: [{ targets: [`127.0.0.1:${metricsPort}`] }] }],
  }
  // JSON is YAML.
  prometheus = await startPrometheus(JSON.stringify(config), join(root, 'deploy/prometheus'))
  // Rates need samples from before and after a change.
  await until(async () => (await prometheus.query('count_over_time(up[1m])'))[0] > 3, 'four scrapes')
  await applyEverything(node.url)
  quantd('verify-ledger')
  // The metrics of collections have values after the first one only; scrapes allocate enough for it.
  await until(async () => {
    text = await (await fetch(metricsUrl)).text()
    return text.includes('nodejs_gc_duration_seconds_count')
  }, 'a garbage collection')
  await until(
    async () => (await prometheus.query('rate(quantd_idempotent_replays_total[1m])'))[0] > 0,
    'a rate of replays',
  )
  await until(
    async () => (await prometheus.query('rate(nodejs_gc_duration_seconds_count[1m])')).length > 0,
    'a rate of garbage collections',
  )
  await until(
    async () => (await prometheus.query('quantd_ledger_check_timestamp_seconds')).length > 0,
    'a scrape after the check of the ledger',
  )
})
after(async () => {
  await prometheus?.stop()
  await node.kill9()
})

const quantd = (...args: string[]): string =>
  execFileSync(process.execPath, [join(root, 'src/app/quantd.ts'), 'admin', ...args], {
    env: { PATH: process.env.PATH, QUANTD_DATA_DIR: dataDir },
    encoding: 'utf8',
  })

function promtool(...args: string[]): { output: string; code: number | null } {
  const { status, stderr, stdout } = spawnSync('promtool', args, { input: text, encoding: 'utf8', cwd: root })
  return { output: `${stdout}${stderr}`, code: status }
}

const exposed = () =>
  [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name! + end) : [name!],
  )

const expressions = () => {
  const { panels } = JSON.parse(read('deploy/grafana/quantd.json'))
  return panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) =>
    targets.map(({ expr }) => expr),
  ) as string[]
}

const metricsIn = (expression: string): string[] =>
  expression.match(/\b(quantd|nodejs|process)_\w+\b/g)?.map(String) ?? []

describe('the metrics of a loaded service', () => {
  it('are clean by the linter of Prometheus', () => {
    assert.deepEqual(promtool('check', 'metrics'), { output: '', code: 0 })
  })

  it('have no label that holds a key, an address or an account', () => {
    const labels = [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!] as const)
    assert.deepEqual([...new Set(labels.map(([name]) => name))].sort(), [
      ...['assertion', 'code', 'kind', 'le', 'major', 'method', 'minor', 'patch', 'route'],
      ...['space', 'status', 'version'],
    ])
    for (const [, value] of labels) assert.doesNotMatch(value, /qd_|@|\d+\.\d+\.\d+\.\d+/)
  })

  it('each have a value', () => {
    for (const name of exposed().filter((one) => one.startsWith('quantd_')))
      assert.match(text, new RegExp(`^${name}(\\{.*\\})? \\S+$`, 'm'), name)
  })
})

describe('the alert rules', () => {
  it('are valid, and each fires for its fault as their tests say', () => {
    assert.equal(promtool('check', 'rules', RULES).code, 0)
    const { code, output } = promtool('test', 'rules', RULE_TESTS)
    assert.equal(code, 0, output)
  })

  it('each have a test, one line of runbook, and a row in the operations page', () => {
    const rules = read(RULES)
    const names = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!)
    assert.ok(names.length > 10)
    assert.equal(rules.match(/^ +runbook: (".+"|'.+')$/gm)?.length, names.length)
    for (const name of names) {
      assert.match(read(RULE_TESTS), new RegExp(`alertname: ${name}\\b`), name)
      assert.match(read('docs/operations.md'), new RegExp(`^\\| \`${name}\` \\|`, 'm'), name)
    }
  })

  it('are evaluated by Prometheus without an error, and none fires for a healthy service', async () => {
    await until(async () => (await prometheus.rules()).every(({ health }) => health === 'ok'), 'evaluation')
    assert.deepEqual(
      (await prometheus.rules()).filter(({ state }) => state === 'firing').map(({ name }) => name),
      [],
    )
  })
})

describe('the dashboard', () => {
  it('has a result for every query', async () => {
    for (const expression of expressions()) {
      const query = expression.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*')
      assert.ok((await prometheus.query(query)).length > 0, query)
    }
  })

  it('and the alerts use every metric of the service, and no other', () => {
    const used = new Set(
      [...expressions(), read(RULES).replace(/^ +(summary|runbook):.*$/gm, '')].flatMap(metricsIn),
    )
    const known = new Set(exposed())
    assert.deepEqual(
      [...used].filter((name) => !known.has(name)),
      [],
    )
    const families = [...text.matchAll(/^# TYPE (quantd_\S+) /gm)].map(([, name]) => name!)
    const isUsed = (family: string) => [...used].some((name) => name.startsWith(family))
    assert.deepEqual(
      families.filter((family) => !isUsed(family)),
      [],
    )
  })
})
