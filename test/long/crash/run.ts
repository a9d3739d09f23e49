/** A crash run: starts the servers, runs the rounds and adds up their results. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CommitProxy, openCommitProxy } from '../../support/commit-proxy.ts'
import { type NodeProcess, nodeProcess } from '../../support/node-process.ts'
import { operator } from '../../support/operator.ts'
import { type PlainSql, postgresSql, sqliteSql } from '../../support/plain-sql.ts'
import { startPostgres } from '../../support/postgres.ts'
import { descriptors, processTree } from '../../support/processes.ts'
import type { ProxiedCitus } from '../../support/proxied-citus.ts'
import { until } from '../../support/until.ts'
import { openCitus } from './citus-faults.ts'
import { createNodeDatabase, type Database } from './postgres-faults.ts'
import { type Bench, type RoundResult, runRound } from './round.ts'
import { type DatabaseKind, type FaultCounts, type FaultKind, faultsOf } from './schedule.ts'
import { openSmallDisk, type SmallDisk } from './small-disk.ts'

export interface CrashOptions {
  readonly database: DatabaseKind
  readonly seed: number
  readonly rounds: number
  /** The number of nodes; one on SQLite. */
  readonly nodes: number
  /** The number of processes that share the port of a node, by default one; one on SQLite. */
  readonly processes?: number
  /** The number of faults of each kind in a round. */
  readonly faults: FaultCounts
  readonly onRound?: (round: number, result: RoundResult) => void
}

export interface CrashResult {
  readonly rounds: number
  readonly requests: number
  readonly struck: ReadonlyMap<FaultKind, number>
  readonly refunds: number
  readonly statuses: ReadonlyMap<number, number>
  readonly violations: readonly string[]
  /** The folder of the logs, kept if a rule was violated; else null. */
  readonly folder: string | null
}

export async function crash(options: CrashOptions): Promise<CrashResult> {
  const { faults, nodes, rounds, seed } = options
  const folder = mkdtempSync(join(tmpdir(), 'quantd-crash-'))
  const unasked: string[] = []
  const bench = await openBench(options, folder, (message) => unasked.push(message))
  const results: RoundResult[] = []
  const violations: string[] = []
  const before = openFiles(bench)
  try {
    for (let round = 1; round <= rounds && unasked.length === 0; round++) {
      const result = await runRound(bench, seed, round, faultsOf(seed, round, faults, nodes))
      results.push(result)
      violations.push(...result.violations)
      options.onRound?.(round, result)
      const isAtRest = () => openFiles(bench) <= before + MOST_FILES_MORE * bench.nodes.length
      await until(isAtRest, `faults leave few files open, ${before} before`).catch((error) =>
        violations.push(error.message),
      )
    }
    const struck = total(results.map((result) => result.struck))
    const statuses = total(results.map((result) => result.statuses))
    violations.push(...unasked)
    if (!((statuses.get(200) ?? 0) > LEAST_ANSWERED * results.length))
      violations.push('hardly any call was answered')
    for (const kind of Object.keys(faults) as FaultKind[])
      if (!struck.has(kind) && !UNCERTAIN.includes(kind))
        violations.push(`no fault of the kind ${kind} has struck`)
    const sum = (key: 'requests' | 'refunds') => results.reduce((total, result) => total + result[key], 0)
    return {
      rounds: results.length,
      requests: sum('requests'),
      struck,
      refunds: sum('refunds'),
      statuses,
      violations,
      folder: violations.length > 0 ? folder : null,
    }
  } catch (error) {
    violations.push(...unasked)
    if (unasked.length > 0) throw new Error(unasked.join('\n'), { cause: error })
    throw error
  } finally {
    await bench.close()
    if (violations.length === 0) rmSync(folder, { recursive: true, force: true })
  }
}

/** The least number of answers in a round; fewer would prove nothing. */
const LEAST_ANSWERED = 50
/** Faults that need a file system of their own, which only root can mount. */
const UNCERTAIN: readonly FaultKind[] = ['full', 'read-only', 'power']

/** The most files by which a node may exceed its first number: its processes may open further connections to the database. */
const MOST_FILES_MORE = 32

const openFiles = ({ nodes }: Bench): number =>
  nodes.flatMap(({ pid }) => processTree(pid!).map(descriptors)).reduce((sum, count) => sum + count, 0)

interface OpenBench extends Bench {
  close(): Promise<void>
}

/** The sizes of the disks: PostgreSQL's holds its log, SQLite's only the database. */
const DISK_MB = { sqlite: 64, postgres: 640 }

async function openBench(
  { database: kind, faults, nodes: count, processes = 1 }: CrashOptions,
  folder: string,
  onUnasked: (message: string) => void,
): Promise<OpenBench> {
  const exported = join(folder, 'checkpoints.ndjson')
  const settings = {
    QUANTD_CHECKPOINT_FILE: exported,
    QUANTD_MASTER_KEY: randomBytes(32).toString('base64'),
    QUANTD_IP_LIMITS: 'off',
    QUANTD_MIN_FREE_MIB: '0',
    QUANTD_COMPUTE_THREADS: '1',
    QUANTD_PROCESSES: String(processes),
    LOG_LEVEL: 'warn',
  }
  const needsDisk = UNCERTAIN.some((kind) => (faults[kind] ?? 0) > 0)
  const disk = needsDisk ? openSmallDisk(kind === 'sqlite' ? DISK_MB.sqlite : DISK_MB.postgres) : null
  const dataFolder = kind === 'sqlite' && disk !== null ? disk.folder : folder
  const database = kind === 'postgres' ? await openDatabase(count, disk) : null
  const citus: ProxiedCitus | null = kind === 'citus' ? await openCitus() : null
  const databaseUrl = (number: number) => {
    const url = citus?.nodeUrl ?? database?.proxies[number]?.url
    return url === undefined ? {} : { DATABASE_URL: url }
  }
  const nodes: NodeProcess[] = []
  for (let number = 0; number < count; number++) {
    const node = await nodeProcess({
      dataDir: join(dataFolder, `node-${number}`),
      logFile: join(folder, `log-${number}`),
      execArgv: ['--import', join(import.meta.dirname, 'failing-flush.ts')],
      settings: { ...settings, ...databaseUrl(number) },
      onUnasked,
    })
    nodes.push(node)
  }
  const file = join(dataFolder, 'node-0', 'quantd.db')
  await Promise.all(nodes.map((node) => node.start()))
  const plainUrl = citus?.url ?? database?.url
  return {
    nodes,
    database,
    citus,
    disk: database === null ? disk : null,
    file,
    exported,
    quantd: operator({
      QUANTD_MASTER_KEY: settings.QUANTD_MASTER_KEY,
      QUANTD_DATA_DIR: join(dataFolder, 'node-0'),
      ...(plainUrl !== undefined && { DATABASE_URL: plainUrl }),
    }),
    sql: plainUrl === undefined ? sqliteAfresh(file) : postgresSql(plainUrl),
    async close() {
      await Promise.all(nodes.map((node) => node.kill9()))
      for (const proxy of database?.proxies ?? []) proxy.close()
      await database?.server.stop()
      citus?.close()
      disk?.close()
    },
  }
}

async function openDatabase(nodes: number, disk: SmallDisk | null): Promise<Database> {
  const server = await startPostgres(disk?.folder)
  const { nodeUrl, url } = await createNodeDatabase(server)
  const proxies: CommitProxy[] = []
  for (let number = 0; number < nodes; number++) proxies.push(await openCommitProxy(nodeUrl))
  return { server, url, proxies, disk }
}

/** Opens the file for each query, so that the disk can be unmounted between two queries. */
const sqliteAfresh = (file: string): PlainSql => ({
  async query(text, parameters) {
    const sql = sqliteSql(file)
    try {
      return await sql.query(text, parameters)
    } finally {
      await sql.close()
    }
  },
  async close() {},
})

function total<Key extends string | number>(counts: readonly ReadonlyMap<Key, number>[]): Map<Key, number> {
  const sums = new Map<Key, number>()
  for (const [key, count] of counts.flatMap((one) => [...one])) sums.set(key, (sums.get(key) ?? 0) + count)
  return new Map([...sums].sort(([a], [b]) => (a < b ? -1 : 1)))
}
