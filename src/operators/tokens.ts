/** Tokens and sessions of operators, each stored only as a keyed hash. */

import { type Expression, type ExpressionBuilder, sql as raw, type Selection, type SqlBool } from 'kysely'
import { noSuchToken, tokenInvalid, tokenNameTaken } from '../base/errors/operator.ts'
import type { Failure } from '../base/failure.ts'
import { uuidv7 } from '../base/ids.ts'
import { PERSONS_TOKEN_MS } from '../base/limits/operation.ts'
import { isoTime, MINUTE_MS } from '../base/time.ts'
import type { Schema } from '../ledger/store/schema.ts'
import { first, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import { rejectApprovalsOf } from './approvals.ts'
import { type AdminEvent, writeAdminEvent } from './audit-event.ts'
import type { Role } from './roles.ts'

/**
 * The person of a token, who made the token with which it was made. One that was made on the command line, with its sessions, counts
 * as a person of its own. The cast is needed because the coordinator of a Citus cluster does not infer the type.
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
  'made_by as madeBy',
  person,
] as const

/** `lastUsedAt` is to the minute. */
export type OperatorToken = Readonly<Selection<Schema, 'operator_tokens', (typeof columns)[number]>>

/** A token as the command line and the HTTP interface print it. */
export const tokenJson = ({
  createdAt,
  expiresAt,
  id,
  lastUsedAt,
  madeBy,
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
  made_by: madeBy,
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

interface NewToken {
  readonly name: string
  readonly role: Role
  readonly hash: Uint8Array
  /** Null: as late as the token or session with which it is made allows. */
  readonly expiresAt: number | null
  /** The token or session with which it is made; null: the command line, where the person is unknown. */
  readonly madeWith: Pick<OperatorToken, 'id' | 'person'> | null
  readonly event: AdminEvent
}

/** Adds a token, which ends with the one it is made with at the latest. A Failure: nothing was written. */
export function* addOperatorToken(sql: Sql, token: NewToken): Transaction<OperatorToken | Failure> {
  const { event, hash, madeWith, name, role } = token
  const now = yield* sql.clock()
  const latest = madeWith === null ? null : yield* latestEnd(sql, madeWith.id, now)
  if (latest === 'ended') return tokenInvalid()
  const ends = [token.expiresAt, latest].filter((end) => end !== null)
  const inserted = yield* first(
    sql.db
      .insertInto('operator_tokens')
      .values({
        name,
        role,
        hash,
        created_at: now,
        expires_at: ends.length === 0 ? null : Math.min(...ends),
        person: madeWith?.person ?? null,
        made_by: event.actor,
        made_with: madeWith?.id ?? null,
      })
      // The names of tokens that are in use are unique.
      .onConflict((conflict) => conflict.doNothing())
      .returning(columns),
  )
  if (inserted === undefined) return tokenNameTaken(name)
  yield* writeAdminEvent(sql, event, 'token_created', { facts: { token: inserted.id, name, role } })
  return inserted
}

/**
 * The time at which tokens end at the latest that are made with a token or in a session; null: never. Locks the token, and that of
 * the session, so that a revocation finds the new one.
 */
function* latestEnd(sql: Sql, id: number, now: number): Transaction<number | null | 'ended'> {
  const query = sql.db
    .selectFrom('operator_tokens')
    .select(['expires_at as expiresAt', 'revoked_at as revokedAt', 'session_of as sessionOf'])
    .where('id', '=', id)
  const found = yield* first(sql.dialect === 'postgres' ? query.forUpdate() : query)
  if (found === undefined || found.revokedAt !== null) return 'ended'
  const { expiresAt, sessionOf } = found
  if (expiresAt !== null && expiresAt <= now) return 'ended'
  // The session of a person who signed on lasts an hour only.
  if (sessionOf === SIGNED_ON) return now + PERSONS_TOKEN_MS
  if (sessionOf !== null && (yield* latestEnd(sql, sessionOf, now)) === 'ended') return 'ended'
  return expiresAt
}

/**
 * Revokes a token with those that were made with it or in its sessions, and rejects the acts that they proposed. A token that was
 * revoked before stays unchanged.
 */
export function* revokeOperatorToken(
  sql: Sql,
  { event, id }: { readonly id: number; readonly event: AdminEvent },
): Transaction<OperatorToken | Failure> {
  const [revoked] = yield* revokeAll(sql, (row) => row('id', '=', id), event)
  if (revoked !== undefined) return revoked
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

type Which = (row: ExpressionBuilder<Schema, 'operator_tokens'>) => Expression<SqlBool>

/** Revokes tokens, and those that were made with them. Returns the tokens of the condition. */
function* revokeAll(sql: Sql, which: Which, event: AdminEvent): Transaction<OperatorToken[]> {
  const revoked = yield* rows(
    sql.db
      .updateTable('operator_tokens')
      .set({ revoked_at: yield* sql.clock() })
      .where(which)
      .where('session_of', 'is', null)
      .where('revoked_at', 'is', null)
      .returning(columns),
  )
  for (const { id, name, person } of revoked) {
    const own = { ...event, auditId: uuidv7() }
    yield* writeAdminEvent(sql, own, 'token_revoked', { facts: { token: id, name } })
    yield* rejectApprovalsOf(sql, { event, name, person })
    const sessions = yield* rows(
      sql.db.selectFrom('operator_tokens').select('id').where('session_of', '=', id),
    )
    yield* revokeAll(sql, (row) => row('made_with', 'in', [id, ...sessions.map((one) => one.id)]), event)
  }
  return revoked
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
  yield* writeAdminEvent(sql, event, 'operator_logged_in', {
    facts: { ...(id === SIGNED_ON ? { person } : { token: id }), role },
  })
  return inserted!
}

/** Ends a session. The tokens that were made in it end with it, but for those of a person who signed on. */
export function* endSession(
  sql: Sql,
  { event, id }: { readonly id: number; readonly event: AdminEvent },
): Transaction<void> {
  const ended = sql.db.deleteFrom('operator_tokens').where('id', '=', id).where('session_of', 'is not', null)
  const session = yield* first(ended.returning('session_of as sessionOf'))
  if (session === undefined) return
  yield* writeAdminEvent(sql, event, 'operator_logged_out')
  if (session.sessionOf !== SIGNED_ON) yield* revokeAll(sql, (row) => row('made_with', '=', id), event)
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
  yield* writeAdminEvent(sql, { ...event, auditId: uuidv7() }, 'operator_refused', {
    facts: { role, needed },
  })
}
