/** Refunds of calls that were debited although the reply said that they failed. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refundCalls } from '../../src/ledger/metering/refunds.ts'
import type { Call } from '../../src/ledger/rules/types.ts'
import {
  callOf,
  type LedgerAccount,
  ledgerAccount,
  ledgerStateOf,
  sqlOf,
} from '../support/ledger-accounts.ts'
import { failure, success } from '../support/ledger-in-memory.ts'
import { useService } from '../support/people.ts'
import { closedAfter } from '../support/service.ts'

let account: LedgerAccount
const service = await useService()
const sql = closedAfter(sqlOf(service))

const fresh = async () => {
  account = await ledgerAccount(service, sql, { credits: 10, hourLimit: 100 })
}
const keyed = () => callOf(account, { idempotency: { key: 'order', requestHash: 'h' } })
const settled = async (of: Call, outcome = success) => {
  const [verdict] = await service.store.commit({
    entries: [{ step: 'admitAndSettle', call: of, outcome }],
  })
  assert.ok(verdict!.ok)
  return verdict
}
const refund = (...calls: Call[]) =>
  refundCalls(
    service.store,
    calls.map(({ accountId, id }) => ({ auditId: id, accountId })),
  )

describe('a refund', () => {
  it('returns the debit by one ledger row, however often it is requested', async () => {
    await fresh()
    const charged = callOf(account)
    await settled(charged)
    assert.deepEqual(await Promise.all([refund(charged), refund(charged)]).then((n) => n.sort()), [0, 1])
    assert.equal(await refund(charged), 0)
    const { balance, debited, given } = await ledgerStateOf(sql, account.id)
    assert.deepEqual([balance, given, debited], [10, 11, 1])
  })

  it('does nothing for a call that was never written, or that failed', async () => {
    await fresh()
    const failed = callOf(account)
    await settled(failed, failure)
    assert.equal(await refund(callOf(account), failed), 0)
    assert.equal((await ledgerStateOf(sql, account.id)).balance, 10)
  })

  it('releases the idempotency key, so that its next use is charged', async () => {
    await fresh()
    const charged = keyed()
    await settled(charged)
    assert.equal(await refund(charged), 1)
    const again = await settled(keyed())
    assert.deepEqual([again.charged, again.replayed], [1, false])
    assert.equal((await ledgerStateOf(sql, account.id)).balance, 9)
  })

  it('does nothing if the key was replayed since, because its caller has the result', async () => {
    await fresh()
    const charged = keyed()
    await settled(charged)
    const replay = await settled(keyed())
    assert.deepEqual([replay.charged, replay.replayed], [0, true])
    assert.equal(await refund(charged), 0)
    assert.equal((await ledgerStateOf(sql, account.id)).balance, 9)
  })

  it('and concurrent calls both change the balance', async () => {
    await fresh()
    const charged = callOf(account)
    await settled(charged)
    const calls = Array.from({ length: 8 }, () => callOf(account))
    const commit = service.store.commit({
      entries: calls.map((of) => ({ step: 'admitAndSettle', call: of, outcome: success })),
    })
    await Promise.all([refund(charged), commit])
    const { balance, debited, given, hour } = await ledgerStateOf(sql, account.id)
    assert.deepEqual([balance, given, debited, hour], [2, 11, 9, 9])
  })
})
