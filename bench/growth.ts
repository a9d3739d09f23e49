/** Scaling: computing time by rows over three decades, and requests per second by connections. */

import { isolationForest } from '../src/numerics/forest/isolation-forest.ts'
import { randomFraction, seededRandom } from '../src/numerics/forest/random.ts'
import type { Matrix } from '../src/numerics/matrices/matrix.ts'
import { migration } from '../src/numerics/matrices/migration.ts'
import { discrimination } from '../src/numerics/statistics/discrimination.ts'
import { outliers } from '../src/numerics/statistics/outliers.ts'
import { CALL, callFor } from './http.ts'
import { startEcho, startPinnedPostgres, startQuantd } from './machine.ts'
import { median, type Part, type Series } from './record.ts'

const ROUNDS = 5
/** A round repeats a quick computation until it has taken this long. */
const LEAST_MS = 15

interface Growing {
  readonly name: string
  readonly sizes: readonly number[]
  /** Prepares an input of `rows` rows and returns the computation to time. */
  prepare(rows: number): () => unknown
}

const random = seededRandom(2026)
const numbers = (count: number) => Float64Array.from({ length: count }, () => randomFraction(random))
const table = (rows: number): Matrix => ({ values: numbers(10 * rows), rows, columns: 10 })

const growing: readonly Growing[] = [
  {
    name: 'discrimination',
    sizes: [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000],
    prepare(rows) {
      const scores = numbers(rows)
      const labels = Uint8Array.from(scores, (score, row) =>
        row === 0 || score * randomFraction(random) > 0.6 ? 1 : 0,
      )
      return () => discrimination(labels, scores)
    },
  },
  ...(['zscore', 'iqr', 'mad'] as const).map((method) => ({
    name: `outliers ${method}, 10 columns`,
    sizes: [100, 300, 1_000, 3_000, 10_000, 30_000, 100_000],
    prepare(rows: number) {
      const matrix = table(rows)
      return () => outliers(matrix, method, 3)
    },
  })),
  {
    name: 'isolation forest, 10 columns, 100 trees',
    sizes: [100, 300, 1_000, 3_000, 10_000, 30_000, 100_000],
    prepare(rows) {
      const matrix = table(rows)
      return () => isolationForest(matrix, { trees: 100, contamination: 0.1, seed: 1 })
    },
  },
  {
    name: 'migration, 2 periods',
    sizes: [1, 3, 10, 30, 100, 300, 1_000],
    prepare(rows) {
      const counts = { values: numbers(rows * rows), rows, columns: rows }
      return () => migration(counts, 2)
    },
  },
]

export async function growth(): Promise<Part> {
  const series = growing.map(({ name, prepare, sizes }): Series => {
    // V8 has not compiled the first runs yet.
    for (const rows of sizes.slice(0, 4)) timed(prepare(rows))
    return { name, points: sizes.map((rows) => [rows, timed(prepare(rows))] as const) }
  })
  return {
    rounds: ROUNDS,
    conditions:
      'The computation alone, on one core, in milliseconds; medians. A migration matrix has as many columns as rows; the service accepts at most 200.',
    rows: [],
    series,
  }
}

function timed(run: () => unknown): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const startedAt = performance.now()
    let count = 0
    do {
      run()
      count += 1
    } while (performance.now() - startedAt < LEAST_MS)
    return (performance.now() - startedAt) / count
  })
  return median(rounds)
}

const CONNECTIONS = [1, 3, 10, 32, 100, 316, 1_000]
const CONNECTION_ROUNDS = 3
const CONNECTION_SECONDS = 0.7

export async function connections(): Promise<Part> {
  const postgres = await startPinnedPostgres()
  const sides = {
    'quantd on SQLite': await startQuantd(),
    'quantd on PostgreSQL': await startQuantd({ databaseUrl: await postgres.database() }),
    'bare Fastify route': (await startEcho())!,
  }
  const found = new Map<string, number[]>()
  for (const side of Object.values(sides)) await callFor(side, 1.5)
  for (let round = 0; round < CONNECTION_ROUNDS; round++)
    for (const count of CONNECTIONS)
      for (const [name, side] of Object.entries(sides)) {
        const { perSecond } = await callFor(side, CONNECTION_SECONDS, count)
        const key = `${name} ${count}`
        found.set(key, [...(found.get(key) ?? []), perSecond])
      }
  for (const side of [...Object.values(sides), postgres]) await side.stop()
  return {
    rounds: CONNECTION_ROUNDS,
    conditions: `Black–Scholes calls (${CALL.path}); the server on one core, generator and PostgreSQL on the other; medians of ${CONNECTION_ROUNDS} rounds of ${CONNECTION_SECONDS} s.`,
    rows: [],
    series: Object.keys(sides).map((name) => ({
      name,
      points: CONNECTIONS.map((count) => [count, median(found.get(`${name} ${count}`)!)] as const),
    })),
  }
}
