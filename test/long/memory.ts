/**
 * The memory of services under a steady load, each with a part of it, and one with all: npm run test:memory -- [MINUTES] [SHARE] [PART…].
 * Prints a line of numbers for each service every 30 s, and fails if the resident set of one still grows at the end. The load is
 * bounded: each service uses the given share of a core (0.05), and it ends after the given time (60 minutes).
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE_MS, SECOND_MS } from '../../src/base/time.ts'
import { ARROW, streamOf, vectorOf } from '../support/arrow-streams.ts'
import { freePort } from '../support/free-port.ts'
import { type NodeProcess, nodeProcess } from '../support/node-process.ts'
import { operator, settingsOf } from '../support/operator.ts'
import { OPTION } from '../support/option.ts'
import { memoryMb, processorSeconds } from '../support/processes.ts'
import { createGuest, TEST_MASTER_KEY } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const SAMPLE_MS = 30 * SECOND_MS
/** The load waits this long when the service has used its share. */
const PAUSE_MS = 20
/** The resident set may grow by so much between the third and the last quarter of the time. */
const GROWTH = 0.05

const series = <Item>(length: number, item: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, index) => item(index))

interface Subject {
  readonly node: NodeProcess
  readonly key: string
  readonly token: string
  readonly operatorUrl: string
  readonly metricsUrl: string
}

/** One request, whose reply is read in full. */
type Request = (subject: Subject, turn: number) => { readonly url: string } & RequestInit

const post =
  (
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>> = {},
  ): Request =>
  ({ key, node }) => ({
    url: node.url + path,
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    body,
  })

const message = (method: string, params: object): Request =>
  post('/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), { accept: '*/*' })
const MCP = [
  ...series(20, () => message('tools/call', { name: 'pricing_bs_price', arguments: OPTION })),
  // These messages are handled by the SDK.
  message('tools/call', { name: 'pricing_bs_price', arguments: OPTION, unknown: 1 }),
  message('tools/list', {}),
]

const strikes = series(20_000, (row) => 50 + row / 200)
const stream = streamOf(
  { ...Object.fromEntries(series(1, () => ['strike', vectorOf(strikes)])) },
  optionRest(),
)
function optionRest(): object {
  const { strike: _, ...rest } = OPTION
  return rest
}
const ARROWS = [
  post('/quantlib/pricing/bs/price/columns', stream as Uint8Array<ArrayBuffer>, {
    'content-type': ARROW,
    accept: ARROW,
  }),
]

const matrix = series(3_000, (row) => series(5, (column) => Number(Math.sin(row * 5 + column).toFixed(6))))
const FORESTS = [
  post('/quantlib/ml/clustering/isolation-forest', JSON.stringify({ X: matrix, n_trees: 100 })),
  post('/quantlib/ml/clustering/isolation-forest/fit', JSON.stringify({ X: matrix, n_trees: 100 })),
]

const PAGES = ['/', '/operator/v1/activity', '/operator/v1/health', '/operator/v1/accounts']
const OPERATORS = [...PAGES, '/operator/v1/audit', '/operator/v1/running-out'].map(
  (path): Request =>
    ({ operatorUrl, token }) => ({ url: operatorUrl + path, headers: { authorization: `Bearer ${token}` } }),
)

const CALL = post('/quantlib/pricing/bs/price', JSON.stringify(OPTION))
const GUESTS: Request = ({ node }, turn) => ({
  url: `${node.url}/guest/create`,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ device_id: `d-${turn}`, device_name: 'test', platform: 'node' }),
})

const PARTS: Readonly<Record<string, readonly Request[]>> = {
  calls: [...series(50, () => CALL), GUESTS],
  mcp: MCP,
  arrow: ARROWS,
  forests: FORESTS,
  operators: OPERATORS,
}
const LOADS = {
  ...PARTS,
  all: [...Object.values(PARTS).flat(), ...series(50, () => CALL)],
}

async function startSubject(folder: string, name: string): Promise<Subject> {
  const [operatorPort, metricsPort] = [await freePort(), await freePort()]
  const settings = {
    QUANTD_MASTER_KEY: TEST_MASTER_KEY,
    QUANTD_OPERATOR_PORT: String(operatorPort),
    METRICS_PORT: String(metricsPort),
    QUANTD_IP_LIMITS: 'off',
    QUANTD_INITIAL_CREDITS: 'guest=1000000000',
    QUANTD_TIERS: 'guest=100000000/100000000',
    QUANTD_WORK: 'guest=100000',
  }
  const node = await nodeProcess({ dataDir: join(folder, name), settings, onUnasked: console.error })
  await node.start()
  const quantd = operator(settingsOf({ dataDir: node.dataDir, databaseUrl: null }))
  const { json } = await quantd(['admin', 'token', 'create', 'memory', '--role', 'viewer', '--json'])
  return {
    node,
    key: await createGuest(node.url),
    token: json.token,
    operatorUrl: `http://127.0.0.1:${operatorPort}`,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
  }
}

/** Sends requests one after another, while the service has used less than its share of a core. */
async function load(subject: Subject, requests: readonly Request[], share: number, until: number) {
  const statuses: Record<string, number> = {}
  const startedAt = performance.now()
  const before = processorSeconds(subject.node.pid!)
  for (let turn = 0; performance.now() < until; turn++) {
    const { url, ...init } = requests[turn % requests.length](subject, turn)
    const reply = await fetch(url, init)
    await reply.arrayBuffer()
    const kind = `${reply.status} ${new URL(url).pathname}`
    statuses[kind] = (statuses[kind] ?? 0) + 1
    const isAhead = () =>
      processorSeconds(subject.node.pid!) - before > (share * (performance.now() - startedAt)) / SECOND_MS
    while (isAhead() && performance.now() < until) await sleep(PAUSE_MS)
  }
  return statuses
}

const METRICS = {
  heap: 'nodejs_heap_size_used_bytes',
  heap_total: 'nodejs_heap_size_total_bytes',
  external: 'nodejs_external_memory_bytes',
}

/** The memory of a service in MB. */
async function sample({ metricsUrl, node }: Subject) {
  const text = await (await fetch(metricsUrl)).text()
  const mb = (name: string) =>
    Math.round(Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN) / 2 ** 20)
  const own = Object.entries(METRICS).map(([name, metric]) => [name, mb(metric)])
  return { rss: Math.round(memoryMb(node.pid!)), ...Object.fromEntries(own) } as Record<string, number>
}

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length

const minutes = Number(process.argv[2] ?? 60)
const share = Number(process.argv[3] ?? 0.05)
const folder = temporaryFolder('memory')
const subjects = new Map<string, Subject>()
const names = process.argv.length > 4 ? process.argv.slice(4) : Object.keys(LOADS)
for (const name of names) subjects.set(name, await startSubject(folder, name))
const startedAt = performance.now()
const until = startedAt + minutes * MINUTE_MS
const loads = [...subjects].map(([name, subject]) =>
  load(subject, LOADS[name as keyof typeof LOADS], share, until),
)
const resident = new Map<string, number[]>()
while (performance.now() < until) {
  for (const [name, subject] of subjects) {
    const found = await sample(subject)
    const cpu = processorSeconds(subject.node.pid!)
    console.log(
      JSON.stringify({ s: Math.round((performance.now() - startedAt) / SECOND_MS), name, ...found, cpu }),
    )
    resident.set(name, [...(resident.get(name) ?? []), found.rss!])
  }
  await sleep(Math.min(SAMPLE_MS, Math.max(0, until - performance.now())))
}
for (const statuses of await Promise.all(loads)) console.log(JSON.stringify(statuses))
for (const { node } of subjects.values()) await node.stop()
for (const [name, rss] of resident) {
  const quarter = Math.floor(rss.length / 4)
  const [third, last] = [mean(rss.slice(-2 * quarter, -quarter)), mean(rss.slice(-quarter))]
  const told = `${name}: ${third.toFixed(0)} MB in the third quarter, ${last.toFixed(0)} MB in the last one`
  if (last > (1 + GROWTH) * third) {
    console.error(`${told}: it grows`)
    process.exitCode = 1
  } else console.log(told)
}
