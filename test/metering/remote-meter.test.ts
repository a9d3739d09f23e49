/** Entries that one process sends to another, which writes the ledger. */
import assert from 'node:assert/strict'
import { type Duplex, duplexPair } from 'node:stream'
import { beforeEach, describe, it } from 'node:test'
import { Failure } from '../../src/errors.ts'
import type { Entry, Verdict } from '../../src/ledger/types.ts'
import { type LedgerMeter, openMeter } from '../../src/metering/meter.ts'
import { answerEntries, remoteMeter } from '../../src/metering/remote-meter.ts'
import { NotCommitted, type Store } from '../../src/store/store.ts'
import { call, codeOf, keyed, Ledger, success, whole } from '../support/ledger-in-memory.ts'
import { until } from '../support/until.ts'

let ledger: Ledger
let isAway: boolean
/** The groups as they reached the store. */
let groups: (readonly Entry[])[]
let writer: LedgerMeter

const noRefunds = { add() {}, adopt() {}, size: 0, close() {} }

beforeEach(() => {
  ledger = new Ledger({ balance: 100 })
  isAway = false
  groups = []
  const store = {
    answersAtOnce: true,
    buckets: 1,
    async commit(entries: readonly Entry[], again: boolean): Promise<Verdict[]> {
      if (isAway) throw new NotCommitted('away')
      groups.push(entries)
      return ledger.enter(entries, again)
    },
  }
  writer = openMeter(store as unknown as Store, noRefunds)
})

/** A serving process, with its end of the stream. */
function serving() {
  const [ours, theirs] = duplexPair()
  answerEntries(writer, theirs)
  return { stream: ours, meter: remoteMeter(ours), theirs }
}

const admitted = async (of: ReturnType<typeof serving>, one = call()) => {
  const verdict = await of.meter.enter({ step: 'admit', call: one })
  assert.ok(verdict.ok)
  return { call: one, admission: verdict.admission }
}
const isUnavailable = (error: unknown) => error instanceof Failure && error.code === 'unavailable'
const end = (stream: Duplex) => new Promise((resolve) => stream.once('close', resolve).destroy())

describe('an entry of another process', () => {
  it('arrives as it was sent, whatever its step', async () => {
    const one = serving()
    const proof = await admitted(one, keyed('a "key" \\ü\n'))
    const entries: Entry[] = [
      { step: 'peek', call: call({ path: '/p?x="\n"' }) },
      { step: 'settle', ...proof, outcome: { ...success, parts: '[{"path":"/p"}]' } },
      { step: 'admitAndSettle', call: call({ kind: 'account', cost: 0 }), outcome: success },
      {
        step: 'admitAndSettle',
        call: call({ id: 'made by the service', requestId: 'made by the service' }),
        outcome: success,
      },
      { step: 'admitAndSettle', call: call({ requestId: 'given by the caller' }), outcome: success },
      { step: 'refusal', call: { accountId: 1, keyId: 1, ip: '::1' }, code: 'guest_forbidden' },
    ]
    groups = []
    await Promise.all(entries.map((entry) => one.meter.enter(entry)))
    const arrived = groups.flat().map(({ inFlight: _, ...entry }) => entry)
    assert.deepEqual(arrived, entries)
  })

  it('gets the verdict that the ledger gave', async () => {
    const given: Verdict[] = []
    const meter: LedgerMeter = {
      ...writer,
      enter: async (entry) => {
        const verdict = await writer.enter(entry)
        given.push(verdict)
        return verdict
      },
    }
    const [ours, theirs] = duplexPair()
    answerEntries(meter, theirs)
    const remote = remoteMeter(ours)
    ledger.account = { ...ledger.account, hourLimit: 3, balance: 4 }
    const verdicts: Verdict[] = []
    for (const cost of [1, 9, 1, 1, 1]) verdicts.push(await remote.enter(whole(call({ cost }))))
    verdicts.push(await remote.enter(whole(call({ keyId: 99 }))))
    verdicts.push(await remote.enter(whole(call({ accountId: 99 }))))
    assert.deepEqual(verdicts, given)
    assert.deepEqual(verdicts.slice(1, 7).map(codeOf), [
      ...['credits_exhausted', 'ok', 'ok', 'rate_limited'],
      ...['api_key_invalid', 'api_key_invalid'],
    ])
  })

  it('shares a group with those of all processes that arrive together', async () => {
    const processes = [serving(), serving()]
    await Promise.all(
      processes.flatMap(({ meter }) => Array.from({ length: 20 }, () => meter.enter(whole()))),
    )
    assert.equal(ledger.debits, 40)
    assert.ok(groups.length <= 2, `${groups.length} groups`)
  })

  it('that cannot be committed fails with unavailable, and later ones succeed', async () => {
    const { meter } = serving()
    isAway = true
    await assert.rejects(meter.enter(whole()), isUnavailable)
    isAway = false
    assert.equal((await meter.enter(whole())).ok, true)
  })

  it('fails with unavailable if the writing process ends before it answers, and after that', async () => {
    const { meter, stream } = serving()
    const waiting = meter.enter(whole())
    await Promise.all([assert.rejects(waiting, isUnavailable), end(stream)])
    await assert.rejects(meter.enter(whole()), isUnavailable)
  })
})

describe('calls in flight of several processes', () => {
  it('count against one balance, until their process ends', async () => {
    ledger.account = { ...ledger.account, balance: 1 }
    const [one, other] = [serving(), serving()]
    await admitted(one)
    assert.equal(codeOf(await other.meter.enter({ step: 'admit', call: call() })), 'credits_exhausted')
    await end(one.theirs)
    assert.equal((await other.meter.enter({ step: 'admit', call: call() })).ok, true)
  })

  it('keep a repetition at another process waiting, until their process ends', async () => {
    const [one, other] = [serving(), serving()]
    await admitted(one, keyed('key'))
    let isAnswered = false
    const repetition = other.meter.enter(whole(keyed('key'))).then(() => {
      isAnswered = true
    })
    await other.meter.enter(whole())
    assert.equal(isAnswered, false)
    await end(one.theirs)
    await repetition
  })

  it('are not counted if their process ends before they are admitted', async () => {
    ledger.account = { ...ledger.account, balance: 1 }
    const [one, other] = [serving(), serving()]
    one.meter.enter({ step: 'admit', call: call() }).catch(() => undefined)
    await until(() => groups.length > 0, 'the entry was committed')
    await end(one.theirs)
    assert.equal((await other.meter.enter({ step: 'admit', call: call() })).ok, true)
  })
})
