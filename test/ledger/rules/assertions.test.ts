/** The assertions on a decision: each is broken by changes that the rules never make. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SPECIFIED_PLAN } from '../../../src/base/limits/callers.ts'
import { assertFollows, newStream, type Proven, prove } from '../../../src/ledger/proofs/group.ts'
import { type Assertion, assertSound, BrokenAssertion } from '../../../src/ledger/rules/assertions.ts'
import { decide } from '../../../src/ledger/rules/decide.ts'
import type {
  Entry,
  LedgerAccount,
  LedgerSnapshot,
  Lot,
  TeamKey,
  Writes,
} from '../../../src/ledger/rules/types.ts'
import { account, call, HOUR, keyed, START, success, whole } from '../../support/ledger-in-memory.ts'

const OWN = account({ id: 1, balance: 10, lotsExpireAt: START + HOUR })
const LOT: Lot = { id: 5, accountId: 1, granted: 4, remaining: 3, expired: 0, expiresAt: START + HOUR }
const TEAM_KEY: TeamKey = {
  id: 7,
  accountId: 1,
  creditCap: 2,
  capPeriod: 'total',
  spent: 1,
  spentFrom: 0,
  spentTotal: 1,
  hourlyLimit: null,
  hour: { startedAt: 0, count: 0 },
  expiresAt: null,
  lastUsedAt: null,
}
const SNAPSHOT: LedgerSnapshot = {
  now: START,
  epoch: 'present',
  isRepeated: false,
  ...SPECIFIED_PLAN,
  accounts: new Map([[1, OWN]]),
  keys: new Map([[1, { id: 1, accountId: 1, status: 'active' }]]),
  teamKeys: new Map([[7, TEAM_KEY]]),
  lineageKeys: new Map([[1, { keyId: 1, teamKeyId: 7, endsAt: null }]]),
  lots: new Map([[1, [LOT]]]),
  bindings: new Map(),
  written: new Map(),
}
/** A charged call of a team key, which spends from a lot and binds an idempotency key. */
const ENTRIES: Entry[] = [whole(keyed('order', 'hash', { teamKeyId: 7 }))]
const { writes: SOUND } = decide(SNAPSHOT, ENTRIES)

function breaks(assertion: Assertion, changed: Partial<Writes>, entries = ENTRIES): BrokenAssertion {
  try {
    assertSound(SNAPSHOT, entries, { ...SOUND, ...changed })
  } catch (error) {
    assert.ok(error instanceof BrokenAssertion, String(error))
    assert.equal(error.assertion, assertion)
    return error
  }
  assert.fail('the changes were taken as sound')
}

const with1 = <Item>([item]: readonly Item[], fields: Partial<Item>): Item[] => [{ ...item!, ...fields }]

describe('an assertion on a decision', () => {
  it('holds for what the rules decide', () => {
    assertSound(SNAPSHOT, ENTRIES, SOUND)
    assert.deepEqual(
      [SOUND.accounts.length, SOUND.teamKeys.length, SOUND.lots.length, SOUND.bindings.length],
      [1, 1, 1, 1],
    )
  })

  it('breaks with a balance below 0, or one that is no whole number, and names the account', () => {
    for (const balance of [-1, 0.5, Number.NaN, 2 ** 53])
      assert.deepEqual(breaks('balance', { accounts: with1(SOUND.accounts, { balance }) }).ids, {
        account_id: 1,
        balance,
      })
  })

  it('breaks with a balance that falls by other credits than the call cost', () => {
    breaks('movement', { accounts: with1(SOUND.accounts, { balance: 8 }) })
    breaks('movement', { accounts: with1(SOUND.accounts, { balance: 10 }) })
    breaks('movement', { accounts: [] })
    breaks('movement', { audit: [] })
    breaks('movement', { audit: with1(SOUND.audit, { credits: -1 }) })
    breaks('movement', { expired: [LOT] })
  })

  it('breaks with a changed account, team key, lot or idempotency key of an account that is not locked', () => {
    const stranger: LedgerAccount = account({ id: 2 })
    assert.deepEqual(breaks('locked', { accounts: [...SOUND.accounts, stranger] }).ids, { account_id: 2 })
    breaks('locked', { teamKeys: with1(SOUND.teamKeys, { accountId: 2 }) })
    breaks('locked', { teamKeys: with1(SOUND.teamKeys, { id: 8 }) })
    breaks('locked', { lots: with1(SOUND.lots, { accountId: 2 }) })
    breaks('locked', { bindings: with1(SOUND.bindings, { accountId: 2 }) })
  })

  it('breaks with a team key beyond its cap, but not with one whose cap was set below its spending', () => {
    const { ids } = breaks('cap', { teamKeys: with1(SOUND.teamKeys, { spent: 3 }) })
    assert.deepEqual(ids, { account_id: 1, team_key_id: 7, credit_cap: 2, spent: 3 })
    const lowered = { ...SNAPSHOT, teamKeys: new Map([[7, { ...TEAM_KEY, creditCap: 0 }]]) }
    assertSound(lowered, ENTRIES, { ...SOUND, teamKeys: with1(SOUND.teamKeys, { creditCap: 0, spent: 1 }) })
  })

  it('breaks with a lot that holds less than nothing, or more than its grant', () => {
    breaks('lot', { lots: with1(SOUND.lots, { remaining: -1 }) })
    breaks('lot', { lots: with1(SOUND.lots, { remaining: 5 }) })
    const { ids } = breaks('lot', { lots: with1(SOUND.lots, { remaining: 2, expired: 3 }) })
    assert.deepEqual(ids, { account_id: 1, lot_id: 5, granted: 4, remaining: 2, expired: 3 })
  })

  it('breaks with a settlement of another run of the database', () => {
    const of = call()
    const windows = { hourStartedAt: 0, dayStartedAt: 0, keyHourStartedAt: 0 }
    const admission = { replay: false, epoch: 'earlier', ...windows }
    const late: Entry[] = [{ step: 'settle', call: of, admission, outcome: success }]
    const { ids } = breaks('epoch', { audit: with1(SOUND.audit, { id: of.id }) }, late)
    assert.deepEqual(ids, { account_id: 1, audit_id: of.id })
  })
})

describe('the assertion on the groups of a stream', () => {
  const stream = newStream({ id: 3, openedAt: START, version: '1' })
  const proven = prove(stream, SOUND.audit)

  const breaksGroup = (changed: Partial<Proven>) =>
    assert.throws(
      () => assertFollows(stream, SOUND.audit, { ...proven, ...changed }),
      (error) => error instanceof BrokenAssertion && error.assertion === 'group' && error.ids.stream === 3,
    )

  it('holds for a proof', () => {
    assertFollows(stream, SOUND.audit, proven)
    assertFollows(stream, [], prove(stream, []))
  })

  it('breaks with a gap, a repeated number, a missing row, or a row of another group', () => {
    breaksGroup({ groups: with1(proven.groups, { number: 2 }) })
    breaksGroup({ stream: { ...proven.stream, number: 0 } })
    breaksGroup({ stream: { ...proven.stream, number: 2 } })
    breaksGroup({ groups: [] })
    breaksGroup({ groups: with1(proven.groups, { leaves: 2 }) })
    breaksGroup({ audit: [] })
    breaksGroup({ audit: with1(proven.audit, { groupNumber: 2 }) })
    breaksGroup({ audit: with1(proven.audit, { at: START + 1 }) })
    breaksGroup({ stream: { ...proven.stream, id: 4 } })
  })
})
