/** A balance of one under a thousand parallel calls: exactly one success, on one, three and five nodes. */
import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ledgerAccount, ledgerStateOf, sqlOf } from '../../support/ledger-accounts.ts'
import type { PlainSql } from '../../support/plain-sql.ts'
import { startTestService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { post } from './post.ts'

const ROUNDS = 3
const CALLS = 1_000
const CONNECTIONS = 200
const AGAIN_MS = 100
const MAX_TRIES = 600

/**
 * Spends a fresh account of one credit. A call that is answered 503 is made again, as a client does that reads Retry-After. The
 * ledger must agree with the answers.
 */
async function round(nodes: readonly TestService[], sql: PlainSql, agent: Agent): Promise<void> {
  const account = await ledgerAccount(nodes[0], sql, { credits: 1, hourLimit: 1_000_000 })
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
  // A COMMIT of unknown outcome may have debited the credit; after its refund the credit can be spent again.
  const isSpent = async () => {
    if (!statuses.includes(200)) await call(0)
    return statuses.includes(200) && (await ledgerStateOf(sql, account.id)).balance === 0
  }
  await until(isSpent, 'the credit was spent')
  const count = (wanted: number) => statuses.filter((status) => status === wanted).length
  const [succeeded, refused, unavailable] = [count(200), count(402), count(503)]
  assert.equal(succeeded, 1)
  assert.ok(refused >= CALLS - 1, `${refused} calls were refused`)
  assert.equal(succeeded + refused + unavailable, statuses.length)
  const { auditRows, balance, debited, given, hour } = await ledgerStateOf(sql, account.id)
  assert.deepEqual([balance, debited, auditRows, hour], [0, given, debited, debited])
  // Without an unknown outcome nothing is refunded.
  if (unavailable === 0) assert.equal(given, 1)
}

describe('a thousand parallel calls on a balance of one', () => {
  for (const count of process.env.QUANTD_TEST_DATABASE === 'postgres' ? [1, 3, 5] : [1])
    it(`have exactly one success in every round on ${count} node${count === 1 ? '' : 's'}`, async () => {
      const first = await startTestService()
      const nodes: TestService[] = [first]
      while (nodes.length < count) nodes.push(await startTestService({ DATABASE_URL: first.databaseUrl! }))
      const sql = sqlOf(first)
      const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
      try {
        for (let done = 0; done < ROUNDS; done++) await round(nodes, sql, agent)
      } finally {
        agent.destroy()
        await sql.close()
        for (const node of nodes) await node.close()
      }
    })
})
