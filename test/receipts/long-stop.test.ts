/** What a checkpoint signs late: after days in which the service was stopped, or because it was not visible before. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeCheckpoint } from '../../src/receipts/make-checkpoint.ts'
import { receiptOf } from '../../src/receipts/receipt.ts'
import { checkAudit } from '../../src/receipts/verify-audit.ts'
import { rows } from '../../src/store/sql.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { call, success } from '../support/ledger-in-memory.ts'
import { addAccounts, testVault } from '../support/proven-audit.ts'

const DAY_MS = 86_400_000

test('what no checkpoint had signed before a kill is signed by the first one after it, however long that takes', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'quantd-stop-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'quantd.db')
  const written: string[] = []
  for (const days of [9, 0]) {
    const store = openSqlite({ file, clockOffsetMs: () => -days * DAY_MS })
    addAccounts(file)
    const write = async () => {
      const id = crypto.randomUUID()
      const outcome = { ...success, content: 'ab'.repeat(32) }
      await store.commit(
        [{ step: 'admitAndSettle', call: call({ id, accountId: 1, keyId: 1 }), outcome }],
        false,
      )
      written.push(id)
    }
    const signs = () =>
      store.run(makeCheckpoint, { vault: testVault(), retentionMs: null, eventStream: null })
    await write()
    await signs()
    if (days > 0) await write()
    else {
      const { faults } = await store.run(checkAudit, { exported: [], keys: null })
      assert.deepEqual(faults, [])
      for (const own of await store.run((sql) => rows(sql.db.selectFrom('audit').select(['id', 'at']))))
        assert.equal(typeof (await store.run(receiptOf, own)), 'object')
    }
    await store.close()
  }
  assert.equal(written.length, 3)
})

// On a cluster a statement reads each server at a moment of its own.
test('a group that is found before the one before it is signed with that one, by the next checkpoint', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'quantd-gap-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'quantd.db')
  const store = openSqlite({ file })
  t.after(() => store.close())
  addAccounts(file)
  for (let group = 1; group <= 3; group++) {
    const own = call({ id: crypto.randomUUID(), accountId: 1, keyId: 1 })
    await store.commit(
      [{ step: 'admitAndSettle', call: own, outcome: { ...success, content: 'ab'.repeat(32) } }],
      false,
    )
  }
  const signs = async () => {
    const options = { vault: testVault(), retentionMs: null, eventStream: null }
    return (await store.run(makeCheckpoint, options))!.checkpoint?.checkpoint.streams.map(({ last }) => last)
  }
  const [second] = await store.run((sql) =>
    rows(sql.db.deleteFrom('audit_groups').where('number', '=', 2).returningAll()),
  )
  assert.deepEqual(await signs(), [1])
  await store.run((sql) => rows(sql.db.insertInto('audit_groups').values(second)))
  assert.deepEqual(await signs(), [3])
  const { faults } = await store.run(checkAudit, { exported: [], keys: null })
  assert.deepEqual(faults, [])
})
