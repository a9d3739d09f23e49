/** Accounts that an operator creates and deletes. */
import { lockAddress } from '../accounts/address.ts'
import { eraseAccount, eraseRemains } from '../accounts/erase.ts'
import { type Owner, openAccount } from '../accounts/open-account.ts'
import type { Tier } from '../ledger/tiers.ts'
import type { StoredKey } from '../secrets/keys.ts'
import { rows, type Sql, type Transaction } from '../store/sql.ts'
import type { Runner } from '../store/store.ts'
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

/** Deletes an account as its owner does, with an event of the operator. False: there is no such account. */
export async function deleteAccount(store: Runner, change: AdminChange): Promise<boolean> {
  if (!(await store.run(endAccount, change))) return false
  await eraseRemains(store, change.accountId)
  return true
}

export function* endAccount(sql: Sql, { accountId, event }: AdminChange): Transaction<boolean> {
  const credits = yield* eraseAccount(sql, { accountId })
  if (credits === null) return false
  yield* writeAdminEvent(sql, event, accountId, 'account_deleted', { credits })
  return true
}
