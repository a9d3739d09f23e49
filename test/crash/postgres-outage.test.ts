/** PostgreSQL goes away under a running node: killed, hanging, or crashed and recovered by itself. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { PlainSql } from '../../proofs/torture/plain-sql.ts'
import { pooled } from '../../src/store/postgres/connection.ts'
import { openPostgres } from '../../src/store/postgres/open.ts'
import { success } from '../ledger/books.ts'
import { booksOf, callOf, type LedgerAccount, ledgerAccount, sqlOf } from '../ledger-store/ledger-accounts.ts'
import { createDatabase, type Postgres, startPostgres } from '../postgres.ts'
import { type Answer, startTestService, type TestService } from '../service.ts'

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

const compute = () => service.call(PATH, { key: account.key, body: { wealth: 2 } })

async function timed(send: () => Promise<Answer>): Promise<{ answer: Answer; ms: number }> {
  const started = performance.now()
  const answer = await send()
  return { answer, ms: performance.now() - started }
}

/** Calls that arrive over more than a second, so that some meet every stage of giving up. */
async function callsDuring(): Promise<number[]> {
  const sent = Array.from({ length: 24 }, async (_, i) => {
    await sleep(i * 75)
    const { answer, ms } = await timed(compute)
    assert.equal(answer.status, 503, answer.text)
    assert.equal(answer.body.error.code, 'unavailable')
    assert.ok(Number(answer.headers.get('retry-after')) >= 1)
    return ms
  })
  const ready = timed(() => service.call('/readyz'))
  const times = await Promise.all(sent)
  assert.equal((await ready).answer.status, 503)
  assert.equal((await service.call('/healthz')).status, 200)
  return times
}

async function recoversWithin(ms: number): Promise<void> {
  const deadline = performance.now() + ms
  const isUp = async () => (await compute()).status === 200 && (await service.call('/readyz')).status === 200
  while (!(await isUp())) {
    assert.ok(performance.now() < deadline, `still away ${ms} ms after the database's return`)
    await sleep(50)
  }
}

/** Successes answered so far are debited, nothing else is. */
async function booksAreExact(): Promise<void> {
  await sleep(1_200)
  const { balance, debited, given } = await booksOf(sql, account.id)
  assert.equal(balance, given - debited)
}

describe('PostgreSQL that was killed', () => {
  it('is answered 503 with Retry-After within 2 s, nothing is computed for free, and the node is not ready', async () => {
    assert.equal((await compute()).status, 200)
    const before = await booksOf(sql, account.id)
    server.kill9()
    const times = await callsDuring()
    assert.ok(Math.max(...times) < 2_000, `an answer took ${Math.max(...times)} ms`)
    await server.start()
    await recoversWithin(5_000)
    await booksAreExact()
    const after = await booksOf(sql, account.id)
    assert.ok(after.balance < before.balance)
  })
})

describe('PostgreSQL that hangs', () => {
  it('is answered 503 within 2 s too, and a call that it finishes later is refunded', async () => {
    assert.equal((await compute()).status, 200)
    const before = await booksOf(sql, account.id)
    const flood = Array.from({ length: 16 }, async () => {
      const answers: { answer: Answer; ms: number }[] = []
      do answers.push(await timed(compute))
      while (answers.at(-1)!.answer.status === 200)
      return answers
    })
    await sleep(300)
    const pids = treeOf(server.pid!)
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    let times: number[]
    let flooded: { answer: Answer; ms: number }[]
    try {
      times = await callsDuring()
      flooded = (await Promise.all(flood)).flat()
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT')
    }
    for (const ms of [...times, ...flooded.map((one) => one.ms)])
      assert.ok(ms < 2_000, `an answer took ${ms} ms`)
    const successes = flooded.filter(({ answer }) => answer.status === 200).length
    assert.ok(successes > 0)
    const recovered = await recoveredAfter(before.balance - successes)
    assert.ok(recovered, 'what was answered is not what was debited')
  })
})

/** Whether the balance comes to this once every doubt is resolved. */
async function recoveredAfter(balance: number): Promise<boolean> {
  const deadline = performance.now() + 8_000
  while (performance.now() < deadline) {
    const books = await booksOf(sql, account.id)
    if (books.balance === balance && books.balance === books.given - books.debited) {
      await recoversWithin(5_000)
      return true
    }
    await sleep(100)
  }
  return false
}

describe('a crash that PostgreSQL recovers from by itself', () => {
  it('may have lost an admission: its settlement is refused, uncharged', async () => {
    const store = await openPostgres({ url: service.databaseUrl! })
    try {
      const slow = callOf(account)
      const [admitted] = await store.commit([{ step: 'admit', call: slow }], false)
      assert.ok(admitted!.ok)
      await crashOneBackend()
      const { balance } = await booksOf(sql, account.id)
      const { admission } = admitted
      const [settled] = await store.commit(
        [{ step: 'settle', call: slow, admission, outcome: success }],
        false,
      )
      assert.equal(settled!.ok, false)
      assert.equal((await booksOf(sql, account.id)).balance, balance)
    } finally {
      await store.close()
    }
  })
})

/** The postmaster then restarts all of its processes, and stays itself. */
async function crashOneBackend(): Promise<void> {
  const victim = new pg.Client({ connectionString: service.databaseUrl! })
  victim.on('error', () => undefined)
  await victim.connect()
  const { rows } = await victim.query('SELECT pg_backend_pid() AS pid')
  process.kill(rows[0].pid, 'SIGKILL')
  await sleep(300)
  await recoversWithin(5_000)
}

describe('a connection that is lost while a verb has it', () => {
  it('fails that verb, not the node', async () => {
    const pool = pooled(service.databaseUrl!)
    const unhandled: unknown[] = []
    const note = (error: unknown) => unhandled.push(error)
    process.on('uncaughtException', note)
    try {
      const client = await pool.connect()
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
      await sql.query('SELECT pg_terminate_backend($1)', [rows[0].pid])
      await sleep(100)
      await assert.rejects(client.query('SELECT 1'))
      client.release(true)
      assert.deepEqual(unhandled, [])
    } finally {
      process.off('uncaughtException', note)
      await pool.end()
    }
  })
})

/** The postmaster and its children, as /proc tells. */
function treeOf(postmaster: number): number[] {
  const children = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((entry) => {
      try {
        const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === postmaster
      } catch {
        return false
      }
    })
  return [postmaster, ...children.map(Number)]
}
