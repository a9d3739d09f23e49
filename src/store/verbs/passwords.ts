/** Passwords: reset with a mailed code, or changed. */
import { rows, type Sql, type Transaction } from '../sql.ts'
import type { AccountChange } from '../types/account-changes.ts'
import type { Attempt, AttemptLimit, CountedAttempt, Counter } from '../types/attempts.ts'
import type { CodeGuess, CodeMail, CountedGuess, MailedCode } from '../types/mailed-codes.ts'
import { lockAddress } from './address-lock.ts'
import { attempt, endCounters, forgive } from './attempts.ts'
import { writeEvent } from './events.ts'
import { NO_ACCOUNT } from './find-account.ts'
import { queueMail } from './outbox.ts'
import { accountIdOf } from './registrations.ts'

export interface NewReset extends CodeMail {
  readonly address: string
  /** Null: no account has the address, and `mail` is for a decoy recipient. */
  readonly accountId: number | null
  readonly code: MailedCode
}

/**
 * Stores a reset code and queues its mail, unless the last code is too recent or the limit on mails is reached. An unknown
 * address costs the same work and counts alike.
 */
export function* requestReset(sql: Sql, reset: NewReset): Transaction<Attempt> {
  const { accountId, address, code, lifetimeMs, mail, mailLimits, pause } = reset
  yield* lockAddress(sql, address)
  const now = yield* sql.clock()
  const isStill = (yield* accountIdOf(sql, address)) === accountId
  const paused = yield* attempt(sql, [pause])
  if (!isStill || !paused.ok) return { ok: true, now, counted: [] }
  const counted = yield* attempt(sql, mailLimits)
  if (!counted.ok) {
    yield* forgive(sql, paused.counted)
    return counted
  }
  yield* queueMail(sql, mail, now)
  if (accountId === null) {
    // As much to write as the row of a code, which only an account can have.
    const { scope, subject } = pause
    yield* attempt(sql, [{ scope: `${scope}, ${code.uid}`, subject, limit: 1, windowMs: lifetimeMs }])
    return counted
  }
  const columns = {
    uid: code.uid,
    code_hash: code.kept.hash,
    code_master_key_id: code.kept.masterKeyId,
    code_sent_at: now,
    code_expires_at: now + lifetimeMs,
    code_attempts: 0,
  }
  yield* rows(
    sql.db
      .insertInto('password_resets')
      .values({ account_id: accountId, ...columns })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(columns)),
  )
  return counted
}

/** Counts a guess at the reset codes of an address; returns the codes that it may be compared with. */
export function* guessReset(sql: Sql, guess: CodeGuess): Transaction<CountedGuess> {
  yield* lockAddress(sql, guess.address)
  const counted = yield* attempt(sql, [guess.limit])
  if (!counted.ok) return { ...counted, codes: [] }
  const accountId = yield* accountIdOf(sql, guess.address)
  const alive = yield* rows(
    sql.db
      .updateTable('password_resets')
      .set((update) => ({ code_attempts: update('code_attempts', '+', 1) }))
      .where('account_id', '=', accountId ?? NO_ACCOUNT)
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

/** Sets the password with a reset code that was right, and ends and starts counters. False: the code was used before. */
export function* finishReset(
  sql: Sql,
  change: AccountChange & {
    readonly code: MailedCode
    readonly passwordHash: string
    readonly counted: readonly CountedAttempt[]
    readonly ended: readonly Counter[]
    readonly started: AttemptLimit
  },
): Transaction<boolean> {
  const { accountId, code, ended, passwordHash, started } = change
  yield* sql.lock([accountId])
  const used = yield* rows(
    sql.db
      .deleteFrom('password_resets')
      .where('account_id', '=', accountId)
      .where('uid', '=', code.uid)
      .returning('account_id'),
  )
  if (used.length === 0) return false
  yield* rows(sql.db.updateTable('accounts').set({ password_hash: passwordHash }).where('id', '=', accountId))
  yield* forgive(sql, change.counted)
  yield* endCounters(sql, [...ended, started])
  yield* attempt(sql, [started])
  yield* notifyAndRecord(sql, change, 'password_reset')
  return true
}

/** Replaces the password whose hash is `oldHash`. False: that is not the account's any more. */
export function* changePassword(
  sql: Sql,
  change: AccountChange & { readonly oldHash: string; readonly passwordHash: string },
): Transaction<boolean> {
  const { accountId, oldHash, passwordHash } = change
  yield* sql.lock([accountId])
  const changed = yield* rows(
    sql.db
      .updateTable('accounts')
      .set({ password_hash: passwordHash })
      .where('id', '=', accountId)
      .where('password_hash', '=', oldHash)
      .returning('id'),
  )
  if (changed.length === 0) return false
  // A reset code that was already mailed could undo this change.
  yield* rows(sql.db.deleteFrom('password_resets').where('account_id', '=', accountId))
  yield* notifyAndRecord(sql, change, 'password_changed')
  return true
}

function* notifyAndRecord(
  sql: Sql,
  { accountId, event, mail }: AccountChange,
  name: string,
): Transaction<void> {
  const now = yield* sql.clock()
  yield* queueMail(sql, mail, now)
  yield* writeEvent(sql, event, { at: now, accountId, keyId: null, name })
}
