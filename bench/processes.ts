/** Two serving processes compared with one, on both databases, with cheap calls and with calls of a millisecond. */
import { CALL, CONNECTIONS, checkBilled } from './http.ts'
import type { LoadResult } from './load.ts'
import {
  BOTH_CORES,
  generateSuccesses,
  OTHER_CORE,
  processorSeconds,
  type Quantd,
  SERVER_CORE,
  startPinnedPostgres,
  startQuantd,
} from './machine.ts'
import { median, type Part, type Row, ratioRow } from './record.ts'

const ROUNDS = 7
const ROUND_SECONDS = 1

/** A forest that is grown on the event loop in about a millisecond; the generator's own cost is negligible. */
const FOREST = {
  path: '/quantlib/ml/clustering/isolation-forest',
  body: JSON.stringify({
    X: Array.from({ length: 60 }, (_, row) => [row % 7, (row * row) % 11]),
    n_trees: 60,
  }),
}

const kinds = [
  {
    id: 'work',
    name: 'calls of about a millisecond of work (a forest of 60 rows and 60 trees)',
    call: FOREST,
  },
  { id: 'cheap', name: 'Black–Scholes calls', call: CALL },
] as const

export async function twoProcesses(): Promise<Part> {
  const postgres = await startPinnedPostgres()
  const databases = [
    { name: 'SQLite', url: async () => ({}) },
    { name: 'PostgreSQL', url: async () => ({ databaseUrl: await postgres.database() }) },
  ]
  const rows: Row[] = []
  for (const { name, url } of databases) {
    const one = await startQuantd({ ...(await url()), cores: SERVER_CORE })
    const two = await startQuantd({
      ...(await url()),
      cores: BOTH_CORES,
      settings: { QUANTD_PROCESSES: '2' },
    })
    // Shows which part of the cost of two processes is that of sharing a core with other programs.
    const crowded = await startQuantd({ ...(await url()), cores: OTHER_CORE })
    for (const kind of kinds) rows.push(...(await compare({ one, two, crowded }, kind, name)))
    for (const side of [one, two, crowded]) {
      await checkBilled(side)
      await side.stop()
    }
  }
  await postgres.stop()
  return {
    rounds: ROUNDS,
    conditions:
      'One process on one core, two on both; with two cores in all the load generator, and PostgreSQL, share the second one.',
    rows,
  }
}

async function compare(
  sides: Record<'one' | 'two' | 'crowded', Quantd>,
  { call, id, name }: (typeof kinds)[number],
  database: string,
): Promise<Row[]> {
  const { crowded, one, two } = sides
  const rounds: Record<keyof typeof sides, Measured[]> = { one: [], two: [], crowded: [] }
  for (const side of [one, two, crowded]) await measure(side, call)
  for (let round = 0; round < ROUNDS; round++) {
    rounds.two.push(await measure(two, call))
    rounds.one.push(await measure(one, call))
    rounds.crowded.push(await measure(crowded, call))
  }
  const rates = (side: Measured[]) => ({ unit: 'calls/s', rounds: side.map(({ perSecond }) => perSecond) })
  const micros = (side: Measured[]) => median(side.map(({ microsPerCall }) => microsPerCall))
  const generator = median(rounds.two.map(({ busy, perSecond }) => (busy / perSecond) * 1e6))
  const [first, rest] = [micros(rounds.one), micros(rounds.two)]
  const writer = median(rounds.two.map((round) => round.writerMicros))
  const costs = (side: Measured[]) => ({
    unit: 'µs/call',
    rounds: side.map(({ microsPerCall }) => microsPerCall),
  })
  const rate = ratioRow(
    {
      id: `processes-${id}-${database.toLowerCase()}`,
      work: `QUANTD_PROCESSES=2 on ${database}, two cores: ${name}`,
      against: 'one process on one core',
      goal: { is: 'at least', value: 1.6 },
      note: `Processor time a call: ${first.toFixed(0)} µs in one process, ${rest.toFixed(0)} µs in two, ${generator.toFixed(0)} µs in the generator: with both cores to themselves two processes could serve ${((2 * first) / rest).toFixed(2)}× what one does.`,
    },
    rates(rounds.two),
    rates(rounds.one),
  )
  const cost = ratioRow(
    {
      id: `processes-cost-${database.toLowerCase()}`,
      work: `processor time of a Black–Scholes call with QUANTD_PROCESSES=2 on ${database}`,
      against: 'one process',
      goal: { is: 'at most', value: 1.25 },
      note: `Of the ${rest.toFixed(0)} µs, the writer takes ${writer.toFixed(0)}. One process on the core of the other programs takes ${micros(rounds.crowded).toFixed(0)} µs, ${(micros(rounds.crowded) / first).toFixed(2)} × that of one on a core of its own.`,
    },
    costs(rounds.two),
    costs(rounds.one),
  )
  return id === 'cheap' ? [rate, cost] : [rate]
}

type Measured = LoadResult & { readonly microsPerCall: number; readonly writerMicros: number }

async function measure(side: Quantd, { body, path }: typeof CALL): Promise<Measured> {
  const used = () => side.processes().map(processorSeconds)
  const before = used()
  const result = await generateSuccesses({
    url: side.url + path,
    headers: side.headers,
    body,
    connections: CONNECTIONS,
    seconds: ROUND_SECONDS,
  })
  // The first process is the writer.
  const micros = used().map((seconds, index) => ((seconds - before[index]!) / result.statuses['200']!) * 1e6)
  return { ...result, microsPerCall: micros.reduce((a, b) => a + b), writerMicros: micros[0]! }
}
