/** Requests per second by connections. */
import { CALL, callFor } from './http.ts'
import { startEcho, startPinnedPostgres, startQuantd } from './machine.ts'
import { median, type Part } from './record.ts'

const CONNECTIONS = [1, 3, 10, 32, 100, 316, 1_000]
const ROUNDS = 3
const SECONDS = 0.7

export async function connections(): Promise<Part> {
  const postgres = await startPinnedPostgres()
  const sides = {
    'quantd on SQLite': await startQuantd(),
    'quantd on PostgreSQL': await startQuantd({ databaseUrl: await postgres.database() }),
    'bare Fastify route': await startEcho(),
  }
  const found = new Map<string, number[]>()
  for (const side of Object.values(sides)) await callFor(side, 1.5)
  for (let round = 0; round < ROUNDS; round++)
    for (const count of CONNECTIONS)
      for (const [name, side] of Object.entries(sides)) {
        const { perSecond } = await callFor(side, SECONDS, count)
        const key = `${name} ${count}`
        found.set(key, [...(found.get(key) ?? []), perSecond])
      }
  for (const side of [...Object.values(sides), postgres]) await side.stop()
  return {
    rounds: ROUNDS,
    conditions: `Black–Scholes calls (${CALL.path}); the server on one core, generator and PostgreSQL on the other; medians of ${ROUNDS} rounds of ${SECONDS} s.`,
    rows: [],
    series: Object.keys(sides).map((name) => ({
      name,
      points: CONNECTIONS.map((count) => [count, median(found.get(`${name} ${count}`)!)] as const),
    })),
  }
}
