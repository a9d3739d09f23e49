/** Workers of a Citus cluster that are killed under load: every acknowledged call is charged once, and no other is. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkLedger } from '../../src/operator/ledger-check.ts'
import { readPostgres } from '../../src/store/postgres/reader.ts'
import { serverOf, WORKERS } from '../support/citus-cluster.ts'
import { sqlOf } from '../support/ledger-accounts.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const PATH = '/quantlib/economics/utility/log'
const CLIENTS = 24
const KILLS = 4
const folder = process.env.QUANTD_TEST_CITUS

describe('workers that are killed under load', { skip: folder === undefined ? 'Citus only' : false }, () => {
  let nodes: TestService[]
  before(async () => {
    const first = await startTestService({ QUANTD_IP_LIMITS: 'off' })
    const second = await startTestService({ QUANTD_IP_LIMITS: 'off', DATABASE_URL: first.databaseUrl! })
    nodes = [first, second]
  })
  after(() => Promise.all(nodes.map((node) => node.close())))

  it('lose no acknowledged debit, charge no call twice, and give none for free', async () => {
    const [first] = nodes
    const sql = sqlOf(first!)
    const keys = await Promise.all(Array.from({ length: CLIENTS }, () => first!.guest()))
    await sql.query(
      'UPDATE accounts SET hour_limit = 1000000, day_limit = 1000000, balance = balance + 100000',
    )
    await sql.query("UPDATE ledger SET amount = amount + 100000 WHERE kind = 'grant'")
    const statuses = new Map<string, number>()
    let isOver = false
    const client = async (key: string, number: number) => {
      for (let i = 0; !isOver; i++) {
        const id = `call-${number}-${i}`
        const headers = { 'x-request-id': id }
        const { status } = await nodes[i % 2].call(PATH, { key, body: { wealth: 2 }, headers })
        statuses.set(id, status)
        if (status === 503) await sleep(20)
      }
    }
    const clients = keys.map(client)
    for (let kill = 0; kill < KILLS; kill++) {
      await until(
        () => [...statuses.values()].filter((status) => status === 200).length > 50 * (kill + 1),
        'calls succeed',
      )
      const worker = serverOf(folder!, WORKERS[kill % 2])
      worker.kill9()
      await sleep(300)
      await worker.start()
    }
    await until(() => [...statuses.values()].at(-1) === 200, 'calls succeed again')
    isOver = true
    await Promise.all(clients)
    assert.ok([...statuses.values()].every((status) => status === 200 || status === 503))
    const charged = async () => {
      const rows = await sql.query<{ id: string; request_id: string; credits: number }>(
        "SELECT id, request_id, credits FROM audit WHERE kind = 'computation'",
      )
      const refunded = new Set(
        (await sql.query<{ audit_id: string }>("SELECT audit_id FROM ledger WHERE kind = 'refund'")).map(
          ({ audit_id }) => audit_id,
        ),
      )
      const debits = rows.filter(({ credits, id }) => credits > 0 && !refunded.has(id))
      return debits.map(({ request_id }) => request_id).sort()
    }
    const acknowledged = [...statuses].flatMap(([id, status]) => (status === 200 ? [id] : [])).sort()
    // A COMMIT of unknown outcome is refunded when its worker answers again.
    await until(async () => (await charged()).length === acknowledged.length, 'every other debit is refunded')
    assert.deepEqual(await charged(), acknowledged)
    const reads = await readPostgres(first!.databaseUrl!)
    assert.deepEqual((await reads.run(checkLedger, null)).faults, [])
    await reads.close()
    await sql.close()
    console.log(
      `# ${acknowledged.length} acknowledged, ${statuses.size - acknowledged.length} refused, ${KILLS} kills`,
    )
  })
})
