/** Counters of attempts: fixed windows per scope and subject, counted before the attempt is evaluated. */
import { sql as raw } from 'kysely'
import { first, type Sql, type Transaction } from '../sql.ts'
import type { AttemptLimit } from '../store.ts'

/** Counts against the limits in the order given and stops at the first that refuses. */
export function* attempt(
  sql: Sql,
  limits: readonly AttemptLimit[],
): Transaction<{ retryAt: number; now: number } | null> {
  const now = yield* sql.clock()
  for (const { scope, subject, limit, windowMs } of limits) {
    const lapsed = raw`attempts.expires_at <= cast(${now} as bigint)`
    const counter = yield* first(
      sql.db
        .insertInto('attempts')
        .values({ scope, subject, started_at: now, count: 1, expires_at: now + windowMs })
        .onConflict((conflict) =>
          conflict.columns(['scope', 'subject']).doUpdateSet({
            count: raw<number>`case when ${lapsed} then 1 else attempts.count + 1 end`,
            started_at: raw<number>`case when ${lapsed} then excluded.started_at else attempts.started_at end`,
            expires_at: raw<number>`case when ${lapsed} then excluded.expires_at else attempts.expires_at end`,
          }),
        )
        .returning(['count', 'expires_at']),
    )
    if (counter!.count > limit) return { retryAt: counter!.expires_at, now }
  }
  return null
}
