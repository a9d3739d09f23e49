/** A database of version 0.1.0, which has no proofs: its rows stay as they are, and those of new calls are proven. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { query } from '../../support/database.ts'
import { operator, settingsOf } from '../../support/operator.ts'
import { useService } from '../../support/people.ts'
import { testDatabase } from '../../support/postgres.ts'
import { tablesBefore } from '../../support/tables-before.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const BODY = { spot: 100, strike: 105, risk_free_rate: 0.03, volatility: 0.2, time_to_maturity: 0.5 }
const ROWS = 3
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

test('the audit of 0.1.0 is not accused, neither before the first checkpoint nor after it', async () => {
  const dataDir = temporaryFolder('earlier')
  const databaseUrl = await testDatabase({ isEmpty: true })
  const earlier = { dataDir, databaseUrl }
  for (const statement of tablesBefore('006-since-0.1.0', databaseUrl === null ? 'sqlite' : 'postgres'))
    await query(earlier, statement)
  await query(
    earlier,
    "INSERT INTO accounts (uid, tier, balance, created_at, verified_at) VALUES ('earlier', 'free', 40, 1, 1)",
  )
  await query(
    earlier,
    `INSERT INTO ledger (at, account_id, kind, amount) VALUES (1, 1, 'grant', ${40 + ROWS})`,
  )
  for (let n = 1; n <= ROWS; n++)
    await query(
      earlier,
      `INSERT INTO audit (id, at, account_id, kind, method, path, status, credits, calls, ip, request_id, duration_ms, replayed)
       VALUES ('row ${n}', ${Date.now() - HOUR_MS}, 1, 'computation', 'POST', '/p', 200, 1, 1, '192.0.2.1', 'row ${n}', 1, 0)`,
    )
  // 0.1.0 kept the sums of past days for all keys of an account together; they are computed again.
  const day = Math.floor((Date.now() - 2 * DAY_MS) / DAY_MS)
  await query(
    earlier,
    `INSERT INTO usage_days (account_id, day, path, calls, credits) VALUES (1, ${day}, '/p', 9, 9)`,
  )
  await query(earlier, `INSERT INTO usage_closed (account_id, until_day) VALUES (1, ${day + 1})`)
  const rows = () =>
    query(earlier, "SELECT id, at, credits, ip, stream FROM audit WHERE path = '/p' ORDER BY id")

  const service = await useService(settingsOf(earlier))
  const quantd = operator(settingsOf(earlier))
  const checked = async (command: readonly string[]) => {
    const { code, err, json, out } = await quantd([...command, '--json'])
    assert.equal(code, 0, err || out)
    return json
  }
  const kept = await rows()
  assert.deepEqual(await query(earlier, 'SELECT * FROM usage_days'), [])
  assert.deepEqual(await query(earlier, 'SELECT * FROM usage_closed'), [])
  assert.deepEqual(
    kept.map(({ id, stream }) => [id, stream]),
    [1, 2, 3].map((n) => [`row ${n}`, null]),
  )
  assert.equal((await checked(['verify-audit'])).unproven, ROWS)

  const key = await service.guest()
  const call = await service.call('/quantlib/pricing/bs/price', { key, body: BODY })
  const id = call.headers.get('x-request-id')
  const receipt = await service.call(`/user/receipt?request_id=${id}`, { key })
  assert.deepEqual([receipt.status, receipt.body.data.leaf.credits], [200, 1], receipt.text)
  const { rows: proven, unproven } = await checked(['verify-audit'])
  assert.deepEqual([proven > 0, unproven], [true, ROWS])
  await checked(['admin', 'verify-ledger'])
  assert.deepEqual(await rows(), kept)
})
