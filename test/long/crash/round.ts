/** One round of a crash run: fresh accounts, concurrent clients, faults one after another, then the checks. */
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Quantd } from '../../support/operator.ts'
import type { PlainSql } from '../../support/plain-sql.ts'
import { createGuest, definite, request } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { guestAccount } from '../fuzz/accounts.ts'
import { type Account, violationsOf } from './check.ts'
import { type CallRecord, runClient } from './client.ts'
import { type Owner, startOwner } from './owner.ts'
import { type Chance, chance, type Fault, type FaultKind } from './schedule.ts'
import { strike, type Targets } from './strike.ts'

/** The servers of a run, and the driver's own way to the ledger. */
export interface Bench extends Targets {
  readonly sql: PlainSql
  readonly quantd: Quantd
  /** The file to which all nodes export checkpoints; no fault strikes it. */
  readonly exported: string
}

/** The servers that clients load, and the way to their ledger. */
export interface Loaded {
  readonly nodes: Bench['nodes']
  readonly sql: PlainSql
  readonly exported: string
  /** The command line of an operator; absent: no credits are granted or taken back. */
  readonly quantd?: Quantd
}

export interface RoundResult {
  readonly requests: number
  /** Faults that happened, by kind. */
  readonly struck: ReadonlyMap<FaultKind, number>
  /** Answers by status; 0 stands for connections that died. */
  readonly statuses: ReadonlyMap<number, number>
  readonly refunds: number
  readonly violations: readonly string[]
}

/** Accounts of a round: whether their clients repeat calls until they are answered, and the credits they may spend. */
const ACCOUNTS = [
  { keyed: true, credits: 1_000_000, clients: 3 },
  { keyed: false, credits: 1_000_000, clients: 4 },
  // Several accounts, whose calls share groups: one account may fail where another was committed.
  { keyed: false, credits: 1_000_000, clients: 2 },
  { keyed: false, credits: 1_000_000, clients: 2 },
  { keyed: false, credits: 1_000_000, clients: 2 },
  { keyed: true, credits: 40, clients: 2 },
  { keyed: false, credits: 40, clients: 2 },
] as const

const REFUNDS_MS = 120_000

export async function runRound(
  bench: Bench,
  seed: number,
  round: number,
  faults: readonly Fault[],
): Promise<RoundResult> {
  const struck = new Map<FaultKind, number>()
  const result = await runLoad(bench, seed, round, async (owner) => {
    for (const fault of faults) {
      // A disk with an open file cannot be unmounted.
      if (fault.kind === 'read-only' || fault.kind === 'power') await owner?.pause()
      try {
        if (await strike(bench, fault)) struck.set(fault.kind, (struck.get(fault.kind) ?? 0) + 1)
      } finally {
        owner?.resume()
      }
    }
  })
  return { ...result, struck }
}

/** Loads the nodes until the faults are over, then checks the ledger. */
export async function runLoad(
  bench: Loaded,
  seed: number,
  round: number,
  faults: (owner: Owner | null) => Promise<void>,
): Promise<Omit<RoundResult, 'struck'>> {
  // The checkpoint's account has no clients and must not be the newest, which a fault locks, so it is made before the others.
  await exportCheckpoint(bench)
  const accounts: { readonly id: number; readonly apiKeys: readonly string[]; readonly keyed: boolean }[] = []
  for (const [index, { credits, keyed }] of ACCOUNTS.entries()) {
    const account = await guestAccount(bench.nodes[0].url, bench.sql, `crash ${round}.${index}`, credits)
    accounts.push({ id: account.id, apiKeys: Array(ACCOUNTS[index].clients).fill(account.apiKey), keyed })
  }
  const owner = await ownerOf(bench, `crash-${seed}-${round}`, chance(seed, round, 0))
  if (owner !== null) accounts.push({ ...owner, keyed: false })
  let requests = 0
  let isOver = false
  const violations: string[] = []
  const clients = accounts.map((account, index) =>
    Promise.all(
      account.apiKeys.map((apiKey, number) =>
        runClient({
          name: `r${round}a${index}c${number}`,
          keyed: account.keyed,
          apiKey,
          urls: bench.nodes.map((node) => node.url),
          draw: chance(seed, round, index + 1, number),
          isOver: () => isOver,
          onRequest: () => {
            requests += 1
          },
          onSilence: (violation) => violations.push(violation),
        }),
      ),
    ),
  )
  try {
    await faults(owner)
  } catch (error) {
    violations.push(String(error))
  } finally {
    isOver = true
  }
  await owner?.end().catch((error) => violations.push(String(error)))
  const records = (await Promise.all(clients)).map((ofAccount) => ofAccount.flat())
  const toCheck = accounts.map(({ id, keyed }, index): Account => ({ id, keyed, records: records[index] }))
  violations.push(...(await lastingViolations(bench, toCheck, owner)))
  return {
    requests,
    statuses: statusesOf(records.flat()),
    refunds: await refundsOf(bench.sql, accounts[0].id),
    violations,
  }
}

/** Exports a checkpoint by asking for a receipt, so that the faults strike a history that was exported. */
async function exportCheckpoint({ exported, nodes }: Loaded): Promise<void> {
  const { url } = nodes[0]
  const lines = () => (existsSync(exported) ? readFileSync(exported, 'utf8').split('\n').length : 0)
  const before = lines()
  const key = await createGuest(url)
  const body = { wealth: 2 }
  const { headers } = await definite(() => request(`${url}/quantlib/economics/utility/log`, { key, body }))
  const receipt = `${url}/user/receipt?request_id=${headers.get('x-request-id')}`
  const { status, text } = await definite(() => request(receipt, { key }))
  if (status !== 200) throw new Error(text)
  await until(() => lines() > before, 'the checkpoint was exported')
}

const ownerOf = async (
  { exported, nodes, quantd, sql }: Loaded,
  name: string,
  draw: Chance,
): Promise<Owner | null> =>
  quantd === undefined ? null : await startOwner({ quantd, sql, exported, url: nodes[0].url }, name, draw)

/** Violations that remain once every node has resolved its unknown COMMIT outcomes. */
async function lastingViolations(
  { nodes, sql }: Loaded,
  accounts: readonly Account[],
  owner: Owner | null,
): Promise<string[]> {
  const deadline = performance.now() + REFUNDS_MS
  for (;;) {
    const isResolved = !nodes.some((node) => node.hasOpenRefunds())
    // A journal that could not be written is kept in memory, where this driver cannot see it.
    const lost = new Set(nodes.flatMap((node) => [...node.lostRefunds()]))
    const found = [...accounts.map((one) => violationsOf(sql, one, lost)), owner?.violations() ?? []]
    // On a busy machine the connection of a query may be lost.
    const violations = (await Promise.all(found).catch((error) => [String(error)])).flat()
    if (isResolved && violations.length === 0) return []
    if (performance.now() > deadline)
      return isResolved ? violations : ['unknown COMMIT outcomes were not resolved in time', ...violations]
    await sleep(500)
  }
}

function statusesOf(records: readonly CallRecord[]): Map<number, number> {
  const statuses = new Map<number, number>()
  for (const { status } of records) statuses.set(status ?? 0, (statuses.get(status ?? 0) ?? 0) + 1)
  return statuses
}

/** The number of refunds to the accounts from this id on. */
async function refundsOf(sql: PlainSql, firstAccount: number): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `SELECT count(*) AS count FROM ledger WHERE kind = 'refund' AND account_id >= $1`,
    [firstAccount],
  )
  return row!.count
}
