/** The ledger's rules, one sentence each. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NONE_IN_FLIGHT } from '../../../src/ledger/rules/draft.ts'
import type { Entry, Verdict } from '../../../src/ledger/rules/types.ts'
import {
  call,
  codeOf,
  DAY,
  failure,
  HOUR,
  inFlight,
  keyed,
  Ledger,
  MINUTE,
  START,
  success,
  whole,
} from '../../support/ledger-in-memory.ts'

type Passed = Extract<Verdict, { ok: true }>

const settle = (admitted: Verdict, of: ReturnType<typeof call>, outcome = success): Entry => ({
  step: 'settle',
  call: of,
  admission: (admitted as Passed).admission,
  outcome,
})

describe('a balance', () => {
  it('of three lets three of five calls pass, in arrival order', () => {
    const ledger = new Ledger({ balance: 3 })
    const verdicts = ledger.enter([whole(), whole(), whole(), whole(), whole()])
    assert.deepEqual(verdicts.map(codeOf), ['ok', 'ok', 'ok', 'credits_exhausted', 'credits_exhausted'])
    assert.deepEqual([ledger.account.balance, ledger.account.hour.count, ledger.audit.length], [0, 3, 3])
  })

  it('is charged what a success costs and nothing for a failure, and both are audited', () => {
    const ledger = new Ledger({ balance: 10 })
    ledger.enter([whole(call({ cost: 7 }), { ...success, credits: 7 }), whole(call(), failure)])
    assert.equal(ledger.account.balance, 3)
    assert.deepEqual(
      ledger.audit.map(({ credits, status }) => [status, credits]),
      [
        [200, 7],
        [422, 0],
      ],
    )
  })

  it('below the cost refuses before anything is counted', () => {
    const ledger = new Ledger({ balance: 6 })
    assert.equal(codeOf(ledger.one(whole(call({ cost: 7 })))), 'credits_exhausted')
    assert.deepEqual([ledger.account.balance, ledger.account.hour.count], [6, 0])
  })

  it('that other calls have spent meanwhile makes an admitted call be refused, and gives its slots back', () => {
    const ledger = new Ledger({ balance: 1, tier: 'guest' })
    const calls = [call(), call()]
    // On two nodes, which do not know of each other's calls in flight.
    const admitted = calls.map((of) => ledger.one({ step: 'admit', call: of }))
    assert.deepEqual(admitted.map(codeOf), ['ok', 'ok'])
    const settled = ledger.enter(calls.map((of, i) => settle(admitted[i], of)))
    assert.deepEqual(settled.map(codeOf), ['ok', 'credits_exhausted'])
    assert.deepEqual([ledger.account.hour.count, ledger.account.day.count], [1, 1])
    assert.equal(ledger.audit.length, 1)
  })

  it('that a reversal took away is no part of what calls in progress may be charged', () => {
    const ledger = new Ledger({ balance: 350 })
    const refusal = ledger.one({ ...whole(call({ cost: 400 })), inFlight: inFlight(100, 4) })
    assert.equal(codeOf(refusal), 'credits_exhausted')
    assert.deepEqual([refusal.standing?.credits, refusal.standing?.inFlight], [350, 350])
  })

  it('is not held by calls in progress that it cannot pay any more: what fits is admitted and charged', () => {
    const ledger = new Ledger({ balance: 1_600 })
    const large = Array.from({ length: 4 }, () => call({ cost: 400 }))
    const admitted = ledger.enter(large.map((of): Entry => ({ step: 'admit', call: of })))
    // A reversal.
    ledger.account = { ...ledger.account, balance: 350 }
    const refusal = ledger.one({ ...whole(call({ cost: 400 })), inFlight: inFlight(400, 4) })
    assert.deepEqual(
      [codeOf(refusal), refusal.standing?.credits, refusal.standing?.inFlight],
      ['credits_exhausted', 350, 0],
    )
    const small = whole(call({ cost: 350 }), { ...success, credits: 350 })
    const settled = ledger.enter(large.map((of, i) => settle(admitted[i], of, { ...success, credits: 400 })))
    assert.deepEqual(new Set(settled.map(codeOf)), new Set(['credits_exhausted']))
    assert.equal(codeOf(ledger.one({ ...small, inFlight: inFlight(400, 4) })), 'ok')
    assert.equal(ledger.account.balance, 0)
  })

  it('gives no slot back to a window that has ended since', () => {
    const ledger = new Ledger({ balance: 1 })
    const [slow, quick] = [call(), call()]
    const admitted = ledger.enter([{ step: 'admit', call: slow }])
    ledger.now += HOUR
    ledger.one(whole(quick))
    assert.equal(codeOf(ledger.one(settle(admitted[0], slow))), 'credits_exhausted')
    assert.equal(ledger.account.hour.count, 1)
  })
})

describe('the window of processor time', () => {
  const used = (seconds: number, outcome = success) => ({ ...outcome, workMicros: 1e6 * seconds })

  it('is filled by successes, failures and replays, and refuses the next call for the rest of its hour', () => {
    const ledger = new Ledger()
    ledger.one(whole(keyed('k'), used(200)))
    ledger.now += MINUTE
    ledger.one(whole(call(), used(200, failure)))
    assert.equal(codeOf(ledger.one(whole(call(), used(0)))), 'ok')
    ledger.one(whole(keyed('k'), used(200)))
    assert.deepEqual(ledger.account.work, { startedAt: START, count: 600e6 })
    const refused = ledger.one(whole()) as Extract<Verdict, { ok: false }>
    assert.deepEqual([refused.code, refused.limit, refused.retryAt], ['rate_limited', 'work', START + HOUR])
    assert.equal(refused.standing?.workLimit, 600)
    ledger.now = START + HOUR
    assert.equal(codeOf(ledger.one(whole(call(), used(1)))), 'ok')
    assert.deepEqual(ledger.account.work, { startedAt: START + HOUR, count: 1e6 })
  })

  it('refuses no replay', () => {
    const ledger = new Ledger()
    ledger.one(whole(keyed('k'), used(600)))
    assert.equal(codeOf(ledger.one(whole())), 'rate_limited')
    assert.equal(codeOf(ledger.one(whole(keyed('k')))), 'ok')
  })

  it('is that of the account, where it has one of its own', () => {
    const ledger = new Ledger({ workLimit: 1 })
    ledger.one(whole(call(), used(1)))
    assert.equal(codeOf(ledger.one(whole())), 'rate_limited')
  })

  it('counts a call that is refused at its settlement, and once a call that is entered again', () => {
    const ledger = new Ledger({ balance: 1 })
    const calls = [call(), call()]
    const admitted = calls.map((of) => ledger.one({ step: 'admit', call: of }))
    const settlements = calls.map((of, i) => settle(admitted[i], of, used(2)))
    assert.deepEqual(ledger.enter(settlements).map(codeOf), ['ok', 'credits_exhausted'])
    assert.equal(ledger.account.work.count, 4e6)
    ledger.enter(settlements.slice(0, 1), { isRepeated: true })
    assert.equal(ledger.account.work.count, 4e6)
  })
})

describe('a window', () => {
  it('starts at its first request and ends exactly its length later', () => {
    const ledger = new Ledger({ hourLimit: 2 })
    ledger.now = START + 12_345
    ledger.enter([whole(), whole()])
    ledger.now += HOUR - 1
    const refused = ledger.one(whole()) as Extract<Verdict, { ok: false }>
    assert.deepEqual([refused.code, refused.retryAt], ['rate_limited', START + 12_345 + HOUR])
    ledger.now += 1
    assert.equal(codeOf(ledger.one(whole())), 'ok')
    assert.deepEqual(ledger.account.hour, { startedAt: START + 12_345 + HOUR, count: 1 })
  })

  it('counts a request whatever its outcome, and a refused one not at all', () => {
    const ledger = new Ledger({ hourLimit: 3 })
    const verdicts = ledger.enter([whole(call(), failure), whole(), whole(call(), failure), whole(), whole()])
    assert.deepEqual(verdicts.map(codeOf), ['ok', 'ok', 'ok', 'rate_limited', 'rate_limited'])
    assert.deepEqual([ledger.account.hour.count, ledger.account.balance], [3, 349])
  })

  it('of an hour and of a day both bind a guest, who is told when the later one opens', () => {
    const ledger = new Ledger({ tier: 'guest', balance: 50 })
    for (let i = 0; i < 50; i++) ledger.one(whole(call(), failure))
    const refused = ledger.one(whole()) as Extract<Verdict, { ok: false }>
    assert.deepEqual([refused.code, refused.retryAt], ['rate_limited', START + DAY])
    assert.deepEqual(
      refused.standing?.windows.map(({ name, remaining }) => [name, remaining]),
      [
        ['hour', 10],
        ['day', 0],
      ],
    )
  })

  it('counts a batch as one request; its calls are charged and audited', () => {
    const ledger = new Ledger({ hourLimit: 2 })
    const batch = (calls: number) => whole(call({ cost: calls }), { ...success, credits: calls, calls })
    assert.deepEqual(ledger.enter([batch(6), batch(4), batch(1)]).map(codeOf), ['ok', 'ok', 'rate_limited'])
    assert.deepEqual([ledger.account.hour.count, ledger.account.balance], [2, 340])
    assert.deepEqual(
      ledger.audit.map(({ calls }) => calls),
      [6, 4],
    )
  })

  it('that is full is reported after a balance that does not suffice', () => {
    const ledger = new Ledger({ hourLimit: 1, balance: 1 })
    const verdicts = ledger.enter([whole(), whole(), whole(call({ cost: 2 }))])
    assert.deepEqual(verdicts.map(codeOf), ['ok', 'credits_exhausted', 'credits_exhausted'])
  })

  it('of the account endpoints is a separate minute and costs no credit', () => {
    const ledger = new Ledger({ tier: 'guest', balance: 50 })
    const use = (): Entry => whole(call({ kind: 'account', cost: 0 }), { ...success, credits: 0 })
    const verdicts = ledger.enter(Array.from({ length: 121 }, use))
    assert.equal(verdicts.filter((verdict) => verdict.ok).length, 120)
    assert.equal(codeOf(verdicts[120]), 'rate_limited')
    assert.deepEqual([ledger.account.hour.count, ledger.account.balance], [0, 50])
    ledger.now += MINUTE
    assert.equal(codeOf(ledger.one(use())), 'ok')
  })
})

describe('a key', () => {
  it('that is revoked, suspended, unverified or expired is refused and consumes nothing', () => {
    const revoked = new Ledger()
    revoked.keyStatus = 'revoked'
    assert.equal(codeOf(revoked.one(whole())), 'api_key_invalid')
    const expired = new Ledger({ tier: 'guest', expiresAt: START })
    assert.equal(codeOf(expired.one(whole())), 'guest_key_expired')
    const unverified = new Ledger({ verified: false })
    assert.equal(codeOf(unverified.one(whole())), 'account_unverified')
    for (const ledger of [revoked, expired, unverified])
      assert.deepEqual([ledger.account.hour.count, ledger.audit.length], [0, 0])
  })

  it('that ended with its credits after the admission is the reason of the refusal, and else pays', () => {
    const ledger = new Ledger({ balance: 1 })
    const calls = [call(), call()]
    const admitted = calls.map((of) => ledger.one({ step: 'admit', call: of }))
    ledger.keyStatus = 'revoked'
    const settled = ledger.enter(calls.map((of, i) => settle(admitted[i], of)))
    assert.deepEqual(settled.map(codeOf), ['ok', 'api_key_invalid'])
    assert.equal(ledger.account.hour.count, 1)
  })

  it("that is refused is noted once per code in a group, with its count, at the clock's minute", () => {
    const ledger = new Ledger({ balance: 0 })
    ledger.now = START + 61_500
    ledger.enter([whole(), whole(), { step: 'refusal', call: call(), code: 'api_key_invalid' }])
    assert.deepEqual(
      ledger.refusals.map(({ code, count, minute }) => [code, count, minute]),
      [
        ['credits_exhausted', 2, START + MINUTE],
        ['api_key_invalid', 1, START + MINUTE],
      ],
    )
  })
})

describe('the credits in flight', () => {
  const admit = (of: ReturnType<typeof call>, inFlight = NONE_IN_FLIGHT): Entry => ({
    step: 'admit',
    call: of,
    inFlight,
  })

  it('count against the balance at every admission', () => {
    const ledger = new Ledger({ balance: 5 })
    const verdicts = [
      ledger.one(admit(call({ cost: 3 }), inFlight(3, 1))),
      ledger.one(admit(call({ cost: 2 }), inFlight(3, 1))),
      ledger.one({ ...whole(call({ cost: 3 })), inFlight: inFlight(3, 1) }),
      ledger.one({ step: 'peek', call: call({ cost: 3 }), inFlight: inFlight(3, 1) }),
    ]
    assert.deepEqual(verdicts.map(codeOf), [
      'credits_exhausted',
      'ok',
      'credits_exhausted',
      'credits_exhausted',
    ])
    assert.deepEqual([verdicts[0].standing?.credits, verdicts[0].standing?.inFlight], [5, 3])
  })

  it('include those that the same group admitted, and no longer those that it settled', () => {
    const ledger = new Ledger({ balance: 2 })
    const calls = [call(), call(), call()]
    const admitted = ledger.enter(calls.map((of) => admit(of)))
    assert.deepEqual(admitted.map(codeOf), ['ok', 'ok', 'credits_exhausted'])
    const [first, second] = calls as [(typeof calls)[0], (typeof calls)[0]]
    const verdicts = ledger.enter([
      { ...settle(admitted[0], first, failure), inFlight: inFlight(1, 2) },
      admit(call(), inFlight(1, 2)),
      { ...settle(admitted[1], second), inFlight: inFlight(1, 2) },
      admit(call(), inFlight(1, 2)),
    ])
    assert.deepEqual(verdicts.map(codeOf), ['ok', 'ok', 'ok', 'credits_exhausted'])
  })

  it('do not count for a replay, which costs nothing', () => {
    const ledger = new Ledger({ balance: 1 })
    ledger.one(whole(keyed('k')))
    const verdicts = ledger.enter([admit(keyed('k')), admit(keyed('k'))])
    assert.deepEqual(verdicts.map(codeOf), ['ok', 'ok'])
    assert.equal(verdicts[1].standing?.inFlight, 0)
  })
})

describe('an idempotency key', () => {
  it('is charged once; its replays need neither balance nor window', () => {
    const ledger = new Ledger({ balance: 1, hourLimit: 1 })
    const verdicts = ledger.enter([whole(keyed('k')), whole(keyed('k')), whole(keyed('k'))]) as Passed[]
    assert.deepEqual(
      verdicts.map(({ charged, replayed }) => [charged, replayed]),
      [
        [1, false],
        [0, true],
        [0, true],
      ],
    )
    assert.deepEqual([ledger.account.balance, ledger.account.hour.count, ledger.debits], [0, 1, 1])
  })

  it('lets 120 replays a minute pass', () => {
    const ledger = new Ledger()
    const names = Array.from({ length: 121 }, (_, index) => `k${index}`)
    ledger.enter(names.map((name) => whole(keyed(name))))
    const verdicts = ledger.enter(names.map((name) => whole(keyed(name))))
    assert.deepEqual(
      [verdicts.filter((verdict) => verdict.ok).length, codeOf(verdicts[120])],
      [120, 'rate_limited'],
    )
  })

  it('lets its replays pass ten times, and then not before it is forgotten', () => {
    const ledger = new Ledger()
    ledger.one(whole(keyed('k')))
    const verdicts = ledger.enter(Array.from({ length: 11 }, () => whole(keyed('k'))))
    assert.deepEqual([verdicts.filter(({ ok }) => ok).length, codeOf(verdicts[10])], [10, 'rate_limited'])
    const refused = verdicts[10] as Extract<Verdict, { ok: false }>
    assert.deepEqual([refused.retryAt, refused.limit], [START + DAY, 'replays'])
    ledger.now += DAY
    assert.equal((ledger.one(whole(keyed('k'))) as Passed).charged, 1)
  })

  it('that is bound lets a peek pass until the body is known to differ', () => {
    const ledger = new Ledger({ balance: 1, hourLimit: 1 })
    ledger.one(whole(keyed('k', 'one')))
    const peek = (of: ReturnType<typeof call>) => codeOf(ledger.one({ step: 'peek', call: of }))
    assert.deepEqual([peek(keyed('k', '')), peek(keyed('other', ''))], ['ok', 'credits_exhausted'])
    assert.deepEqual([peek(keyed('k', 'one')), peek(keyed('k', 'two'))], ['ok', 'idempotency_conflict'])
    assert.equal(ledger.account.minute.count, 0)
    ledger.enter(Array.from({ length: 10 }, () => whole(keyed('k', 'one'))))
    assert.deepEqual([peek(keyed('k', '')), peek(keyed('k', 'one'))], ['ok', 'rate_limited'])
    const looked = new Ledger({ hourLimit: 2 }).one({ step: 'peek', call: call() })
    assert.equal(looked.standing?.windows[0]?.remaining, 2)
  })

  it('with another request conflicts before balance and window, and consumes nothing', () => {
    const ledger = new Ledger({ balance: 1, hourLimit: 1 })
    ledger.one(whole(keyed('k', 'one')))
    assert.equal(codeOf(ledger.one(whole(keyed('k', 'two')))), 'idempotency_conflict')
    assert.deepEqual([ledger.account.hour.count, ledger.account.minute.count, ledger.audit.length], [1, 0, 1])
  })

  it('is bound by a success only, and for 24 hours', () => {
    const ledger = new Ledger()
    ledger.one(whole(keyed('k', 'one'), failure))
    const first = ledger.one(whole(keyed('k', 'two'))) as Passed
    ledger.now += DAY - 1
    const replay = ledger.one(whole(keyed('k', 'two'))) as Passed
    ledger.now += 1
    const anew = ledger.one(whole(keyed('k', 'three'))) as Passed
    assert.deepEqual([first.charged, replay.charged, anew.charged], [1, 0, 1])
  })

  it('that two calls bring at once is charged to the first; the other gives its slot back', () => {
    const ledger = new Ledger({ hourLimit: 5 })
    const calls = [keyed('k', 'one'), keyed('k', 'one'), keyed('k', 'two')]
    const admitted = ledger.enter(calls.map((of) => ({ step: 'admit', call: of })))
    assert.equal(ledger.account.hour.count, 3)
    const settled = ledger.enter(calls.map((of, i) => settle(admitted[i], of)))
    assert.deepEqual(settled.map(codeOf), ['ok', 'ok', 'idempotency_conflict'])
    assert.deepEqual(
      [(settled[1] as Passed).replayed, ledger.debits, ledger.account.hour.count],
      [true, 1, 1],
    )
  })

  it('that was refunded between the admission and the settlement of its replay is charged and counted afresh', () => {
    const ledger = new Ledger({ hourLimit: 5 })
    ledger.one(whole(keyed('k')))
    const again = keyed('k')
    const [admitted] = ledger.enter([{ step: 'admit', call: again }])
    ledger.bindings.clear()
    const settled = ledger.one(settle(admitted!, again)) as Passed
    assert.deepEqual([settled.charged, settled.replayed], [1, false])
    assert.equal(ledger.account.hour.count, 2, 'a charged answer is counted in its window')
    ledger.account = { ...ledger.account, balance: 0 }
    ledger.bindings.clear()
    assert.equal(codeOf(ledger.one(settle(admitted!, keyed('k')))), 'credits_exhausted')
    assert.equal(ledger.account.hour.count, 2)
  })
})

describe('a group entered again after an unknown outcome', () => {
  it('keeps the rows of the first attempt and gives the same verdicts', () => {
    const ledger = new Ledger({ balance: 2 })
    const entries = [whole(keyed('k')), whole(), whole(), whole(call(), failure)]
    const first = ledger.enter(entries)
    const before = structuredClone(ledger.account)
    const again = ledger.enter(entries, { isRepeated: true })
    assert.deepEqual(again.map(codeOf), first.map(codeOf))
    assert.deepEqual(
      again.map((verdict) => verdict.ok && verdict.charged),
      [1, 1, false, false],
    )
    assert.deepEqual(ledger.account, before)
    assert.equal(ledger.debits, 2)
  })

  it('is decided afresh where the first attempt wrote nothing', () => {
    const ledger = new Ledger({ balance: 2 })
    assert.deepEqual(ledger.enter([whole(), whole(), whole()], { isRepeated: true }).map(codeOf), [
      'ok',
      'ok',
      'credits_exhausted',
    ])
    assert.equal(ledger.debits, 2)
  })

  it('gives no slot back twice: a settlement that left no row may have been refused before', () => {
    const ledger = new Ledger({ balance: 1 })
    const calls = [call(), call()]
    const admitted = calls.map((of) => ledger.one({ step: 'admit', call: of }))
    const entries = calls.map((of, i) => settle(admitted[i], of))
    assert.deepEqual(ledger.enter(entries).map(codeOf), ['ok', 'credits_exhausted'])
    assert.equal(ledger.account.hour.count, 1)
    assert.deepEqual(ledger.enter(entries, { isRepeated: true }).map(codeOf), ['ok', 'unavailable'])
    assert.equal(ledger.account.hour.count, 1)
  })

  it('charges no settlement whose slot an unknown first attempt may have given back', () => {
    const ledger = new Ledger({ balance: 0 })
    const slow = call({ cost: 0 })
    const [admitted] = ledger.enter([{ step: 'admit', call: slow }])
    const entry = settle(admitted!, slow)
    assert.equal(codeOf(ledger.one(entry)), 'credits_exhausted')
    ledger.account = { ...ledger.account, balance: 5 }
    assert.equal(codeOf(ledger.enter([entry], { isRepeated: true })[0]), 'unavailable')
    assert.deepEqual([ledger.debits, ledger.account.hour.count], [0, 0])
  })

  it('settles a failure that left no row, since it would have left one', () => {
    const ledger = new Ledger()
    const slow = call()
    const [admitted] = ledger.enter([{ step: 'admit', call: slow }])
    assert.equal(codeOf(ledger.enter([settle(admitted!, slow, failure)], { isRepeated: true })[0]), 'ok')
    assert.equal(ledger.audit.length, 1)
  })
})

describe('a settlement', () => {
  it('whose admission a crashed database may have lost is refused, uncharged', () => {
    const ledger = new Ledger()
    const slow = call()
    const [admitted] = ledger.enter([{ step: 'admit', call: slow }])
    ledger.epoch = 'second'
    assert.equal(codeOf(ledger.one(settle(admitted!, slow))), 'unavailable')
    assert.deepEqual([ledger.debits, ledger.audit.length], [0, 0])
  })
})
