/**
 * Sign-on of owners at an OpenID provider: the account that is bound to the person, or at the first sign-on that of the address,
 * which the provider has verified; made where there is none.
 */

import { accountOfAnother, addressNotVerified } from '../base/errors/accounts.ts'
import { registrationClosed } from '../base/errors/requests.ts'
import { uuidv7 } from '../base/ids.ts'
import { EMAIL_ADDRESS, EMAIL_CHARACTERS, USERNAME_CHARACTERS } from '../base/limits/callers.ts'
import { type EventOrigin, writeEvent } from '../ledger/store/events.ts'
import { first, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { Origin } from '../protocol/handler.ts'
import { type StoredKey, sealKey } from '../secrets/keys.ts'
import { findAccount, isRegistered } from './account.ts'
import { type AccountContext, eventOf } from './account-endpoint.ts'
import { addressOf, lockAddress, oneSpelling } from './address.ts'
import { type Owner, openAccount } from './open-account.ts'
import type { SignedOn } from './sign-on/provider.ts'

/** A person, as the provider tells. */
interface Vouched {
  /** The host of the provider. */
  readonly provider: string
  /** Issuer and subject stand for the same person for ever; the provider may give the address to another one. */
  readonly person: Pick<SignedOn, 'claims' | 'issuer' | 'subject'>
  /** Whether an account may be made. */
  readonly registration: boolean
  /** Whether the provider's addresses are trusted that it does not call verified. */
  readonly trustEmail: boolean
}

/**
 * The number of the person's account. At the first sign-on it is the account of the address: both sides have verified it, so that
 * an account with a password is the same person's. From then on the account is bound to the person. Throws Failure
 * `sign_on_failed` or `closed`.
 */
export async function accountOfPerson(
  context: AccountContext,
  { person, provider, registration, trustEmail }: Vouched,
  origin: Origin,
): Promise<number> {
  const signOn = JSON.stringify([person.issuer, person.subject])
  const bound = await context.store.run(boundAccount, signOn)
  if (bound !== null) return bound
  const { email, email_verified: isVerified, name } = person.claims
  const isAddress =
    typeof email === 'string' &&
    email.length <= EMAIL_CHARACTERS.most &&
    new RegExp(EMAIL_ADDRESS, 'u').test(email)
  if (!isAddress || !(trustEmail ? isNotDenied(isVerified) : isVerified === true))
    throw addressNotVerified(provider)
  const address = addressOf(email)
  const event = eventOf(origin)
  const known = await context.store.run(findAccount, { address })
  if (!isRegistered(known) && !registration) throw registrationClosed()
  if (!isRegistered(known)) {
    const username = nameIn(name) ?? email.split('@')[0].slice(0, USERNAME_CHARACTERS)
    const uid = uuidv7()
    const opened = await context.store.run(openVouched, {
      uid,
      provider,
      signOn,
      key: sealKey(context.vault, 'user', uid).stored,
      event,
      credits: context.initialCredits().registered,
      owner: {
        address,
        email: oneSpelling(email),
        username,
        fullName: username,
        passwordHash: context.passwords.unusable(),
      },
    })
    if (opened !== null) return opened
  }
  const given = await context.store.run(bindAccount, { address, signOn, provider, event })
  if (given === null) throw accountOfAnother(provider)
  return given
}

/** Some providers send no `email_verified` (Entra ID), others send it as text (Cognito). */
const isNotDenied = (isVerified: unknown): boolean => [undefined, true, 'true'].includes(isVerified as true)

const nameIn = (claim: unknown): string | null =>
  typeof claim === 'string' &&
  claim.length <= USERNAME_CHARACTERS &&
  /^[^\p{C}]*[^\p{C}\p{Z}][^\p{C}]*$/u.test(claim)
    ? claim
    : null

/** The number of the account that is bound to a person; null: there is none. */
export function* boundAccount({ db }: Sql, signOn: string): Transaction<number | null> {
  const bound = db.selectFrom('accounts').select('id').where('sign_on', '=', signOn)
  return (yield* first(bound))?.id ?? null
}

/** Binds the account of an address to a person; returns its number. Null: it is bound to another one. */
export function* bindAccount(
  sql: Sql,
  {
    address,
    event,
    provider,
    signOn,
  }: Readonly<{ address: string; signOn: string; provider: string; event: EventOrigin }>,
): Transaction<number | null> {
  yield* lockAddress(sql, signOn)
  yield* lockAddress(sql, address)
  const accountId = yield* sql.addresses.accountIdOf(address)
  const present = yield* boundAccount(sql, signOn)
  if (present !== null || accountId === null) return present
  yield* sql.lock([accountId])
  const unbound = sql.db.updateTable('accounts').set({ sign_on: signOn }).where('id', '=', accountId)
  if ((yield* rows(unbound.where('sign_on', 'is', null).returning('id'))).length === 0) return null
  const at = yield* sql.clock()
  yield* writeEvent(sql, event, { at, accountId, keyId: null, name: 'sign_on_bound', facts: { provider } })
  return accountId
}

/** Opens an account without a password, bound to a person; returns its number. Null: the address or the person has one by now. */
export function* openVouched(
  sql: Sql,
  opened: {
    readonly uid: string
    readonly key: StoredKey
    readonly credits: number
    readonly owner: Owner
    readonly signOn: string
    readonly provider: string
    readonly event: EventOrigin
  },
): Transaction<number | null> {
  const { credits, event, key, owner, provider, signOn, uid } = opened
  yield* lockAddress(sql, signOn)
  yield* lockAddress(sql, owner.address)
  if ((yield* boundAccount(sql, signOn)) !== null) return null
  const now = yield* sql.clock()
  const grant = { credits, reason: 'verification' }
  const account = yield* openAccount(sql, { uid, tier: 'free', key, grant, owner }, now)
  if (account === null) return null
  const bound = sql.db.updateTable('accounts').set({ sign_on: signOn })
  yield* rows(bound.where('id', '=', account.accountId))
  yield* rows(sql.db.deleteFrom('registrations').where('address', '=', owner.address))
  const facts = { password: 'none', provider }
  yield* writeEvent(sql, event, { at: now, ...account, name: 'account_verified', facts })
  return account.accountId
}
