/** A torture run: starts the servers, runs the rounds and adds up their results. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '../../test/postgres.ts'
import { type CommitProxy, openCommitProxy } from './commit-proxy.ts'
import { type NodeProcess, nodeProcess } from './node-process.ts'
import { type PlainSql, postgresSql, sqliteSql } from './plain-sql.ts'
import { type Bench, type RoundResult, runRound } from './round.ts'
import { type FaultCounts, faultsOf } from './schedule.ts'

export interface TortureOptions {
  readonly database: 'sqlite' | 'postgres'
  readonly seed: number
  readonly rounds: number
  /** SQLite has one. */
  readonly nodes: number
  /** Per round. */
  readonly faults: FaultCounts
  readonly onRound?: (round: number, result: RoundResult) => void
}

export interface TortureResult {
  readonly rounds: number
  readonly requests: number
  readonly nodeKills: number
  readonly databaseKills: number
  readonly cuts: number
  readonly refunds: number
  readonly statuses: ReadonlyMap<number, number>
  readonly violations: readonly string[]
  /** Of the faults that were planned: the same for the same seed. */
  readonly scheduleDigest: string
  /** Of the accounts' sums at the end. */
  readonly booksDigest: string
  /** The data folder, kept if a rule was violated; else null. */
  readonly folder: string | null
}

export async function torture(options: TortureOptions): Promise<TortureResult> {
  const folder = mkdtempSync(join(tmpdir(), 'quantd-torture-'))
  const unasked: string[] = []
  const bench = await openBench(options, folder, (message) => unasked.push(message))
  const results: RoundResult[] = []
  try {
    for (let round = 1; round <= options.rounds && unasked.length === 0; round++) {
      const result = await runRound(bench, options.seed, round, planned(options, round))
      results.push(result)
      options.onRound?.(round, result)
    }
    const booksDigest = digest(await booksOf(bench.sql))
    const violations = [...unasked, ...results.flatMap((result) => result.violations)]
    const sum = (key: 'requests' | 'nodeKills' | 'databaseKills' | 'cuts' | 'refunds') =>
      results.reduce((total, result) => total + result[key], 0)
    return {
      rounds: results.length,
      requests: sum('requests'),
      nodeKills: sum('nodeKills'),
      databaseKills: sum('databaseKills'),
      cuts: sum('cuts'),
      refunds: sum('refunds'),
      statuses: total(results.map((result) => result.statuses)),
      violations,
      scheduleDigest: digest(Array.from({ length: options.rounds }, (_, i) => planned(options, i + 1))),
      booksDigest,
      folder: violations.length > 0 ? folder : null,
    }
  } catch (error) {
    if (unasked.length > 0) throw new Error(unasked.join('\n'), { cause: error })
    throw error
  } finally {
    await closeBench(bench)
    if (unasked.length === 0 && results.every((result) => result.violations.length === 0))
      rmSync(folder, { recursive: true, force: true })
  }
}

const planned = ({ faults, nodes, seed }: TortureOptions, round: number) =>
  faultsOf(seed, round, faults, nodes)

async function openBench(
  { database, nodes: count }: TortureOptions,
  folder: string,
  onUnasked: (message: string) => void,
): Promise<Bench> {
  const settings = {
    QUANTD_MASTER_KEY: randomBytes(32).toString('base64'),
    QUANTD_IP_LIMITS: 'off',
    QUANTD_COMPUTE_THREADS: '1',
    LOG_LEVEL: 'warn',
  }
  const server: Postgres | null = database === 'postgres' ? await startPostgres() : null
  const proxies: CommitProxy[] = []
  const nodes: NodeProcess[] = []
  for (let number = 0; number < count; number++) {
    const proxy = server === null ? null : await openCommitProxy(server.url)
    if (proxy !== null) proxies.push(proxy)
    const node = await nodeProcess({
      dataDir: join(folder, `node-${number}`),
      settings: proxy === null ? settings : { ...settings, DATABASE_URL: proxy.url },
      onUnasked,
    })
    nodes.push(node)
  }
  await Promise.all(nodes.map((node) => node.start()))
  const sql: PlainSql =
    server === null ? sqliteSql(join(folder, 'node-0', 'quantd.db')) : postgresSql(server.url)
  return { nodes, proxies, database: server, sql }
}

async function closeBench({ database, nodes, proxies, sql }: Bench): Promise<void> {
  await Promise.all(nodes.map((node) => node.kill9()))
  for (const proxy of proxies) proxy.close()
  await sql.close()
  await database?.stop()
}

const booksOf = (sql: PlainSql) =>
  sql.query(
    `SELECT a.id, a.balance, a.hour_count, (SELECT cast(coalesce(sum(amount), 0) AS bigint) FROM ledger l WHERE l.account_id = a.id) AS given,
     (SELECT cast(coalesce(sum(credits), 0) AS bigint) FROM audit u WHERE u.account_id = a.id) AS debited
     FROM accounts a ORDER BY a.id`,
  )

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)

function total(counts: readonly ReadonlyMap<number, number>[]): Map<number, number> {
  const sums = new Map<number, number>()
  for (const [status, count] of counts.flatMap((one) => [...one]))
    sums.set(status, (sums.get(status) ?? 0) + count)
  return new Map([...sums].sort(([a], [b]) => a - b))
}
