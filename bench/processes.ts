/** Two nodes on one port compared with one, on PostgreSQL, with cheap calls and with calls of a millisecond. */
import { CALL, CONNECTIONS, checkBilled } from './http.ts'
import {
  BOTH_CORES,
  generateSuccesses,
  processorSeconds,
  type Quantd,
  SERVER_CORE,
  startPinnedPostgres,
  startQuantd,
} from './machine.ts'
import { median, type Part, type Row, ratioRow } from './record.ts'

export const ROUNDS = 7
/** Each of two nodes compiles its code from half of the calls. */
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

export interface Kind {
  readonly id: string
  readonly name: string
  readonly call: typeof CALL
  readonly connections: number
  readonly connectionPerCall?: boolean
}

export const WORK: Kind = {
  id: 'work',
  name: 'calls of about a millisecond of work (a forest of 60 rows and 60 trees)',
  call: FOREST,
  connections: CONNECTIONS,
}
export const CHEAP: Kind = {
  id: 'cheap',
  name: 'Black–Scholes calls',
  call: CALL,
  connections: CONNECTIONS,
}
const CHEAP_MANY: Kind = { ...CHEAP, id: `cheap-${MANY_CONNECTIONS}`, connections: MANY_CONNECTIONS }

/** Clients that keep no connection open. */
const AFRESH: Kind = {
  id: 'afresh',
  name: 'Black–Scholes calls on a new connection each',
  call: CALL,
  connections: CONNECTIONS,
  connectionPerCall: true,
}

export async function twoNodes(): Promise<Part> {
  const postgres = await startPinnedPostgres()
  const start = async (cores: string, processes: string) =>
    startQuantd({
      databaseUrl: await postgres.database(),
      cores,
      settings: { QUANTD_PROCESSES: processes, QUANTD_COMPUTE_THREADS: '1' },
    })
  const one = await start(SERVER_CORE, '1')
  const two = await start(BOTH_CORES, '2')
  const rows: Row[] = []
  for (const kind of [WORK, AFRESH, CHEAP, CHEAP_MANY]) {
    const measured = await measureBoth(one, two, kind)
    rows.push(rateRow(measured, kind))
    if (kind.call === CALL && kind !== AFRESH) rows.push(costRow(measured, kind))
  }
  for (const service of [one, two]) {
    await checkBilled(service)
    await service.stop()
  }
  await postgres.stop()
  return {
    rounds: ROUNDS,
    conditions:
      'One node on one core, two on both; with two cores in all the load generator and PostgreSQL share the second one.',
    rows,
  }
}

export interface Measured {
  readonly perSecond: number
  /** Processor time of a call in all processes of the service, and in the generator. */
  readonly micros: number
  readonly generatorMicros: number
}

export interface Both {
  readonly one: readonly Measured[]
  readonly two: readonly Measured[]
}

export async function measureBoth(one: Quantd, two: Quantd, kind: Kind): Promise<Both> {
  const found: { one: Measured[]; two: Measured[] } = { one: [], two: [] }
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const measured = { two: await measure(two, kind), one: await measure(one, kind) }
    if (round < 0) continue
    found.one.push(measured.one)
    found.two.push(measured.two)
  }
  return found
}

async function measure(
  { headers, processes, url }: Quantd,
  { call, connectionPerCall = false, connections }: Kind,
): Promise<Measured> {
  const used = () => processes().reduce((sum, pid) => sum + processorSeconds(pid), 0)
  const before = used()
  const { busy, perSecond, statuses } = await generateSuccesses({
    url: url + call.path,
    headers,
    body: call.body,
    connections,
    connectionPerCall,
    seconds: ROUND_SECONDS,
  })
  return {
    perSecond,
    micros: ((used() - before) / statuses['200']) * 1e6,
    generatorMicros: (busy / perSecond) * 1e6,
  }
}

export const figures = (unit: string, rounds: readonly Measured[], of: (round: Measured) => number) => ({
  unit,
  rounds: rounds.map(of),
})
export const microsOf = (rounds: readonly Measured[]) => median(rounds.map(({ micros }) => micros))

function rateRow({ one, two }: Both, { connections, id, name }: Kind): Row {
  const generator = median(two.map(({ generatorMicros }) => generatorMicros))
  const [first, rest] = [microsOf(one), microsOf(two)]
  return ratioRow(
    {
      id: `processes-${id}`,
      work: `QUANTD_PROCESSES=2 on PostgreSQL, two cores: ${name}, ${connections} connections`,
      against: 'one node on one core',
      // The generator takes as much time as a third of a cheap call, of the two cores that the nodes need.
      goal: id === WORK.id ? { is: 'at least', value: 1.6 } : null,
      note: `Processor time a call: ${first.toFixed(0)} µs in one node, ${rest.toFixed(0)} µs in two, ${generator.toFixed(0)} µs in the generator: with both cores to themselves two nodes could serve ${((2 * first) / rest).toFixed(2)}× what one does.`,
    },
    figures('calls/s', two, ({ perSecond }) => perSecond),
    figures('calls/s', one, ({ perSecond }) => perSecond),
  )
}

const costRow = ({ one, two }: Both, { connections, id }: Kind): Row =>
  ratioRow(
    {
      id: `processes-cost-${id}`,
      work: `processor time of a Black–Scholes call with QUANTD_PROCESSES=2 on PostgreSQL, ${connections} connections`,
      against: 'one node',
      goal: { is: 'at most', value: 1.25 },
      note: `With half of the connections each, fewer calls of a node share an iteration of its event loop and a transaction.`,
    },
    figures('µs/call', two, ({ micros }) => micros),
    figures('µs/call', one, ({ micros }) => micros),
  )
