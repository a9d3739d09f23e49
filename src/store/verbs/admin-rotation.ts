/** The writing steps of a master key rotation: rows flip one by one, each from exactly what was read. */
import { first, rows, type Sql, type Transaction } from '../sql.ts'
import type { AdminEvent, RewrappedSecret, SecretCount, SecretKind } from '../store.ts'
import { secretCounts } from './admin-secrets.ts'
import { writeEvent } from './events.ts'

export function* rewrap(
  sql: Sql,
  kind: SecretKind,
  secrets: readonly RewrappedSecret[],
): Transaction<number> {
  // Every writer of account rows takes their locks in one order.
  if (kind === 'totp_secret') yield* sql.lock(secrets.map(({ id }) => id as number))
  let flipped = 0
  for (const secret of secrets) flipped += (yield* rows(flip(sql, kind, secret))).length
  return flipped
}

function flip({ db }: Sql, kind: SecretKind, { from, hash, id, to }: RewrappedSecret) {
  const columns = { sealed: to.sealed, master_key_id: to.masterKeyId }
  switch (kind) {
    case 'api_key':
      return db
        .updateTable('api_keys')
        .set({ ...columns, hash: hash! })
        .where('id', '=', id as number)
        .where('sealed', '=', from.sealed)
        .returning('id')
    case 'totp_secret':
      return db
        .updateTable('accounts')
        .set({ totp_sealed: to.sealed, totp_master_key_id: to.masterKeyId })
        .where('id', '=', id as number)
        .where('totp_sealed', '=', from.sealed)
        .returning('id')
    case 'recovery_code':
      return db
        .updateTable('recovery_codes')
        .set(columns)
        .where('id', '=', id as number)
        .where('sealed', '=', from.sealed)
        .returning('id')
    case 'mail':
      return db
        .updateTable('mails')
        .set(columns)
        .where('id', '=', id as string)
        .where('sealed', '=', from.sealed)
        .returning('id')
  }
}

/** The registrations stay: a new code can be sent for them. */
export function* dropCodes(sql: Sql, currentId: string): Transaction<number> {
  const now = yield* sql.clock()
  let dropped = 0
  for (const table of ['registrations', 'password_resets'] as const) {
    const ended = yield* rows(
      sql.db
        .updateTable(table)
        .set({ code_expires_at: now })
        .where('code_master_key_id', '<>', currentId)
        .where('code_expires_at', '>', now)
        .returning('uid'),
    )
    dropped += ended.length
  }
  return dropped
}

export function* finishRotation(
  sql: Sql,
  finish: { currentId: string; fact: string; fingerprint: string; event: AdminEvent },
): Transaction<SecretCount[]> {
  const { currentId, event, fact, fingerprint } = finish
  const counts = yield* secretCounts(sql)
  const left = counts.filter(({ masterKeyId }) => masterKeyId !== currentId)
  if (left.length > 0) return left
  const kept = yield* first(sql.db.selectFrom('facts').select('value').where('name', '=', fact))
  const from = kept?.value.split('.')[0] ?? null
  if (from === currentId) return []
  yield* rows(sql.db.updateTable('facts').set({ value: fingerprint }).where('name', '=', fact))
  const now = yield* sql.clock()
  const { actor, ...origin } = event
  const detail = JSON.stringify({ actor, from, to: currentId })
  yield* writeEvent(sql, origin, {
    at: now,
    accountId: null,
    keyId: null,
    name: 'master_key_rotated',
    detail,
  })
  return []
}
