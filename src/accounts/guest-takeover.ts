/** The takeover of a guest by an account: its credits and idempotency keys move, its history is linked, its key is revoked. */
import { first, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import { writeMovement } from './open-account.ts'

interface Guest {
  readonly accountId: number
  readonly keyId: number
  readonly credits: number
}

/** Locks the guest account of a key. Null: the key's account is no guest that can be taken over. */
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
      .where('accounts.id', '=', key.account_id)
      .where('api_keys.id', '=', keyId)
      .where('api_keys.status', '=', 'active')
      .where('accounts.tier', '=', 'guest')
      .where('accounts.expires_at', '>', now),
  )
  return guest === undefined ? null : { ...guest, keyId }
}

/**
 * Writes both movements of the transfer; the receiving account's first balance already includes the credits. The
 * guest's row is kept without its expiry, so that its history stays linked, and without the data about its device.
 */
export function* endGuest(sql: Sql, guest: Guest, accountId: number, now: number): Transaction<void> {
  const { accountId: guestId, credits } = guest
  if (credits > 0) {
    const away = { kind: 'transfer_out', amount: -credits, note: `to account ${accountId}` } as const
    yield* writeMovement(sql, { accountId: guestId, ...away }, now)
    const here = { kind: 'transfer_in', amount: credits, note: `from guest ${guestId}` } as const
    yield* writeMovement(sql, { accountId, ...here }, now)
  }
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
      .where('id', '=', guestId),
  )
  const key = sql.db.updateTable('api_keys').set({ status: 'revoked' }).where('id', '=', guest.keyId)
  yield* rows(key.where('account_id', '=', guestId))
  yield* moveBindings(sql, guestId, accountId)
}

/** Idempotency keys that a statement moves. */
const BINDINGS_A_STATEMENT = 1_000

/**
 * Binds the guest's idempotency keys to the account, so that a request which the guest has paid for is not charged again. The rows
 * are written anew, because the account's number decides in which part of a divided table a row lies.
 */
function* moveBindings({ db }: Sql, guestId: number, accountId: number): Transaction<void> {
  const bound = yield* rows(db.selectFrom('bindings').selectAll().where('account_id', '=', guestId))
  for (let start = 0; start < bound.length; start += BINDINGS_A_STATEMENT) {
    const some = bound.slice(start, start + BINDINGS_A_STATEMENT)
    const values = some.map((binding) => ({ ...binding, account_id: accountId }))
    yield* rows(
      db
        .insertInto('bindings')
        .values(values)
        .onConflict((conflict) => conflict.columns(['account_id', 'idempotency_key']).doNothing()),
    )
  }
  yield* rows(db.deleteFrom('bindings').where('account_id', '=', guestId))
}
