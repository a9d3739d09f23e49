/** Team keys in the ledger: caps, their renewal, windows, and rotations. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Call, TeamKey } from '../../../src/ledger/rules/types.ts'
import {
  call,
  codeOf,
  DAY,
  failure,
  HOUR,
  inFlight,
  Ledger,
  START,
  success,
  whole,
} from '../../support/ledger-in-memory.ts'

const LINEAGE = 7
const [FIRST_KEY, SECOND_KEY] = [21, 22]

function ledgerWith(fields: Partial<TeamKey> = {}): Ledger {
  const ledger = new Ledger({ balance: 1_000, hourLimit: 10_000 })
  ledger.teamKey = {
    id: LINEAGE,
    accountId: 1,
    creditCap: null,
    capPeriod: 'total',
    spent: 0,
    spentFrom: 0,
    spentTotal: 0,
    hourlyLimit: null,
    hour: { startedAt: 0, count: 0 },
    expiresAt: null,
    lastUsedAt: null,
    ...fields,
  }
  ledger.lineageKeys = [FIRST_KEY, SECOND_KEY].map((keyId) => ({ keyId, teamKeyId: LINEAGE, endsAt: null }))
  return ledger
}

const teamCall = (fields: Partial<Call> = {}): Call =>
  call({ keyId: FIRST_KEY, teamKeyId: LINEAGE, ...fields })

const codes = (ledger: Ledger, count: number, fields: Partial<Call> = {}): string[] =>
  ledger.enter(Array.from({ length: count }, () => whole(teamCall(fields)))).map(codeOf)

describe('the cap of a team key', () => {
  it('lets exactly as many calls succeed as it has credits, and the account pays them', () => {
    const ledger = ledgerWith({ creditCap: 3 })
    assert.deepEqual(codes(ledger, 5), ['ok', 'ok', 'ok', 'key_cap_exhausted', 'key_cap_exhausted'])
    assert.equal(ledger.account.balance, 997)
    assert.equal(ledger.account.hour.count, 3)
    assert.equal(ledger.teamKey?.spentTotal, 3)
  })

  it('is shared by the keys that a rotation overlaps', () => {
    const ledger = ledgerWith({ creditCap: 3 })
    assert.deepEqual(codes(ledger, 2), ['ok', 'ok'])
    assert.deepEqual(codes(ledger, 2, { keyId: SECOND_KEY }), ['ok', 'key_cap_exhausted'])
  })

  it("leaves the account's own key alone", () => {
    const ledger = ledgerWith({ creditCap: 0 })
    assert.equal(codeOf(ledger.one(whole())), 'ok')
  })

  it('is not touched by failures and replays', () => {
    const ledger = ledgerWith({ creditCap: 1 })
    const idempotency = { key: 'k', requestHash: 'h' }
    assert.equal(codeOf(ledger.one(whole(teamCall(), failure))), 'ok')
    assert.equal(codeOf(ledger.one(whole(teamCall({ idempotency })))), 'ok')
    assert.equal(codeOf(ledger.one(whole(teamCall({ idempotency })))), 'ok')
    assert.equal(ledger.teamKey?.spentTotal, 1)
  })

  it('holds against calls in flight, and against those that other nodes admitted', () => {
    const ledger = ledgerWith({ creditCap: 2 })
    const admit = (call: Call) => ledger.one({ step: 'admit', call })
    assert.equal(
      codeOf(
        ledger.one({
          step: 'admit',
          call: teamCall(),
          keyInFlight: inFlight(1, 2),
          inFlight: inFlight(1, 2),
        }),
      ),
      'key_cap_exhausted',
    )
    assert.equal(codeOf(admit(teamCall({ cost: 3 }))), 'key_cap_exhausted', 'more than the cap is not begun')
    const large = teamCall({ cost: 2 })
    const admitted = admit(large)
    assert.ok(admitted.ok)
    assert.deepEqual(codes(ledger, 1), ['ok'])
    const outcome = { ...success, credits: 2 }
    const late = ledger.one({ step: 'settle', call: large, admission: admitted.admission, outcome })
    assert.equal(codeOf(late), 'key_cap_exhausted')
    assert.equal(ledger.teamKey?.spentTotal, 1)
    const { account, teamKey } = ledger
    assert.deepEqual([account.hour.count, teamKey?.hour.count], [1, 1], 'the refused call keeps its slot')
  })

  it('renews at midnight UTC, and on the first of the month', () => {
    const daily = ledgerWith({ creditCap: 2, capPeriod: 'day' })
    assert.deepEqual(codes(daily, 3), ['ok', 'ok', 'key_cap_exhausted'])
    daily.now = START + DAY - 1
    assert.deepEqual(codes(daily, 1), ['key_cap_exhausted'])
    daily.now = START + DAY
    assert.deepEqual(codes(daily, 3), ['ok', 'ok', 'key_cap_exhausted'])
    const monthly = ledgerWith({ creditCap: 1, capPeriod: 'month' })
    assert.deepEqual(codes(monthly, 1), ['ok'])
    monthly.now = Date.UTC(2026, 1, 1) - 1
    assert.deepEqual(codes(monthly, 1), ['key_cap_exhausted'])
    monthly.now += 1
    assert.deepEqual(codes(monthly, 1), ['ok'])
    assert.equal(monthly.teamKey?.spentTotal, 2)
  })

  it('does not renew for a clock that is set back', () => {
    const ledger = ledgerWith({ creditCap: 2, capPeriod: 'day' })
    ledger.now = START + DAY
    assert.deepEqual(codes(ledger, 1), ['ok'])
    ledger.now = START + DAY - 1
    assert.deepEqual(codes(ledger, 2), ['ok', 'key_cap_exhausted'])
    ledger.now = START + DAY + 1
    assert.deepEqual(codes(ledger, 1), ['key_cap_exhausted'])
  })

  it('is never exceeded, whatever the order of admissions and settlements over several nodes', () => {
    const step = fc.record({ settles: fc.boolean(), which: fc.nat(), cost: fc.integer({ min: 1, max: 4 }) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.nat(20), (steps, creditCap) => {
        const ledger = ledgerWith({ creditCap })
        const open: { call: Call; admission: never }[] = []
        for (const { cost, settles, which } of steps) {
          if (settles && open.length > 0) {
            const [one] = open.splice(which % open.length, 1)
            ledger.one({ step: 'settle', ...one, outcome: { ...success, credits: one.call.cost } })
          } else {
            const of = teamCall({ cost })
            const verdict = ledger.one({ step: 'admit', call: of })
            if (verdict.ok) open.push({ call: of, admission: verdict.admission as never })
          }
        }
        assert.ok(ledger.debits <= creditCap)
        assert.equal(ledger.teamKey?.spentTotal, ledger.debits)
        assert.equal(ledger.account.balance, 1_000 - ledger.debits)
      }),
    )
  })
})

describe("a team key's window", () => {
  it('limits the lineage, beside the windows of the account', () => {
    const ledger = ledgerWith({ hourlyLimit: 2 })
    assert.deepEqual(codes(ledger, 3), ['ok', 'ok', 'rate_limited'])
    assert.deepEqual(codes(ledger, 1, { keyId: SECOND_KEY }), ['rate_limited'])
    assert.equal(codeOf(ledger.one(whole())), 'ok')
    ledger.now = START + HOUR
    assert.deepEqual(codes(ledger, 1), ['ok'])
  })

  it("is in the standing only of that key's calls", () => {
    const ledger = ledgerWith({ hourlyLimit: 2 })
    const names = (verdict: ReturnType<Ledger['one']>) => verdict.standing?.windows.map(({ name }) => name)
    assert.deepEqual(names(ledger.one(whole(teamCall()))), ['hour', 'key_hour'])
    assert.deepEqual(names(ledger.one(whole())), ['hour'])
  })
})

describe('a team key past its end', () => {
  it('is refused from that instant on', () => {
    const ledger = ledgerWith({ expiresAt: START + HOUR })
    assert.deepEqual(codes(ledger, 1), ['ok'])
    ledger.now = START + HOUR
    assert.deepEqual(codes(ledger, 1), ['api_key_invalid'])
  })

  it('is refused alone where the overlap of its rotation is over', () => {
    const ledger = ledgerWith()
    ledger.lineageKeys = [
      { keyId: FIRST_KEY, teamKeyId: LINEAGE, endsAt: START },
      { keyId: SECOND_KEY, teamKeyId: LINEAGE, endsAt: null },
    ]
    assert.deepEqual(codes(ledger, 1), ['api_key_invalid'])
    assert.deepEqual(codes(ledger, 1, { keyId: SECOND_KEY }), ['ok'])
  })

  it('tells when it was last used, to the minute', () => {
    const ledger = ledgerWith()
    ledger.now = START + 61_000
    codes(ledger, 1)
    assert.equal(ledger.teamKey?.lastUsedAt, START + 60_000)
  })
})
