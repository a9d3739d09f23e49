/** quantd admin verify-ledger: balances that agree with the ledger, and a digest of it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refundCalls } from '../../../../src/ledger/metering/refunds.ts'
import { monitoredState } from '../../../../src/operators/watched-state.ts'
import { number, query } from '../../../support/database.ts'
import { operator, settingsOf } from '../../../support/operator.ts'
import { useService } from '../../../support/people.ts'

const service = await useService()
const quantd = operator(settingsOf(service))

const admin = (...args: string[]) => quantd(['admin', ...args])
const newest = () => number(service, 'SELECT max(id) FROM accounts')

describe('quantd admin verify-ledger', () => {
  it('proves the books of grants, debits and refunds, with a digest that changes with them', async () => {
    const key = await service.guest()
    const id = await newest()
    for (let call = 0; call < 4; call++) await service.compute(key)
    const first = (await admin('verify-ledger', '--json')).json
    assert.equal(first.ok, true)
    assert.deepEqual((await admin('verify-ledger', '--json')).json, first)

    const [debit] = await query(
      service,
      `SELECT id FROM audit WHERE account_id = ${id} AND credits > 0 LIMIT 1`,
    )
    assert.equal(await refundCalls(service.store, [{ auditId: debit!.id as string, accountId: id }]), 1)
    const second = (await admin('verify-ledger', '--json')).json
    assert.equal(second.ok, true)
    assert.equal(second.credits, first.credits + 1)
    assert.notEqual(second.digest, first.digest)
  })

  it('names the accounts that differ, with exit code 1, and clears one that does not', async () => {
    await service.guest()
    const wrong = await newest()
    await service.guest()
    const right = await newest()
    await query(service, `UPDATE accounts SET balance = balance + 7 WHERE id = ${wrong}`)
    const { code, json } = await admin('verify-ledger', '--json')
    assert.equal(code, 1)
    assert.deepEqual(json.violations, [{ account_id: wrong, credits: 57, expected: 50 }])
    assert.match((await admin('verify-ledger')).out, new RegExp(`account ${wrong} holds 57 credits`))
    assert.equal((await admin('verify-ledger', String(wrong))).code, 1)
    const cleared = await admin('verify-ledger', String(right))
    assert.equal(cleared.code, 0, cleared.out + cleared.err)
    await query(service, `UPDATE accounts SET balance = balance - 7 WHERE id = ${wrong}`)
    assert.equal((await admin('verify-ledger')).code, 0)
  })

  it('records a check of all accounts for the metrics, and none of a single account', async () => {
    await admin('verify-ledger')
    const before = (await service.store.run(monitoredState)).ledgerCheck!
    assert.equal(before.differing, 0)
    const id = await newest()
    await query(service, `UPDATE accounts SET balance = balance + 7 WHERE id = ${id}`)
    await admin('verify-ledger', String(id))
    assert.deepEqual((await service.store.run(monitoredState)).ledgerCheck, before)
    await admin('verify-ledger')
    assert.equal((await service.store.run(monitoredState)).ledgerCheck!.differing, 1)
    await query(service, `UPDATE accounts SET balance = balance - 7 WHERE id = ${id}`)
  })

  it('sees one moment while computations run', async () => {
    const keys = await Promise.all(Array.from({ length: 4 }, () => service.guest()))
    const work = Promise.all(keys.flatMap((key) => Array.from({ length: 20 }, () => service.compute(key))))
    for (let look = 0; look < 5; look++) assert.equal((await admin('verify-ledger')).code, 0)
    assert.ok((await work).every(({ status }) => status === 200))
  })
})
