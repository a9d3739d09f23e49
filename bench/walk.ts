/** Lists the files of src/ that a Black–Scholes call, a registration and an MCP call run through, by V8's call counts. */
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../src/app/config/read-config.ts'
import { openLog } from '../src/app/log.ts'
import { startService } from '../src/app/main/service.ts'

/** A file belongs to a walk if every one of this many calls runs it, which excludes files that only timers ran. */
const CALLS = 8

const root = join(import.meta.dirname, '..')
const service = await startService(
  readConfig({
    PORT: '0',
    METRICS_PORT: '0',
    QUANTD_DATA_DIR: join(tmpdir(), `quantd-walk-${process.pid}`),
    ...(process.env.DATABASE_URL && {
      DATABASE_URL: process.env.DATABASE_URL,
      QUANTD_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    }),
  }),
  { log: openLog('silent') },
)
const session = new Session()
session.connect()
await session.post('Profiler.enable')

const post = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<string> => {
  const reply = await fetch(service.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(`${path} was answered ${reply.status}: ${await reply.text()}`)
  return await reply.text()
}

const device = { device_id: 'walk', device_name: 'walk', platform: 'bench' }
const { api_key: key } = JSON.parse(await post('/guest/create', device)).data
const option = { spot: 100, strike: 95, risk_free_rate: 0.03, volatility: 0.2, time_to_maturity: 0.5 }
let registered = 0
const mcp = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' }

const WALKS: Readonly<Record<string, () => Promise<unknown>>> = {
  'Black–Scholes call': () => post('/quantlib/pricing/bs/price', option, { 'x-api-key': key }),
  registration: () => {
    const username = `walk${registered++}`
    const password = 'correct horse battery staple'
    return post('/user/register', { username, email: `${username}@example.org`, password })
  },
  'MCP call': () =>
    post(
      '/mcp',
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'pricing_bs_price', arguments: option },
      },
      { 'x-api-key': key, ...mcp },
    ),
}

const isListed = process.argv.includes('--files')
for (const [name, call] of Object.entries(WALKS)) {
  await call()
  const runs: Map<string, number>[] = []
  for (let run = 0; run < CALLS; run++) runs.push(await walked(call))
  const files = [...runs[0].keys()].filter((file) => runs.every((run) => run.has(file))).sort()
  const functions = files.reduce((sum, file) => sum + Math.min(...runs.map((run) => run.get(file)!)), 0)
  console.log(`${name}: ${functions} functions in ${files.length} files`)
  if (isListed) for (const file of files) console.log(`  ${file}`)
}
session.disconnect()
await service.close(0)

/** The files of src/ that a call runs, each with its number of functions. */
async function walked(call: () => Promise<unknown>): Promise<Map<string, number>> {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await call()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  const counts = new Map<string, number>()
  for (const { functions, url } of result) {
    if (!url.startsWith('file:')) continue
    const file = relative(root, fileURLToPath(url))
    const ran = functions.filter(({ ranges }) => ranges[0].count > 0).length
    if (file.startsWith('src/') && ran > 0) counts.set(file, ran)
  }
  return counts
}
