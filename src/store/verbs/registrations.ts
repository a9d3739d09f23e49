/** Registrations that await confirmation: each has its own code and its own token, and mails are limited per address. */
import { first, rows, type Sql, type Transaction } from '../sql.ts'
import type { Attempt } from '../types/attempts.ts'
import type { CodeGuess, CodeMail, CountedGuess, MailedCode } from '../types/mailed-codes.ts'
import type { KeptHash } from '../types/secrets.ts'
import { lockAddress } from './address-lock.ts'
import { attempt, forgive } from './attempts.ts'
import { queueMail } from './outbox.ts'

export interface NewRegistration extends CodeMail {
  readonly address: string
  /** The account that `mail` was written for. Null: no account had the address, and `pending` is stored. */
  readonly accountId: number | null
  readonly pending: {
    readonly code: MailedCode
    /** Keyed hash of the token that the reply returns. */
    readonly tokenHash: Uint8Array
    readonly client: string
    readonly email: string
    readonly username: string
    readonly fullName: string
    readonly passwordHash: string
    readonly guestKeyId: number | null
  }
}

/** A registration by the keyed hashes of its token (none: no token was sent), else the newest of the address. */
export interface RegistrationReference {
  readonly address: string
  readonly tokens: readonly Uint8Array[]
}

export interface PendingRegistration {
  readonly uid: string
  readonly email: string
  readonly username: string
  /** Whether the token named it. */
  readonly byToken: boolean
}

/** A new code for a registration. Null: there is none, and `mail` is for a decoy recipient. */
export interface RenewedCode extends CodeMail {
  readonly address: string
  readonly registration: Pick<PendingRegistration, 'uid' | 'byToken'> | null
  readonly kept: KeptHash
}

/** Never mailed: the registration's code cannot be entered. */
const NEVER = 0

/**
 * Stores a registration and queues its mail, or only the mail if the address has an account. Beyond the limit on mails
 * nothing is queued, but the registration is still stored, so that it counts as one of the address. Null: the caller was
 * wrong about whether the address has an account, and nothing was done.
 */
export function* register(sql: Sql, registration: NewRegistration): Transaction<Attempt | null> {
  const { accountId, address, lifetimeMs, mail, mailLimits, pause, pending } = registration
  yield* lockAddress(sql, address)
  const now = yield* sql.clock()
  if ((yield* accountIdOf(sql, address)) !== accountId) return null
  const counted = yield* attempt(sql, mailLimits)
  if (counted.ok) {
    yield* attempt(sql, [pause])
    yield* queueMail(sql, mail, now)
  }
  if (accountId !== null) return counted
  // One row without a mail per client is enough; more would let a client fill the table.
  if (!counted.ok)
    yield* rows(
      sql.db
        .deleteFrom('registrations')
        .where('address', '=', address)
        .where('client', '=', pending.client)
        .where('code_sent_at', '=', NEVER),
    )
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
      code_sent_at: counted.ok ? now : NEVER,
      code_expires_at: counted.ok ? now + lifetimeMs : NEVER,
      code_attempts: 0,
      created_at: now,
      token_hash: pending.tokenHash,
      client: pending.client,
      code_is_own: 1,
    }),
  )
  return counted
}

export function* accountIdOf(sql: Sql, address: string): Transaction<number | null> {
  const account = yield* first(
    sql.sharding === null
      ? sql.db.selectFrom('accounts').select('id').where('address', '=', address)
      : sql.db.selectFrom('addresses').select('account_id as id').where('address', '=', address),
  )
  return account?.id ?? null
}

/** Null: no registration of the address awaits its code. */
export function* pendingRegistration(
  sql: Sql,
  { address, tokens }: RegistrationReference,
): Transaction<PendingRegistration | null> {
  const pending = sql.db
    .selectFrom('registrations')
    .select(['uid', 'email', 'username'])
    .where('address', '=', address)
  if (tokens.length > 0) {
    const named = yield* first(pending.where('token_hash', 'in', [...tokens]))
    if (named !== undefined) return { ...named, byToken: true }
  }
  const newest = yield* first(pending.orderBy('id', 'desc').limit(1))
  return newest === undefined ? null : { ...newest, byToken: false }
}

/** Gives a registration a new code, unless a code was mailed to the address too recently or too often. */
export function* renewRegistration(sql: Sql, renewed: RenewedCode): Transaction<Attempt> {
  const { address, kept, lifetimeMs, mail, mailLimits, pause, registration } = renewed
  yield* lockAddress(sql, address)
  const now = yield* sql.clock()
  const paused = yield* attempt(sql, [pause])
  if (!paused.ok) return { ok: true, now, counted: [] }
  const counted = yield* attempt(sql, mailLimits)
  if (!counted.ok) {
    yield* forgive(sql, paused.counted)
    return counted
  }
  const uid = registration?.uid ?? ''
  const changed = yield* rows(
    sql.db
      .updateTable('registrations')
      .set({
        code_hash: kept.hash,
        code_master_key_id: kept.masterKeyId,
        code_sent_at: now,
        code_expires_at: now + lifetimeMs,
        code_attempts: 0,
        code_is_own: registration?.byToken ? 1 : 0,
      })
      .where('uid', '=', uid)
      .returning('id'),
  )
  // A registration that was confirmed meanwhile has no code to mail.
  if (registration === null || changed.length > 0) yield* queueMail(sql, mail, now)
  return counted
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
      .$if(guess.attemptsPerCode !== null, (query) =>
        query.where('code_attempts', '<', guess.attemptsPerCode!),
      )
      .returning(['uid', 'code_hash', 'code_master_key_id']),
  )
  const codes = alive.map((code) => ({
    uid: code.uid,
    kept: { masterKeyId: code.code_master_key_id, hash: code.code_hash },
  }))
  return { ...counted, codes }
}
