/**
 * `npm run bench topologies`: settlements, their processor time and their bytes on one SQLite file, one PostgreSQL, one with a
 * synchronous standby, and Citus clusters (one coordinator, two or four workers), by turns. The servers are those of Debian
 * 12's postgresql-15; test/support/citus-cluster.ts says where the build of Citus is looked for, without which those rows are
 * left out.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../src/base/failure.ts'
import { type Meter, openMeter } from '../src/ledger/metering/meter.ts'
import { openPostgres } from '../src/ledger/store/postgres/open.ts'
import { openSqlite } from '../src/ledger/store/sqlite/open.ts'
import type { Store } from '../src/ledger/store/store.ts'
import { asAdmin } from '../test/support/as-admin.ts'
import {
  type AddedWorker,
  addWorker,
  COORDINATOR,
  citusBuild,
  serverOf,
  startCitus,
  WORKERS,
} from '../test/support/citus-cluster.ts'
import { type PlainSql, postgresSql, sqliteSql } from '../test/support/plain-sql.ts'
import { createDatabase } from '../test/support/postgres.ts'
import { treeSeconds } from '../test/support/processes.ts'
import { startPair } from '../test/support/standby.ts'
import { unpinSelf } from './machine.ts'
import { accountsOf, noRefunds } from './payers.ts'
import { type Figures, keep, median, printed, type Row, ratioRow } from './record.ts'
import { type Payer, settledPerSecond } from './settlements.ts'

const CONCURRENCIES = [64, 256]
const ROUNDS = 9
const MAX_TRIES = 100
const PAUSE_MS = 50

interface Database {
  readonly store: Store
  readonly sql: PlainSql
  /** The servers whose processor time is counted, by name: the ids of their first processes. */
  readonly servers: Readonly<Record<string, readonly number[]>>
  /** Bytes of all copies of the tables and indexes. */
  bytes(): Promise<number>
  close(): Promise<void>
}

interface Topology {
  readonly id: string
  readonly name: string
  /** Resolves with null where the topology cannot be set up on this machine. */
  open(): Promise<Database | null>
}

async function sizeOf(sql: PlainSql, expression: string): Promise<number> {
  const [row] = await sql.query<{ bytes: number }>(`SELECT ${expression} AS bytes`)
  return row!.bytes
}

async function sqliteFile(): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'quantd-bench-'))
  const file = join(folder, 'quantd.db')
  const [store, sql] = [openSqlite({ file }), sqliteSql(file)]
  return {
    store,
    sql,
    servers: {},
    bytes: () => sizeOf(sql, '(SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)'),
    async close() {
      await store.close()
      await sql.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** One of two servers of a pair, with or without the other as a synchronous standby. */
async function pair(isSynchronous: boolean): Promise<Database> {
  const { primary, standby, stop } = await startPair()
  if (isSynchronous) {
    await primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
    await primary.query('SELECT pg_reload_conf()')
  } else await standby.kill9()
  const [store, sql] = [await openPostgres({ url: primary.url }), postgresSql(primary.url)]
  const copies = isSynchronous ? 2 : 1
  return {
    store,
    sql,
    servers: isSynchronous ? { primary: [primary.pid], standby: [standby.pid] } : { server: [primary.pid] },
    bytes: () => sizeOf(sql, `${copies} * pg_database_size(current_database())`),
    async close() {
      await store.close()
      await sql.close()
      await stop()
    },
  }
}

/** A cluster on the cores of this machine, with two shards for each, as docs/how-to/move-to-citus.md advises. */
async function citusCluster(workers: number): Promise<Database | null> {
  const build = citusBuild()
  if ('absent' in build) return null
  const cluster = await startCitus(build.programs)
  const url = await createDatabase(cluster.url)
  const added: AddedWorker[] = []
  await asAdmin(url, async (admin) => {
    const name = new URL(url).pathname.slice(1)
    await admin.query(
      `ALTER DATABASE ${name} SET citus.shard_count = ${Math.max(workers, 2 * availableParallelism())}`,
    )
    while (WORKERS.length + added.length < workers) {
      const worker = await addWorker(cluster.folder, url)
      added.push(worker)
      await admin.query(`SELECT citus_add_node('127.0.0.1', ${worker.port})`)
    }
  })
  const [store, sql] = [await openPostgres({ url }), postgresSql(url)]
  const pidOf = (name: string) => serverOf(cluster.folder, name).pid
  return {
    store,
    sql,
    servers: {
      coordinator: [pidOf(COORDINATOR)],
      workers: [...WORKERS.map(pidOf), ...added.map(({ pid }) => pid)],
    },
    bytes: () =>
      sizeOf(sql, '(SELECT sum(citus_total_relation_size(logicalrelid))::bigint FROM pg_dist_partition)'),
    async close() {
      await store.close()
      await sql.close()
      for (const worker of added) worker.stop()
      cluster.stop()
    },
  }
}

const ONE_SERVER = 'one'
const CLUSTER = 'citus'
const LARGER_CLUSTER = 'citus-4'
const topologies: readonly Topology[] = [
  { id: 'sqlite', name: 'one SQLite file', open: sqliteFile },
  { id: ONE_SERVER, name: 'one PostgreSQL', open: () => pair(false) },
  { id: 'standby', name: 'PostgreSQL with a synchronous standby', open: () => pair(true) },
  { id: CLUSTER, name: 'Citus, one coordinator and two workers', open: () => citusCluster(2) },
  { id: LARGER_CLUSTER, name: 'Citus, one coordinator and four workers', open: () => citusCluster(4) },
]

interface Side extends Database, Pick<Topology, 'id' | 'name'> {
  readonly meter: Meter
  readonly payers: readonly Payer[]
}

/** A meter that enters again, without a charge, where a busy machine was too slow to connect. */
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

interface Round {
  readonly rate: number
  /** Milliseconds of processor time of a settlement, by part. */
  readonly cost: Readonly<Record<string, number>>
  /** Bytes of a settlement. */
  readonly bytes: number
}

async function round(side: Side, concurrency: number): Promise<Round> {
  const used = (): Record<string, number> => {
    const { system, user } = process.cpuUsage()
    const servers = Object.entries(side.servers).map(([name, pids]) => {
      return [name, pids.reduce((sum, pid) => sum + treeSeconds(pid), 0)] as const
    })
    return { quantd: (system + user) / 1e6, ...Object.fromEntries(servers) }
  }
  const [bytesBefore, before] = [await side.bytes(), used()]
  const { perSecond: rate, settled } = await settledPerSecond(side.meter, side.payers, concurrency)
  const [after, bytesAfter] = [used(), await side.bytes()]
  const cost = Object.keys(after).map((name) => [name, (1_000 * (after[name] - before[name])) / settled])
  return { rate, cost: Object.fromEntries(cost), bytes: (bytesAfter - bytesBefore) / settled }
}

const AGAINST = 'one PostgreSQL of the same version on the same cores'

const rates = (rounds: readonly Round[]): Figures => ({ unit: '/s', rounds: rounds.map(({ rate }) => rate) })

/** The processor time of all servers. */
const serverTimes = (rounds: readonly Round[]): Figures => ({
  unit: 'ms',
  rounds: rounds.map(({ cost: { quantd, ...servers } }) =>
    Object.values(servers).reduce((sum, one) => sum + one, 0),
  ),
})

/** The rows about requests to a cluster. @param rounds of each topology, by id */
function clusterRows(concurrency: number, rounds: ReadonlyMap<string, readonly Round[]>): Row[] {
  const one = rounds.get(ONE_SERVER)!
  const [two, four] = [CLUSTER, LARGER_CLUSTER].map((id) => rounds.get(id))
  if (two === undefined || four === undefined) return []
  return [
    ratioRow(
      {
        id: `topologies-servers-${concurrency}`,
        work: `processor time of the servers for a settlement at ${concurrency}: Citus, two workers`,
        against: AGAINST,
        goal: { is: 'at most', value: 2.5 },
      },
      serverTimes(two),
      serverTimes(one),
    ),
    ratioRow(
      {
        id: `topologies-growth-${concurrency}`,
        work: `settlements at ${concurrency} concurrent calls: Citus, four workers`,
        against: 'two workers on the same cores',
        goal: { is: 'at least', value: 0.8 },
      },
      rates(four),
      rates(two),
    ),
  ]
}

function rowsOf({ id, name, servers }: Side, concurrency: number, own: Round[], one: Round[]): Row[] {
  const goal = id === CLUSTER ? ({ is: 'at least', value: 0.5 } as const) : null
  const work = `settlements at ${concurrency} concurrent calls: ${name}`
  const costs = ['quantd', ...Object.keys(servers)].map((part): Row => {
    const rounds = own.map(({ cost }) => cost[part])
    return {
      id: `topologies-${id}-${concurrency}-${part}`,
      work: `processor time of a settlement at ${concurrency}, ${name}: ${part}`,
      against: '–',
      goal: null,
      measured: median(rounds),
      unit: 'ms',
      theirs: null,
      ours: { unit: 'ms', rounds },
    }
  })
  const bytes = own.map((each) => each.bytes)
  return [
    ratioRow({ id: `topologies-${id}-${concurrency}`, work, against: AGAINST, goal }, rates(own), rates(one)),
    ...costs,
    {
      id: `topologies-${id}-${concurrency}-bytes`,
      work: `disk of a million calls, tables and indexes of all copies: ${name}`,
      against: '–',
      goal: null,
      measured: median(bytes),
      unit: 'MB',
      theirs: null,
      ours: { unit: 'MB', rounds: bytes },
    },
  ]
}

unpinSelf()
const sides: Side[] = []
try {
  for (const { id, name, open } of topologies) {
    const database = await open()
    if (database === null) continue
    const payers = await accountsOf(database.store, database.sql)
    const side = { ...database, id, name, payers, meter: patient(openMeter(database.store, noRefunds)) }
    sides.push(side)
    // The connections are made, and the code is compiled, before anything is measured.
    await settledPerSecond(side.meter, payers, 64)
  }
  const rows: Row[] = []
  for (const concurrency of CONCURRENCIES) {
    const rounds = new Map(sides.map(({ id }): [string, Round[]] => [id, []]))
    for (let number = 0; number < ROUNDS; number++)
      // The order alternates, because a server goes on writing the changes of the round before for a moment.
      for (const side of number % 2 === 0 ? sides : sides.toReversed())
        rounds.get(side.id)!.push(await round(side, concurrency))
    for (const side of sides)
      rows.push(...rowsOf(side, concurrency, rounds.get(side.id)!, rounds.get(ONE_SERVER)!))
    rows.push(...clusterRows(concurrency, rounds))
  }
  keep('topologies', {
    rounds: ROUNDS,
    conditions:
      'In one process, without HTTP: 64 accounts, every settlement durable; on Citus two shards a core; quantd and all servers on the same cores; the topologies by turns.',
    rows,
  })
  for (const row of rows) console.log(printed(row))
} finally {
  for (const side of sides) await side.close()
}
