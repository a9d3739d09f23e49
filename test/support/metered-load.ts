/** Many clients on several nodes, and the comparison of their answers with the ledger. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { readPostgres } from '../../src/ledger/store/postgres/reader.ts'
import { checkLedger } from '../../src/operators/ledger-check.ts'
import { sqlOf } from './ledger-accounts.ts'
import { insist, type PlainSql } from './plain-sql.ts'
import type { TestService } from './service.ts'
import { until } from './until.ts'

const PATH = '/quantlib/economics/utility/log'
const REFUSED_PAUSE_MS = 20

export interface MeteredLoad {
  readonly sql: PlainSql
  /** The accounts, in the order of their clients. */
  readonly accountIds: readonly number[]
  /** Answered calls so far, by status. */
  counts(): { readonly charged: number; readonly refused: number }
  /**
   * The longest time in ms, since the last call of this function, from an account's first refusal to its last one before the next
   * success.
   */
  longestRefusal(): number
  /** Waits for further calls that succeed, at most once for each client. */
  succeedsAgain(): Promise<void>
  /** Ends the clients. */
  end(): Promise<void>
  /**
   * Asserts, after the end, that exactly the calls answered 200 are charged, once each, and that each balance agrees with the
   * ledger.
   * @param refunded ids of audit rows that the test itself has refunded
   * @param node whose database has the ledger now
   */
  check(refunded?: ReadonlySet<string>, node?: TestService): Promise<void>
}

/** Each account has several clients, which use all nodes by turns. */
export async function startLoad(
  nodes: readonly TestService[],
  accounts: number,
  clients: number,
): Promise<MeteredLoad> {
  const [first] = nodes
  const sql = sqlOf(first!)
  const keys: string[] = []
  const [before] = await sql.query<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM accounts')
  for (let i = 0; i < accounts; i++) keys.push(await first.guest())
  const accountIds = (
    await sql.query<{ id: number }>('SELECT id FROM accounts WHERE id > $1 ORDER BY id', [before!.id])
  ).map(({ id }) => id)
  await sql.query(
    `UPDATE accounts SET hour_limit = 1000000, day_limit = 1000000, balance = balance + 1000000
     WHERE id IN (${accountIds})`,
  )
  await sql.query(`UPDATE ledger SET amount = amount + 1000000 WHERE account_id IN (${accountIds})`)
  const statuses = new Map<string, number>()
  const refusedSince = keys.map((): number | null => null)
  let [charged, refused, longest, isOver] = [0, 0, 0, false]
  const client = async (number: number) => {
    const account = number % accounts
    for (let i = 0; !isOver; i++) {
      const id = `call-${number}-${i}`
      const node = nodes[(number + i) % nodes.length]
      const { status } = await node.callOnce(PATH, {
        key: keys[account],
        body: { wealth: 2 },
        headers: { 'x-request-id': id },
      })
      statuses.set(id, status)
      if (status === 200) {
        charged += 1
        refusedSince[account] = null
      } else {
        refused += 1
        refusedSince[account] ??= performance.now()
        longest = Math.max(longest, performance.now() - refusedSince[account])
        await sleep(REFUSED_PAUSE_MS)
      }
    }
  }
  const running = Array.from({ length: clients }, (_, number) => client(number))
  const debits = async (refunded: ReadonlySet<string>, url: string) => {
    const found = await insist<{ id: string; request_id: string }>(
      url,
      `SELECT id, request_id FROM audit
       WHERE kind = 'computation' AND credits > 0 AND account_id IN (${accountIds})`,
    )
    const refunds = "SELECT audit_id FROM ledger WHERE kind = 'refund'"
    const back = new Set((await insist<{ audit_id: string }>(url, refunds)).map(({ audit_id }) => audit_id))
    const kept = found.filter(({ id }) => refunded.has(id) || !back.has(id))
    return kept.map(({ request_id }) => request_id).sort()
  }
  return {
    sql,
    accountIds,
    counts: () => ({ charged, refused }),
    longestRefusal() {
      const found = longest
      longest = 0
      return found
    },
    succeedsAgain: () => {
      const goal = charged + clients
      return until(() => charged >= goal, 'calls succeed')
    },
    async end() {
      isOver = true
      await Promise.all(running)
    },
    async check(refunded = new Set(), node = first) {
      const url = node.databaseUrl!
      assert.deepEqual(new Set(statuses.values()).difference(new Set([200, 503])), new Set())
      const acknowledged = [...statuses].flatMap(([id, status]) => (status === 200 ? [id] : [])).sort()
      // A COMMIT of unknown outcome is refunded when its server answers again.
      await until(
        async () => (await debits(refunded, url)).length === acknowledged.length,
        'every other debit is refunded',
      )
      assert.deepEqual(await debits(refunded, url), acknowledged)
      const reads = await readPostgres(url)
      assert.deepEqual((await reads.run(checkLedger, null)).faults, [])
      await reads.close()
      await sql.close()
    },
  }
}
