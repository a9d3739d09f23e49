/** Accounts that an operator creates and deletes. */
import { lockAddress } from '../accounts/address.ts'
import { type Owner, openAccount } from '../accounts/open-account.ts'
import type { Tier } from '../ledger/tiers.ts'
import type { StoredKey } from '../secrets/keys.ts'
import { first, rows, type Sql, type Transaction } from '../store/sql.ts'
import { type AdminChange, type AdminEvent, writeAdminEvent } from './event.ts'

export interface NewAccount extends Owner {
  readonly uid: string
  readonly tier: Tier
  readonly credits: number
  readonly key: StoredKey
  readonly event: AdminEvent
}

/** Creates a verified account, without a mail. Null: the address has an account. */
export function* createAccount(sql: Sql, account: NewAccount): Transaction<{ accountId: number } | null> {
  const { address, credits, key, tier, uid } = account
  yield* lockAddress(sql, address)
  const now = yield* sql.clock()
  const grant = { credits, reason: 'account_creation' }
  const opened = yield* openAccount(sql, { uid, tier, key, grant, owner: account }, now)
  if (opened === null) return null
  // The operator vouches for the address: its pending registrations have nothing left to confirm.
  yield* rows(sql.db.deleteFrom('registrations').where('address', '=', address))
  const { accountId, keyId } = opened
  yield* writeAdminEvent(sql, account.event, accountId, 'account_created', { tier, credits }, keyId)
  return { accountId }
}

/**
 * Deletes an account and the guests it took over, with their keys, ledger, secrets, address and waiting mails; the
 * audit rows stay. False: there is no such account.
 */
export function* deleteAccount(sql: Sql, { accountId, event }: AdminChange): Transaction<boolean> {
  const found = yield* first(
    sql.db.selectFrom('accounts').select(['address', 'email']).where('id', '=', accountId),
  )
  if (found === undefined) return false
  const { address, email } = found
  if (address !== null) yield* lockAddress(sql, address)
  const guests = yield* rows(sql.db.selectFrom('accounts').select('id').where('linked_to', '=', accountId))
  const ids = [accountId, ...guests.map((guest) => guest.id)]
  yield* sql.lock(ids)
  const account = yield* first(sql.db.selectFrom('accounts').select('balance').where('id', '=', accountId))
  if (account === undefined) return false
  yield* rows(sql.db.deleteFrom('accounts').where('id', 'in', ids))
  if (address !== null) {
    yield* sql.addresses.remove(address)
    yield* rows(sql.db.deleteFrom('registrations').where('address', '=', address))
    yield* rows(sql.db.deleteFrom('mails').where('recipient', 'in', [address, email ?? address]))
  }
  yield* writeAdminEvent(sql, event, accountId, 'account_deleted', { credits: account.balance })
  return true
}
