/** Credits that expire: the order in which they are spent, and their end. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Lot } from '../../../src/ledger/rules/types.ts'
import { call, codeOf, HOUR, Ledger, MINUTE, START, success, whole } from '../../support/ledger-in-memory.ts'

/** @param plain credits that do not expire */
function ledgerWith(plain: number, ...sizes: readonly (readonly [credits: number, inMs: number])[]): Ledger {
  const lots: Lot[] = sizes
    .map(([remaining, inMs], index) => ({
      id: index + 1,
      accountId: 1,
      granted: remaining,
      remaining,
      expired: 0,
      expiresAt: START + inMs,
    }))
    .sort((a, b) => a.expiresAt - b.expiresAt || a.id - b.id)
  const balance = plain + lots.reduce((sum, { remaining }) => sum + remaining, 0)
  const ledger = new Ledger({ balance, lotsExpireAt: lots[0]?.expiresAt ?? null, hourLimit: 100_000 })
  ledger.lots = lots
  return ledger
}

const remaining = (ledger: Ledger) => ledger.lots.map((lot) => lot.remaining)

describe('credits that expire', () => {
  it('are spent before the others, the soonest to expire first', () => {
    const ledger = ledgerWith(5, [2, 2 * HOUR], [1, HOUR])
    ledger.enter([whole(), whole()])
    assert.deepEqual(remaining(ledger), [0, 1])
    assert.equal(ledger.account.lotsExpireAt, START + 2 * HOUR)
    ledger.enter([whole(), whole()])
    assert.deepEqual(remaining(ledger), [0, 0])
    assert.equal(ledger.account.lotsExpireAt, null)
    assert.equal(ledger.account.balance, 4)
  })

  it('end at their time: what is left of them is booked once, and the other credits stay', () => {
    const ledger = ledgerWith(1, [3, HOUR], [2, 2 * HOUR])
    ledger.one(whole())
    ledger.now = START + HOUR
    assert.equal(codeOf(ledger.one(whole())), 'ok')
    assert.deepEqual(
      ledger.expired.map((lot) => lot.remaining),
      [2],
    )
    assert.deepEqual(remaining(ledger), [0, 1])
    assert.equal(ledger.account.balance, 2)
    ledger.now = START + 3 * HOUR
    ledger.enter([whole(), whole()])
    assert.equal(ledger.account.balance, 0)
    assert.deepEqual(
      ledger.expired.map((lot) => lot.remaining),
      [2, 1],
    )
  })

  it('do not pay for a call that was admitted before their end and settles after it', () => {
    const ledger = ledgerWith(0, [1, HOUR])
    const one = call()
    const admitted = ledger.one({ step: 'admit', call: one })
    assert.ok(admitted.ok)
    ledger.now = START + HOUR
    const { admission } = admitted
    const settled = ledger.one({ step: 'settle', call: one, admission, outcome: success })
    assert.equal(codeOf(settled), 'credits_exhausted')
    assert.equal(ledger.account.balance, 0)
  })

  it('and debits together are what the balance lost, whatever their order in time', () => {
    const sizes = fc.array(
      fc.tuple(
        fc.integer({ min: 1, max: 20 }),
        fc.nat(60).map((n) => n * MINUTE),
      ),
      { maxLength: 6 },
    )
    fc.assert(
      fc.property(fc.nat(20), sizes, fc.array(fc.nat(10), { maxLength: 60 }), (plain, drawn, waits) => {
        const ledger = ledgerWith(plain, ...drawn)
        const before = ledger.account.balance
        for (const minutes of waits) {
          ledger.now += minutes * MINUTE
          ledger.one(whole())
          const live = ledger.lots.filter((lot) => lot.expiresAt > ledger.now)
          const left = live.reduce((sum, lot) => sum + lot.remaining, 0)
          assert.ok(left <= ledger.account.balance)
          assert.ok(ledger.lots.every((lot) => lot.expiresAt > ledger.now || lot.remaining === 0))
        }
        const expired = ledger.expired.reduce((sum, lot) => sum + lot.remaining, 0)
        assert.equal(ledger.account.balance, before - ledger.debits - expired)
        assert.ok(ledger.account.balance >= 0)
      }),
    )
  })
})
