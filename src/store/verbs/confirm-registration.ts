/** Turns a registration whose code was right into an account, with its key and its first credits. */
import { first, rows, type Sql, type Transaction } from '../sql.ts'
import type { EventOrigin } from '../types/account-changes.ts'
import type { CountedAttempt } from '../types/attempts.ts'
import type { MailedCode } from '../types/mailed-codes.ts'
import type { StoredKey } from '../types/secrets.ts'
import { lockAddress } from './address-lock.ts'
import { forgive } from './attempts.ts'
import { writeEvent } from './events.ts'
import { endGuest, lockUsableGuest } from './guest-takeover.ts'
import { openAccount } from './open-account.ts'

export interface ConfirmedRegistration {
  readonly address: string
  readonly code: MailedCode
  readonly accountUid: string
  readonly key: StoredKey
  readonly credits: number
  readonly counted: readonly CountedAttempt[]
  readonly event: EventOrigin
  /** Id of the audit row that records the takeover of a guest. */
  readonly takeoverAuditId: string
}

/**
 * Opens the account, takes over the registration's guest and deletes the other registrations of the address. False:
 * the code is not the registration's any more, or the address has got an account.
 */
export function* confirmRegistration(sql: Sql, confirmed: ConfirmedRegistration): Transaction<boolean> {
  const { accountUid, address, code, credits, event, key, takeoverAuditId } = confirmed
  yield* lockAddress(sql, address)
  const registration = yield* first(
    sql.db
      .selectFrom('registrations')
      .select(['address', 'email', 'username', 'full_name as fullName', 'password_hash as passwordHash'])
      .select('guest_key_id as guestKeyId')
      .where('uid', '=', code.uid)
      .where('code_hash', '=', code.kept.hash),
  )
  if (registration === undefined) return false
  const { guestKeyId, ...owner } = registration
  const guest = guestKeyId === null ? null : yield* lockUsableGuest(sql, guestKeyId)
  const now = yield* sql.clock()
  const grant = { credits, reason: 'verification' }
  const transferred = guest?.credits ?? 0
  const account = { uid: accountUid, tier: 'free', key, grant, transferred, owner } as const
  const opened = yield* openAccount(sql, account, now)
  if (opened === null) return false
  yield* writeEvent(sql, event, { at: now, ...opened, name: 'account_verified' })
  if (guest !== null) {
    yield* endGuest(sql, guest, opened.accountId, now)
    const detail = JSON.stringify({ guest: guest.accountId, credits: guest.credits })
    const origin = { ...event, auditId: takeoverAuditId }
    yield* writeEvent(sql, origin, { at: now, ...opened, name: 'guest_taken_over', detail })
  }
  yield* rows(sql.db.deleteFrom('registrations').where('address', '=', address))
  yield* forgive(sql, confirmed.counted)
  return true
}
