/** Calls with a team key compared with those of the account's own key, on one service in turn. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { CALL, CONNECTIONS, callFor } from './http.ts'
import { processorSeconds, type Quantd, startPinnedPostgres, startQuantd } from './machine.ts'
import { median, type Part, type Row, ratioRow } from './record.ts'

const ROUNDS = 21
const ROUND_SECONDS = 0.6
/** Beyond what the calls spend. */
const CAP = 1e9

export async function teamKeys(): Promise<Part> {
  const postgres = await startPinnedPostgres()
  const rows: Row[] = []
  for (const [name, settings] of [
    ['sqlite', {}],
    ['postgres', { databaseUrl: await postgres.database() }],
  ] as const) {
    const quantd = await startQuantd(settings)
    rows.push(await row(name, quantd))
    await quantd.stop()
  }
  await postgres.stop()
  return {
    rounds: ROUNDS,
    conditions:
      'The server pinned to one core, the load generator and PostgreSQL to the other. Both keys are of one account, on one service, in turn.',
    rows,
  }
}

async function row(name: string, quantd: Quantd): Promise<Row> {
  const own = await registeredKey(quantd)
  const sides = { own, team: await teamKey(quantd.url, own) }
  const rates: Record<string, number[]> = { own: [], team: [] }
  const micros: Record<string, number[]> = { own: [], team: [] }
  for (let round = -2; round < ROUNDS; round++) {
    const order = Object.entries(sides)
    // Neither is always the first.
    if (round % 2 === 0) order.reverse()
    for (const [side, key] of order) {
      const before = processorTime(quantd)
      const headers = { 'x-api-key': key, 'content-type': 'application/json' }
      const { perSecond, statuses } = await callFor({ ...quantd, headers }, ROUND_SECONDS)
      // The first rounds warm up.
      if (round < 0) continue
      rates[side].push(perSecond)
      micros[side].push(((processorTime(quantd) - before) / statuses['200']) * 1e6)
    }
  }
  admin(quantd, 'verify-ledger')
  const [ownMicros, teamMicros] = [median(micros.own), median(micros.team)]
  return ratioRow(
    {
      id: `team-keys-${name}`,
      work: `metered Black–Scholes call with a team key that has paths, a cap and a window, ${CONNECTIONS} connections, ${name}`,
      against: "the same with the account's own key",
      goal: { is: 'at least', value: 0.92 },
      note: `Processor time a call: ${teamMicros.toFixed(1)} µs with the team key, ${ownMicros.toFixed(1)} µs with the own one.`,
    },
    { unit: 'calls/s', rounds: rates.team },
    { unit: 'calls/s', rounds: rates.own },
  )
}

const admin = ({ environment }: Quantd, ...args: readonly string[]): string =>
  execFileSync(process.execPath, [join(import.meta.dirname, '../src/cli.ts'), 'admin', ...args], {
    ...{ env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  })

/** Of a registered account, which may have team keys; its limits are above the load. */
async function registeredKey(quantd: Quantd): Promise<string> {
  const printed = admin(quantd, 'create', 'bench@example.org', '--credits', String(CAP), '--json')
  await quantd.sql.query('UPDATE accounts SET hour_limit = $1', [CAP])
  return JSON.parse(printed).api_key
}

async function teamKey(url: string, own: string): Promise<string> {
  const cap = { credit_cap: CAP, cap_period: 'day', hourly_limit: CAP }
  const response = await fetch(`${url}/user/keys/create`, {
    method: 'POST',
    headers: { 'x-api-key': own, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench', paths: [CALL.path], ...cap }),
  })
  const { data, message } = (await response.json()) as { data?: { key: string }; message?: string }
  if (data === undefined) throw new Error(message)
  return data.key
}

const processorTime = (quantd: Quantd): number =>
  quantd.processes().reduce((sum, pid) => sum + processorSeconds(pid), 0)
