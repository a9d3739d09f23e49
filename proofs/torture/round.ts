/** One round of torture: fresh accounts, concurrent clients, faults one after another, then the checks. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Postgres } from '../../test/postgres.ts'
import { type Account, violationsOf } from './check.ts'
import { runClient, type Told } from './client.ts'
import type { CommitProxy } from './commit-proxy.ts'
import type { NodeProcess } from './node-process.ts'
import type { PlainSql } from './plain-sql.ts'
import { chance, type Fault } from './schedule.ts'

/** The servers of a run. */
export interface Bench {
  readonly nodes: readonly NodeProcess[]
  /** One before each node; none on SQLite. */
  readonly proxies: readonly CommitProxy[]
  readonly database: Postgres | null
  readonly sql: PlainSql
}

export interface RoundResult {
  readonly requests: number
  readonly nodeKills: number
  readonly databaseKills: number
  readonly cuts: number
  /** Answers by status; 0 stands for connections that died. */
  readonly statuses: ReadonlyMap<number, number>
  readonly refunds: number
  readonly violations: readonly string[]
}

/** Accounts of a round: whether their clients repeat calls until they are answered, and the credits they may spend. */
const ACCOUNTS = [
  { keyed: true, credits: 1_000_000, clients: 3 },
  { keyed: false, credits: 1_000_000, clients: 4 },
  { keyed: true, credits: 40, clients: 2 },
  { keyed: false, credits: 40, clients: 2 },
] as const

/** For a COMMIT to pass: clients send all the time, so that only a machine that hardly runs takes longer. */
const FAULT_MS = 20_000
const REFUNDS_MS = 120_000

export async function runRound(
  bench: Bench,
  seed: number,
  round: number,
  faults: readonly Fault[],
): Promise<RoundResult> {
  const accounts: TortureAccount[] = []
  for (const [index, terms] of ACCOUNTS.entries())
    accounts.push(await createAccount(bench, `torture ${round}.${index}`, terms))
  let requests = 0
  let isOver = false
  const clients = accounts.map((account, index) =>
    Promise.all(
      Array.from({ length: ACCOUNTS[index]!.clients }, (_, number) =>
        runClient({
          name: `r${round}a${index}c${number}`,
          keyed: account.keyed,
          apiKey: account.apiKey,
          urls: bench.nodes.map((node) => node.url),
          draw: chance(seed, round, index + 1, number),
          isOver: () => isOver,
          onRequest: () => {
            requests += 1
          },
        }),
      ),
    ),
  )
  const struck = { node: 0, database: 0, commit: 0 }
  try {
    for (const fault of faults) if (await strike(bench, fault)) struck[fault.kind] += 1
  } finally {
    isOver = true
  }
  const told = (await Promise.all(clients)).map((ofAccount) => ofAccount.flat())
  const violations = await refundsResolved(bench)
  for (const [index, { id, keyed }] of accounts.entries())
    violations.push(...(await violationsOf(bench.sql, { id, keyed, told: told[index]! } satisfies Account)))
  return {
    requests,
    nodeKills: struck.node,
    databaseKills: struck.database,
    cuts: struck.commit,
    statuses: statusesOf(told.flat()),
    refunds: await refundsOf(bench.sql, accounts),
    violations,
  }
}

/** Resolves when the failed part runs again; false if no fault happened. */
async function strike({ database, nodes, proxies }: Bench, fault: Fault): Promise<boolean> {
  await sleep(fault.afterMs)
  if (fault.kind === 'node') {
    await nodes[fault.node]!.kill9()
    await nodes[fault.node]!.start()
    return true
  }
  if (fault.kind === 'commit') return await proxies[fault.node]!.cut(fault.where, FAULT_MS)
  if (fault.where !== null) await proxies[fault.node]!.cut(fault.where, FAULT_MS)
  database!.kill9()
  await sleep(fault.awayMs)
  await database!.start()
  return true
}

interface TortureAccount {
  readonly id: number
  readonly apiKey: string
  readonly keyed: boolean
}

const GUEST_CREDITS = 50

/** A guest account that is given credits and limits as an administrator would. */
async function createAccount(
  { nodes, sql }: Bench,
  device: string,
  { credits, keyed }: { keyed: boolean; credits: number },
): Promise<TortureAccount> {
  const response = await fetch(`${nodes[0]!.url}/guest/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ device_id: device, device_name: 'torture', platform: 'torture' }),
  })
  const { data } = (await response.json()) as { data: { api_key: string } }
  const [account] = await sql.query<{ id: number }>('SELECT id FROM accounts WHERE device_id = $1', [device])
  const { id } = account!
  await sql.query(
    `UPDATE accounts SET tier = 'pro', expires_at = NULL, hour_limit = 1000000000, balance = balance + $1 WHERE id = $2`,
    [credits - GUEST_CREDITS, id],
  )
  await sql.query(
    `INSERT INTO ledger (at, account_id, kind, amount, note) VALUES (0, $1, 'grant', $2, 'torture')`,
    [id, credits - GUEST_CREDITS],
  )
  return { id, apiKey: data.api_key, keyed }
}

/** Waits until every node has resolved its unknown COMMIT outcomes. */
async function refundsResolved({ nodes }: Bench): Promise<string[]> {
  const deadline = performance.now() + REFUNDS_MS
  while (nodes.some((node) => node.hasOpenRefunds())) {
    if (performance.now() > deadline) return ['unknown COMMIT outcomes were not resolved in time']
    await sleep(50)
  }
  return []
}

async function refundsOf(sql: PlainSql, accounts: readonly { id: number }[]): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `SELECT count(*) AS count FROM ledger WHERE kind = 'refund' AND account_id >= $1`,
    [Math.min(...accounts.map(({ id }) => id))],
  )
  return row!.count
}

function statusesOf(told: readonly Told[]): Map<number, number> {
  const statuses = new Map<number, number>()
  for (const { status } of told) statuses.set(status ?? 0, (statuses.get(status ?? 0) ?? 0) + 1)
  return statuses
}
