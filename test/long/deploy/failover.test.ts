/**
 * Failover of PostgreSQL, with Debian's packages: Patroni promotes a standby under load; and promotions by hand, with servers
 * whose clocks differ (libfaketime), an old primary that comes back or is the only one that a node reaches for a while, and
 * a standby that does not confirm.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { startState } from '../../../src/app/main/start-checks.ts'
import type { Entry, Verdict } from '../../../src/ledger/rules/types.ts'
import { openPostgres } from '../../../src/ledger/store/postgres/open.ts'
import type { Store } from '../../../src/ledger/store/store.ts'
import { type CommitProxy, openCommitProxy } from '../../support/commit-proxy.ts'
import { callOf, type LedgerAccount, ledgerAccount, ledgerStateOf } from '../../support/ledger-accounts.ts'
import { success } from '../../support/ledger-in-memory.ts'
import { COMPUTED, HOUR_MS, MINUTE_MS, oneTimeCode, PASSWORD, peopleOf } from '../../support/people.ts'
import { type PlainSql, postgresSql } from '../../support/plain-sql.ts'
import { whileStopped } from '../../support/processes.ts'
import { closedAfter, startTestService, type TestService } from '../../support/service.ts'
import { type Pair, startPair } from '../../support/standby.ts'
import { until } from '../../support/until.ts'
import { failover } from '../failover/run.ts'

const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

describe('PostgreSQL that Patroni keeps', () => {
  it('loses its primary with its disk twice, under load from two nodes: no call is lost, double or free', async () => {
    const { ended, rounds } = await failover(2)
    assert.deepEqual(ended, [])
    assert.equal(rounds.length, 2)
    for (const { outages, statuses, violations } of rounds) {
      assert.deepEqual(violations, [])
      assert.ok(statuses.get(200)! > 20, 'hardly any call was answered')
      for (const { refusals, wasNotReady, wrong } of outages) {
        assert.deepEqual(wrong, [])
        assert.ok(refusals > 0 && wasNotReady, 'the outage was not noticed')
      }
    }
  })
})

/** A clock of its own for the processes of a server. @param time as libfaketime reads it */
function clock(time: string): Record<string, string> {
  assert.ok(existsSync(FAKETIME), "install Debian's libfaketime first")
  return { LD_PRELOAD: FAKETIME, FAKETIME: time, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
}

/** Promotes the standby after it has caught up: an asynchronous one may lack the last commits. */
const promote = async ({ caughtUp, primary, standby }: Pair): Promise<void> => {
  await caughtUp()
  await primary.kill9()
  await standby.promote()
}

/** Repeats an entry until the store can commit it. */
async function committed(store: Store, entry: Entry): Promise<Verdict> {
  let verdicts: Verdict[] = []
  const isCommitted = () =>
    store.commit({ entries: [entry] }).then(
      (decided) => {
        verdicts = decided
        return true
      },
      () => false,
    )
  await until(isCommitted, 'the store committed an entry')
  return verdicts[0]
}

describe('an admission on a server that was replaced', () => {
  let pair: Pair
  let stores: Store[]
  before(async () => {
    // Both servers start at the same moment: their clocks stand still.
    const frozen = clock('2026-11-01 00:00:00')
    pair = await startPair({ env: { primary: frozen, standby: frozen } })
    stores = []
    for (let number = 0; number < 2; number++) stores.push(await openPostgres({ url: pair.hostsUrl }))
  })
  after(async () => {
    for (const store of stores) await store.close()
    await pair.stop()
  })

  it('is not settled on its successor, even if both started at the same moment', async () => {
    const started = async (server: Pair['primary']) => {
      await server.query("SELECT pg_stat_reset_shared('bgwriter')")
      const [times] = await server.query(
        'SELECT pg_postmaster_start_time()::text AS start, pg_stat_get_bgwriter_stat_reset_time()::text AS statistics',
      )
      return times
    }
    assert.deepEqual(await started(pair.primary), await started(pair.standby))
    const [store] = stores
    const service = closedAfter(await startTestService({ DATABASE_URL: pair.hostsUrl }))
    const account = await ledgerAccount(service, postgresSql(pair.primary.url), {
      credits: 100,
      hourLimit: 100,
    })
    const call = callOf(account)
    const admitted = await committed(store!, { step: 'admit', call })
    assert.ok(admitted.ok)
    // The admission is not forced to the standby; it may have arrived nevertheless.
    await promote(pair)
    const { admission } = admitted
    const settled = await committed(store!, { step: 'settle', call, admission, outcome: success })
    assert.deepEqual([settled.ok, settled.ok || settled.code], [false, 'unavailable'])
    assert.equal((await ledgerStateOf(postgresSql(pair.standby.url), account.id)).debited, 0)
  })
})

describe('a promoted server whose clock is five minutes behind', () => {
  let pair: Pair
  let service: TestService
  before(async () => {
    pair = await startPair({ env: { standby: clock('-300s') } })
    service = await startTestService({ DATABASE_URL: pair.hostsUrl, QUANTD_IP_LIMITS: 'off' })
  })
  after(async () => {
    await service.close()
    await pair.stop()
  })

  it('opens no window and accepts no code twice, and calls go on without a restart', async () => {
    const sql = postgresSql(pair.primary.url)
    const account = await ledgerAccount(service, sql, { credits: 1_000, hourLimit: 5 })
    const compute = () => service.call(COMPUTED, { key: account.key, body: { wealth: 2 } })
    for (let call = 0; call < 5; call++) assert.equal((await compute()).status, 200)
    assert.equal((await compute()).status, 429)
    // A code that was used, one that was not and has expired, and a one-time code.
    const people = peopleOf(service)
    const used = await people.forgetfulPerson()
    assert.equal((await people.resetPassword(used.email, used.code)).status, 200)
    const guarded = await people.person()
    const { secret } = (await people.setUpSecondFactor(guarded.key)).body.data
    const expired = await people.forgetfulPerson()
    const [row] = await sql.query<{ left: number }>(
      `SELECT max(code_expires_at) - (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS left FROM password_resets`,
    )
    let offsetMs = row!.left + 1_000
    service.advance(offsetMs)
    assert.notEqual((await people.resetPassword(expired.email, expired.code)).status, 200)
    const enabledBy = oneTimeCode(secret, offsetMs)
    assert.equal((await people.enableSecondFactor(guarded.key, enabledBy)).status, 200)

    await promote(pair)
    await until(async () => (await service.call('/readyz')).status === 200, 'the node found the new primary')
    const behind = postgresSql(pair.standby.url)
    const [clocks] = await behind.query<{ ms: number }>(
      `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms`,
    )
    assert.ok(Date.now() - clocks!.ms > 4 * MINUTE_MS, 'the clock of the new primary is not behind')
    assert.equal((await compute()).status, 429)
    assert.notEqual((await people.resetPassword(used.email, used.code)).status, 200)
    assert.notEqual((await people.resetPassword(expired.email, expired.code)).status, 200)
    assert.equal((await people.login(guarded.email, PASSWORD, { mfa_code: enabledBy })).status, 401)
    // The window ends an hour after its beginning, and only once.
    offsetMs += HOUR_MS + 6 * MINUTE_MS
    service.advance(HOUR_MS + 6 * MINUTE_MS)
    for (let call = 0; call < 5; call++) assert.equal((await compute()).status, 200)
    assert.equal((await compute()).status, 429)
  })
})

describe('a node that reaches only the old primary while the standby is promoted', () => {
  let pair: Pair
  let gate: CommitProxy
  let service: TestService
  before(async () => {
    pair = await startPair()
    gate = await openCommitProxy(pair.standby.url)
    const hosts = `${pair.primary.host},${new URL(gate.url).host}`
    service = await startTestService({ DATABASE_URL: pair.primary.url.replace(pair.primary.host, hosts) })
    await pair.primary.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`)
    await pair.primary.query('SELECT pg_reload_conf()')
  })
  after(async () => {
    await service.close()
    gate.close()
    await pair.stop()
  })

  it('answers calls again after it reaches the new one, although the old one still answers', async () => {
    const [old, promoted] = [pair.primary, pair.standby].map(({ url }) => postgresSql(url)) as [
      PlainSql,
      PlainSql,
    ]
    const account = await ledgerAccount(service, old, { credits: 100, hourLimit: 100 })
    const compute = () => service.callOnce(COMPUTED, { key: account.key, body: { wealth: 2 } })
    assert.equal((await compute()).status, 200)
    await pair.caughtUp()
    gate.stall()
    await pair.standby.promote()
    // The COMMIT of the first call keeps the account's row locked, so the other calls do not reach theirs.
    const isHeld = async () =>
      (await compute()).status === 503 &&
      (await old.query(`SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'`)).length > 0
    await until(isHeld, 'a COMMIT waited for the standby')
    for (let call = 0; call < 5; call++) assert.equal((await compute()).status, 503)
    gate.resume('deliver')
    await until(async () => (await compute()).status === 200, 'calls succeed')
    const isExact = async () => {
      const { balance, debited, given } = await ledgerStateOf(promoted, account.id)
      return balance === given - debited && balance === 98
    }
    await until(isExact, 'the two answered calls are charged, and no other')
    await promoted.close()
    await old.close()
  })
})

describe('a standby', () => {
  let pair: Pair
  let service: TestService
  let sql: PlainSql
  before(async () => {
    pair = await startPair()
    service = await startTestService({ DATABASE_URL: pair.hostsUrl })
    sql = postgresSql(pair.primary.url)
  })
  after(async () => {
    await service.close()
    await pair.stop()
  })
  const replication = async () => (await service.call('/readyz')).body.data?.replication
  const setNames = (names: string) =>
    pair.primary
      .query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
      .then(() => pair.primary.query('SELECT pg_reload_conf()'))

  it('that is asynchronous is told by /readyz and by a start', async () => {
    await until(
      async () => (await replication()) === 'asynchronous',
      '/readyz told of the asynchronous standby',
    )
    const { replication: atStart } = await service.store.run(startState)
    assert.equal(atStart, 'asynchronous')
    await setNames('*')
    await until(
      async () => (await replication()) === 'synchronous',
      '/readyz told of the synchronous standby',
    )
  })

  it('that has not confirmed leaves the outcome of a commit unknown: the call is not answered with success', async () => {
    const account = await ledgerAccount(service, sql, { credits: 100, hourLimit: 100 })
    const compute = () => service.callOnce(COMPUTED, { key: account.key, body: { wealth: 2 } })
    assert.equal((await compute()).status, 200)
    const answer = await whileStopped(pair.standby.pid, async () => {
      const pending = compute()
      let isOver = false
      pending.finally(() => {
        isOver = true
      })
      // PostgreSQL then reports the commit as done, with a warning.
      while (!isOver)
        await pair.primary.query(
          `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`,
        )
      return await pending
    })
    assert.equal(answer.status, 503, answer.text)
    const isExact = async () => {
      const { balance, debited, given } = await ledgerStateOf(sql, account.id)
      return balance === 99 && balance === given - debited
    }
    await until(isExact, 'the refused call was refunded')
    assert.equal((await compute()).status, 200)
  })

  it('takes over from a killed primary without a restart; the old one is refused when it comes back', async () => {
    await setNames('')
    const account = await ledgerAccount(service, sql, { credits: 100, hourLimit: 100 })
    const compute = () => service.callOnce(COMPUTED, { key: account.key, body: { wealth: 2 } })
    assert.equal((await compute()).status, 200)
    await promote(pair)
    await until(async () => (await compute()).status === 200, 'calls succeed again')
    const { balance } = await ledgerStateOf(postgresSql(pair.standby.url), account.id)

    // A split brain: both accept writes, the old one with its old state.
    await pair.primary.start()
    for (let call = 1; call <= 5; call++) assert.equal((await compute()).status, 200)
    assert.equal((await ledgerStateOf(postgresSql(pair.standby.url), account.id)).balance, balance - 5)
    assert.equal((await ledgerStateOf(sql, account.id)).balance, 99)
    await pair.standby.kill9()
    await until(async () => (await service.callOnce('/readyz')).status === 503, 'the node was not ready')
    const refused = await compute()
    assert.equal(refused.status, 503)
    assert.ok(Number(refused.headers.get('retry-after')) >= 1)
    assert.equal((await ledgerStateOf(sql, account.id)).balance, 99)
    await pair.standby.start()
    await until(async () => (await compute()).status === 200, 'calls succeed again')
    // A node that starts now finds two primaries, the old one first in its list.
    const late = await startTestService({ DATABASE_URL: pair.hostsUrl })
    try {
      const before = await ledgerStateOf(postgresSql(pair.standby.url), account.id)
      assert.equal((await late.call(COMPUTED, { key: account.key, body: { wealth: 2 } })).status, 200)
      assert.equal(
        (await ledgerStateOf(postgresSql(pair.standby.url), account.id)).balance,
        before.balance - 1,
      )
    } finally {
      await late.close()
    }
    await refusesOldBehindOneAddress(pair, account)
  })
})

/** Behind one address, as behind a proxy that returns to the old primary, the node cannot choose the server, and refuses it. */
async function refusesOldBehindOneAddress({ primary, standby }: Pair, account: LedgerAccount): Promise<void> {
  const proxy = await openCommitProxy(standby.url)
  const node = await startTestService({ DATABASE_URL: proxy.url })
  const old = postgresSql(primary.url)
  const status = async () => (await node.callOnce(COMPUTED, { key: account.key, body: { wealth: 2 } })).status
  try {
    await until(async () => (await status()) === 200, 'calls succeed')
    const before = await ledgerStateOf(old, account.id)
    proxy.lead(primary.url)
    for (let call = 1; call <= 5; call++) assert.equal(await status(), 503)
    assert.deepEqual(await ledgerStateOf(old, account.id), before)
    proxy.lead(standby.url)
    await until(async () => (await status()) === 200, 'calls succeed again')
  } finally {
    await old.close()
    await node.close()
    proxy.close()
  }
}
