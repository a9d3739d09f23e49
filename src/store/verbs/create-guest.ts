/** Guest accounts, created with their key and first grant. */
import type { Sql, Transaction } from '../sql.ts'
import type { EventOrigin } from '../types/account-changes.ts'
import type { StoredKey } from '../types/secrets.ts'
import { writeEvent } from './events.ts'
import { type Device, openAccount } from './open-account.ts'

export interface NewGuest {
  readonly uid: string
  readonly key: StoredKey
  readonly credits: number
  readonly lifetimeMs: number
  readonly device: Device
  readonly event: EventOrigin
}

/** Creates a guest account. Times are epoch milliseconds on the database's clock. */
export function* createGuest(
  sql: Sql,
  guest: NewGuest,
): Transaction<{ accountId: number; expiresAt: number; now: number }> {
  const { credits, device, event, key, lifetimeMs, uid } = guest
  const now = yield* sql.clock()
  const expiresAt = now + lifetimeMs
  const grant = { credits, reason: 'guest_creation' }
  // Only an address can conflict, and a guest has none.
  const { accountId, keyId } = (yield* openAccount(
    sql,
    { uid, tier: 'guest', key, grant, expiresAt, device },
    now,
  ))!
  yield* writeEvent(sql, event, { at: now, accountId, keyId, name: 'guest_created' })
  return { accountId, expiresAt, now }
}
