/** Commands of operators on credits: grants that expire, grants that are sent again, and reversals. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { grantCredits as grantVerb, reverseGrant } from '../../../src/operator/credits.ts'
import { balanceOf, type Grant, grantCredits, type Model, takeBack } from './account.ts'
import { type Command, check, operatorEvent, pickAccount, type Real } from './check.ts'

/** References are unique in the whole ledger, which the runs share. */
let references = 0

const MINUTE = 60_000

export class GrantCredits implements Command {
  readonly which: number
  readonly credits: number
  readonly endsInMs: number | null
  readonly again: number | null

  constructor(which: number, credits: number, endsInMs: number | null, again: number | null) {
    this.which = which
    this.credits = credits
    this.endsInMs = endsInMs
    this.again = again
  }

  check = (model: Readonly<Model>) => model.accounts.length > 0

  async run(model: Model, real: Real): Promise<void> {
    const account = pickAccount(model, this.which)
    const owners = model.accounts.flatMap((owner) => owner.grants.map((grant) => ({ owner, grant })))
    const earlier = this.again === null ? undefined : owners[this.again % Math.max(1, owners.length)]
    const credits = earlier?.grant.credits ?? this.credits
    const reference = earlier?.grant.reference ?? `model ${++references}`
    const granted = await real.service.store.run(grantVerb, {
      ...{ accountId: account.id, credits, reference, note: 'model', event: operatorEvent() },
      expiresAt: this.endsInMs === null ? null : Date.now() + real.movedMs + this.endsInMs,
    })
    const isNew = earlier === undefined
    const outcome = isNew ? 'moved' : earlier.owner === account ? 'replayed' : 'conflict'
    assert.equal(granted.outcome, account.isGuest ? 'guest' : outcome)
    if (granted.outcome === 'moved')
      grantCredits(account, reference, credits, this.endsInMs === null ? null : model.now + this.endsInMs)
    await check(model, real, account)
  }

  toString = () => `grant(${this.which}, ${this.credits}, ends in ${this.endsInMs}, again ${this.again})`
}

class Reverse implements Command {
  readonly which: number
  readonly grant: number
  readonly share: number
  readonly isAgain: boolean

  constructor(which: number, grant: number, share: number, isAgain: boolean) {
    this.which = which
    this.grant = grant
    this.share = share
    this.isAgain = isAgain
  }

  check = (model: Readonly<Model>) =>
    model.accounts.length > 0 && pickAccount(model, this.which).grants.length > 0

  async run(model: Model, real: Real): Promise<void> {
    const account = pickAccount(model, this.which)
    const grant: Grant = account.grants[this.grant % account.grants.length]
    const earlier = this.isAgain ? grant.reversals[0] : undefined
    const credits = earlier?.credits ?? Math.ceil(this.share * grant.credits)
    const reversed = await real.service.store.run(reverseGrant, {
      ...{ reference: grant.reference, credits, event: operatorEvent() },
      reversalReference: earlier?.reference ?? `model ${++references}`,
    })
    const fits = grant.reversed + credits <= grant.credits
    assert.equal(reversed.outcome, earlier !== undefined ? 'replayed' : fits ? 'moved' : 'beyond_grant')
    if (reversed.outcome === 'moved') {
      grant.reversals.push({ reference: `model ${references}`, credits })
      grant.reversed += credits
      takeBack(account, grant, credits, model.now)
      assert.deepEqual([reversed.balance, reversed.debt], [balanceOf(account), account.debt])
    }
    await check(model, real, account)
  }

  toString = () => `reverse(${this.which}, ${this.share} of ${this.grant}${this.isAgain ? ', again' : ''})`
}

const which = fc.nat(3)
/** Half a step of the clock apart from its moves. */
const ends = fc.option(fc.constantFrom(7.5, 42.5, 102.5, 2_000.5).map((minutes) => minutes * MINUTE))

const reversals = fc
  .tuple(which, fc.nat(10), fc.constantFrom(0.3, 0.7, 1), fc.nat(3))
  .map(([of, grant, share, again]) => new Reverse(of, grant, share, again === 0))

export const moneyCommands = [
  fc
    .tuple(which, fc.integer({ min: 1, max: 60 }), ends, fc.option(fc.nat(20), { freq: 1 }))
    .map(([of, credits, end, again]) => new GrantCredits(of, credits, end, again)),
  reversals,
  reversals,
]
