/** PostgreSQL goes away under a running node: killed, hanging, unable to commit, or crashed and recovered by itself. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { REFUND_JOURNAL } from '../../src/ledger/metering/refund-journal.ts'
import { pooled } from '../../src/ledger/store/postgres/connection.ts'
import { openPostgres } from '../../src/ledger/store/postgres/open.ts'
import {
  callOf,
  type LedgerAccount,
  ledgerAccount,
  ledgerStateOf,
  sqlOf,
} from '../support/ledger-accounts.ts'
import { success } from '../support/ledger-in-memory.ts'
import type { PlainSql } from '../support/plain-sql.ts'
import { createDatabase, databaseAnswers, type Postgres, startPostgres } from '../support/postgres.ts'
import { whileStopped } from '../support/processes.ts'
import { type Answer, closedAfter, startTestService, type TestService } from '../support/service.ts'
import { NOTICED_MS, timeTaken } from '../support/time-taken.ts'
import { until } from '../support/until.ts'

const PATH = '/quantlib/economics/utility/log'

let server: Postgres
let service: TestService
let sql: PlainSql
let account: LedgerAccount
before(async () => {
  server = await startPostgres()
  service = await startTestService({ DATABASE_URL: await createDatabase(server.url) })
  sql = sqlOf(service)
  account = await ledgerAccount(service, sql, { credits: 1_000, hourLimit: 10_000 })
})
after(async () => {
  await service.close()
  await server.stop()
})

const compute = () => service.callOnce(PATH, { key: account.key, body: { wealth: 2 } })

async function timed(send: () => Promise<Answer>): Promise<{ answer: Answer; ms: number }> {
  const { ms, result: answer } = await timeTaken(send)
  return { answer, ms }
}

const DEVICE = { device_id: 'd', device_name: 'test', platform: 'node' }
/** Creates a guest, which needs no key: its transaction is the first that uses the database. */
const makeGuest = () => service.callOnce('/guest/create', { body: DEVICE })

/** Calls that arrive over more than a second, so that some meet every stage of giving up. */
async function callsDuring(): Promise<number[]> {
  const sent = Array.from({ length: 24 }, async (_, i) => {
    await sleep(i * 75)
    const { answer, ms } = await timed(i % 2 === 0 ? compute : makeGuest)
    assert.equal(answer.status, 503, answer.text)
    assert.equal(answer.body.error.code, 'unavailable')
    assert.ok(Number(answer.headers.get('retry-after')) >= 1)
    return ms
  })
  const times = await Promise.all(sent)
  // All requests to /readyz share one ping.
  const isNotReady = async () => (await service.callOnce('/readyz')).status === 503
  await until(isNotReady, 'the node was reported as not ready')
  assert.equal((await service.callOnce('/healthz')).status, 200)
  return times
}

/** The time limit within which a node answers again: 5 s on an idle machine. */
const RECOVERED_MS = 20_000

/** The node's own time: it begins when the database itself answers. */
async function recovers(): Promise<void> {
  await until(() => databaseAnswers(service.databaseUrl!), 'the database answered')
  const isUp = async () =>
    (await compute()).status === 200 && (await service.callOnce('/readyz')).status === 200
  const recovery = await timeTaken(() => until(isUp, 'the node answered again'))
  assert.ok(recovery.ms < RECOVERED_MS, `answered again ${recovery.ms} ms after the database`)
}

const refundsAreMade = () =>
  until(() => !existsSync(join(service.dataDir, REFUND_JOURNAL)), 'every unknown outcome was resolved')

/** Successes answered so far are debited, nothing else is. */
async function ledgerIsExact(): Promise<void> {
  await refundsAreMade()
  const { balance, debited, given } = await ledgerStateOf(sql, account.id)
  assert.equal(balance, given - debited)
}

describe('PostgreSQL that was killed', () => {
  it('is answered 503 with Retry-After soon, nothing is computed for free, and the node is not ready', async () => {
    assert.equal((await compute()).status, 200)
    const before = await ledgerStateOf(sql, account.id)
    server.kill9()
    const times = await callsDuring()
    assert.ok(Math.max(...times) < NOTICED_MS, `an answer took ${Math.max(...times)} ms`)
    await server.start()
    await recovers()
    await ledgerIsExact()
    const after = await ledgerStateOf(sql, account.id)
    assert.ok(after.balance < before.balance)
  })
})

describe('PostgreSQL that hangs', () => {
  it('is answered 503 soon too, and a call that it finishes later is refunded', async () => {
    assert.equal((await compute()).status, 200)
    const before = await ledgerStateOf(sql, account.id)
    let succeeded = 0
    const flood = Array.from({ length: 16 }, async () => {
      const answers: { answer: Answer; ms: number }[] = []
      do {
        answers.push(await timed(compute))
        if (answers.at(-1)!.answer.status === 200) succeeded += 1
      } while (answers.at(-1)!.answer.status === 200)
      return answers
    })
    await until(() => succeeded >= 2 * flood.length, 'calls were answered')
    const { flooded, times } = await whileStopped(server.pid!, async () => ({
      times: await callsDuring(),
      flooded: (await Promise.all(flood)).flat(),
    }))
    for (const ms of [...times, ...flooded.map((one) => one.ms)])
      assert.ok(ms < NOTICED_MS, `an answer took ${ms} ms`)
    const successes = flooded.filter(({ answer }) => answer.status === 200).length
    assert.ok(successes > 0)
    await isDebited(before.balance - successes)
    await recovers()
  })
})

describe('a store on PostgreSQL that hangs', () => {
  it('is closed soon', async () => {
    const store = await openPostgres({ url: service.databaseUrl! })
    await store.lookup([Buffer.alloc(32)])
    const closed = await whileStopped(server.pid!, () =>
      Promise.race([store.close(), sleep(4 * NOTICED_MS, 'still open')]),
    )
    assert.equal(closed, undefined)
    await recovers()
  })
})

describe('PostgreSQL that answers but cannot commit', () => {
  const isReady = async () => (await service.callOnce('/readyz')).status === 200
  const isNotReady = async () => (await service.callOnce('/readyz')).status === 503
  const set = async (setting: string, value: string) => {
    await sql.query(`ALTER SYSTEM SET ${setting} = '${value}'`)
    await sql.query('SELECT pg_reload_conf()')
  }
  const isReported = async () => {
    const { ms } = await timeTaken(() => until(isNotReady, 'the node was reported as not ready'))
    assert.ok(ms < NOTICED_MS, `reported after ${ms} ms`)
  }
  const isReadyAgain = async () => {
    const { ms } = await timeTaken(() => until(isReady, 'the node was ready again'))
    assert.ok(ms < NOTICED_MS, `ready again after ${ms} ms`)
    assert.equal((await compute()).status, 200)
  }
  const waiting = () => sql.query("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'")

  it('because its synchronous standby is gone is soon reported by /readyz, which keeps no connections waiting', async () => {
    await until(isReady, 'the node was ready')
    await set('synchronous_standby_names', 'gone')
    await isReported()
    for (let ask = 0; ask < 4; ask++) {
      assert.ok(await isNotReady())
      await sleep(600)
    }
    assert.ok((await waiting()).length <= 1)
    await set('synchronous_standby_names', '')
    await isReadyAgain()
  })

  it('because it was made read-only is soon reported by /readyz', async () => {
    await until(isReady, 'the node was ready')
    await set('default_transaction_read_only', 'on')
    await isReported()
    await set('default_transaction_read_only', 'off')
    await isReadyAgain()
  })
})

/** Asserts that the debits are those of the answered calls, once every unknown outcome is resolved. */
async function isDebited(balance: number): Promise<void> {
  const isExact = async () => {
    const sums = await ledgerStateOf(sql, account.id)
    return sums.balance === balance && sums.balance === sums.given - sums.debited
  }
  await until(() => databaseAnswers(service.databaseUrl!), 'the database answered')
  await until(isExact, `the balance was ${balance}, what was answered having been debited`)
}

describe('a crash that PostgreSQL recovers from by itself', () => {
  it('may have lost an admission: its settlement is refused, uncharged', async () => {
    const store = closedAfter(await openPostgres({ url: service.databaseUrl! }))
    const slow = callOf(account)
    const [admitted] = await store.commit({ entries: [{ step: 'admit', call: slow }] })
    assert.ok(admitted!.ok)
    await crashOneBackend()
    const { balance } = await ledgerStateOf(sql, account.id)
    const { admission } = admitted
    const [settled] = await store.commit({
      entries: [{ step: 'settle', call: slow, admission, outcome: success }],
    })
    assert.equal(settled!.ok, false)
    assert.equal((await ledgerStateOf(sql, account.id)).balance, balance)
  })
})

/** The postmaster then restarts all of its processes, and stays itself. */
async function crashOneBackend(): Promise<void> {
  const victim = new pg.Client({ connectionString: service.databaseUrl! })
  const witness = new pg.Client({ connectionString: service.databaseUrl! })
  for (const client of [victim, witness]) client.on('error', () => undefined)
  await Promise.all([victim.connect(), witness.connect()])
  const { rows } = await victim.query('SELECT pg_backend_pid() AS pid')
  // The witness is ended by the restart, not by the kill.
  const restarted = new Promise<void>((resolve) => witness.once('end', resolve))
  process.kill(rows[0].pid, 'SIGKILL')
  await restarted
  await recovers()
}

describe('a connection that is lost while a verb has it', () => {
  it('makes that verb fail, but not the node', async () => {
    const pool = pooled(service.databaseUrl!)
    const unhandled: unknown[] = []
    const note = (error: unknown) => unhandled.push(error)
    process.on('uncaughtException', note)
    try {
      const client = await pool.connect()
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
      await sql.query('SELECT pg_terminate_backend($1)', [rows[0].pid])
      const isEnded = async () =>
        (await sql.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [rows[0].pid])).length === 0
      await until(isEnded, 'the connection was ended')
      await assert.rejects(client.query('SELECT 1'))
      client.release(true)
      assert.deepEqual(unhandled, [])
    } finally {
      process.off('uncaughtException', note)
      await pool.end()
    }
  })
})
