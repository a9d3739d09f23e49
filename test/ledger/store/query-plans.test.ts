/** The plans of all statements: none scans a table that grows, whatever its size. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import pg from 'pg'
import { usage } from '../../../src/accounts/usage-pages.ts'
import { uuidv7 } from '../../../src/base/ids.ts'
import { receiptOf } from '../../../src/ledger/receipts/receipt.ts'
import { migrate } from '../../../src/ledger/store/migrations/index.ts'
import { onCoordinator } from '../../../src/ledger/store/postgres/citus/cluster.ts'
import { type Row, type Sql, type Statement, sqlFor } from '../../../src/ledger/store/sql.ts'
import { stepRunner } from '../../../src/ledger/store/sqlite/run.ts'
import { useService } from '../../support/people.ts'
import { writeAudit } from '../../support/proven-audit.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { everyVerb, usageQuery } from './every-verb.ts'

/**
 * Steps of a master key rotation, which the operator runs once, read all rows of a key; a start reads all migrations, the
 * lists of tokens and of webhooks all of them, and so does an act that adds an endpoint to these.
 */
const MAY_SCAN = new Set([
  'operatorTokens',
  'listEndpoints',
  'addEndpoint',
  'endpoints',
  'queueDeliveries',
  'replay',
  'startState',
  'secretCounts',
  'olderCodes',
  'dropCodes',
  'finishRotation',
  // In a thread of its own, up to a number of rows.
  'unpaidRows',
  // In a thread of its own: a balance is compared with each threshold of its owner.
  'crossedThresholds',
  // The versions of the plan.
  'readStatement',
])

/** The end of the name of a shard, or of an index of one. */
const SHARD = /_\d{6}$/

interface Explained {
  readonly verb: string
  readonly sql: string
  readonly plan: string
}

/** Runs every verb; returns the plan of each statement that reads or writes a table. */
async function explainAll(
  sql: Sql,
  execute: (statement: Statement) => Promise<Row[]>,
  explain: (statement: Statement) => Promise<string>,
  accountId = 2,
): Promise<Explained[]> {
  const explained: Explained[] = []
  const query = usageQuery(accountId, { requestId: uuidv7(), status: 200 })
  const byRequest = { verb: usage.name, start: (sql: Sql) => usage(sql, query) }
  for (const { start, verb } of [...everyVerb({ accountId, keyId: 2, guestKeyId: 1 }), byRequest]) {
    const steps = start(sql)
    for (let step = steps.next(); !step.done; ) {
      const statement = step.value
      if (/\b(from|into|update)\b/i.test(statement.sql))
        explained.push({ verb, sql: statement.sql, plan: await explain(statement) })
      step = steps.next(await execute(statement))
    }
  }
  return explained
}

/** SQLite calls it a scan, but its LIMIT ends it: the rows come in the order of their key. */
const isInOrder = ({ plan, sql }: Explained) =>
  /^select \* from "\w+" order by "\w+" desc limit \?$/.test(sql) && !plan.includes('TEMP B-TREE')

const scans = (explained: readonly Explained[], scan: RegExp) =>
  explained.filter((one) => scan.test(one.plan) && !MAY_SCAN.has(one.verb) && !isInOrder(one))

const indexOf = (sql: string): RegExp => {
  const [, condition] = / where (.*)/.exec(sql)!
  if (!condition!.includes('"request_id"')) return /\baudit_computations\b/
  return condition!.includes('"request_id" <>') ? /\baudit_given_requests\b/ : /\baudit_id\b/
}

/** The names of the indexes that a page of usage may use, by its filters. */
function usageIsIndexed(explained: readonly Explained[]): void {
  const pages = explained.filter(({ sql, verb }) => verb === 'usage' && /audit/.test(sql))
  assert.equal(pages.length, 3, 'a page without a request id is one statement, one with it is two')
  for (const { plan, sql } of pages) assert.match(plan, indexOf(sql))
}

const GENERATOR = /\bfunction\* (\w+)/g
/** A generator that src/ runs by its name. */
const RUN = /\brun\(\s*(\w+)[,)]/g
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name!)

describe('the statements of all verbs', () => {
  it('are those of every verb that is run', () => {
    const texts = globSync('src/{accounts,operators,serve,app,ledger/metering}/**/*.ts').map((file) =>
      readFileSync(file, 'utf8'),
    )
    // `quantd move` reads whole tables, and no node runs beside it.
    const offline = new Set(['checks'])
    const generators = new Set(texts.flatMap((text) => namesIn(text, GENERATOR)))
    const run = new Set(texts.flatMap((text) => namesIn(text, RUN))).intersection(generators)
    const explained = new Set(everyVerb({ accountId: 1, keyId: 1, guestKeyId: 1 }).map(({ verb }) => verb))
    assert.ok(run.size > 30)
    assert.deepEqual([...run.difference(explained).difference(offline)], [])
  })

  it('search by an index on SQLite', async () => {
    const db = new Database(':memory:')
    stepRunner(db)(migrate({ dialect: 'sqlite' }))
    const execute = async ({ parameters, sql }: Statement) => {
      const statement = db.prepare(sql)
      if (statement.reader) return statement.all(parameters) as Row[]
      statement.run(parameters)
      return []
    }
    const explain = async ({ parameters, sql }: Statement) =>
      (db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(parameters) as { detail: string }[])
        .map(({ detail }) => detail)
        .join('\n')
    const clock = () => ({ sql: 'SELECT ? AS now', parameters: [Date.now()] })
    const explained = await explainAll(sqlFor('sqlite', clock), execute, explain)
    // `replacements` is a list of parameters, the others are subqueries. A scan in index order is allowed, since the LIMIT ends
    // it.
    assert.deepEqual(scans(explained, /^SCAN (?!(?:replacements|newest|called|refunded)$)[a-z]\w+$/m), [])
    usageIsIndexed(explained)
    db.close()
  })

  it('of a receipt find its row, its group and its checkpoint by an index', async () => {
    const folder = temporaryFolder('plans')
    const file = join(folder, 'quantd.db')
    await writeAudit(file, 60, 7)
    const db = new Database(file)
    const row = db.prepare("SELECT id, at FROM audit WHERE kind = 'computation'").get()
    const plans: string[] = []
    const finding = receiptOf(
      sqlFor('sqlite', () => ({ sql: '', parameters: [] })),
      row as never,
    )
    let step = finding.next()
    while (!step.done) {
      const { parameters, sql } = step.value
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(parameters) as { detail: string }[]
      plans.push(...plan.map(({ detail }) => detail))
      step = finding.next(db.prepare(sql).all(parameters) as Row[])
    }
    db.close()
    assert.equal(typeof step.value, 'object')
    assert.deepEqual(
      plans.filter((plan) => /^SCAN|TEMP B-TREE/.test(plan)),
      [],
    )
    // Its primary key would lead through all checkpoints from before.
    assert.match(plans.join('\n'), /SEARCH checkpoints USING INDEX checkpoints_at \(at>\?\)/)
  })

  const skip = process.env.QUANTD_TEST_DATABASE === 'postgres' ? false : 'PostgreSQL only'
  describe('on PostgreSQL', { skip }, async () => {
    const service = await useService()
    const client = new pg.Client({ connectionString: service.databaseUrl! })
    const accountId = 2
    before(async () => {
      // As the store reads them.
      client.setTypeParser(pg.types.builtins.INT8, Number)
      await client.connect()
      // Where a table is empty, or has rows of one account, its indexes cost the same.
      await client.query(
        `INSERT INTO audit (id, at, account_id, kind, method, path, status, credits, calls, ip, request_id, duration_ms, replayed)
         SELECT n, ${Date.now()} - n, ${accountId} + n % 50, 'computation', 'POST', '/p', 200, 0, 1, '', n, 0, 0 FROM generate_series(1, 2000) AS n`,
      )
      await client.query('ANALYZE audit')
    })
    after(() => client.end())

    it('search by an index', async () => {
      const run = async (prefix: string, { parameters, sql }: Statement) =>
        (await client.query(prefix + sql, [...parameters])).rows as Row[]
      const clock = () => ({ sql: 'SELECT $1::bigint AS now', parameters: [Date.now()] })
      const indexes = await run('', {
        sql: `SELECT part.relname AS part, whole.relname AS whole FROM pg_inherits
              JOIN pg_class part ON part.oid = inhrelid JOIN pg_class whole ON whole.oid = inhparent`,
        parameters: [],
      })
      const names = new Map(indexes.map(({ part, whole }) => [String(part), String(whole)]))
      await client.query('BEGIN')
      // A plan that scans in spite of this setting, which the workers of Citus get too, has no usable index.
      await client.query("SET LOCAL citus.propagate_set_commands = 'local'")
      await client.query('SET LOCAL enable_seqscan = off')
      // All verbs are in one transaction, which no service does: Citus then needs one connection to each worker.
      await client.query("SET LOCAL citus.multi_shard_modify_mode = 'sequential'")
      const explained = await explainAll(
        sqlFor('postgres', clock, undefined, service.store.isByDay ? {} : onCoordinator),
        (statement) => run('', statement),
        async (statement) =>
          (await run('EXPLAIN ', statement))
            .map((row) =>
              // Partitions and shards stand for their table.
              String(row['QUERY PLAN']).replace(/\w+/g, (word) => names.get(word) ?? word.replace(SHARD, '')),
            )
            .join('\n'),
        accountId,
      )
      await client.query('COMMIT')
      assert.deepEqual(scans(explained, /Seq Scan on/), [])
      usageIsIndexed(explained)
    })
  })
})
