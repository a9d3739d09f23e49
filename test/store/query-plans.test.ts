/** The plans of all statements: none scans a table that grows, whatever its size. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import pg from 'pg'
import { type Row, type Sql, type Statement, sqlFor, type Transaction } from '../../src/store/sql.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import { adminReads, verbs } from '../../src/store/verbs/index.ts'
import { startTestService, type TestService } from '../service.ts'

const bytes = Buffer.alloc(32, 1)
const sealed = { masterKeyId: 'm', sealed: bytes }
let count = 0
const uid = () => `uid-${++count}`
const key = () => ({ uid: uid(), hash: Buffer.from(uid().padEnd(32)), ...sealed })
const event = () => ({ auditId: uid(), ip: '::1', requestId: 'r', method: 'POST', path: '/', actor: 'root' })
const mail = () => ({ id: uid(), to: 'a@example.org', ...sealed })
const code = (bound = uid()) => ({ uid: bound, kept: { masterKeyId: 'm', hash: bytes } })
const limit = { scope: 's', subject: 'x', limit: 100, windowMs: 60_000 }
const pause = (scope: string) => ({ scope, subject: 'x', limit: 9, windowMs: 60_000 })
const codeMail = (scope: string) => ({
  ...{ mail: mail(), mailLimits: [{ ...limit, unless: limit }], lifetimeMs: 60_000, pause: pause(scope) },
})
const guess = { address: 'new@example.org', limit, attemptsPerCode: 9 }
const change = (accountId = 2) => ({ accountId, event: event(), mail: mail() })
const owner = { email: 'a@example.org', username: 'u', fullName: 'f', passwordHash: 'p' }
const account = () => ({
  uid: uid(),
  ...owner,
  tier: 'free' as const,
  credits: 5,
  key: key(),
  event: event(),
})
const range = { from: 0, to: 9e15, accountId: 2, requestId: null, limit: 10 }
const usagePage = (filter: object) => ({ accountId: 2, limit: 10, before: { at: 9e15, id: 'z' }, filter })

/** The arguments of every verb, ordered so that later verbs find the rows that earlier ones wrote. */
const CALLS: { readonly [Name in keyof (typeof verbs & typeof adminReads)]: () => readonly unknown[] } = {
  createGuest: () => [
    {
      ...{ uid: uid(), key: key(), credits: 5, lifetimeMs: 1e9, event: event() },
      device: { id: 'd', name: 'n', platform: 'p' },
    },
  ],
  createAccount: () => [{ ...account(), address: 'a@example.org' }],
  attempt: () => [[limit]],
  forgive: () => [[{ ...limit, startedAt: 0 }]],
  register: () => [
    {
      ...{ address: guess.address, accountId: null, ...codeMail('registration pause') },
      pending: { ...owner, code: code('pending'), guestKeyId: 1, tokenHash: bytes, client: 'c' },
    },
  ],
  pendingRegistration: () => [{ address: guess.address, tokens: [Buffer.alloc(32, 2), bytes] }],
  renewRegistration: () => [
    {
      ...{ address: guess.address, kept: code().kept, ...codeMail('registration pause') },
      registration: { uid: 'pending', byToken: true },
    },
  ],
  guessRegistration: () => [guess],
  confirmRegistration: () => [
    {
      ...{ address: guess.address, code: code('pending'), accountUid: uid(), key: key(), credits: 5 },
      ...{ counted: [], event: event(), takeoverAuditId: uid(), tokens: [bytes], client: 'c' },
      unusablePassword: 'p',
    },
  ],
  requestReset: () => [
    { address: 'a@example.org', accountId: 2, code: code('reset'), ...codeMail('reset pause') },
  ],
  guessReset: () => [{ ...guess, address: 'a@example.org' }],
  finishReset: () => [
    { ...change(), code: code('reset'), passwordHash: 'q', counted: [], ended: [limit], started: limit },
  ],
  changePassword: () => [{ ...change(), oldHash: 'q', passwordHash: 'r' }],
  offerTotp: () => [{ accountId: 2, secret: sealed, event: event() }],
  enableTotp: () => [{ ...change(), step: 1, counted: [], secret: sealed, recoveryCodes: [sealed] }],
  takeTotpStep: () => [{ accountId: 2, step: 2, counted: [] }],
  recoveryCodes: () => [2],
  takeRecoveryCode: () => [{ accountId: 2, id: 1, counted: [], event: event() }],
  disableTotp: () => [change()],
  resetSecondFactor: () => [{ accountId: 2, event: event() }],
  findAccount: () => [{ address: 'a@example.org' }],
  revealKey: () => [{ accountId: 2, keyId: 2, event: event() }],
  replaceKey: () => [{ ...change(), oldKeyId: 2, key: key(), mailLimit: limit }],
  setSuspended: () => [{ accountId: 2, event: event(), suspended: true }],
  setTier: () => [{ accountId: 2, event: event(), tier: 'pro' }],
  setLimits: () => [{ accountId: 2, event: event(), hour: 7 }],
  grantCredits: () => [{ accountId: 2, event: event(), credits: 7, note: 'n', reference: 'r' }],
  grants: () => [2],
  usage: () => [usagePage({ path: '/', status: 'failure', range: { from: 0, to: 9e15 } })],
  usageSums: () => [2],
  refund: () => [[{ auditId: 'x', accountId: 2 }]],
  claimMails: () => [10, 1_000],
  mailFailed: () => ['x', 'error', 1_000],
  mailSent: () => ['x'],
  mailAbandoned: () => ['x', 'error'],
  keepOnce: () => ['name', 'value'],
  rewrap: () => ['api_key', [{ id: 1, from: sealed, to: sealed, hash: bytes }]],
  secretsPage: () => [{ kind: 'api_key', currentId: 'n', after: null, limit: 10 }],
  accountsPage: () => [{ after: 0, limit: 10 }],
  accountView: () => [{ accountId: 2 }],
  newestAudit: () => [],
  auditPage: () => [{ ...range, after: { at: 1, id: 'a' } }],
  monitoredState: () => [],
  logPosition: () => [],
  operatorActs: () => [60_000],
  startState: () => [],
  recordLedgerCheck: () => [0],
  refusalPage: () => [{ ...range, after: { at: 1, keyId: 1, ip: '', code: '' } }],
  checkLedger: () => [2],
  countFailedAttempt: () => [{ address: 'a@example.org', subject: 's', ip: '', path: '/', code: 'c' }],
  failedAttemptPage: () => [
    { ...range, after: { at: 1, ip: '', path: '', code: '', detail: '{"subject":"s"}' } },
  ],
  tidy: () => [{ auditRetentionMs: 1_000 }],
  secretCounts: () => [],
  codeCounts: () => [],
  dropCodes: () => ['n'],
  finishRotation: () => [{ currentId: 'm', fact: 'f', fingerprint: 'g', event: event() }],
  deleteAccount: () => [{ accountId: 2, event: event() }],
}

/** Steps of a master key rotation, which the operator runs once, read all rows of a key; a start reads all migrations. */
const MAY_SCAN = new Set(['startState', 'secretCounts', 'codeCounts', 'dropCodes', 'finishRotation'])

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
): Promise<Explained[]> {
  const explained: Explained[] = []
  const byRequest = ['usage', () => [usagePage({ requestId: 'r', status: 200 })]] as const
  for (const [verb, args] of [...Object.entries(CALLS), byRequest]) {
    const of = ({ ...verbs, ...adminReads } as Record<string, unknown>)[verb] as (
      sql: Sql,
      ...args: readonly unknown[]
    ) => Transaction<unknown>
    const steps = of(sql, ...args())
    for (let step = steps.next(); !step.done; ) {
      const statement = step.value
      if (/\b(from|into|update)\b/i.test(statement.sql))
        explained.push({ verb, sql: statement.sql, plan: await explain(statement) })
      step = steps.next(await execute(statement))
    }
  }
  return explained
}

const scans = (explained: readonly Explained[], scan: RegExp) =>
  explained.filter(({ plan, verb }) => scan.test(plan) && !MAY_SCAN.has(verb))

/** The names of the indexes that a page of usage may use, by its filters. */
function usageIsIndexed(explained: readonly Explained[]): void {
  const pages = explained.filter(({ sql, verb }) => verb === 'usage' && /audit/.test(sql))
  assert.equal(pages.length, 4, 'each reads the place at which it ends, and its items')
  for (const { plan, sql } of pages)
    assert.match(plan, sql.includes('"request_id" =') ? /\baudit_requests\b/ : /\baudit_computations\b/)
}

describe('the statements of all verbs', () => {
  it('search by an index on SQLite', async () => {
    const db = new Database(':memory:')
    migrate(db)
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
    // `replacements` is a list of parameters. A scan in index order is allowed, since the LIMIT ends it.
    assert.deepEqual(scans(explained, /^SCAN (?!replacements$)[a-z]\w+$/m), [])
    usageIsIndexed(explained)
    db.close()
  })

  const skip = process.env.QUANTD_TEST_DATABASE === 'postgres' ? false : 'PostgreSQL only'
  describe('on PostgreSQL', { skip }, () => {
    let service: TestService
    let client: pg.Client
    before(async () => {
      service = await startTestService()
      client = new pg.Client({ connectionString: service.databaseUrl! })
      await client.connect()
      // A plan that scans in spite of this setting has no usable index.
      await client.query('SET enable_seqscan = off')
    })
    after(async () => {
      await client.end()
      await service.close()
    })

    it('search by an index', async () => {
      const run = async (prefix: string, { parameters, sql }: Statement) =>
        (await client.query(prefix + sql, [...parameters])).rows as Row[]
      const clock = () => ({ sql: 'SELECT $1::bigint AS now', parameters: [Date.now()] })
      const explained = await explainAll(
        sqlFor('postgres', clock),
        (statement) => run('', statement),
        async (statement) => (await run('EXPLAIN ', statement)).map((row) => row['QUERY PLAN']).join('\n'),
      )
      assert.deepEqual(scans(explained, /Seq Scan on/), [])
      usageIsIndexed(explained)
    })
  })
})
