/** The audit on PostgreSQL by days: made ahead of time, dropped whole, and never in the way of a call. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { usagePage } from '../../../src/accounts/usage-pages.ts'
import { tidy } from '../../../src/app/main/clean-up.ts'
import { uuidv7 } from '../../../src/base/ids.ts'
import { mergeAudit } from '../../../src/ledger/store/postgres/audit-days.ts'
import { openPostgres } from '../../../src/ledger/store/postgres/open.ts'
import { readPostgres } from '../../../src/ledger/store/postgres/reader.ts'
import { type Row, type Sql, sqlFor, type Transaction } from '../../../src/ledger/store/sql.ts'
import { setTier } from '../../../src/operators/account-changes.ts'
import { checkLedger } from '../../../src/operators/ledger-check.ts'
import { operatorEvent } from '../../support/new-account.ts'
import { COMPUTED, useService } from '../../support/people.ts'
import { createDatabase } from '../../support/postgres.ts'
import { closedAfter, startTestService, type TestService } from '../../support/service.ts'
import { tidied } from '../../support/tidied.ts'

const skip =
  process.env.QUANTD_TEST_DATABASE !== 'postgres' || process.env.QUANTD_TEST_CITUS !== undefined
    ? 'one PostgreSQL only'
    : false
const DAY_MS = 86_400_000
const partOf = (day: number) => `audit_${new Date(day).toISOString().slice(0, 10).replaceAll('-', '')}`

const PARTS = `SELECT relname AS name FROM pg_class JOIN pg_inherits ON inhrelid = oid
  WHERE inhparent = 'audit'::regclass ORDER BY relname`

interface Session {
  query<Found extends pg.QueryResultRow>(sql: string): Promise<Found[]>
  run<Result>(transaction: Transaction<Result>): Promise<Result>
  parts(): Promise<string[]>
  end(): Promise<void>
}

async function connect(url: string): Promise<Session> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    query: async <Found extends pg.QueryResultRow>(sql: string) => (await client.query<Found>(sql)).rows,
    async run(transaction) {
      await client.query('BEGIN')
      let step = transaction.next()
      while (!step.done) {
        const { parameters, sql } = step.value
        step = transaction.next((await client.query(sql, [...parameters])).rows as Row[])
      }
      await client.query('COMMIT')
      return step.value
    },
    parts: async () => (await client.query<{ name: string }>(PARTS)).rows.map(({ name }) => name),
    end: () => client.end(),
  }
}

const digestOf = async (url: string) => {
  const reader = await readPostgres(url)
  const { digest, faults } = await reader.run(checkLedger, null)
  await reader.close()
  assert.deepEqual(faults, [])
  return digest
}

describe('the audit by days on PostgreSQL', { skip }, async () => {
  const service = await useService()
  const today = Math.floor((await service.store.run((sql) => sql.clock())) / DAY_MS) * DAY_MS
  const session = await connect(service.databaseUrl!)
  const key = await service.guest()
  before(async () => {
    await service.store.run(setTier, { accountId: 1, tier: 'pro', event: operatorEvent('tier') })
    await session.query('UPDATE accounts SET expires_at = NULL')
  })
  after(() => session.end())

  const call = async (of: TestService = service) => {
    const answer = await of.call(COMPUTED, { key, body: { wealth: 2 } })
    assert.equal(answer.status, 200, answer.text)
    return answer.headers.get('x-request-id')!
  }
  const partOfRequest = async (id: string) =>
    (
      await session.query<{ part: string }>(
        `SELECT tableoid::regclass::text AS part FROM audit WHERE request_id = '${id}'`,
      )
    )[0].part
  const history = async () => {
    const page = await usagePage(service.store, { accountId: 1, limit: 50, before: null, filter: {} })
    return page.items.map(({ requestId }) => requestId)
  }

  it('has the present day and the next three from the start, and a row is in its day', async () => {
    assert.deepEqual(
      await session.parts(),
      [0, 1, 2, 3].map((n) => partOf(today + n * DAY_MS)).concat('audit_default'),
    )
    assert.equal(await partOfRequest(await call()), partOf(today))
  })

  it('takes a call whose day has no partition, and its history shows it', async () => {
    service.advance(10 * DAY_MS)
    const id = await call()
    assert.equal(await partOfRequest(id), 'audit_default')
    assert.equal((await history())[0], id)
    await tidied(service)
    const parts = await session.parts()
    assert.ok(!parts.includes(partOf(today + 10 * DAY_MS)), 'its day stays in the default partition')
    assert.ok(parts.includes(partOf(today + 11 * DAY_MS)))
    service.advance(DAY_MS)
    assert.equal(await partOfRequest(await call()), partOf(today + 11 * DAY_MS))
  })

  it('is dropped day by day by two nodes at once, while a session that reads it only delays that', async () => {
    const other = closedAfter(await startTestService({ DATABASE_URL: service.databaseUrl! }))
    other.advance(11 * DAY_MS)
    await session.query('BEGIN')
    await session.query('SELECT 1 FROM audit LIMIT 1')
    await assert.rejects(tidy(service.store, 5 * DAY_MS))
    assert.ok((await session.parts()).includes(partOf(today)))
    await call(other)
    await session.query('COMMIT')
    const both = await Promise.all([service, other].map((node) => tidied(node, 5 * DAY_MS)))
    const rows = both.map(({ auditRows }) => auditRows)
    assert.ok(rows[0] + rows[1] >= 2, `${rows} rows`)
    const parts = await session.parts()
    for (const n of [0, 1, 2, 3]) assert.ok(!parts.includes(partOf(today + n * DAY_MS)), parts.join())
    assert.equal((await history()).length, 3)
    await digestOf(service.databaseUrl!)
    const [archived] = await session.query<{ amount: string }>(
      "SELECT sum(amount) AS amount FROM ledger WHERE kind = 'archived_debits'",
    )
    assert.equal(Number(archived!.amount), -1)
    await call()
  })

  it('loses rows of the default partition in pieces', async () => {
    service.advance(6 * DAY_MS)
    await tidied(service, 5 * DAY_MS)
    assert.deepEqual(await session.query('SELECT 1 FROM audit_default'), [])
    await digestOf(service.databaseUrl!)
  })

  it('is read by the history in pieces, each of few partitions, and page by page without gaps', async () => {
    const url = await createDatabase(process.env.QUANTD_TEST_POSTGRES_URL!)
    const store = await openPostgres({ url })
    const own = await connect(url)
    try {
      const days = Array.from({ length: 100 }, (_, n) => today - (n + 1) * DAY_MS)
      for (const day of days)
        await own.query(
          `CREATE TABLE ${partOf(day)} PARTITION OF audit FOR VALUES FROM (${day}) TO (${day + DAY_MS})`,
        )
      await own.query(
        `INSERT INTO audit (id, at, account_id, kind, method, path, status, credits, calls, ip, request_id, duration_ms, replayed)
         SELECT 'id' || n, ${today} - n * ${DAY_MS}::bigint + n, 1, 'computation', 'POST', '/p', 200, 0, 1, '',
           CASE n WHEN 90 THEN 'mine' ELSE 'id' || n END, 0, 0
         FROM generate_series(1, 100, 3) AS n`,
      )
      const madeAt = today - 40 * DAY_MS + 1
      const made = uuidv7(madeAt)
      await own.query(
        `INSERT INTO audit (id, at, account_id, kind, method, path, status, credits, calls, ip, request_id, duration_ms, replayed)
         VALUES ('${made}', ${madeAt}, 2, 'computation', 'POST', '/p', 200, 0, 1, '', '${made}', 0, 0)`,
      )
      const sql = sqlFor('postgres', () => ({ sql: 'SELECT 0 AS now', parameters: [] }))
      const partitions: number[] = []
      function* explained<Result>(transaction: Transaction<Result>): Transaction<Result> {
        let step = transaction.next()
        while (!step.done) {
          const { parameters, sql: text } = step.value
          if (/"?audit"? where/.test(text)) {
            const plan = yield { sql: `EXPLAIN ${text}`, parameters }
            const named = plan.flatMap(
              (row) => String(row['QUERY PLAN']).match(/ on audit_(\d{8}|default)\b/g) ?? [],
            )
            partitions.push(new Set(named).size)
          }
          step = transaction.next(yield step.value)
        }
        return step.value
      }
      const page = (query: object) =>
        usagePage(
          { isByDay: true, run: (verb, ...args) => own.run(explained(verb(sql as Sql, ...args))) },
          { accountId: 1, limit: 2, before: null, filter: {}, ...query },
        )
      const found: string[] = []
      let next = null
      do {
        const read = await page({ before: next })
        found.push(...read.items.map(({ id }) => id))
        next = read.next
      } while (next !== null)
      assert.deepEqual(
        found,
        Array.from({ length: 34 }, (_, n) => `id${1 + 3 * n}`),
      )
      assert.ok(Math.max(...partitions) <= 38, `a statement read ${Math.max(...partitions)} partitions`)
      partitions.length = 0
      await page({ limit: 1, before: { at: today - 50 * DAY_MS, id: 'z' } })
      assert.ok(partitions[0] <= 3, `the first statement read ${partitions[0]} partitions`)
      assert.deepEqual(
        (await page({ filter: { requestId: 'id91' } })).items.map(({ id }) => id),
        ['id91'],
      )
      partitions.length = 0
      assert.equal((await page({ accountId: 2, filter: { requestId: made } })).items.length, 1)
      assert.ok(partitions.includes(3), 'the id is looked up in its day, the one before and the one after')
      assert.deepEqual(
        (await page({ filter: { requestId: 'mine' } })).items.map(({ id }) => id),
        [],
      )
    } finally {
      await own.end()
      await store.close()
    }
  })

  it('takes over a table with rows as one partition, while a node that runs goes on', async () => {
    const running = await startTestService()
    const own = await connect(running.databaseUrl!)
    try {
      await own.run(mergeAudit())
      const guest = await running.guest()
      const send = async () => (await running.call(COMPUTED, { key: guest, body: { wealth: 2 } })).status
      assert.equal(await send(), 200)
      const [before, digest] = [
        await own.query('SELECT * FROM audit ORDER BY id'),
        await digestOf(running.databaseUrl!),
      ]
      await (await openPostgres({ url: running.databaseUrl! })).close()
      assert.deepEqual(await own.parts(), ['audit_default', 'audit_earlier'])
      assert.deepEqual(await own.query('SELECT * FROM audit ORDER BY id'), before)
      assert.equal(await digestOf(running.databaseUrl!), digest)
      assert.equal(await send(), 200)
      const page = await usagePage(running.store, { accountId: 1, limit: 50, before: null, filter: {} })
      assert.equal(page.items.length, 2)
      running.advance(6 * DAY_MS)
      await tidied(running)
      const after = [8, 9].map((n) => partOf(today + n * DAY_MS))
      assert.deepEqual(await own.parts(), [...after, 'audit_default', 'audit_earlier'])
      const [indexes] = await own.query<{ count: string }>(
        "SELECT count(*) FROM pg_index WHERE indrelid = 'audit_earlier'::regclass",
      )
      const [ofAll] = await own.query<{ count: string }>(
        "SELECT count(*) FROM pg_index WHERE indrelid = 'audit'::regclass",
      )
      assert.equal(indexes!.count, ofAll!.count, 'no index was built again')
      await tidied(running, 1)
      assert.ok((await own.query('SELECT 1 FROM audit')).length === 0, 'its rows go in pieces')
      await digestOf(running.databaseUrl!)
    } finally {
      await own.end()
      await running.close()
    }
  })
})
