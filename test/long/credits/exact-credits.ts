/** Spends a balance of one credit by many calls at once, of which exactly one succeeds. */
import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { ledgerAccount, ledgerStateOf, sqlOf } from '../../support/ledger-accounts.ts'
import { startTestService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { post } from './post.ts'

const CALLS = 1_000
const CONNECTIONS = 200
const AGAIN_MS = 100
const MAX_TRIES = 600

export interface Tally {
  /** Answered 200. */
  readonly succeeded: number
  /** Answered 402. */
  readonly refused: number
  /** Replies of 503; each was followed by a retry. */
  readonly unavailable: number
}

/**
 * A tally per round; every round has a fresh account of one credit. A call that is answered 503 is made again, as a client
 * does that reads Retry-After. Asserts that the ledger agrees with the answers.
 */
export async function exactCredits(options: { nodes: number; rounds: number }): Promise<Tally[]> {
  const first = await startTestService()
  const sql = sqlOf(first)
  const nodes: TestService[] = [first]
  for (let i = 1; i < options.nodes; i++)
    nodes.push(await startTestService({ DATABASE_URL: first.databaseUrl! }))
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const tallies: Tally[] = []
  try {
    for (let round = 0; round < options.rounds; round++) {
      const account = await ledgerAccount(first, sql, { credits: 1, hourLimit: 1_000_000 })
      const statuses: number[] = []
      const call = async (i: number): Promise<void> => {
        for (let tries = 1; ; tries++) {
          const status = await post(agent, nodes[(i + tries) % nodes.length].url, account.key)
          statuses.push(status)
          if (status !== 503) return
          assert.ok(tries < MAX_TRIES, 'a call was answered 503 every time')
          await sleep(AGAIN_MS)
        }
      }
      await Promise.all(Array.from({ length: CALLS }, (_, i) => call(i)))
      // A COMMIT of unknown outcome may have debited the credit and be refunded later: then it is there to be spent.
      const isSpent = async () => {
        if (!statuses.includes(200)) await call(0)
        return statuses.includes(200) && (await ledgerStateOf(sql, account.id)).balance === 0
      }
      await until(isSpent, 'the credit was spent')
      const count = (wanted: number) => statuses.filter((status) => status === wanted).length
      const tally = { succeeded: count(200), refused: count(402), unavailable: count(503) }
      assert.equal(tally.succeeded + tally.refused + tally.unavailable, statuses.length)
      const { auditRows, balance, debited, given, hour } = await ledgerStateOf(sql, account.id)
      assert.deepEqual([balance, debited, auditRows, hour], [0, given, debited, debited])
      // Without an unknown outcome nothing is refunded.
      if (tally.unavailable === 0) assert.equal(given, 1)
      tallies.push(tally)
    }
  } finally {
    agent.destroy()
    await sql.close()
    for (const node of nodes) await node.close()
  }
  return tallies
}
