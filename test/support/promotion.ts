/** Promotion of a streaming standby of PostgreSQL. */
import { until } from './until.ts'

type Query = (sql: string) => Promise<unknown[]>

/**
 * Promotes a standby and waits until it is the primary. `pg_promote()` that waits itself keeps its snapshot meanwhile: where
 * the log to be replayed first removes rows, each waits for the other until the server cancels the statement.
 */
export async function promoted(query: Query): Promise<void> {
  await query('SELECT pg_promote(wait => false)')
  const isPrimary = () =>
    query('SELECT 1 WHERE NOT pg_is_in_recovery()').then(
      (rows) => rows.length > 0,
      () => false,
    )
  await until(isPrimary, 'the standby was promoted')
}
