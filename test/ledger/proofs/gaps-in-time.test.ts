/** Checkpoints sign what is written after days of rest, after a kill, after the clock was days ahead, or is visible late. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { CHECKPOINT_EVENTS, CHECKPOINT_GROUPS } from '../../../src/base/limits/operation.ts'
import type { Stream } from '../../../src/ledger/proofs/group.ts'
import { makeCheckpoint } from '../../../src/ledger/receipts/make-checkpoint.ts'
import { receiptOf } from '../../../src/ledger/receipts/receipt.ts'
import { checkAudit } from '../../../src/ledger/receipts/verify-audit.ts'
import { writeEvent } from '../../../src/ledger/store/events.ts'
import { rows, type Sql, type Transaction } from '../../../src/ledger/store/sql.ts'
import { openSqlite } from '../../../src/ledger/store/sqlite/open.ts'
import { call, success } from '../../support/ledger-in-memory.ts'
import { addAccounts, testVault } from '../../support/proven-audit.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const HOUR_MS = 3_600_000
const DAYS = 24

/** A service whose clock stands at an hour. */
function service(t: TestContext) {
  const folder = temporaryFolder('gaps')
  const file = join(folder, 'quantd.db')
  const begun = Date.now()
  t.mock.method(Date, 'now', () => begun)
  let hour = 0
  const open = () => openSqlite({ file, clockOffsetMs: () => hour * HOUR_MS })
  let store = open()
  t.after(() => store.close())
  addAccounts(file)
  const now = () => begun + hour * HOUR_MS
  const vault = testVault()
  let eventStream: Stream | null = null
  return {
    setClock(at: number) {
      hour = at
    },
    /** The calls after it are in a stream of their own. */
    async restarts() {
      await store.close()
      store = open()
      eventStream = null
    },
    async writesCall() {
      const own = call({ id: crypto.randomUUID(), accountId: 1, keyId: 1 })
      const outcome = { ...success, content: 'ab'.repeat(32) }
      await store.commit({ entries: [{ step: 'admitAndSettle', call: own, outcome }] })
      return { id: own.id, at: now() }
    },
    async writesEvent() {
      const id = crypto.randomUUID()
      const origin = { auditId: id, ip: 'local', requestId: id, method: 'CLI', path: 'x' }
      await store.run(writeEvent, origin, { at: now(), accountId: 1, keyId: null, name: 'noted' })
      return { id, at: now() }
    },
    async signs() {
      for (;;) {
        const made = (await store.run(makeCheckpoint, { vault, retentionMs: null, eventStream }))!
        eventStream = made.eventStream
        if (!made.more) return made.checkpoint?.checkpoint.streams.map(({ last }) => last)
      }
    },
    run: <Result>(verb: (sql: Sql) => Transaction<Result>) => store.run(verb),
    receiptOf: (row: { id: string; at: number }) => store.run(receiptOf, row),
    faults: async () => (await store.run(checkAudit, { exported: [], keys: null })).faults,
  }
}

test('an event after days of calls alone is signed', async (t) => {
  const { faults, receiptOf, setClock, signs, writesCall, writesEvent } = service(t)
  await writesEvent()
  for (let hour = 0; hour <= 3 * DAYS; hour += 12) {
    setClock(hour)
    await writesCall()
    await signs()
  }
  const event = await writesEvent()
  await signs()
  assert.equal(typeof (await receiptOf(event)), 'object')
  setClock(3 * DAYS + 1)
  await writesCall()
  await signs()
  assert.deepEqual(await faults(), [])
})

test('a call after days without calls, in which the process was halted, is signed', async (t) => {
  const { faults, receiptOf, setClock, signs, writesCall, writesEvent } = service(t)
  await writesCall()
  await signs()
  setClock(3 * DAYS)
  await writesEvent()
  await signs()
  const late = await writesCall()
  await signs()
  assert.equal(typeof (await receiptOf(late)), 'object')
  setClock(3 * DAYS + 1)
  await writesEvent()
  await signs()
  assert.deepEqual(await faults(), [])
})

test('calls after the clock was days ahead are signed, and get receipts', async (t) => {
  const { receiptOf, setClock, signs, writesCall, writesEvent } = service(t)
  for (const hour of [0, 40 * DAYS, 0, 1, 2]) {
    setClock(hour)
    const rows = [await writesCall(), await writesEvent()]
    await signs()
    if (hour > 0) assert.equal(typeof (await receiptOf(rows[0])), 'object', `at hour ${hour}`)
  }
})

test('more events than one checkpoint takes, made while no service ran, are signed', async (t) => {
  const { faults, signs, setClock, writesCall, writesEvent } = service(t)
  await writesCall()
  await signs()
  for (let minute = 0; minute < CHECKPOINT_EVENTS + 50; minute++) {
    setClock(minute / 60)
    await writesEvent()
  }
  await signs()
  setClock(DAYS)
  await writesEvent()
  await signs()
  assert.deepEqual(await faults(), [])
})

test('more groups than one checkpoint takes, left by a process that was killed, are signed after days', async (t) => {
  const { faults, receiptOf, restarts, signs, setClock, writesCall } = service(t)
  await writesCall()
  await signs()
  for (let group = 0; group < CHECKPOINT_GROUPS + 50; group++) await writesCall()
  await restarts()
  const last = await writesCall()
  setClock(3 * DAYS)
  await signs()
  assert.equal(typeof (await receiptOf(last)), 'object')
  assert.deepEqual(await faults(), [])
})

test('what no checkpoint had signed before a kill is signed by the first one after it, however long that takes', async (t) => {
  const { faults, receiptOf, restarts, setClock, signs, writesCall } = service(t)
  const written = [await writesCall()]
  await signs()
  written.push(await writesCall())
  await restarts()
  setClock(9 * DAYS)
  written.push(await writesCall())
  await signs()
  assert.deepEqual(await faults(), [])
  for (const row of written) assert.equal(typeof (await receiptOf(row)), 'object')
})

// On a cluster a statement reads each server at a moment of its own.
test('a group that is found before the one before it is signed with that one, by the next checkpoint', async (t) => {
  const { faults, run, signs, writesCall } = service(t)
  for (let group = 1; group <= 3; group++) await writesCall()
  const [second] = await run((sql) =>
    rows(sql.db.deleteFrom('audit_groups').where('number', '=', 2).returningAll()),
  )
  assert.deepEqual(await signs(), [1])
  await run((sql) => rows(sql.db.insertInto('audit_groups').values(second)))
  assert.deepEqual(await signs(), [3])
  assert.deepEqual(await faults(), [])
})
