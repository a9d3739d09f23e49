/** Two serving processes compared with one, on both databases, with cheap calls and with calls of a millisecond. */
import { CALL, CONNECTIONS, checkBilled } from './http.ts'
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
/** Each process of several compiles its code from half of the calls, or fewer. */
const WARM_UP_ROUNDS = 4
const ROUND_SECONDS = 1
const MANY_CONNECTIONS = 256

/** A forest that is grown on the event loop in about a millisecond; the generator's own cost is negligible. */
const FOREST = {
  path: '/quantlib/ml/clustering/isolation-forest',
  body: JSON.stringify({
    X: Array.from({ length: 60 }, (_, row) => [row % 7, (row * row) % 11]),
    n_trees: 60,
  }),
}

interface Kind {
  readonly id: string
  readonly name: string
  readonly call: typeof CALL
  readonly connections: number
  readonly connectionPerCall?: boolean
}

const WORK: Kind = {
  id: 'work',
  name: 'calls of about a millisecond of work (a forest of 60 rows and 60 trees)',
  call: FOREST,
  connections: CONNECTIONS,
}
const CHEAP: readonly Kind[] = [CONNECTIONS, MANY_CONNECTIONS].map((connections) => ({
  id: connections === CONNECTIONS ? 'cheap' : `cheap-${connections}`,
  name: `Black–Scholes calls over ${connections} connections`,
  call: CALL,
  connections,
}))

/** Clients that keep no connection open. */
const AFRESH: Kind = {
  id: 'afresh',
  name: `Black–Scholes calls on a new connection each, ${CONNECTIONS} at a time`,
  call: CALL,
  connections: CONNECTIONS,
  connectionPerCall: true,
}

/** The services of a side share the connections of its load. */
interface Sides<Side> {
  readonly one: Side
  readonly two: Side
  /** One process on the core of the other programs: the cost of sharing a core. */
  readonly crowded: Side
  /** Two services with a database each: the cost of two processes without a common writer. */
  readonly independent: Side
}

export async function twoProcesses(): Promise<Part> {
  const postgres = await startPinnedPostgres()
  const databases = [
    { name: 'SQLite', url: async () => ({}) },
    { name: 'PostgreSQL', url: async () => ({ databaseUrl: await postgres.database() }) },
  ]
  const rows: Row[] = []
  for (const { name, url } of databases) {
    const start = async (cores: string, processes = '1') =>
      startQuantd({ ...(await url()), cores, settings: { QUANTD_PROCESSES: processes } })
    const sides: Sides<Quantd[]> = {
      one: [await start(SERVER_CORE)],
      two: [await start(BOTH_CORES, '2')],
      crowded: [await start(OTHER_CORE)],
      independent: [await start(BOTH_CORES), await start(BOTH_CORES)],
    }
    const work = await measureAll(sides, WORK)
    rows.push(rateRow(work, WORK, name))
    rows.push(rateRow(await measureAll(sides, AFRESH), AFRESH, name))
    for (const kind of CHEAP) {
      const cheap = await measureAll(sides, kind)
      rows.push(rateRow(cheap, kind, name), costRow(cheap, kind, name))
    }
    for (const service of Object.values(sides).flat()) {
      await checkBilled(service)
      await service.stop()
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

async function measureAll({ crowded, independent, one, two }: Sides<Quantd[]>, kind: Kind) {
  const found: Sides<Measured[]> = { one: [], two: [], crowded: [], independent: [] }
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const measured = {
      two: await measure(two, kind),
      one: await measure(one, kind),
      crowded: await measure(crowded, kind),
      independent: await measure(independent, kind),
    }
    if (round < 0) continue
    for (const name of Object.keys(measured) as (keyof typeof measured)[]) found[name].push(measured[name])
  }
  return found
}

interface Measured {
  readonly perSecond: number
  /** Processor time of a call in all processes of the side, in its first process, and in the generators. */
  readonly micros: number
  readonly firstMicros: number
  readonly generatorMicros: number
}

async function measure(
  services: readonly Quantd[],
  { call, connectionPerCall = false, connections }: Kind,
): Promise<Measured> {
  const used = () => services.map((service) => service.processes().map(processorSeconds))
  const before = used()
  const results = await Promise.all(
    services.map(({ headers, url }) =>
      generateSuccesses({
        url: url + call.path,
        headers,
        body: call.body,
        connections: connections / services.length,
        connectionPerCall,
        seconds: ROUND_SECONDS,
      }),
    ),
  )
  const calls = sum(results.map(({ statuses }) => statuses['200']!))
  const seconds = used().map((processes, service) =>
    processes.map((one, index) => one - before[service]![index]!),
  )
  const perSecond = sum(results.map((result) => result.perSecond))
  return {
    perSecond,
    micros: (sum(seconds.flat()) / calls) * 1e6,
    firstMicros: (seconds[0]![0]! / calls) * 1e6,
    generatorMicros: (sum(results.map(({ busy }) => busy)) / perSecond) * 1e6,
  }
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)

const figures = (unit: string, rounds: readonly Measured[], of: (round: Measured) => number) => ({
  unit,
  rounds: rounds.map(of),
})
const microsOf = (rounds: readonly Measured[]) => median(rounds.map(({ micros }) => micros))

function rateRow({ one, two }: Sides<Measured[]>, { id, name }: Kind, database: string): Row {
  const generator = median(two.map(({ generatorMicros }) => generatorMicros))
  const [first, rest] = [microsOf(one), microsOf(two)]
  return ratioRow(
    {
      id: `processes-${id}-${database.toLowerCase()}`,
      work: `QUANTD_PROCESSES=2 on ${database}, two cores: ${name}`,
      against: 'one process on one core',
      // The generator takes as much time as a third of a cheap call, of the two cores that the processes need.
      goal: id === WORK.id ? { is: 'at least', value: 1.6 } : null,
      note: `Processor time a call: ${first.toFixed(0)} µs in one process, ${rest.toFixed(0)} µs in two, ${generator.toFixed(0)} µs in the generator: with both cores to themselves two processes could serve ${((2 * first) / rest).toFixed(2)}× what one does.`,
    },
    figures('calls/s', two, ({ perSecond }) => perSecond),
    figures('calls/s', one, ({ perSecond }) => perSecond),
  )
}

function costRow(
  { crowded, independent, one, two }: Sides<Measured[]>,
  { id, connections }: Kind,
  database: string,
): Row {
  const relative = (side: Measured[]) => (microsOf(side) / microsOf(one)).toFixed(2)
  const writer = median(two.map(({ firstMicros }) => firstMicros))
  return ratioRow(
    {
      id: `processes-cost-${id}-${database.toLowerCase()}`,
      work: `processor time of a Black–Scholes call with QUANTD_PROCESSES=2 on ${database}, ${connections} connections`,
      against: 'one process',
      goal: { is: 'at most', value: 1.25 },
      note: `Of the ${microsOf(two).toFixed(0)} µs, the writer takes ${writer.toFixed(0)}. Two independent services with half of the connections each take ${relative(independent)} × the time of one process, and one process on the core of the other programs ${relative(crowded)} ×.`,
    },
    figures('µs/call', two, ({ micros }) => micros),
    figures('µs/call', one, ({ micros }) => micros),
  )
}
