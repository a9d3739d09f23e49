/**
 * Sign-on of owners at an OpenID provider: the account of an address that the provider has verified, made where there is none.
 */

import { addressNotVerified } from '../base/errors/accounts.ts'
import { registrationClosed } from '../base/errors/requests.ts'
import { uuidv7 } from '../base/ids.ts'
import { EMAIL_CHARACTERS, USERNAME_CHARACTERS } from '../base/limits/callers.ts'
import { type EventOrigin, writeEvent } from '../ledger/store/audit.ts'
import { rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { Origin } from '../protocol/handler.ts'
import { type StoredKey, sealKey } from '../secrets/keys.ts'
import { findAccount, isRegistered } from './account.ts'
import { addressOf, EMAIL_ADDRESS, lockAddress, oneSpelling } from './address.ts'
import { type AccountContext, eventOf } from './context.ts'
import { type Owner, openAccount } from './open-account.ts'

/** The claims of a provider about a person. */
interface Vouched {
  /** The host of the provider. */
  readonly provider: string
  readonly claims: Readonly<Record<string, unknown>>
}

/**
 * The number of the person's account. Both sides have verified the address, so that an account with a password is the same
 * person's. Throws Failure `sign_on_failed` or `closed`. @param mayRegister whether an account may be made
 */
export async function accountOfPerson(
  context: AccountContext,
  { claims, provider }: Vouched,
  origin: Origin,
  mayRegister: boolean,
): Promise<number> {
  const { email, email_verified: isVerified, name } = claims
  const isAddress =
    typeof email === 'string' &&
    email.length <= EMAIL_CHARACTERS.most &&
    new RegExp(EMAIL_ADDRESS, 'u').test(email)
  if (!isAddress || isVerified !== true) throw addressNotVerified(provider)
  const address = addressOf(email)
  const known = await context.store.run(findAccount, { address })
  if (isRegistered(known)) return known.accountId
  if (!mayRegister) throw registrationClosed()
  const username = nameIn(name) ?? email.split('@')[0].slice(0, USERNAME_CHARACTERS)
  const uid = uuidv7()
  return await context.store.run(openVouched, {
    uid,
    provider,
    key: sealKey(context.vault, 'user', uid).stored,
    event: eventOf(origin),
    credits: context.initialCredits().registered,
    owner: {
      address,
      email: oneSpelling(email),
      username,
      fullName: username,
      passwordHash: context.passwords.unusable(),
    },
  })
}

const nameIn = (claim: unknown): string | null =>
  typeof claim === 'string' &&
  claim.length <= USERNAME_CHARACTERS &&
  /^[^\p{C}]*[^\p{C}\p{Z}][^\p{C}]*$/u.test(claim)
    ? claim
    : null

/** Opens an account without a password; returns its number. If the address has an account by now, returns that number. */
export function* openVouched(
  sql: Sql,
  opened: {
    readonly uid: string
    readonly key: StoredKey
    readonly credits: number
    readonly owner: Owner
    readonly provider: string
    readonly event: EventOrigin
  },
): Transaction<number> {
  const { credits, event, key, owner, provider, uid } = opened
  yield* lockAddress(sql, owner.address)
  const now = yield* sql.clock()
  const grant = { credits, reason: 'verification' }
  const account = yield* openAccount(sql, { uid, tier: 'free', key, grant, owner }, now)
  if (account === null) return (yield* sql.addresses.accountIdOf(owner.address))!
  yield* rows(sql.db.deleteFrom('registrations').where('address', '=', owner.address))
  const facts = { password: 'none', provider }
  yield* writeEvent(sql, event, { at: now, ...account, name: 'account_verified', facts })
  return account.accountId
}
