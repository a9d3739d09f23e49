/** Registrations that await confirmation: each has its own code, and mails are counted per address. */
import { first, rows, type Sql, type Transaction } from '../sql.ts'
import type { AttemptLimit } from '../types/attempts.ts'
import type { CodeGuess, CodeTerms, CountedGuess, MailedCode } from '../types/mailed-codes.ts'
import type { KeptHash, NewMail } from '../types/secrets.ts'
import { lockAddress } from './address-lock.ts'
import { attempt } from './attempts.ts'
import { queueMail } from './outbox.ts'

export interface NewRegistration {
  readonly address: string
  /** The account that `mail` was written for. Null: no account had the address, and `pending` is stored. */
  readonly accountId: number | null
  readonly pending: {
    readonly code: MailedCode
    readonly email: string
    readonly username: string
    readonly fullName: string
    readonly passwordHash: string
    readonly guestKeyId: number | null
  }
  readonly mail: NewMail
  readonly mailLimit: AttemptLimit
  readonly terms: CodeTerms
}

/** A new code for the registration `uid` of this address. Null: there is no registration, and nothing is sent. */
export interface RenewedCode {
  readonly address: string
  readonly uid: string | null
  readonly kept: KeptHash
  readonly mail: NewMail
  readonly mailLimit: AttemptLimit
  readonly terms: CodeTerms
}

/**
 * Stores a registration and queues its mail, or only the mail if the address has an account; neither once the mail
 * limit is reached. False: the caller was wrong about whether the address has an account, and nothing was done.
 */
export function* register(sql: Sql, registration: NewRegistration): Transaction<boolean> {
  const { accountId, address, mail, mailLimit, pending, terms } = registration
  yield* lockAddress(sql, address)
  const now = yield* sql.clock()
  if ((yield* accountIdOf(sql, address)) !== accountId) return false
  if (!(yield* attempt(sql, [mailLimit])).ok) return true
  yield* queueMail(sql, mail, now)
  if (accountId !== null) return true
  yield* rows(
    sql.db.insertInto('registrations').values({
      uid: pending.code.uid,
      address,
      email: pending.email,
      username: pending.username,
      full_name: pending.fullName,
      password_hash: pending.passwordHash,
      guest_key_id: pending.guestKeyId,
      code_hash: pending.code.kept.hash,
      code_master_key_id: pending.code.kept.masterKeyId,
      code_sent_at: now,
      code_expires_at: now + terms.lifetimeMs,
      code_attempts: 0,
      created_at: now,
    }),
  )
  return true
}

export function* accountIdOf(sql: Sql, address: string): Transaction<number | null> {
  const account = yield* first(sql.db.selectFrom('accounts').select('id').where('address', '=', address))
  return account?.id ?? null
}

/** The newest registration of an address that awaits its code. */
export function* pendingRegistration(
  sql: Sql,
  address: string,
): Transaction<{ uid: string; email: string; username: string } | null> {
  const newest = yield* first(
    sql.db
      .selectFrom('registrations')
      .select(['uid', 'email', 'username'])
      .where('address', '=', address)
      .orderBy('id', 'desc')
      .limit(1),
  )
  return newest ?? null
}

/** Gives a registration a new code, unless its last one is too recent or the mail limit is reached. */
export function* renewRegistration(sql: Sql, code: RenewedCode): Transaction<void> {
  const { address, kept, mail, mailLimit, terms, uid } = code
  yield* lockAddress(sql, address)
  const now = yield* sql.clock()
  const renewable = yield* first(
    sql.db
      .selectFrom('registrations')
      .select('id')
      .where('uid', '=', uid ?? '')
      .where('code_sent_at', '<=', now - terms.pauseMs),
  )
  if (renewable === undefined || !(yield* attempt(sql, [mailLimit])).ok) return
  yield* queueMail(sql, mail, now)
  yield* rows(
    sql.db
      .updateTable('registrations')
      .set({
        code_hash: kept.hash,
        code_master_key_id: kept.masterKeyId,
        code_sent_at: now,
        code_expires_at: now + terms.lifetimeMs,
        code_attempts: 0,
      })
      .where('id', '=', renewable.id),
  )
}

/** Counts a guess at the codes of all registrations of an address; returns those that it may be compared with. */
export function* guessRegistration(sql: Sql, guess: CodeGuess): Transaction<CountedGuess> {
  yield* lockAddress(sql, guess.address)
  const counted = yield* attempt(sql, [guess.limit])
  if (!counted.ok) return { ...counted, codes: [] }
  const alive = yield* rows(
    sql.db
      .updateTable('registrations')
      .set((update) => ({ code_attempts: update('code_attempts', '+', 1) }))
      .where('address', '=', guess.address)
      .where('code_expires_at', '>', counted.now)
      .where('code_attempts', '<', guess.attemptsPerCode)
      .returning(['uid', 'code_hash', 'code_master_key_id']),
  )
  const codes = alive.map((code) => ({
    uid: code.uid,
    kept: { masterKeyId: code.code_master_key_id, hash: code.code_hash },
  }))
  return { ...counted, codes }
}
