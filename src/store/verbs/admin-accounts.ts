/** Accounts made and deleted by an operator. */
import { first, rows, type Sql, type Transaction } from '../sql.ts'
import type { AdminChange, NewAccount } from '../store.ts'
import { insertKey } from './account-keys.ts'
import { lockAddress } from './address-lock.ts'
import { writeEvent } from './events.ts'

export function* createAccount(sql: Sql, account: NewAccount): Transaction<{ accountId: number } | null> {
  const { actor, ...origin } = account.event
  yield* lockAddress(sql, account.address)
  const now = yield* sql.clock()
  const accountId = yield* insertAccount(sql, account, now)
  if (accountId === null) return null
  const keyId = yield* insertKey(sql, accountId, account.key, now)
  if (account.credits > 0)
    yield* rows(
      sql.db.insertInto('ledger').values({
        at: now,
        account_id: accountId,
        kind: 'grant',
        amount: account.credits,
        audit_id: null,
        note: 'account_creation',
      }),
    )
  // The operator has vouched for the address: what still awaits a code for it has nothing left to confirm.
  yield* rows(sql.db.deleteFrom('registrations').where('address', '=', account.address))
  const detail = JSON.stringify({ actor, tier: account.tier, credits: account.credits })
  yield* writeEvent(sql, origin, { at: now, accountId, keyId, name: 'account_created', detail })
  return { accountId }
}

/** Null: the address has an account. */
function* insertAccount(sql: Sql, account: NewAccount, now: number): Transaction<number | null> {
  const inserted = yield* first(
    sql.db
      .insertInto('accounts')
      .values({
        uid: account.uid,
        tier: account.tier,
        balance: account.credits,
        created_at: now,
        verified_at: now,
        expires_at: null,
        hour_limit: null,
        day_limit: null,
        device_id: null,
        device_name: null,
        platform: null,
        address: account.address,
        email: account.email,
        username: account.username,
        full_name: account.fullName,
        password_hash: account.passwordHash,
      })
      .onConflict((conflict) => conflict.column('address').doNothing())
      .returning('id'),
  )
  return inserted?.id ?? null
}

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
  const now = yield* sql.clock()
  const account = yield* first(sql.db.selectFrom('accounts').select('balance').where('id', '=', accountId))
  if (account === undefined) return false
  yield* rows(sql.db.deleteFrom('accounts').where('id', 'in', ids))
  if (address !== null) {
    yield* rows(sql.db.deleteFrom('registrations').where('address', '=', address))
    yield* rows(sql.db.deleteFrom('mails').where('recipient', 'in', [address, email ?? address]))
  }
  const { actor, ...origin } = event
  const detail = JSON.stringify({ actor, credits: account.balance })
  yield* writeEvent(sql, origin, { at: now, accountId, keyId: null, name: 'account_deleted', detail })
  return true
}
