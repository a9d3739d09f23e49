/** The meter where the outcome of a COMMIT is unknown, on a store that follows the test's script. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../../src/base/failure.ts'
import { openMeter } from '../../../src/ledger/metering/meter.ts'
import { openRefundJournal, type RefundJournal } from '../../../src/ledger/metering/refund-journal.ts'
import { BrokenAssertion } from '../../../src/ledger/rules/assertions.ts'
import type { Call, Entry, EntryGroup, Verdict } from '../../../src/ledger/rules/types.ts'
import { NotCommitted, OutcomeUnknown, type Store } from '../../../src/ledger/store/store.ts'
import { call, codeOf, failure, keyed, Ledger, success, whole } from '../../support/ledger-in-memory.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { timeTaken } from '../../support/time-taken.ts'
import { until } from '../../support/until.ts'

type Script = (group: EntryGroup) => Verdict[] | Promise<Verdict[]>

/** A store over a ledger in memory; the script says what becomes of each commit, the last line for all further ones. */
class ScriptedStore {
  readonly ledger = new Ledger({ balance: 100 })
  readonly commits: { entries: number; isRepeated: boolean }[] = []
  readonly refunds: string[][] = []
  refundFails = false
  readonly together = () => ''
  script: Script[] = []

  async commit(group: EntryGroup): Promise<Verdict[]> {
    const { entries, isRepeated = false } = group
    this.commits.push({ entries: entries.length, isRepeated })
    const line = this.script.length > 1 ? this.script.shift()! : this.script[0]
    return await line(group)
  }

  readonly refund = async (calls: readonly { auditId: string }[]): Promise<number> => {
    if (this.refundFails) throw new NotCommitted('away')
    this.refunds.push(calls.map(({ auditId }) => auditId))
    return calls.length
  }
}

const lost = () => {
  throw new OutcomeUnknown('cut at COMMIT')
}
const away = () => {
  throw new NotCommitted('away')
}

let folder: string
let journal: string
let store: ScriptedStore
let refundJournal: RefundJournal
beforeEach(() => {
  folder = temporaryFolder('meter')
  journal = join(folder, 'refunds.ndjson')
  store = new ScriptedStore()
  refundJournal = openRefundJournal(journal, store.refund, () => undefined)
})
afterEach(() => refundJournal.close())

const openScripted = (...script: Script[]) => {
  store.script = script
  return openMeter(store as unknown as Store, refundJournal)
}
/** A meter with a long time limit, for tests of several tries, which a busy machine may delay. */
const openPatient = (...script: Script[]) => {
  store.script = script
  return openMeter(store as unknown as Store, refundJournal, undefined, 15_000)
}
const commits: Script = ({ entries, isRepeated }) =>
  store.ledger.enter(entries, { isRepeated: isRepeated ?? false })
const commitsUnheard: Script = ({ entries }) => {
  store.ledger.enter(entries)
  return lost()
}

const unavailable = (error: unknown) => {
  assert.ok(error instanceof Failure, String(error))
  assert.deepEqual([error.code, error.status, error.retryAfterSeconds], ['unavailable', 503, 1])
  return true
}

describe('a COMMIT of unknown outcome', () => {
  it('that was written is found, and the call is answered and charged once', async () => {
    const meter = openScripted(commitsUnheard, commits)
    const verdict = await meter.enter(whole())
    assert.equal(verdict.ok && verdict.charged, 1)
    assert.deepEqual(
      store.commits.map(({ isRepeated }) => isRepeated),
      [false, true],
    )
    assert.deepEqual([store.ledger.debits, refundJournal.size], [1, 0])
  })

  it('that was not written is written now', async () => {
    const meter = openScripted(lost, commits)
    const verdict = await meter.enter(whole())
    assert.equal(verdict.ok && verdict.charged, 1)
    assert.equal(store.ledger.debits, 1)
  })

  it('with a broken assertion fails the entries concerned, and settles the others', async () => {
    const broken = call()
    const commitsOthers: Script = ({ entries, isRepeated = false }) => {
      if (entries.some((entry) => entry.call === broken))
        throw new BrokenAssertion('balance', { account_id: broken.accountId })
      return store.ledger.enter(entries, { isRepeated })
    }
    const meter = openScripted(commitsUnheard, commitsOthers)
    // The first attempt has written both: what is found then is not changed.
    const [failed, settled] = await Promise.allSettled([meter.enter(whole(broken)), meter.enter(whole())])
    assert.ok(failed.status === 'rejected' && failed.reason.status === 500)
    assert.ok(settled.status === 'fulfilled' && settled.value.ok && settled.value.charged === 1)
    assert.deepEqual(
      store.commits.map(({ entries, isRepeated }) => [entries, isRepeated]),
      [
        [2, false],
        [2, true],
        [1, true],
        [1, true],
      ],
    )
  })

  it('is retried until the database is back', async () => {
    const meter = openPatient(commitsUnheard, away, lost, away, commits)
    assert.equal((await meter.enter(whole())).ok, true)
    assert.equal(store.ledger.debits, 1)
  })

  it('fails an admission in the same group, and settles the rest', async () => {
    const meter = openScripted(commitsUnheard, commits)
    const admission = meter.enter({ step: 'admit', call: call() })
    const settlement = meter.enter(whole())
    await assert.rejects(admission, unavailable)
    assert.equal((await settlement).ok, true)
    assert.deepEqual(
      store.commits.map(({ entries }) => entries),
      [2, 1],
    )
  })

  it('that stays unknown is answered 503 within 2 s, noted durably, and refunded once', async () => {
    const meter = openScripted(commitsUnheard, away)
    store.refundFails = true
    const unresolved = call()
    const { ms } = await timeTaken(() => assert.rejects(meter.enter(whole(unresolved)), unavailable))
    assert.ok(ms < 1_000, `${ms} ms`)
    assert.match(readFileSync(journal, 'utf8'), new RegExp(unresolved.id))
    await sleep(700)
    assert.deepEqual([store.refunds.length, refundJournal.size], [0, 1])
    store.refundFails = false
    await until(() => !existsSync(journal), 'the refund was made')
    assert.deepEqual(store.refunds, [[unresolved.id]])
    assert.equal(refundJournal.size, 0)
  })

  it('is answered in time though the database hangs, and refunded only after the last try has ended', async () => {
    let ends = () => {}
    const hangs: Script = () =>
      new Promise((_, reject) => {
        ends = () => reject(new NotCommitted('gave up'))
      })
    const meter = openScripted(commitsUnheard, hangs)
    const { ms } = await timeTaken(() => assert.rejects(meter.enter(whole()), unavailable))
    assert.ok(ms < 1_000, 'the caller waited for a database that hangs')
    assert.ok(existsSync(journal))
    await sleep(700)
    assert.equal(store.refunds.length, 0, 'refunded while a try was still able to debit')
    await assert.rejects(meter.enter(whole()), unavailable)
    assert.equal(store.commits.length, 2, 'a batch began while another was under way')
    ends()
    await until(() => store.refunds.length > 0, 'the refund was made')
    assert.equal(store.refunds.length, 1)
    store.script = [commits]
    assert.equal((await meter.enter(whole())).ok, true)
  })

  it('is not retried beside a try that hangs, even if a timer ends early', async (t) => {
    const slowClock = performance.now.bind(performance)
    t.mock.method(performance, 'now', () => slowClock() * 0.9)
    const meter = openScripted(commitsUnheard, () => new Promise(() => {}))
    await assert.rejects(meter.enter(whole()), unavailable)
    assert.equal(store.commits.length, 2, 'a try began while another was under way')
  })

  it('makes the entries that wait behind it, and new ones, fail before its own do', async () => {
    const end = Promise.withResolvers<void>()
    const meter = openScripted(() => end.promise.then(lost), away)
    const failed: string[] = []
    const enter = async (name: string) => {
      await assert.rejects(meter.enter(whole()), unavailable)
      failed.push(name)
    }
    const first = enter('first')
    await until(() => store.commits.length === 1, 'the first is under way')
    const waiting = enter('waiting')
    end.resolve()
    await waiting
    await enter('next')
    await first
    assert.deepEqual(failed, ['waiting', 'next', 'first'])
  })
})

describe('a group that was not committed', () => {
  it('fails its calls and those that wait behind it, and no outcome is unknown', async () => {
    const end = Promise.withResolvers<void>()
    const meter = openScripted(() => end.promise.then(away), commits)
    const first = meter.enter(whole())
    await until(() => store.commits.length === 1, 'the first is under way')
    const waiting = meter.enter(whole())
    end.resolve()
    await Promise.all([assert.rejects(first, unavailable), assert.rejects(waiting, unavailable)])
    assert.deepEqual([store.ledger.debits, refundJournal.size, existsSync(journal)], [0, 0, false])
    assert.equal((await meter.enter(whole())).ok, true)
  })
})

describe('a group with a broken assertion', () => {
  const broken = ({ entries: [{ call }] }: EntryGroup): never => {
    throw new BrokenAssertion('balance', { account_id: call.accountId })
  }

  it('whose database goes away meanwhile fails at once, not entry by entry', async () => {
    const meter = openScripted(broken, commits, () => sleep(50).then(away))
    const entered = await Promise.allSettled(Array.from({ length: 20 }, () => meter.enter(whole())))
    const [first, ...others] = entered
    assert.equal(first.status, 'fulfilled')
    for (const other of others) assert.ok(other.status === 'rejected' && unavailable(other.reason))
    assert.deepEqual(
      store.commits.map(({ entries }) => entries),
      [20, 1, 1],
    )
  })

  it('of a call in flight holds none of its credits afterwards', async () => {
    const meter = openScripted(commits, broken, commits)
    const large = call({ cost: 100 })
    const admitted = await meter.enter({ step: 'admit', call: large })
    assert.ok(admitted.ok)
    const { admission } = admitted
    await assert.rejects(meter.enter({ step: 'settle', call: large, admission, outcome: success }), {
      status: 500,
    })
    const next = await meter.enter(whole(call({ cost: 100 })))
    assert.equal(codeOf(next), 'ok')
  })
})

describe('the refund journal', () => {
  it('is read at the next start, and a line that was cut short is skipped', async () => {
    const lines = [1, 2].map((n) => JSON.stringify({ auditId: `a${n}`, accountId: n }))
    writeFileSync(journal, `${lines.join('\n')}\n{"auditId":"cut`)
    const reopened = openRefundJournal(journal, store.refund, () => undefined)
    reopened.add([{ auditId: 'a3', accountId: 3 }])
    reopened.close()
    const again = openRefundJournal(journal, store.refund, () => undefined)
    await until(() => !existsSync(journal), 'the refunds were made')
    again.close()
    assert.deepEqual(store.refunds, [['a1', 'a2', 'a3']])
    assert.equal(existsSync(journal), false)
  })

  it('that cannot be written because the disk is full changes no reply; the refund is still made, and its call logged', async () => {
    const reports: [string, object][] = []
    const unwritable = openRefundJournal('/dev/full/refunds.ndjson', store.refund, (message, facts) =>
      reports.push([message, facts]),
    )
    store.script = [commitsUnheard, away]
    const meter = openMeter(store as unknown as Store, unwritable)
    await assert.rejects(meter.enter(whole()), unavailable)
    await until(() => store.refunds.length > 0, 'the refund was made')
    unwritable.close()
    assert.equal(store.refunds.length, 1)
    const [message, facts] = reports[0]
    assert.match(message, /journal cannot be written/)
    assert.partialDeepStrictEqual(facts, { audit_ids: store.refunds[0] })
  })
})

describe('a call that is repeated while it is in flight', () => {
  const repeated = (of: Call = keyed('key')): Entry => ({ step: 'admit', call: of })
  const settled = (of: Call, verdict: Verdict, outcome = success): Entry => {
    assert.ok(verdict.ok)
    return { step: 'settle', call: of, admission: verdict.admission, outcome }
  }

  for (const step of ['admit', 'peek', 'admitAndSettle'] as const)
    it(`is answered with its result, though it takes the last credit (${step})`, async () => {
      store.ledger.account = { ...store.ledger.account, balance: 1 }
      const meter = openScripted(commits)
      const first = keyed('key')
      const admitted = await meter.enter(repeated(first))
      const repetition = meter.enter({ step, call: keyed('key'), outcome: success } as Entry)
      assert.equal((await meter.enter(settled(first, admitted))).ok, true)
      const verdict = await repetition
      assert.ok(verdict.ok && verdict.replayed)
      assert.deepEqual([store.ledger.debits, store.ledger.account.balance], [1, 0])
    })

  it('is admitted by itself if the first attempt fails, one repetition after another', async () => {
    store.ledger.account = { ...store.ledger.account, balance: 1 }
    const meter = openScripted(commits)
    const calls = [keyed('key'), keyed('key'), keyed('key')]
    const verdicts = calls.map((one) => meter.enter(repeated(one)))
    for (const [index, one] of calls.entries())
      await meter.enter(settled(one, await verdicts[index], index < 2 ? failure : success))
    assert.equal(store.ledger.debits, 1)
  })

  it('does not wait for a call that was refused, could not be entered or has another key', async () => {
    store.ledger.account = { ...store.ledger.account, balance: 1 }
    const meter = openScripted(away, commits)
    await assert.rejects(meter.enter(repeated()), unavailable)
    const refused = await Promise.all([
      meter.enter(repeated(keyed('dear', 'hash', { cost: 9 }))),
      meter.enter(repeated(keyed('dear', 'hash', { cost: 9 }))),
    ])
    assert.deepEqual(refused.map(codeOf), ['credits_exhausted', 'credits_exhausted'])
    assert.equal((await meter.enter(repeated())).ok, true)
    assert.equal(codeOf(await meter.enter(repeated(keyed('other')))), 'credits_exhausted')
  })
})
