/** Passwords: reset with a mailed code, or changed. */
import { first, rows, type Sql, type Transaction } from '../sql.ts'
import type {
  AccountChange,
  CodeGuess,
  CountedAttempt,
  CountedGuess,
  MailedCode,
  NewReset,
} from '../store.ts'
import { lockAddress } from './address-lock.ts'
import { attempt, forgive } from './attempts.ts'
import { writeEvent } from './events.ts'
import { queueMail } from './outbox.ts'
import { accountOf } from './registrations.ts'

export function* requestReset(sql: Sql, reset: NewReset): Transaction<void> {
  const { accountId, address, code, mail, mailLimit, terms } = reset
  yield* lockAddress(sql, address)
  const now = yield* sql.clock()
  if ((yield* accountOf(sql, address)) !== accountId) return
  const tooYoung = yield* first(
    sql.db
      .selectFrom('password_resets')
      .select('account_id')
      .where('account_id', '=', accountId ?? 0)
      .where('code_sent_at', '>', now - terms.pauseMs),
  )
  if (accountId === null || tooYoung !== undefined || !(yield* attempt(sql, [mailLimit])).ok) return
  yield* queueMail(sql, mail, now)
  const columns = {
    uid: code.uid,
    code_hash: code.kept.hash,
    code_master_key_id: code.kept.masterKeyId,
    code_sent_at: now,
    code_expires_at: now + terms.lifetimeMs,
    code_attempts: 0,
  }
  yield* rows(
    sql.db
      .insertInto('password_resets')
      .values({ account_id: accountId, ...columns })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(columns)),
  )
}

export function* guessReset(sql: Sql, guess: CodeGuess): Transaction<CountedGuess> {
  yield* lockAddress(sql, guess.address)
  const counted = yield* attempt(sql, [guess.limit])
  if (!counted.ok) return { ...counted, codes: [] }
  const alive = yield* rows(
    sql.db
      .updateTable('password_resets')
      .set((update) => ({ code_attempts: update('code_attempts', '+', 1) }))
      .where('account_id', 'in', (accounts) =>
        accounts.selectFrom('accounts').select('id').where('address', '=', guess.address),
      )
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

export function* finishReset(
  sql: Sql,
  change: AccountChange & { code: MailedCode; passwordHash: string; counted: readonly CountedAttempt[] },
): Transaction<boolean> {
  const { accountId, code, passwordHash } = change
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
  yield* tell(sql, change, 'password_reset')
  return true
}

export function* changePassword(
  sql: Sql,
  change: AccountChange & { oldHash: string; passwordHash: string },
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
  // A reset code that is still on its way would undo what its owner has just done.
  yield* rows(sql.db.deleteFrom('password_resets').where('account_id', '=', accountId))
  yield* tell(sql, change, 'password_changed')
  return true
}

function* tell(sql: Sql, { accountId, event, mail }: AccountChange, name: string): Transaction<void> {
  const now = yield* sql.clock()
  yield* queueMail(sql, mail, now)
  yield* writeEvent(sql, event, { at: now, accountId, keyId: null, name })
}
