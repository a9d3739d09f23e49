/** Turns a registration whose code was right into an account, with its key and its first credits. */
import { rows, type Sql, type Transaction } from '../sql.ts'
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
  /** The code that was right. */
  readonly code: MailedCode
  /** Keyed hashes of the registration's token, one per master key; none: no token was sent. */
  readonly tokens: readonly Uint8Array[]
  /** The client address of the confirmation, as limits count it. */
  readonly client: string
  /** Hash that no password matches, for an account whose password is not taken from its registration. */
  readonly unusablePassword: string
  readonly accountUid: string
  readonly key: StoredKey
  readonly credits: number
  readonly counted: readonly CountedAttempt[]
  readonly event: EventOrigin
  /** Id of the audit row that records the takeover of a guest. */
  readonly takeoverAuditId: string
}

/** Whether the account has the password of its registration. */
export interface Confirmation {
  readonly hasPassword: boolean
}

/**
 * Opens the account and deletes the registrations of the address. A right code proves control of the mailbox, but not who
 * chose the password: anybody can register any address. So the token decides which registration is confirmed. Without one
 * it is that of the code; its password and guest are taken over only if nobody else can have asked for them (`isOwn`).
 * Null: the code is not the registration's any more, or the address has got an account.
 */
export function* confirmRegistration(
  sql: Sql,
  confirmed: ConfirmedRegistration,
): Transaction<Confirmation | null> {
  const { accountUid, address, client, code, credits, event, key, takeoverAuditId, tokens } = confirmed
  yield* lockAddress(sql, address)
  const pending = yield* rows(
    sql.db
      .selectFrom('registrations')
      .select(['uid', 'email', 'username', 'full_name as fullName', 'password_hash as passwordHash'])
      .select(['guest_key_id as guestKeyId', 'client', 'code_is_own as codeIsOwn', 'code_hash as codeHash'])
      .select(['token_hash as tokenHash'])
      .where('address', '=', address),
  )
  const ofCode = pending.find(({ codeHash, uid }) => uid === code.uid && isSame(codeHash, code.kept.hash))
  if (ofCode === undefined) return null
  const ofToken = pending.find(({ tokenHash }) => tokens.some((token) => isSame(tokenHash, token)))
  // Of the client's only registration, confirmed by the code that it was mailed at once. With a second registration the
  // owner may have taken the wrong mail's code; a code mailed on a request without the token may be for somebody else's.
  const isOwn = pending.length === 1 && ofCode.codeIsOwn === 1 && ofCode.client === client
  const hasPassword = ofToken !== undefined || isOwn
  const { guestKeyId, ...registration } = ofToken ?? ofCode
  // The mail showed the username to its reader, but not the full name.
  const { email, username } = registration
  const owner = hasPassword
    ? { address, email, username, fullName: registration.fullName, passwordHash: registration.passwordHash }
    : { address, email, username, fullName: username, passwordHash: confirmed.unusablePassword }
  const guest = hasPassword && guestKeyId !== null ? yield* lockUsableGuest(sql, guestKeyId) : null
  const now = yield* sql.clock()
  const grant = { credits, reason: 'verification' }
  const transferred = guest?.credits ?? 0
  const account = { uid: accountUid, tier: 'free', key, grant, transferred, owner } as const
  const opened = yield* openAccount(sql, account, now)
  if (opened === null) return null
  const detail = JSON.stringify({ password: hasPassword ? 'of the registration' : 'none' })
  yield* writeEvent(sql, event, { at: now, ...opened, name: 'account_verified', detail })
  if (guest !== null) {
    yield* endGuest(sql, guest, opened.accountId, now)
    const detail = JSON.stringify({ guest: guest.accountId, credits: guest.credits })
    const origin = { ...event, auditId: takeoverAuditId }
    yield* writeEvent(sql, origin, { at: now, ...opened, name: 'guest_taken_over', detail })
  }
  yield* rows(sql.db.deleteFrom('registrations').where('address', '=', address))
  yield* forgive(sql, confirmed.counted)
  return { hasPassword }
}

/** Keyed hashes: comparing them reveals nothing about the secrets. */
const isSame = (hash: Uint8Array | null, other: Uint8Array): boolean =>
  hash !== null && Buffer.compare(hash, other) === 0
