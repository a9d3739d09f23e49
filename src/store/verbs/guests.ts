/** Guest accounts: made with their key and their grant. */

import { first, rows, type Sql, type Transaction } from '../sql.ts'
import type { NewGuest } from '../store.ts'
import { writeEvent } from './events.ts'

export function* createGuest(
  sql: Sql,
  guest: NewGuest,
): Transaction<{ accountId: number; expiresAt: number; now: number }> {
  const now = yield* sql.clock()
  const expiresAt = now + guest.lifetimeMs
  const account = yield* first(
    sql.db
      .insertInto('accounts')
      .values({
        uid: guest.uid,
        tier: 'guest',
        balance: guest.credits,
        created_at: now,
        verified_at: now,
        expires_at: expiresAt,
        hour_limit: null,
        day_limit: null,
        device_id: guest.device.id,
        device_name: guest.device.name,
        platform: guest.device.platform,
      })
      .returning('id'),
  )
  const accountId = account!.id
  const key = yield* first(
    sql.db
      .insertInto('api_keys')
      .values({
        uid: guest.key.uid,
        account_id: accountId,
        hash: guest.key.hash,
        master_key_id: guest.key.masterKeyId,
        sealed: guest.key.sealed,
        status: 'active',
        created_at: now,
      })
      .returning('id'),
  )
  yield* rows(
    sql.db.insertInto('ledger').values({
      at: now,
      account_id: accountId,
      kind: 'grant',
      amount: guest.credits,
      audit_id: null,
      note: 'guest_creation',
    }),
  )
  yield* writeEvent(sql, guest.event, { at: now, accountId, keyId: key!.id, name: 'guest_created' })
  return { accountId, expiresAt, now }
}
