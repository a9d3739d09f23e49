/** Locks that another session holds on PostgreSQL: calls fail uncharged, and no reply precedes its audit row. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import pg from 'pg'
import { deleteExpired } from '../../../src/app/main/clean-up.ts'
import { ROW_LOCK_MS } from '../../../src/base/limits/operation.ts'
import type { Call, Entry } from '../../../src/ledger/rules/types.ts'
import type { Sql, Transaction } from '../../../src/ledger/store/sql.ts'
import {
  callOf,
  type LedgerAccount,
  ledgerAccount,
  ledgerStateOf,
  sqlOf,
} from '../../support/ledger-accounts.ts'
import { success } from '../../support/ledger-in-memory.ts'
import { COMPUTED, useService } from '../../support/people.ts'
import { reached } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const skip = process.env.QUANTD_TEST_DATABASE === 'postgres' ? false : 'PostgreSQL only'
/** On Citus a lock of the table does not lock its shards, to which groups write. */
const onCitus = process.env.QUANTD_TEST_CITUS !== undefined
const CANCEL_WAITING = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`
function* cleanUpThatWaits(sql: Sql): Transaction<void> {
  const tidied = yield* deleteExpired(sql, DAY_MS)
  assert.notEqual(tidied?.auditRows, 0)
  yield { sql: 'SELECT pg_advisory_xact_lock_shared(7)', parameters: [] }
}
const DAY_MS = 86_400_000
const TERMS = { credits: 100, hourLimit: 1_000 }
/** So many accounts that waiting for each would take far longer than a busy machine takes to wait for two. */
const MANY = 100

describe('a lock that another session holds on PostgreSQL', { skip }, async () => {
  const service = await useService()
  const sql = sqlOf(service)
  const account = await ledgerAccount(service, sql, TERMS)
  after(() => sql.close())

  /** Runs work while another session holds the lock that this statement takes. */
  async function whileLocked<Result>(lock: string, work: () => Promise<Result>): Promise<Result> {
    const holder = new pg.Client({ connectionString: service.databaseUrl! })
    await holder.connect()
    try {
      await holder.query('BEGIN')
      await holder.query(lock)
      return await work()
    } finally {
      await holder.end()
    }
  }

  const rowOf = ({ id }: LedgerAccount) => `SELECT 1 FROM accounts WHERE id = ${id} FOR UPDATE`
  /** An account that commits together with `account`. */
  const besideAccount = async (): Promise<LedgerAccount> => {
    for (;;) {
      const beside = await ledgerAccount(service, sql, TERMS)
      if (service.store.together(beside.id) === service.store.together(account.id)) return beside
    }
  }
  const settlement = (call: Call): Entry => ({ step: 'admitAndSettle', call, outcome: success })

  if (!onCitus)
    it('of the table of accounts is noticed by /readyz, as no call can be charged', async () => {
      const status = async () => (await service.callOnce('/readyz')).status
      assert.equal(await status(), 200)
      await whileLocked('LOCK TABLE accounts IN SHARE MODE', () =>
        until(async () => (await status()) === 503, '/readyz notices the lock'),
      )
      await until(async () => (await status()) === 200, '/readyz notices its end')
    })

  it('no call waits for the clean-up of its account', async () => {
    // Where it waits, it is refused each time.
    const called = () => service.call(COMPUTED, { key: account.key, body: { wealth: 2 } })
    assert.equal((await called()).status, 200)
    await sql.query('UPDATE audit SET at = 1 WHERE account_id = $1 AND credits > 0', [account.id])
    const { answer, cleaning } = await whileLocked('SELECT pg_advisory_xact_lock(7)', async () => {
      const cleaning = service.store.run(cleanUpThatWaits)
      const waits = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 7 AND NOT granted"
      await until(async () => (await sql.query(waits)).length > 0, 'the clean-up waits before its end')
      return { answer: await called(), cleaning }
    })
    assert.equal(answer.status, 200, answer.text)
    await Promise.allSettled([cleaning])
  })

  const FAULTY = [
    { name: 'that is not JSON', body: '{', status: 400 },
    { name: 'outside the domain', body: '{"wealth":-1}', status: 422 },
  ]
  for (const lock of ['the row of the account', ...(onCitus ? [] : ['the audit table'])])
    for (const { body, name, status } of FAULTY)
      it(`on ${lock} is answered 503 for a body ${name}, since its audit row is not written`, async () => {
        const statement = lock.startsWith('the row') ? rowOf(account) : 'LOCK TABLE audit'
        const { auditRows } = await ledgerStateOf(sql, account.id)
        const send = () => service.callOnce(COMPUTED, { key: account.key, raw: body })
        const answer = await whileLocked(statement, send)
        assert.deepEqual([answer.status, answer.body.error.code], [503, 'unavailable'])
        assert.equal(answer.headers.get('x-credits-cost'), '0')
        assert.equal((await ledgerStateOf(sql, account.id)).auditRows, auditRows)
        assert.equal((await reached(send)).status, status)
        assert.equal((await ledgerStateOf(sql, account.id)).auditRows, auditRows + 1)
      })

  it('on one account fails its calls alone, whatever another account of the group fails with', async () => {
    const [paid, locked, failing] = [account, await besideAccount(), await besideAccount()]
    const before = await ledgerStateOf(sql, paid.id)
    const group = [callOf(paid), callOf(locked), callOf(failing, { path: 'a zero \0 byte' })]
    const verdicts = await whileLocked(rowOf(locked), () =>
      service.store.commit({ entries: group.map(settlement) }),
    )
    assert.deepEqual(
      verdicts.map((verdict) => (verdict.ok ? verdict.charged : verdict.code)),
      [1, 'unavailable', 'unavailable'],
    )
    assert.equal((await ledgerStateOf(sql, paid.id)).balance, before.balance - 1)
    for (const other of [locked, failing])
      assert.equal((await ledgerStateOf(sql, other.id)).balance, TERMS.credits)
  })

  it('makes an account endpoint answer 503 if its statement is cancelled meanwhile', async () => {
    const device = { device_id: 'cancelled', device_name: 'test', platform: 'node' }
    const answer = await whileLocked('LOCK TABLE accounts', async () => {
      const create = () => service.callOnce('/guest/create', { body: device })
      let creating = create()
      const isCancelled = async () => {
        // A busy machine may not look at it while it waits: it is answered after ROW_LOCK_MS.
        if ((await Promise.race([creating, null])) !== null) creating = create()
        return (await sql.query(CANCEL_WAITING)).length > 0
      }
      await until(isCancelled, 'a statement waited for the lock and was cancelled')
      return await creating
    })
    assert.deepEqual([answer.status, answer.body.error.code], [503, 'unavailable'])
  })

  if (!onCitus)
    it('on the audit table fails a group of many accounts without a wait for each of them', async () => {
      const accounts: LedgerAccount[] = []
      for (let i = 0; i < MANY; i++) accounts.push(await besideAccount())
      const group = accounts.map((one) => settlement(callOf(one)))
      const startedAt = performance.now()
      const result = await whileLocked('LOCK TABLE audit', () => service.store.commit({ entries: group }))
      const ms = performance.now() - startedAt
      assert.ok(result.every((verdict) => !verdict.ok && verdict.code === 'unavailable'))
      assert.ok(ms < (MANY * ROW_LOCK_MS) / 2, `it took ${ms} ms`)
    })
})
