/** The ledger's rules, for any sequence of calls. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Admission, Call, Entry, Outcome } from '../../src/ledger/types.ts'
import { call, failure, HOUR, Ledger, success, whole } from '../support/ledger-in-memory.ts'

interface Drawn {
  readonly cost: number
  readonly fails: boolean
  readonly key: string | null
  readonly hash: string
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  cost: fc.constantFrom(1, 1, 1, 2, 5),
  fails: fc.boolean(),
  key: fc.constantFrom(null, null, 'k1', 'k2'),
  hash: fc.constantFrom('same', 'same', 'other'),
})

/** The same request has the same cost: its hash tells them apart. */
const callOf = ({ cost, hash, key }: Drawn): Call =>
  call({ cost, idempotency: key === null ? null : { key, requestHash: `${hash} ${cost}` } })
const outcomeOf = ({ cost, fails }: Drawn): Outcome => (fails ? failure : { ...success, credits: cost })

describe('any group of entries', () => {
  it('is decided as its calls would be one by one', () => {
    fc.assert(
      fc.property(fc.array(drawn, { maxLength: 30 }), fc.nat(40), fc.nat(30), (draws, balance, limit) => {
        const entries = draws.map((draw) => whole(callOf(draw), outcomeOf(draw)))
        const [together, apart] = [0, 1].map(() => new Ledger({ balance, hourLimit: limit })) as [
          Ledger,
          Ledger,
        ]
        const verdicts = together.enter(entries)
        const singly = entries.map((entry) => apart.one(entry))
        assert.deepEqual(verdicts, singly)
        assert.deepEqual(together.account, apart.account)
        assert.deepEqual(together.audit, apart.audit)
        assert.deepEqual(together.bindings, apart.bindings)
      }),
    )
  })

  it('can be entered again, whether or not it was written, and changes nothing twice', () => {
    fc.assert(
      fc.property(fc.array(drawn, { maxLength: 30 }), fc.nat(40), fc.boolean(), (draws, balance, written) => {
        const entries = draws.map((draw) => whole(callOf(draw), outcomeOf(draw)))
        const [sure, unsure] = [0, 1].map(() => new Ledger({ balance, hourLimit: 25 })) as [Ledger, Ledger]
        const expected = sure.enter(entries)
        if (written) unsure.enter(entries)
        const found = unsure.enter(entries, true)
        assert.deepEqual(
          found.map((verdict) => verdict.ok),
          expected.map((verdict) => verdict.ok),
        )
        assert.deepEqual(unsure.account, sure.account)
        assert.deepEqual(unsure.audit, sure.audit)
      }),
    )
  })
})

type Step =
  | { readonly do: 'admit'; readonly draw: Drawn }
  | { readonly do: 'admitAndSettle'; readonly draw: Drawn }
  | { readonly do: 'settle'; readonly which: number }
  | { readonly do: 'wait'; readonly ms: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('admit' as const), draw: drawn }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('settle' as const), which: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('admitAndSettle' as const), draw: drawn }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(HOUR) }) },
)

/** Of admitted calls that are not settled: what they cost, without replays. */
const inFlightOf = (open: readonly { call: Call; admission: Admission }[]): number =>
  open.filter(({ admission }) => !admission.replay).reduce((sum, { call: of }) => sum + of.cost, 0)

describe('any interleaving of admissions and settlements', () => {
  it('on one node: what is in flight is covered by the balance, so that no computed success is thrown away', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), fc.nat(20), (steps, balance) => {
        const ledger = new Ledger({ balance, hourLimit: 1_000 })
        const open: { call: Call; outcome: Outcome; admission: Admission }[] = []
        const inFlight = () => inFlightOf(open)
        for (const one of steps) {
          if (one.do === 'admit') {
            const of = callOf({ ...one.draw, key: null })
            const verdict = ledger.one({ step: 'admit', call: of, inFlight: inFlight() })
            assert.equal(verdict.ok, of.cost <= ledger.account.balance - inFlight())
            if (verdict.ok)
              open.push({ call: of, outcome: outcomeOf(one.draw), admission: verdict.admission })
          }
          if (one.do === 'settle' && open.length > 0) {
            const before = inFlight()
            const [settled] = open.splice(one.which % open.length, 1) as [(typeof open)[0]]
            const verdict = ledger.one({ step: 'settle', ...settled, inFlight: before })
            assert.ok(verdict.ok, 'a computed call was refused')
            assert.equal(verdict.standing.inFlight, inFlight())
          }
          if (one.do === 'admitAndSettle') {
            const of = callOf({ ...one.draw, key: null })
            const left = ledger.account.balance - inFlight()
            const verdict = ledger.one({ ...whole(of, outcomeOf(one.draw)), inFlight: inFlight() })
            assert.equal(verdict.ok, of.cost <= left)
          }
          assert.ok(inFlight() <= ledger.account.balance)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('keeps balance = given − debited, never below zero, and each window exactly counted', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), fc.nat(60), fc.nat(30), (steps, balance, limit) => {
        const ledger = new Ledger({ balance, hourLimit: limit })
        const open: { call: Call; outcome: Outcome; admission: Admission }[] = []
        /** Slots taken by audited calls, by the start of their window. */
        const taken = new Map<number, number>()
        const take = (startedAt: number) => taken.set(startedAt, (taken.get(startedAt) ?? 0) + 1)
        const enter = (entry: Entry) => {
          const [before, rows] = [ledger.account, ledger.audit.length]
          const verdict = ledger.one(entry)
          if (!verdict.ok && entry.step !== 'settle')
            assert.deepEqual(ledger.account, before, 'a refusal consumed')
          const row = ledger.audit.length > rows ? ledger.audit.at(-1)! : null
          return { verdict, row }
        }
        for (const one of steps) {
          if (one.do === 'wait') ledger.now += one.ms
          if (one.do === 'admit') {
            const of = callOf(one.draw)
            const { verdict } = enter({ step: 'admit', call: of })
            if (verdict.ok)
              open.push({ call: of, outcome: outcomeOf(one.draw), admission: verdict.admission })
          }
          if (one.do === 'settle' && open.length > 0) {
            const [{ admission, call: of, outcome }] = open.splice(one.which % open.length, 1) as [
              (typeof open)[0],
            ]
            const { row } = enter({ step: 'settle', call: of, admission, outcome })
            const keepsSlot = row !== null && (row.code !== null || !row.replayed)
            if (keepsSlot && !admission.replay) take(admission.hourStartedAt)
            if (keepsSlot && admission.replay && row.credits > 0) take(ledger.account.hour.startedAt)
          }
          if (one.do === 'admitAndSettle') {
            const of = callOf(one.draw)
            const { row } = enter(whole(of, outcomeOf(one.draw)))
            if (row !== null && !row.replayed) take(ledger.account.hour.startedAt)
          }
          const { balance: left, hour } = ledger.account
          assert.equal(left, balance - ledger.debits)
          assert.ok(left >= 0)
          assert.ok(hour.count <= limit)
          const stillOpen = open.filter(
            ({ admission }) => !admission.replay && admission.hourStartedAt === hour.startedAt,
          ).length
          assert.equal(hour.count, (taken.get(hour.startedAt) ?? 0) + stillOpen)
        }
      }),
      { numRuns: 300 },
    )
  })
})
