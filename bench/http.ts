/** Metered Black–Scholes calls over HTTP on both databases, compared with a bare Fastify route and with FastAPI. */
import { processorSeconds } from '../test/support/processes.ts'
import type { LoadResult } from './load.ts'
import {
  generateSuccesses,
  type Quantd,
  type Server,
  startEcho,
  startFastApi,
  startPinnedPostgres,
  startQuantd,
} from './machine.ts'
import { type Figures, median, type Part, ratioRow } from './record.ts'

export const CALL = {
  path: '/quantlib/pricing/bs/price',
  body: JSON.stringify({
    spot: 100,
    strike: 105,
    risk_free_rate: 0.05,
    volatility: 0.2,
    time_to_maturity: 1,
  }),
}
export const CONNECTIONS = 32
const ROUNDS = 7
const WARM_UP_SECONDS = 2
const ROUND_SECONDS = 1.2

export async function httpOnSqlite(): Promise<Part> {
  const [quantd, echo] = [await startQuantd(), await startEcho()]
  const fastapi = await startFastApi('fastapi_app', { API_KEY: FASTAPI_KEY })
  const sides = { quantd, echo, ...(fastapi !== null && { fastapi }) }
  const results = await alternate(sides)
  await checkBilled(quantd)
  for (const side of Object.values(sides)) await side.stop()
  const ours = rates(results.quantd!)
  return {
    rounds: ROUNDS,
    conditions: `${conditions} ${busyness(results)}`,
    peers: fastapi?.versions ?? {},
    rows: [
      ratioRow(
        {
          id: 'http-sqlite',
          work: `metered Black–Scholes call over HTTP on SQLite: durable debit and audit row, ${CONNECTIONS} connections, one process on one core`,
          against: 'bare Fastify route that validates the same body and echoes it',
          goal: { is: 'at least', value: 0.6 },
        },
        ours,
        rates(results.echo!),
      ),
      ratioRow(
        {
          id: 'http-fastapi',
          work: 'metered Black–Scholes call over HTTP on SQLite, as above',
          against: 'FastAPI + QuantLib + one SQLite commit a call, one uvicorn worker',
          goal: { is: 'at least', value: 7 },
        },
        ours,
        results.fastapi === undefined ? null : rates(results.fastapi),
      ),
    ],
  }
}

export async function httpOnPostgres(): Promise<Part> {
  const postgres = await startPinnedPostgres()
  const quantd = await startQuantd({ databaseUrl: await postgres.database() })
  const echo = await startEcho()
  const results = await alternate({ quantd, echo })
  await checkBilled(quantd)
  const [row] = await quantd.sql.query<{ version: string }>('SELECT version() AS version')
  for (const side of [quantd, echo, postgres]) await side.stop()
  return {
    rounds: ROUNDS,
    conditions: `${conditions} PostgreSQL on the generator's core. ${busyness(results)}`,
    peers: { postgresql: /[\d.]+/.exec(row!.version)![0] },
    rows: [
      ratioRow(
        {
          id: 'http-postgres',
          work: 'metered Black–Scholes call over HTTP on PostgreSQL, the database on the other core',
          against: 'bare Fastify route, as above',
          goal: { is: 'at least', value: 0.5 },
        },
        rates(results.quantd!),
        rates(results.echo!),
      ),
    ],
  }
}

const conditions = 'The server pinned to one core, the load generator to the other.'

/** The rounds of each side, with the server's processor time per call, which excludes waiting. */
type Results = Record<string, (LoadResult & { readonly microsPerCall: number })[]>

/** Runs the sides alternately, round by round. */
async function alternate(sides: Readonly<Record<string, Server & Partial<Quantd>>>): Promise<Results> {
  const results: Results = {}
  for (const side of Object.values(sides)) await callFor(side, WARM_UP_SECONDS)
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, side] of Object.entries(sides)) {
      const before = processorSeconds(side.pid)
      const result = await callFor(side, ROUND_SECONDS)
      const calls = Object.values(result.statuses).reduce((sum, count) => sum + count, 0)
      const microsPerCall = ((processorSeconds(side.pid) - before) / calls) * 1e6
      results[name] = [...(results[name] ?? []), { ...result, microsPerCall }]
    }
  return results
}

const FASTAPI_KEY = 'bench'

export const callFor = (side: Server & Partial<Quantd>, seconds: number, connections = CONNECTIONS) =>
  generateSuccesses({
    url: side.url + CALL.path,
    headers: side.headers ?? { 'x-api-key': FASTAPI_KEY, 'content-type': 'application/json' },
    body: CALL.body,
    connections,
    seconds,
  })

/** Asserts that every measured call was charged and has its audit row. */
export async function checkBilled({ spent, sql }: Quantd): Promise<void> {
  const [row] = await sql.query<{ calls: number; credits: number }>(
    `SELECT COUNT(*) AS calls, SUM(credits) AS credits FROM audit WHERE kind = 'computation'`,
  )
  const credits = await spent()
  if (Number(row!.calls) < 1 || Number(row!.credits) !== credits)
    throw new Error(
      `the ledger does not agree with the calls: ${JSON.stringify(row)}, ${credits} credits spent`,
    )
}

const rates = (results: readonly LoadResult[]): Figures => ({
  unit: 'requests/s',
  rounds: results.map(({ perSecond }) => perSecond),
})

const busyness = (results: Results): string => {
  const shares = Object.entries(results).map(
    ([name, rounds]) => `${name} ${Math.round(100 * Math.max(...rounds.map(({ busy }) => busy)))} %`,
  )
  const micros = Object.entries(results).map(
    ([name, rounds]) => `${name} ${median(rounds.map(({ microsPerCall }) => microsPerCall)).toFixed(1)} µs`,
  )
  return `The generator took at most this much of its core: ${shares.join(', ')}. The server's processor time for a call: ${micros.join(', ')}.`
}
