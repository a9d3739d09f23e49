/** What a batch sends to PostgreSQL in one piece: any text arrives as it is, and where one statement fails nothing is kept. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { PlainSql } from '../../proofs/torture/plain-sql.ts'
import type { Call } from '../../src/ledger/types.ts'
import { NotCommitted } from '../../src/store/store.ts'
import { success } from '../ledger/books.ts'
import { booksOf, callOf, type LedgerAccount, ledgerAccount, sqlOf } from '../ledger-store/ledger-accounts.ts'
import { startTestService, type TestService } from '../service.ts'

const skip = process.env.QUANTD_TEST_DATABASE === 'postgres' ? false : 'of PostgreSQL alone'
/** All that COPY and array literals give a meaning to, and what is more than one byte long. */
const STRANGE = '\\N \\. {"a","b"} \\\\ \t \n \r\n \v "\' ü 漢 🙂'

describe('a batch on PostgreSQL', { skip }, () => {
  let service: TestService
  let sql: PlainSql
  let account: LedgerAccount
  before(async () => {
    service = await startTestService()
    sql = sqlOf(service)
    account = await ledgerAccount(service, sql, { credits: 10, hourLimit: 100 })
  })
  after(async () => {
    await sql.close()
    await service.close()
  })

  const settle = (...calls: Call[]) =>
    service.store.commit(
      calls.map((one) => ({ step: 'admitAndSettle', call: one, outcome: success })),
      false,
    )

  it('writes every text as it is', async () => {
    const strange = callOf(account, { path: STRANGE, requestId: STRANGE, ip: '', method: '\\N' })
    const outcome = { ...success, parts: JSON.stringify({ [STRANGE]: STRANGE }) }
    await service.store.commit([{ step: 'admitAndSettle', call: strange, outcome }], false)
    const [row] = await sql.query(
      'SELECT path, request_id, ip, method, code, detail FROM audit WHERE id = $1',
      [strange.id],
    )
    assert.deepEqual(
      { ...row },
      { path: STRANGE, request_id: STRANGE, ip: '', method: '\\N', code: null, detail: outcome.parts },
    )
  })

  it('finds an idempotency key again, whatever is in it', async () => {
    const once = () => callOf(account, { idempotency: { key: STRANGE, requestHash: 'h' } })
    const [first] = await settle(once())
    const [second] = await settle(once())
    assert.deepEqual(
      [first, second].map((verdict) => verdict!.ok && verdict!.replayed),
      [false, true],
    )
  })

  it('is rolled back where a write fails, and the next one is taken', async () => {
    const before = await booksOf(sql, account.id)
    await assert.rejects(settle(callOf(account), callOf(account, { path: 'a zero \0 byte' })), NotCommitted)
    assert.deepEqual(await booksOf(sql, account.id), before)
    const [verdict] = await settle(callOf(account))
    assert.ok(verdict!.ok)
    assert.equal((await booksOf(sql, account.id)).balance, before.balance - 1)
  })
})
