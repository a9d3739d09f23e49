/** Operators' tokens for the interface over HTTP, of which only a keyed hash is kept. */
import { uuidv7 } from '../ids.ts'
import { first, rows, type Sql, type Transaction } from '../store/sql.ts'
import { MINUTE_MS } from '../time.ts'
import { type AdminEvent, writeAdminEvent } from './event.ts'
import type { Role } from './roles.ts'

export interface OperatorToken {
  readonly id: number
  readonly name: string
  readonly role: Role
  readonly createdAt: number
  /** Null: never. */
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  /** To the minute. */
  readonly lastUsedAt: number | null
}

const columns = [
  ...(['id', 'name', 'role', 'created_at as createdAt', 'expires_at as expiresAt'] as const),
  ...(['revoked_at as revokedAt', 'last_used_at as lastUsedAt'] as const),
] as const

/** The newest first. */
export function* operatorTokens({ db }: Sql): Transaction<OperatorToken[]> {
  return yield* rows(
    db.selectFrom('operator_tokens').select(columns).orderBy('id', 'desc').limit(MOST_LISTED),
  )
}

const MOST_LISTED = 1_000

/** Null: a token that is in use has the name. */
export function* addOperatorToken(
  sql: Sql,
  token: {
    readonly name: string
    readonly role: Role
    readonly hash: Uint8Array
    readonly expiresAt: number | null
    readonly event: AdminEvent
  },
): Transaction<OperatorToken | null> {
  const { event, expiresAt, hash, name, role } = token
  const now = yield* sql.clock()
  const same = sql.db.selectFrom('operator_tokens').select('id').where('name', '=', name)
  if ((yield* rows(same.where('revoked_at', 'is', null))).length > 0) return null
  const inserted = yield* first(
    sql.db
      .insertInto('operator_tokens')
      .values({ name, role, hash, created_at: now, expires_at: expiresAt })
      .returning(columns),
  )
  yield* writeAdminEvent(sql, event, null, 'token_created', { token: inserted!.id, name, role })
  return inserted!
}

/** Null: there is no such token. One that was revoked before stays as it is. */
export function* revokeOperatorToken(
  sql: Sql,
  { event, id }: { readonly id: number; readonly event: AdminEvent },
): Transaction<OperatorToken | null> {
  const now = yield* sql.clock()
  const ended = sql.db.updateTable('operator_tokens').set({ revoked_at: now }).where('id', '=', id)
  const revoked = yield* first(ended.where('revoked_at', 'is', null).returning(columns))
  if (revoked !== undefined) {
    yield* writeAdminEvent(sql, event, null, 'token_revoked', { token: id, name: revoked.name })
    return revoked
  }
  return (yield* first(sql.db.selectFrom('operator_tokens').select(columns).where('id', '=', id))) ?? null
}

/** The token with this hash, if it is in use; notes its use. */
export function* usedToken(sql: Sql, hash: Uint8Array): Transaction<OperatorToken | null> {
  const now = yield* sql.clock()
  const token = yield* first(sql.db.selectFrom('operator_tokens').select(columns).where('hash', '=', hash))
  if (token === undefined || token.revokedAt !== null) return null
  if (token.expiresAt !== null && token.expiresAt <= now) return null
  const minute = now - (now % MINUTE_MS)
  if (token.lastUsedAt !== minute)
    yield* rows(
      sql.db.updateTable('operator_tokens').set({ last_used_at: minute }).where('id', '=', token.id),
    )
  return token
}

/** A request that its token's role may not make; nothing else of it is done. */
export function* countForbidden(
  sql: Sql,
  { event, needed, role }: { readonly event: AdminEvent; readonly role: Role; readonly needed: Role },
): Transaction<void> {
  yield* writeAdminEvent(sql, { ...event, auditId: uuidv7() }, null, 'operator_refused', { role, needed })
}
