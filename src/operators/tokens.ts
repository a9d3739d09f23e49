/** Tokens and sessions of operators, each stored only as a keyed hash. */

import { sql as raw } from 'kysely'
import { noSuchToken, tokenNameTaken } from '../base/errors/operator.ts'
import type { Failure } from '../base/failure.ts'
import { uuidv7 } from '../base/ids.ts'
import { isoTime, MINUTE_MS } from '../base/time.ts'
import { first, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import { rejectApprovalsOf } from './approvals.ts'
import { type AdminEvent, writeAdminEvent } from './event.ts'
import type { Role } from './roles.ts'

export interface OperatorToken {
  readonly id: number
  readonly name: string
  readonly role: Role
  /** The person to whom the token belongs. A token that was made over HTTP belongs to the person of the token that made it. */
  readonly person: string
  readonly createdAt: number
  /** Null: it does not expire. */
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  /** The time of the last use, to the minute. */
  readonly lastUsedAt: number | null
}

/**
 * The person of a token. One that was made on the command line, with its sessions, counts as a person of its own. The cast is
 * needed because the coordinator of a Citus cluster does not infer the type.
 */
const person = raw<string>`coalesce(person, 'token ' || cast(coalesce(session_of, id) AS TEXT))`.as('person')

const columns = [
  'id',
  'name',
  'role',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'revoked_at as revokedAt',
  'last_used_at as lastUsedAt',
  person,
] as const

/** A token as the command line and the HTTP interface print it. */
export const tokenJson = ({
  createdAt,
  expiresAt,
  id,
  lastUsedAt,
  name,
  revokedAt,
  role,
}: OperatorToken) => ({
  id,
  name,
  role,
  created_at: isoTime(createdAt),
  expires_at: isoTime(expiresAt),
  revoked_at: isoTime(revokedAt),
  last_used_at: isoTime(lastUsedAt),
})

/** All tokens, the newest first. */
export function* operatorTokens({ db }: Sql): Transaction<OperatorToken[]> {
  return yield* rows(
    db
      .selectFrom('operator_tokens')
      .select(columns)
      .where('session_of', 'is', null)
      .orderBy('id', 'desc')
      .limit(MOST_LISTED),
  )
}

const MOST_LISTED = 1_000

export function* addOperatorToken(
  sql: Sql,
  token: {
    readonly name: string
    readonly role: Role
    readonly hash: Uint8Array
    readonly expiresAt: number | null
    /** The person who made the token; null: it was made on the command line, where the person is unknown. */
    readonly person: string | null
    readonly event: AdminEvent
  },
): Transaction<OperatorToken | Failure> {
  const { event, expiresAt, hash, name, person, role } = token
  const now = yield* sql.clock()
  const inserted = yield* first(
    sql.db
      .insertInto('operator_tokens')
      .values({ name, role, hash, created_at: now, expires_at: expiresAt, person })
      // The names of tokens that are in use are unique.
      .onConflict((conflict) => conflict.doNothing())
      .returning(columns),
  )
  if (inserted === undefined) return tokenNameTaken(name)
  yield* writeAdminEvent(sql, event, null, 'token_created', { token: inserted.id, name, role })
  return inserted
}

/** Revokes a token and rejects the acts that it proposed. A token that was revoked before stays unchanged. */
export function* revokeOperatorToken(
  sql: Sql,
  { event, id }: { readonly id: number; readonly event: AdminEvent },
): Transaction<OperatorToken | Failure> {
  const now = yield* sql.clock()
  const ended = sql.db
    .updateTable('operator_tokens')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('session_of', 'is', null)
  const revoked = yield* first(ended.where('revoked_at', 'is', null).returning(columns))
  if (revoked !== undefined) {
    yield* writeAdminEvent(sql, event, null, 'token_revoked', { token: id, name: revoked.name })
    yield* rejectApprovalsOf(sql, { event, name: revoked.name, person: revoked.person })
    return revoked
  }
  return (
    (yield* first(
      sql.db
        .selectFrom('operator_tokens')
        .select(columns)
        .where('session_of', 'is', null)
        .where('id', '=', id),
    )) ?? noSuchToken()
  )
}

/** The token with this hash, if it is valid; records its use. */
export function* usedToken(sql: Sql, hash: Uint8Array): Transaction<OperatorToken | null> {
  return yield* used(sql, byHash(sql, hash).where('session_of', 'is', null))
}

/** The session with this hash, if it and its token are valid; records its use. */
export function* usedSession(sql: Sql, hash: Uint8Array): Transaction<OperatorToken | null> {
  const session = yield* used(sql, byHash(sql, hash).where('session_of', 'is not', null))
  if (session === null) return null
  const { sessionOf } = (yield* first(byHash(sql, hash).select('session_of as sessionOf')))!
  if (sessionOf === SIGNED_ON) return session
  const token = sql.db.selectFrom('operator_tokens').select(columns).where('id', '=', sessionOf)
  return (yield* used(sql, token)) === null ? null : session
}

const byHash = ({ db }: Sql, hash: Uint8Array) =>
  db.selectFrom('operator_tokens').select(columns).where('hash', '=', hash)

function* used(sql: Sql, query: ReturnType<typeof byHash>): Transaction<OperatorToken | null> {
  const now = yield* sql.clock()
  const token = yield* first(query)
  if (token === undefined || token.revokedAt !== null) return null
  if (token.expiresAt !== null && token.expiresAt <= now) return null
  const minute = now - (now % MINUTE_MS)
  if (token.lastUsedAt !== minute)
    yield* rows(
      sql.db.updateTable('operator_tokens').set({ last_used_at: minute }).where('id', '=', token.id),
    )
  return token
}

/** The value of `session_of` in sessions that began with a sign-on, and so have no token. */
const SIGNED_ON = 0

interface NewSession {
  /** The token that began the session, or the person who signed on. */
  readonly token: Pick<OperatorToken, 'name' | 'person' | 'role'> &
    Partial<Pick<OperatorToken, 'id' | 'expiresAt'>>
  readonly hash: Uint8Array
  readonly lifeMs: number
  readonly event: AdminEvent
}

/** Begins a session of the page, which ends when its token expires or is revoked, or after `lifeMs`. */
export function* beginSession(
  sql: Sql,
  { event, hash, lifeMs, token }: NewSession,
): Transaction<OperatorToken> {
  const now = yield* sql.clock()
  const { id = SIGNED_ON, name, person, role } = token
  const inserted = yield* first(
    sql.db
      .insertInto('operator_tokens')
      .values({
        name,
        role,
        hash,
        created_at: now,
        session_of: id,
        person,
        expires_at: Math.min(now + lifeMs, token.expiresAt ?? Number.MAX_SAFE_INTEGER),
      })
      .returning(columns),
  )
  yield* writeAdminEvent(sql, event, null, 'operator_logged_in', {
    ...(id === SIGNED_ON ? { person } : { token: id }),
    role,
  })
  return inserted!
}

export function* endSession(
  sql: Sql,
  { event, id }: { readonly id: number; readonly event: AdminEvent },
): Transaction<void> {
  const ended = sql.db.deleteFrom('operator_tokens').where('id', '=', id).where('session_of', 'is not', null)
  if ((yield* rows(ended.returning('id'))).length > 0)
    yield* writeAdminEvent(sql, event, null, 'operator_logged_out')
}

/** Writes the event of a request that the role of its token forbids. */
export function* countForbidden(
  sql: Sql,
  {
    event,
    needed,
    role,
  }: { readonly event: AdminEvent; readonly role: Role | 'none'; readonly needed: Role },
): Transaction<void> {
  yield* writeAdminEvent(sql, { ...event, auditId: uuidv7() }, null, 'operator_refused', { role, needed })
}
