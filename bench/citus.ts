/**
 * `npm run bench citus`: settlements on a Citus cluster (one coordinator, two workers) and on one PostgreSQL, by turns, on
 * servers of the same version and on the same cores. test/citus-cluster.ts says where the build of Citus is looked for.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { postgresSql } from '../proofs/torture/plain-sql.ts'
import { Failure } from '../src/errors.ts'
import { type Meter, openMeter } from '../src/metering/meter.ts'
import { openPostgres } from '../src/store/postgres/open.ts'
import { COORDINATOR, citusBuild, serverOf, startCitus, WORKERS } from '../test/citus-cluster.ts'
import { createDatabase } from '../test/postgres.ts'
import { processTree } from '../test/process-tree.ts'
import { accountsOf, noRefunds } from './payers.ts'
import { type Figures, keep, median, type Row, ratioRow } from './record.ts'
import { settledPerSecond } from './settlements.ts'

const CONCURRENCIES = [1, 64, 256]
const ROUNDS = 3
const MAX_TRIES = 100
const PAUSE_MS = 50

const SERVERS = { coordinator: [COORDINATOR], workers: WORKERS } as const
type Server = keyof typeof SERVERS
type Cost = Record<'quantd' | Server, number>

interface Side {
  readonly meter: Meter
  readonly accounts: Awaited<ReturnType<typeof accountsOf>>
  close(): Promise<void>
}

async function open(url: string): Promise<Side> {
  const [store, sql] = [await openPostgres({ url }), postgresSql(url)]
  const accounts = await accountsOf(store, sql)
  return { meter: patient(openMeter(store, noRefunds)), accounts, close: () => store.close() }
}

/** Enters again, uncharged, where a busy machine was too slow to connect. */
const patient = (meter: Meter): Meter => ({
  async enter(entry) {
    for (let tries = 1; ; tries++) {
      try {
        return await meter.enter(entry)
      } catch (error) {
        if (!(error instanceof Failure && error.code === 'unavailable') || tries === MAX_TRIES) throw error
        await sleep(PAUSE_MS)
      }
    }
  },
})

const build = citusBuild()
if ('absent' in build) throw new Error(build.absent)
const cluster = await startCitus(build.programs)

/** Processor seconds so far. */
function costSoFar(): Cost {
  const { system, user } = process.cpuUsage()
  const of = (server: Server) =>
    SERVERS[server]
      .flatMap((name) => processTree(serverOf(cluster.folder, name).pid))
      .map(secondsOf)
      .reduce((sum, one) => sum + one, 0)
  return { quantd: (system + user) / 1e6, coordinator: of('coordinator'), workers: of('workers') }
}

/** /proc counts in hundredths of a second. */
function secondsOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [utime, stime] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
    return (Number(utime) + Number(stime)) / 100
  } catch {
    // It has ended.
    return 0
  }
}

async function round(side: Side, concurrency: number): Promise<{ rate: number; cost: Cost }> {
  const before = costSoFar()
  const { perSecond: rate, settled } = await settledPerSecond(side.meter, side.accounts, concurrency)
  const after = costSoFar()
  const each = (name: keyof Cost) => (1_000 * (after[name] - before[name])) / settled
  return {
    rate,
    cost: { quantd: each('quantd'), coordinator: each('coordinator'), workers: each('workers') },
  }
}

async function measure(url: string): Promise<Row[]> {
  const admin = new URL(url)
  admin.pathname = '/postgres'
  const sides = {
    citus: await open(await createDatabase(url)),
    plain: await open(await createDatabase(admin.href)),
  }
  // The connections are made before anything is measured.
  for (const side of Object.values(sides)) await settledPerSecond(side.meter, side.accounts, 64)
  const rows: Row[] = []
  for (const concurrency of CONCURRENCIES) {
    const rounds = {
      citus: [] as Awaited<ReturnType<typeof round>>[],
      plain: [] as Awaited<ReturnType<typeof round>>[],
    }
    for (let number = 0; number < ROUNDS; number++)
      for (const side of ['citus', 'plain'] as const) rounds[side].push(await round(sides[side], concurrency))
    const rates = (side: keyof typeof rounds): Figures => ({
      unit: '/s',
      rounds: rounds[side].map(({ rate }) => rate),
    })
    const work = `settlements at ${concurrency} concurrent calls`
    const against = 'one PostgreSQL of the same version on the same cores'
    rows.push(
      ratioRow(
        { id: `citus-${concurrency}`, work: `Citus 1 + 2: ${work}`, against, goal: null },
        rates('citus'),
        rates('plain'),
      ),
    )
    for (const side of ['citus', 'plain'] as const)
      for (const part of ['quantd', 'coordinator', 'workers'] as const) {
        if (side === 'plain' && part === 'workers') continue
        const cost = rounds[side].map((one) => one.cost[part])
        rows.push({
          id: `citus-${concurrency}-${side}-${part}`,
          work: `processor time a settlement, ${side === 'plain' ? 'one PostgreSQL' : 'Citus'}: ${side === 'plain' && part === 'coordinator' ? 'server' : part}, at ${concurrency}`,
          ...{ against, goal: null, measured: median(cost), unit: 'ms' as const },
          ...{ ours: { unit: 'ms', rounds: cost }, theirs: null },
        })
      }
  }
  await Promise.all([sides.citus.close(), sides.plain.close()])
  return rows
}

try {
  const rows = await measure(cluster.url)
  keep('citus', {
    rounds: ROUNDS,
    conditions:
      'In one process, without HTTP: 64 accounts in 64 buckets, every settlement durable; quantd, coordinator and workers on the same cores; the sides by turns.',
    rows,
  })
  for (const { measured, unit, work } of rows) console.log(`${work}: ${measured?.toPrecision(3)} ${unit}`)
} finally {
  cluster.stop()
}
