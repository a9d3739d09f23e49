/** Whether a failover to a standby keeps each commit that was confirmed. */
import { type Sql, statement, type Transaction } from './sql.ts'

/** `asynchronous`: a standby without commits that callers were told of may be promoted. */
export type Replication = 'none' | 'synchronous' | 'asynchronous'

/**
 * A standby is recognised by its connection, which every role may see. The service sets synchronous_commit itself, so
 * that only the list of synchronous standbys decides.
 */
export function* replication({ dialect }: Pick<Sql, 'dialect'>): Transaction<Replication> {
  if (dialect === 'sqlite') return 'none'
  const [state] = yield statement(STATE)
  if (state!.synchronous === true) return 'synchronous'
  return state!.replicates === true ? 'asynchronous' : 'none'
}

const STATE = `SELECT current_setting('synchronous_standby_names') <> '' AS synchronous,
  EXISTS (SELECT FROM pg_stat_replication) AS replicates`
