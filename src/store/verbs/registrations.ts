/** Registrations that await their code: each has a code of its own, and mails are counted per address. */
import { first, rows, type Sql, type Transaction } from '../sql.ts'
import type { CodeGuess, CountedGuess, NewRegistration, RenewedCode } from '../store.ts'
import { lockAddress } from './address-lock.ts'
import { attempt } from './attempts.ts'
import { queueMail } from './outbox.ts'

export function* register(sql: Sql, registration: NewRegistration): Transaction<boolean> {
  const { accountId, address, mail, mailLimit, pending, terms } = registration
  yield* lockAddress(sql, address)
  const now = yield* sql.clock()
  if ((yield* accountOf(sql, address)) !== accountId) return false
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

export function* accountOf(sql: Sql, address: string): Transaction<number | null> {
  const account = yield* first(sql.db.selectFrom('accounts').select('id').where('address', '=', address))
  return account?.id ?? null
}

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
