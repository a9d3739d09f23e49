/** Pages of a long usage history whose filter matches few rows: each reads a bounded number of rows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { type Row, sqlFor } from '../../src/store/sql.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import { type UsageFilter, type UsagePlace, usage } from '../../src/store/verbs/usage.ts'

/** An account with 9,000 calls and a guest key taken over, with 9,000 older and newer ones; each 3,000th of both failed. */
function longHistory(): Database.Database {
  const db = new Database(':memory:')
  migrate(db)
  const account = db.prepare(
    'INSERT INTO accounts (uid, tier, balance, created_at, linked_to) VALUES (?, ?, 0, 0, ?)',
  )
  account.run('registered', 'free', null)
  account.run('guest', 'guest', 1)
  for (const [id, start] of [
    [1, 10_000],
    [2, 4_000],
  ])
    db.prepare(
      `WITH RECURSIVE calls (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM calls WHERE n < 9000)
       INSERT INTO audit (id, at, account_id, kind, method, path, status, credits, calls, ip, request_id, duration_ms, replayed)
       SELECT printf('%d-%05d', @id, n), @start + n, @id, 'computation', 'POST', '/p', iif(n % 3000 = 0, 422, 200), 0, 1, '', n, 0, 0
       FROM calls`,
    ).run({ id, start })
  return db
}

test('every failure is found once, newest first, and no page reads more than its share of the rows', () => {
  const db = longHistory()
  const sql = sqlFor('sqlite', () => ({ sql: 'SELECT ? AS now', parameters: [0] }))
  const page = (filter: UsageFilter, before: UsagePlace | null, limit = 2) => {
    const steps = usage(sql, { accountId: 1, limit, before, filter })
    for (let step = steps.next(); ; ) {
      if (step.done) return step.value
      step = steps.next(db.prepare(step.value.sql).all(step.value.parameters) as Row[])
    }
  }
  const expected = db
    .prepare('SELECT id FROM audit WHERE status = 422 ORDER BY at DESC, id DESC')
    .pluck()
    .all()
  assert.equal(expected.length, 6)
  const found: string[] = []
  let pages = 0
  let place: UsagePlace | null = null
  do {
    const { items, next } = page({ status: 'failure' }, place)
    found.push(...items.map(({ id }) => id))
    place = next
    pages++
  } while (place !== null && pages < 50)
  assert.deepEqual(found, expected)
  assert.ok(pages >= 4, `${pages} pages for 18,000 rows`)

  const [first] = expected as string[]
  const { request_id: requestId } = db.prepare('SELECT request_id FROM audit WHERE id = ?').get(first) as Row
  const byRequest = page({ requestId: String(requestId) }, null, 10)
  assert.equal(byRequest.items.length, 2, 'one of the account and one of the guest key')
  assert.equal(byRequest.next, null)
  db.close()
})
