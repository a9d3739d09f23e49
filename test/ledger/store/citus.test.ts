/** The store on a Citus cluster: one server a commit, and a worker that fails harms only its accounts, and no debit. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, it } from 'node:test'
import type pg from 'pg'
import { findAccount } from '../../../src/accounts/account.ts'
import { SPECIFIED_PLAN } from '../../../src/base/limits/callers.ts'
import { refundCalls } from '../../../src/ledger/metering/refunds.ts'
import type { Call } from '../../../src/ledger/rules/types.ts'
import { hashOf, readPlaces } from '../../../src/ledger/store/postgres/citus/places.ts'
import { openServers } from '../../../src/ledger/store/postgres/citus/servers.ts'
import { pooled } from '../../../src/ledger/store/postgres/connection.ts'
import { openPostgres } from '../../../src/ledger/store/postgres/open.ts'
import { primaryOf } from '../../../src/ledger/store/postgres/primary.ts'
import { runnerOn } from '../../../src/ledger/store/postgres/run.ts'
import { NotCommitted, OutcomeUnknown } from '../../../src/ledger/store/store.ts'
import { createAccount } from '../../../src/operators/account-changes.ts'
import { grantCredits } from '../../../src/operators/grants.ts'
import { asAdmin } from '../../support/as-admin.ts'
import { COORDINATOR, citusOnly, portsOfAccounts, serverOf, WORKERS } from '../../support/citus-cluster.ts'
import { onServer as urlOn } from '../../support/citus-database.ts'
import { callOf } from '../../support/ledger-accounts.ts'
import { whole } from '../../support/ledger-in-memory.ts'
import { newAccount, operatorEvent } from '../../support/new-account.ts'
import { COMPUTED, useService } from '../../support/people.ts'
import { whileStopped } from '../../support/processes.ts'
import { openBehindProxies } from '../../support/proxied-citus.ts'
import { NOTICED_MS, timeTaken } from '../../support/time-taken.ts'
import { until } from '../../support/until.ts'

const BODY = { wealth: 2 }
const folder = process.env.QUANTD_TEST_CITUS

describe('on Citus', citusOnly, async () => {
  const service = await useService()
  const keys: string[] = []
  /** The accounts, by key. */
  const idOf = new Map<string, number>()
  before(async () => {
    for (let i = 0; i < 24; i++) keys.push(await service.guest())
    const rows = await query<{ id: string }>('SELECT id FROM accounts ORDER BY id')
    for (const [index, { id }] of rows.entries()) idOf.set(keys[index], Number(id))
  })

  const call = (key: string) => service.callOnce(COMPUTED, { key, body: BODY })
  const reachedCall = (key: string) => service.call(COMPUTED, { key, body: BODY })
  const query = async <Row extends pg.QueryResultRow>(sql: string, url = service.databaseUrl!) =>
    (await asAdmin(url, (admin) => admin.query<Row>(sql))).rows
  /** The port of the worker that holds the account of each key. */
  const places = async () => {
    const rows = await query<{ port: number }>(portsOfAccounts(keys.length))
    return new Map(rows.map(({ port }, index) => [keys[index], port]))
  }
  const onServer = (port: number): string => urlOn(service.databaseUrl!, { host: '127.0.0.1', port })

  it('knows the hash by which Citus divides accounts, and both workers have accounts', async () => {
    const ids = [0, 1, 2, 3, 63, 64, 12_345, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1]
    const hashes = await query<{ hash: number }>(
      `SELECT worker_hash(id) AS hash FROM unnest('{${ids}}'::bigint[]) WITH ORDINALITY AS of (id, n) ORDER BY n`,
    )
    assert.deepEqual(
      ids.map(hashOf),
      hashes.map(({ hash }) => hash),
    )
    assert.equal(new Set((await places()).values()).size, 2)
  })

  it('distributes every table, or registers it as a table of the coordinator', async () => {
    const unknown = await query<{ name: string }>(`SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
        AND oid NOT IN (SELECT logicalrelid FROM pg_dist_partition)`)
    assert.deepEqual(unknown, [{ name: 'migrations' }])
  })

  it('the copy of a shard that moves finds the rows that are changed meanwhile by an index, in every table', async () => {
    const others = await query<{ name: string }>(`SELECT relname AS name FROM pg_dist_partition
      JOIN pg_class ON oid = logicalrelid
      LEFT JOIN pg_index ON indrelid = oid AND (CASE relreplident WHEN 'd' THEN indisprimary ELSE indisreplident END)
      WHERE partmethod = 'h' AND indexrelid IS NULL`)
    assert.deepEqual(others, [])
  })

  it('calls and refunds are committed in one phase, and an account of several servers in two', async () => {
    const servers = [...new Set([...(await places()).values()].map(onServer)), service.databaseUrl!]
    const prepared = async () => {
      const counts = await Promise.all(
        servers.map((url) => query<{ gid: string }>('SELECT gid FROM pg_dist_transaction', url)),
      )
      return new Set(counts.flat().map(({ gid }) => gid))
    }
    const before = await prepared()
    const answers = await Promise.all(Array.from({ length: 5 }, () => keys.map((key) => call(key))).flat())
    assert.ok(answers.every(({ status }) => status === 200))
    const debits = await query<{ auditId: string; accountId: string }>(
      `SELECT id AS "auditId", account_id AS "accountId" FROM audit WHERE credits > 0`,
    )
    const calls = debits.map(({ accountId, auditId }) => ({ auditId, accountId: Number(accountId) }))
    assert.equal(await refundCalls(service.store, calls), answers.length)
    const fresh = [...(await prepared())].filter((gid) => !before.has(gid))
    assert.deepEqual(fresh, [])
    // The row of the address is on the coordinator, that of the account on a worker. Citus may have cleared its note already.
    let accounts = 0
    const isPrepared = async () => {
      await service.store.run(createAccount, newAccount(`two-phases-${accounts++}@example.org`))
      return [...(await prepared())].some((gid) => !before.has(gid))
    }
    await until(isPrepared, 'an account was created in two phases')
  })

  it('an address has one account, however many are created at once', async () => {
    const created = await Promise.all(
      Array.from({ length: 5 }, () => service.store.run(createAccount, newAccount('one@example.org'))),
    )
    assert.equal(created.filter((account) => account !== null).length, 1)
  })

  // A grant with a reference has a row on the coordinator too, and two phases.
  it('a COMMIT that a worker does not answer the coordinator has an unknown outcome', async () => {
    const cluster = await openBehindProxies(folder!)
    const store = await openPostgres({ url: cluster.nodeUrl })
    try {
      const opened = await store.run(createAccount, newAccount('unknown@example.org'))
      const { accountId } = opened!
      const grant = { accountId, credits: 7, note: 'n', reference: null, expiresAt: null }
      const event = operatorEvent('grant')
      const cuts = cluster.workers.map(({ proxy }) => proxy.cut('reply', CUT_MS))
      await assert.rejects(store.run(grantCredits, { ...grant, event }), OutcomeUnknown)
      // On that of the worker which has the account.
      assert.equal(await Promise.race(cuts), true)
      // Here it was committed.
      assert.equal((await store.run(findAccount, { accountId }))!.credits, 12)
    } finally {
      await store.close()
      cluster.close()
    }
  })

  it('a group whose COMMIT a worker answers with its end, as on a full disk, has an unknown outcome', async () => {
    const cluster = await openBehindProxies(folder!)
    const store = await openPostgres({ url: cluster.nodeUrl })
    try {
      const { accountId } = (await store.run(createAccount, newAccount('panic@example.org')))!
      const keys = `SELECT id FROM api_keys WHERE account_id = ${accountId}`
      const [key] = await query<{ id: string }>(keys, cluster.url)
      const account = { id: accountId, keyId: Number(key!.id) }
      const credits = async () => (await store.run(findAccount, { accountId }))!.credits
      const debit = (one: Call, { isRepeated = false } = {}) =>
        store.commit({ entries: [whole(one)], isRepeated })
      await debit(callOf(account))
      const before = await credits()
      const unknown = callOf(account)
      const cuts = cluster.workers.map(({ proxy }) => proxy.cut('panic', CUT_MS))
      await assert.rejects(debit(unknown), OutcomeUnknown)
      assert.equal(await Promise.race(cuts), true)
      const [verdict] = await debit(unknown, { isRepeated: true })
      assert.ok(verdict!.ok && verdict!.charged === 1)
      assert.equal(await credits(), before - 1)
    } finally {
      await store.close()
      cluster.close()
    }
  })

  it('calls of a shard about whose place the servers disagree are answered 503', async () => {
    const port = (await places()).get(keys[0])!
    const shard = `get_shard_id_for_distribution_column('accounts', ${idOf.get(keys[0])})`
    const [{ id }] = await query<{ id: string }>(`SELECT ${shard} AS id`)
    const place = (group: string) =>
      query(`UPDATE pg_dist_placement SET groupid = ${group} WHERE shardid = ${id}`, onServer(port))
    await place('-1')
    try {
      const result = await call(keys[0])
      assert.equal(result.status, 503, result.text)
    } finally {
      await place('(SELECT groupid FROM pg_dist_local_group)')
    }
    assert.equal((await reachedCall(keys[0])).status, 200)
  })

  it('a key that no server has is not refused as unknown while shards go on moving', async () => {
    const primary = primaryOf(service.databaseUrl!)
    const pool = pooled(primary.url, { primary, isCluster: true })
    const places = await readPlaces(primary.url, runnerOn(pool, {}))
    // As if each reading had found other places.
    const moving = { ...places, all: () => [...places.all()] }
    const streams = { of: () => assert.fail(), set: () => assert.fail() }
    const hotPath = openServers(moving, { streams, plan: () => SPECIFIED_PLAN, clockOffsetMs: () => 0 })
    try {
      await assert.rejects(async () => await hotPath.lookup([randomBytes(32)]), NotCommitted)
    } finally {
      await Promise.all([hotPath.close(), pool.end()])
    }
  })

  it('while the coordinator is down, every account is served', async () => {
    const coordinator = serverOf(folder!, COORDINATOR)
    coordinator.kill9()
    try {
      for (const key of keys) assert.equal((await reachedCall(key)).status, 200)
    } finally {
      await coordinator.start()
    }
  })

  describe('a worker', () => {
    const worker = serverOf(folder!, WORKERS[1])
    let down: string[]
    let up: string[]
    before(async () => {
      const ports = await places()
      down = keys.filter((key) => ports.get(key) === worker.port)
      up = keys.filter((key) => !down.includes(key))
    })

    /** Asserts that all accounts of the worker are soon answered 503, and that the others are served. */
    const onlyItsAccountsFail = async () => {
      for (let round = 0; round < 3; round++) {
        const refused = down.map(async (key) => {
          const { ms, result } = await timeTaken(() => call(key))
          assert.equal(result.status, 503, result.text)
          assert.ok(Number(result.headers.get('retry-after')) >= 1)
          assert.ok(ms < NOTICED_MS, `refused after ${ms} ms`)
        })
        for (const key of up) assert.equal((await reachedCall(key)).status, 200)
        await Promise.all(refused)
      }
    }
    const isServedAgain = () =>
      until(
        async () => (await Promise.all(down.map(call))).every(({ status }) => status === 200),
        'the accounts of the worker are served again',
      )

    it('that is down: its accounts are answered 503 soon, the others as ever', async () => {
      const debit = async (key: string) => {
        await call(key)
        const [found] = await query<{ auditId: string; accountId: string }>(
          `SELECT id AS "auditId", account_id AS "accountId" FROM audit
           WHERE credits > 0 AND account_id = ${idOf.get(key)} ORDER BY at DESC, id DESC LIMIT 1`,
        )
        return { auditId: found!.auditId, accountId: Number(found!.accountId) }
      }
      const debits = [await debit(down[0]), await debit(up[0])]
      worker.kill9()
      try {
        await onlyItsAccountsFail()
        // The refund of the other account is made nevertheless.
        await assert.rejects(refundCalls(service.store, debits), NotCommitted)
        assert.equal(await refundCalls(service.store, debits.slice(1)), 0)
      } finally {
        await worker.start()
      }
      await isServedAgain()
      assert.equal(await refundCalls(service.store, debits), 1)
    })

    it('that does not answer: its accounts are answered 503 soon, the others as ever', async () => {
      await whileStopped(worker.pid, onlyItsAccountsFail)
      await isServedAgain()
    })
  })
})

const CUT_MS = 60_000
