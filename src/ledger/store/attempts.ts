/** Counters of attempts: fixed windows per scope and subject, counted before the attempt is evaluated. */
import { sql as raw, type SqlBool } from 'kysely'
import { CLOCK_BACK_MS } from '../../base/limits/operation.ts'
import { first, rows, type Sql, type Transaction } from './sql.ts'

/** Names a counter. */
export interface Counter {
  readonly scope: string
  readonly subject: string
}

/** At most `limit` attempts in a fixed window. */
export interface AttemptLimit extends Counter {
  readonly limit: number
  readonly windowMs: number
  /** The attempt is not counted against this limit while this other counter runs. */
  readonly unless?: Counter
}

/** An attempt that was allowed and counted; `forgive` uncounts it if it was right. */
export interface CountedAttempt extends Counter {
  /** Identifies the window in which it was counted. */
  readonly startedAt: number
}

export type Attempt =
  | { readonly ok: true; readonly now: number; readonly counted: readonly CountedAttempt[] }
  | { readonly ok: false; readonly now: number; readonly retryAt: number }

/** Counts an attempt against every limit, or against none if one refuses; `retryAt`: when that limit's window ends. */
export function* countAttempt(sql: Sql, limits: readonly AttemptLimit[]): Transaction<Attempt> {
  const now = yield* sql.clock()
  const counted: CountedAttempt[] = []
  for (const limit of limits) {
    if (limit.unless !== undefined && (yield* endOf(sql, limit.unless)) > now) continue
    const startedAt = yield* count(sql, limit, now)
    if (startedAt === null) {
      yield* forgive(sql, counted)
      return { ok: false, now, retryAt: yield* endOf(sql, limit) }
    }
    counted.push({ scope: limit.scope, subject: limit.subject, startedAt })
  }
  return { ok: true, now, counted }
}

/** Takes attempts back, each from the window in which it was counted, if that has not ended. */
export function* forgive(sql: Sql, counted: readonly CountedAttempt[]): Transaction<void> {
  for (const { scope, subject, startedAt } of counted)
    yield* rows(
      sql.db
        .updateTable('attempts')
        .set((update) => ({ count: update('count', '-', 1) }))
        .where('scope', '=', scope)
        .where('subject', '=', subject)
        .where('started_at', '=', startedAt)
        .where('count', '>', 0),
    )
}

/**
 * Returns the start of the window in which the attempt was counted; null: the window is full. A single statement, so
 * that two concurrent attempts are counted as two.
 */
function* count(
  sql: Sql,
  { scope, subject, limit, windowMs }: AttemptLimit,
  now: number,
): Transaction<number | null> {
  const lapsed = raw<SqlBool>`(attempts.expires_at <= cast(${now} as bigint)
    or attempts.started_at > cast(${now + CLOCK_BACK_MS} as bigint))`
  const counter = yield* first(
    sql.db
      .insertInto('attempts')
      .values({ scope, subject, started_at: now, count: 1, expires_at: now + windowMs })
      .onConflict((conflict) =>
        conflict
          .columns(['scope', 'subject'])
          .doUpdateSet({
            count: raw<number>`case when ${lapsed} then 1 else attempts.count + 1 end`,
            started_at: raw<number>`case when ${lapsed} then excluded.started_at else attempts.started_at end`,
            expires_at: raw<number>`case when ${lapsed} then excluded.expires_at else attempts.expires_at end`,
          })
          .where(raw<SqlBool>`(${lapsed} or attempts.count < cast(${limit} as bigint))`),
      )
      .returning('started_at'),
  )
  return counter?.started_at ?? null
}

/** The time at which a counter ends; 0: the counter does not run. */
function* endOf(sql: Sql, { scope, subject }: Counter): Transaction<number> {
  const counter = sql.db.selectFrom('attempts').select('expires_at').where('scope', '=', scope)
  return (yield* first(counter.where('subject', '=', subject)))?.expires_at ?? 0
}

/** Ends counters before their time. */
export function* endCounters(sql: Sql, counters: readonly Counter[]): Transaction<void> {
  for (const { scope, subject } of counters)
    yield* rows(sql.db.deleteFrom('attempts').where('scope', '=', scope).where('subject', '=', subject))
}
