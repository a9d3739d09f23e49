/** The fuzzer's ledger check finds every kind of difference between replies and ledger. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PlainSql } from '../../support/plain-sql.ts'
import { type Outcome, openLedgerCheck, UNNAMED } from './ledger-check.ts'

const ACCOUNT = { id: 1, apiKey: 'k' }

/** A database that answers with these audit rows, and with these balances. */
function fake(rows: object[], balances: { id: number; given: number; debited: number }[] = []): PlainSql {
  const sums = (column: 'given' | 'debited') =>
    balances.map((one) => ({ account_id: one.id, sum: one[column] }))
  return {
    query: async (sql) =>
      (sql.includes('FROM audit a ')
        ? rows
        : sql.includes('FROM accounts')
          ? balances
          : sums(sql.includes('FROM ledger') ? 'given' : 'debited')) as never,
    close: async () => undefined,
  }
}

const row = (requestId: string, status: number, credits: number, refunded = 0) => ({
  id: '1',
  account_id: 1,
  request_id: requestId,
  status,
  credits,
  refunded,
})

async function differences(outcomes: readonly Outcome[], rows: object[]): Promise<string[]> {
  const ledgerCheck = openLedgerCheck(fake(rows))
  for (const outcome of outcomes) ledgerCheck.record(ACCOUNT, outcome)
  return await ledgerCheck.check()
}

const ok: Outcome = { id: 'a', status: 200, charged: 1 }

test('a reply, its debit and its audit row agree', async () => {
  assert.deepEqual(await differences([ok], [row('a', 200, 1)]), [])
  assert.deepEqual(await differences([{ id: 'a', status: 422, charged: 0 }], [row('a', 422, 0)]), [])
  assert.deepEqual(await differences([{ id: 'a', status: 402, charged: 0 }], []), [])
})

test('a missing, a second, a dearer and a cheaper debit are found', async () => {
  assert.match((await differences([ok], [])).join(), /debited 0.*0 audit rows/)
  assert.match((await differences([ok], [row('a', 200, 1), row('a', 200, 1)])).join(), /debited 2/)
  assert.match((await differences([ok], [row('a', 200, 2)])).join(), /debited 2/)
  assert.match(
    (await differences([{ id: 'a', status: 429, charged: 0 }], [row('a', 200, 1)])).join(),
    /debited 1/,
  )
  assert.match((await differences([{ id: 'a', status: 422, charged: 0 }], [])).join(), /0 audit rows/)
})

test('an audit row without a request is found, unless a reply with a generated id was lost', async () => {
  assert.match(
    (await differences([ok], [row('a', 200, 1), row('b', 422, 0)])).join(),
    /b: audit rows of account 1 without a request/,
  )
  const lost = { id: UNNAMED, status: null, charged: 0 }
  assert.deepEqual(await differences([ok, lost], [row('a', 200, 1), row('b', 422, 0)]), [])
})

test('a call answered 503 is not debited, or its debit is refunded', async () => {
  const outcome = { id: 'a', status: 503, charged: 0 }
  assert.deepEqual(await differences([outcome], [row('a', 200, 1, 1)]), [])
  assert.match((await differences([outcome], [row('a', 200, 1)])).join(), /debited 1/)
})

test('a balance that is not the sum of its movements is found, and a negative one', async () => {
  const balances = [
    { id: 1, balance: 49, given: 50, debited: 1 },
    { id: 2, balance: 48, given: 50, debited: 1 },
    { id: 3, balance: -1, given: 0, debited: 1 },
  ]
  const found = await openLedgerCheck(fake([], balances)).check()
  assert.deepEqual(found, [
    'account 2: balance 48, given 50, debited 1',
    'account 3: balance -1, given 0, debited 1',
  ])
})
