/** A guest becomes part of an account: its credits move, its history is linked, its key ends. */
import { first, rows, type Sql, type Transaction } from '../sql.ts'

interface Guest {
  readonly accountId: number
  readonly keyId: number
  readonly credits: number
}

/** The guest of a key that may still be taken over, its account locked; null: the key is of no use. */
export function* lockUsableGuest(sql: Sql, keyId: number): Transaction<Guest | null> {
  const key = yield* first(sql.db.selectFrom('api_keys').select('account_id').where('id', '=', keyId))
  if (key === undefined) return null
  yield* sql.lock([key.account_id])
  const now = yield* sql.clock()
  const guest = yield* first(
    sql.db
      .selectFrom('accounts')
      .innerJoin('api_keys', 'api_keys.account_id', 'accounts.id')
      .select(['accounts.id as accountId', 'accounts.balance as credits'])
      .where('api_keys.id', '=', keyId)
      .where('api_keys.status', '=', 'active')
      .where('accounts.tier', '=', 'guest')
      .where('accounts.expires_at', '>', now),
  )
  return guest === undefined ? null : { ...guest, keyId }
}

/**
 * The other half of the transfer is the account's opening balance. The guest's row stays, without its expiry, so that
 * its history stays linked; what it told of the device goes.
 */
export function* endGuest(sql: Sql, guest: Guest, accountId: number, now: number): Transaction<void> {
  if (guest.credits > 0)
    yield* rows(
      sql.db.insertInto('ledger').values([
        {
          at: now,
          account_id: guest.accountId,
          kind: 'transfer_out',
          amount: -guest.credits,
          audit_id: null,
          note: `to account ${accountId}`,
        },
        {
          at: now,
          account_id: accountId,
          kind: 'transfer_in',
          amount: guest.credits,
          audit_id: null,
          note: `from guest ${guest.accountId}`,
        },
      ]),
    )
  yield* rows(
    sql.db
      .updateTable('accounts')
      .set({
        balance: 0,
        linked_to: accountId,
        expires_at: null,
        device_id: null,
        device_name: null,
        platform: null,
      })
      .where('id', '=', guest.accountId),
  )
  yield* rows(sql.db.updateTable('api_keys').set({ status: 'revoked' }).where('id', '=', guest.keyId))
}
