/** A registration whose code was right becomes an account, with its key and its first credits. */
import { first, rows, type Sql, type Transaction } from '../sql.ts'
import type { ConfirmedRegistration } from '../store.ts'
import { insertKey } from './account-keys.ts'
import { lockAddress } from './address-lock.ts'
import { forgive } from './attempts.ts'
import { writeEvent } from './events.ts'
import { endGuest, lockUsableGuest } from './guest-takeover.ts'

export function* confirmRegistration(sql: Sql, confirmed: ConfirmedRegistration): Transaction<boolean> {
  const { address, code, event, takeoverAuditId } = confirmed
  yield* lockAddress(sql, address)
  const registration = yield* first(
    sql.db
      .selectFrom('registrations')
      .selectAll()
      .where('uid', '=', code.uid)
      .where('code_hash', '=', code.kept.hash),
  )
  if (registration === undefined) return false
  const { guest_key_id: guestKeyId } = registration
  const guest = guestKeyId === null ? null : yield* lockUsableGuest(sql, guestKeyId)
  const now = yield* sql.clock()
  const accountId = yield* insertAccount(sql, confirmed, registration, guest?.credits ?? 0, now)
  if (accountId === null) return false

  const keyId = yield* insertKey(sql, accountId, confirmed.key, now)
  yield* writeEvent(sql, event, { at: now, accountId, keyId, name: 'account_verified' })
  if (guest !== null) {
    yield* endGuest(sql, guest, accountId, now)
    yield* writeEvent(
      sql,
      { ...event, auditId: takeoverAuditId },
      {
        at: now,
        accountId,
        keyId,
        name: 'guest_taken_over',
        detail: JSON.stringify({ guest: guest.accountId, credits: guest.credits }),
      },
    )
  }
  yield* rows(sql.db.deleteFrom('registrations').where('address', '=', address))
  yield* forgive(sql, confirmed.counted)
  return true
}

/** Null: the address has an account. */
function* insertAccount(
  sql: Sql,
  { accountUid, credits }: ConfirmedRegistration,
  registration: {
    address: string
    email: string
    username: string
    full_name: string
    password_hash: string
  },
  moved: number,
  now: number,
): Transaction<number | null> {
  const { address, email, full_name, password_hash, username } = registration
  const account = yield* first(
    sql.db
      .insertInto('accounts')
      .values({
        uid: accountUid,
        tier: 'free',
        balance: credits + moved,
        created_at: now,
        verified_at: now,
        expires_at: null,
        hour_limit: null,
        day_limit: null,
        device_id: null,
        device_name: null,
        platform: null,
        address,
        email,
        username,
        full_name,
        password_hash,
      })
      .onConflict((conflict) => conflict.column('address').doNothing())
      .returning('id'),
  )
  if (account === undefined) return null
  yield* rows(
    sql.db.insertInto('ledger').values({
      at: now,
      account_id: account.id,
      kind: 'grant',
      amount: credits,
      audit_id: null,
      note: 'verification',
    }),
  )
  return account.id
}
