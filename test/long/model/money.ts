/** Commands of operators on credits: grants that expire, grants that are sent again, and reversals. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Failure } from '../../../src/base/failure.ts'
import { grantCredits as grantVerb, type Moved, reverseGrant } from '../../../src/operators/grants.ts'
import { operatorEvent } from '../../support/new-account.ts'
import { balanceOf, type Grant, grantCredits, takeBack } from './account.ts'
import { type Command, check, command, hasAccounts, pickAccount } from './check.ts'

/** References are unique in the whole ledger, which the runs share. */
let references = 0

const MINUTE = 60_000

/** @param again which of the earlier grants is sent again, to this account, or null */
export const grantOrAgain = (
  which: number,
  ownCredits: number,
  endsInMs: number | null,
  again: number | null,
): Command =>
  command(
    `grant(${which}, ${ownCredits}, ends in ${endsInMs}, again ${again})`,
    async (model, real) => {
      const account = pickAccount(model, which)
      const owners = model.accounts.flatMap((owner) => owner.grants.map((grant) => ({ owner, grant })))
      const earlier = again === null ? undefined : owners[again % Math.max(1, owners.length)]
      const credits = earlier?.grant.credits ?? ownCredits
      const reference = earlier?.grant.reference ?? `model ${++references}`
      const granted = await real.service.store.run(grantVerb, {
        accountId: account.id,
        credits,
        reference,
        note: 'model',
        event: operatorEvent(),
        expiresAt: endsInMs === null ? null : Date.now() + real.movedMs + endsInMs,
      })
      const isNew = earlier === undefined
      const outcome = isNew ? 'moved' : earlier.owner === account ? 'replayed' : 'conflict'
      assert.equal(outcomeOf(granted), account.isGuest ? 'conflict' : outcome)
      if (outcomeOf(granted) === 'moved')
        grantCredits(account, reference, credits, endsInMs === null ? null : model.now + endsInMs)
      await check(model, real, account)
    },
    hasAccounts,
  )

const reverse = (which: number, number: number, share: number, isAgain: boolean): Command =>
  command(
    `reverse(${which}, ${share} of ${number}${isAgain ? ', again' : ''})`,
    async (model, real) => {
      const account = pickAccount(model, which)
      const grant: Grant = account.grants[number % account.grants.length]
      const earlier = isAgain ? grant.reversals[0] : undefined
      const credits = earlier?.credits ?? Math.ceil(share * grant.credits)
      const reversed = await real.service.store.run(reverseGrant, {
        reference: grant.reference,
        credits,
        event: operatorEvent(),
        reversalReference: earlier?.reference ?? `model ${++references}`,
      })
      const fits = grant.reversed + credits <= grant.credits
      assert.equal(outcomeOf(reversed), earlier !== undefined ? 'replayed' : fits ? 'moved' : 'conflict')
      if (!(reversed instanceof Failure) && reversed.outcome === 'moved') {
        grant.reversals.push({ reference: `model ${references}`, credits })
        grant.reversed += credits
        takeBack(account, grant, credits, model.now)
        assert.deepEqual([reversed.balance, reversed.debt], [balanceOf(account), account.debt])
      }
      await check(model, real, account)
    },
    (model) => hasAccounts(model) && pickAccount(model, which).grants.length > 0,
  )

/** The outcome of a movement; of a refused one, the code. */
const outcomeOf = (result: Moved | Failure): string =>
  result instanceof Failure ? result.code : result.outcome

const which = fc.nat(3)
/** Times of expiry, which lie half a step away from any time to which the clock moves. */
const ends = fc.option(fc.constantFrom(7.5, 42.5, 102.5, 2_000.5).map((minutes) => minutes * MINUTE))

const reversals = fc
  .tuple(which, fc.nat(10), fc.constantFrom(0.3, 0.7, 1), fc.nat(3))
  .map(([of, grant, share, again]) => reverse(of, grant, share, again === 0))

export const moneyCommands = [
  fc
    .tuple(which, fc.integer({ min: 1, max: 60 }), ends, fc.option(fc.nat(20), { freq: 1 }))
    .map(([of, credits, end, again]) => grantOrAgain(of, credits, end, again)),
  reversals,
  reversals,
]
