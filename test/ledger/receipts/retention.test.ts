/** Retention deletes days of rows; what was given out before and the rows that are left stay proven. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { announced } from '../../../src/app/main/background.ts'
import { tidy } from '../../../src/app/main/clean-up.ts'
import type { Stream } from '../../../src/ledger/proofs/group.ts'
import { checkpointLines } from '../../../src/ledger/receipts/checkpoint.ts'
import { makeCheckpoint } from '../../../src/ledger/receipts/make-checkpoint.ts'
import { type FoundReceipt, receiptOf } from '../../../src/ledger/receipts/receipt.ts'
import { publishedKeys } from '../../../src/ledger/receipts/signing-keys.ts'
import { checkAudit } from '../../../src/ledger/receipts/verify-audit.ts'
import type { Entry } from '../../../src/ledger/rules/types.ts'
import { openPostgres } from '../../../src/ledger/store/postgres/open.ts'
import { rows } from '../../../src/ledger/store/sql.ts'
import { openSqlite } from '../../../src/ledger/store/sqlite/open.ts'
import { createAccount } from '../../../src/operators/account-changes.ts'
import { verifyReceipt } from '../../../src/wire/receipt-check/verify.ts'
import { call, success } from '../../support/ledger-in-memory.ts'
import { newAccount } from '../../support/new-account.ts'
import { testDatabase } from '../../support/postgres.ts'
import { testVault } from '../../support/proven-audit.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const DAY_MS = 86_400_000
const RETENTION_MS = 2 * DAY_MS

test('days that retention deletes leave the receipts from before, and all other rows, proven', async (t) => {
  const folder = temporaryFolder('retention')
  let clockOffsetMs = -5 * DAY_MS
  const clock = { clockOffsetMs: () => clockOffsetMs }
  const url = await testDatabase({ isEmpty: true })
  const store =
    url === null
      ? openSqlite({ file: join(folder, 'quantd.db'), ...clock })
      : await openPostgres({ url, ...clock })
  t.after(() => store.close())
  await store.run(createAccount, { ...newAccount('ada@example.org'), credits: 100 })
  const [account] = await store.run((sql) => rows(sql.db.selectFrom('api_keys').select(['id', 'account_id'])))
  const { account_id: accountId, id: keyId } = account
  const vault = testVault()
  let eventStream: Stream | null = null
  const made: { id: string; at: number; receipt: FoundReceipt }[] = []
  for (let day = 5; day >= 0; day--) {
    clockOffsetMs = -day * DAY_MS
    const entries = Array.from({ length: 3 }, (): Entry => {
      const own = call({ id: crypto.randomUUID(), accountId, keyId })
      return { step: 'admitAndSettle', call: own, outcome: { ...success, content: 'ab'.repeat(32) } }
    })
    await store.commit({ entries })
    ;({ eventStream } = (await store.run(makeCheckpoint, { vault, retentionMs: RETENTION_MS, eventStream }))!)
    const found = await store.run((sql) =>
      rows(
        sql.db
          .selectFrom('audit')
          .select(['id', 'at'])
          .where('kind', '=', 'computation')
          .orderBy('at', 'desc'),
      ),
    )
    made.push({ ...found[0], receipt: await store.run(receiptOf, found[0]) })
  }
  const keys = await store.run(publishedKeys)
  const lines = await store.run(checkpointLines, 0, 100)
  const exported = lines.map(({ line }) => line)
  const audit = () => store.run(checkAudit, { exported, keys: null })
  const before = await audit()
  assert.deepEqual(before.faults, [])

  const tidied = await tidy(store, await announced(store, RETENTION_MS))
  assert.ok(tidied!.auditRows >= 7, `${tidied!.auditRows} rows were deleted`)

  const later = await audit()
  assert.deepEqual([later.faults, later.rows], [[], before.rows - tidied!.auditRows])
  for (const { receipt } of made) await verifyReceipt(receipt, { keys })
  const again = await Promise.all(made.map((row) => store.run(receiptOf, row)))
  assert.equal(again[0], 'unproven')
  await verifyReceipt(again[5], { keys })

  await store.run((sql) => rows(sql.db.deleteFrom('audit').where('id', '=', made[4].id)))
  assert.match((await audit()).faults.join(), /has 2 rows instead of 3/)
})
