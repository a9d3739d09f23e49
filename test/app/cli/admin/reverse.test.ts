/** quantd admin reverse and grant --expires: credits that are taken back, debts, and credits that expire. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Failure } from '../../../../src/base/failure.ts'
import { accountView } from '../../../../src/operators/accounts.ts'
import { grantCredits, reverseGrant } from '../../../../src/operators/grants.ts'
import { number, query } from '../../../support/database.ts'
import { operatorEvent } from '../../../support/new-account.ts'
import { operator, settingsOf } from '../../../support/operator.ts'
import { COMPUTED, useService } from '../../../support/people.ts'
import { tidied } from '../../../support/tidied.ts'

const service = await useService()
const quantd = operator(settingsOf(service))

const HOUR = 3_600_000
let accounts = 0

/** An account without credits. */
async function payer() {
  const email = `payer-${++accounts}@example.org`
  const { json } = await quantd(['admin', 'create', email, '--credits', '0', '--json'])
  const { account_id: id, api_key: key } = json
  const run = async (...args: string[]) => await quantd(['admin', ...args, '--json'])
  return {
    id,
    grant: (credits: number, reference: string, ...more: string[]) =>
      run('grant', email, String(credits), '--reference', reference, ...more),
    reverse: (grant: string, credits: number, reference: string) =>
      run('reverse', grant, String(credits), '--reference', reference),
    async spend(calls: number) {
      for (let i = 0; i < calls; i++)
        assert.equal((await service.call(COMPUTED, { key, body: { wealth: 2 } })).status, 200)
    },
    credits: async () => (await service.call('/user/credits', { key })).body.data,
    show: async () => (await run('show', email)).json,
  }
}

/** An end by the service's clock, which tests advance. */
const inMs = async (ms: number) =>
  new Date((await service.store.run((sql) => sql.clock())) + ms).toISOString()

const agrees = async () => {
  const { code, out } = await quantd(['admin', 'verify-ledger', '--json'])
  assert.equal(code, 0, out)
}

const held = ({ credits, debt }: { credits: number; debt?: number }) => [credits, debt ?? 0]

describe('a reversal', () => {
  it('of 30 % and 70 %, and of a won dispute, is exact to the credit', async () => {
    const one = await payer()
    await one.grant(100, 'a1')
    await one.spend(10)
    assert.deepEqual(held((await one.reverse('a1', 30, 'a-30')).json), [60, 0])
    assert.deepEqual(held((await one.reverse('a1', 70, 'a-70')).json), [0, 10])
    assert.deepEqual(held(await one.credits()), [0, 10])
    assert.equal((await one.credits()).spent, 10)
    assert.deepEqual(held((await one.grant(100, 'a-won')).json), [90, 0])
    await agrees()
  })

  it('is made once: the same again is replayed, another one with its reference refused', async () => {
    const [one, other] = [await payer(), await payer()]
    await one.grant(100, 'b1')
    await other.grant(100, 'b2')
    assert.equal((await one.reverse('b1', 40, 'b-40')).json.changed, true)
    const again = await one.reverse('b1', 40, 'b-40')
    assert.deepEqual([again.json.changed, again.json.credits], [false, 60])
    for (const refused of [
      one.reverse('b1', 41, 'b-40'),
      one.reverse('b2', 40, 'b-40'),
      one.reverse('b1', 5, 'b1'),
      one.grant(40, 'b-40'),
      one.reverse('b1', 61, 'b-61'),
      one.reverse('none', 1, 'b-none'),
      one.reverse('b-40', 1, 'b-1'),
    ])
      assert.equal((await refused).code, 1)
    assert.deepEqual(held(await one.credits()), [60, 0])
    assert.deepEqual(held(await other.credits()), [100, 0])
    // A refused reference is free.
    assert.equal((await one.reverse('b1', 60, 'b-61')).json.credits, 0)
    await agrees()
  })

  it('beyond the balance is a debt that each later grant pays first', async () => {
    const one = await payer()
    await one.grant(20, 'c1')
    await one.spend(5)
    assert.deepEqual(held((await one.reverse('c1', 20, 'c-20')).json), [0, 5])
    assert.deepEqual(held((await one.grant(3, 'c2')).json), [0, 2])
    assert.deepEqual(held((await one.grant(3, 'c3', '--expires', await inMs(HOUR))).json), [1, 0])
    assert.deepEqual(
      (await one.credits()).lots.map((lot: { credits: number }) => lot.credits),
      [1],
    )
    await agrees()
  })

  it('many at once take no more than the grant', async () => {
    const one = await payer()
    await one.grant(100, 'd1')
    const runs = await Promise.all(
      Array.from({ length: 8 }, (_, index) => one.reverse('d1', 30, `d-${index}`)),
    )
    assert.equal(runs.filter(({ code }) => code === 0).length, 3)
    assert.deepEqual(held(await one.credits()), [10, 0])
    await agrees()
  })

  it('of a grant that has expired makes no debt, and does not take the expired part again', async () => {
    const one = await payer()
    await one.grant(50, 'e1', '--expires', await inMs(HOUR))
    await one.spend(20)
    await one.grant(10, 'e2')
    service.advance(HOUR)
    assert.deepEqual(held(await one.credits()), [10, 0])
    for (const [reversalReference, balance] of [
      ['e-25', 10],
      ['e-50', 0],
    ] as const) {
      const reversal = { reference: 'e1', credits: 25, reversalReference, event: operatorEvent() }
      const done = await service.store.run(reverseGrant, reversal)
      assert.deepEqual(done, { outcome: 'moved', accountId: one.id, balance, debt: 0 })
    }
    await agrees()
  })
})

describe('a grant with an end', () => {
  it('is spent before the others, and what is left is booked at its end, also in an idle account', async () => {
    const one = await payer()
    await one.grant(10, 'f1')
    const end = await inMs(HOUR)
    await one.grant(10, 'f2', '--expires', end)
    await one.spend(4)
    assert.deepEqual((await one.show()).lots, [{ credits: 6, expires_at: end }])
    service.advance(HOUR)
    // Before anything books it, reads show what is left.
    const shown = await service.store.run(accountView, { accountId: one.id })
    assert.deepEqual([shown?.credits, shown?.granted, shown?.spent, shown?.lots], [10, 14, 4, []])
    await agrees()
    await tidied(service)
    assert.equal(await number(service, `SELECT balance FROM accounts WHERE id = ${one.id}`), 10)
    const [expired] = await query(
      service,
      `SELECT at, amount FROM ledger WHERE kind = 'expired' AND account_id = ${one.id}`,
    )
    assert.deepEqual([Number(expired!.at), Number(expired!.amount)], [Date.parse(end), -6])
    assert.equal((await one.show()).credits, 10)
    await agrees()
  })

  it('whose end is in the past is refused, unless it repeats an earlier one', async () => {
    const one = await payer()
    const end = await inMs(HOUR)
    await one.grant(10, 'g1', '--expires', end)
    service.advance(HOUR)
    for (const [reference, outcome] of [
      ['g1', 'replayed'],
      ['g2', 'invalid_input'],
    ]) {
      const grant = { accountId: one.id, credits: 10, note: 'n', expiresAt: Date.parse(end) }
      const done = await service.store.run(grantCredits, {
        ...grant,
        reference: reference!,
        event: operatorEvent(),
      })
      assert.equal(done instanceof Failure ? done.code : done.outcome, outcome)
    }
    assert.equal((await one.grant(10, 'g2')).json.changed, true)
    assert.equal((await one.grant(10, 'g3', '--expires', '2026-01-01')).code, 2)
    // Years without the day.
    assert.equal((await one.grant(10, 'g3', '--expires', '2097-02-29')).code, 2)
    assert.equal((await one.grant(10, 'g3', '--expires', '2097-04-31T12:00Z')).code, 2)
  })
})

describe('1,000 grants with an end that have credits left', () => {
  it('are the limit: one more is refused and nothing is lost; a spent one makes room', async () => {
    const one = await payer()
    await one.grant(998, 'i0')
    // As if 998 grants of a credit had been given.
    const ends = Date.parse(await inMs(HOUR))
    await query(
      service,
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 998)
       INSERT INTO lots (account_id, granted, remaining, expires_at) SELECT ${one.id}, 1, 1, ${ends} + i FROM n`,
    )
    await query(service, `UPDATE accounts SET lots_expire_at = ${ends + 1} WHERE id = ${one.id}`)
    const end = await inMs(2 * HOUR)
    const parallel = await Promise.all(
      ['i1', 'i2', 'i3'].map((reference) => one.grant(1, reference, '--expires', end)),
    )
    assert.deepEqual(parallel.map(({ code }) => code).sort(), [0, 0, 1])
    const refused = parallel.findIndex(({ code }) => code === 1)
    assert.match(
      parallel[refused].err,
      /The account has 1000 grants that expire and have credits left, which is the limit\. Nothing was changed\./,
    )
    const { credits, lots } = await one.credits()
    assert.deepEqual([credits, lots.length], [1_000, 1_000])
    await agrees()
    assert.equal((await one.grant(5, 'i4')).json.credits, 1_005)
    await one.spend(1)
    assert.equal((await one.grant(1, `i${refused + 1}`, '--expires', end)).json.changed, true)
    assert.equal((await one.credits()).credits, 1_005)
    await agrees()
  })
})

describe('verify-ledger', () => {
  it('finds lots beyond the balance, a wrong debt and reversals that their grant does not count', async () => {
    const one = await payer()
    await one.grant(10, 'h1', '--expires', await inMs(HOUR))
    await one.reverse('h1', 4, 'h-4')
    for (const [damage, repair] of [
      [
        'UPDATE lots SET remaining = 7 WHERE reference = $',
        'UPDATE lots SET remaining = 6 WHERE reference = $',
      ],
      [
        'UPDATE ledger_references SET reversed = 3 WHERE reference = $',
        'UPDATE ledger_references SET reversed = 4 WHERE reference = $',
      ],
      [
        `UPDATE accounts SET debt = 1 WHERE id = ${one.id}`,
        `UPDATE accounts SET debt = 0 WHERE id = ${one.id}`,
      ],
    ]) {
      await query(service, damage!.replace('$', "'h1'"))
      assert.equal((await quantd(['admin', 'verify-ledger'])).code, 1, damage)
      await query(service, repair!.replace('$', "'h1'"))
      await agrees()
    }
  })
})
