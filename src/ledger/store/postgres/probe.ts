/** Checks whether a group commit would succeed, by a transaction without changes that has the same needs and time limits. */
import { randomBytes } from 'node:crypto'
import { NotCommitted, type Run, statement, type Transaction } from '../sql.ts'
import { type Replication, replication } from '../store.ts'
import { probing } from './connection.ts'
import type { Primary } from './primary.ts'
import { runnerOn } from './run.ts'

/**
 * A message in the write-ahead log, which COMMIT forces to disk and to the synchronous standby, and a file beside the
 * tables, which a full disk refuses although the log has space left. The file ends with the transaction; no reader of the
 * log knows the message. Every role may do both.
 */
const WRITE = `SELECT pg_logical_emit_message(true, 'quantd', ''), pg_export_snapshot(),
  current_setting('transaction_read_only') = 'on' AS refuses`

/** A change of no row, for which a lock of the table is waited for as each group commit does. */
const CHANGE = 'UPDATE accounts SET balance = balance WHERE false'

/** @param run runs the transaction that ends a COMMIT which was given up */
export function openProbe(primary: Primary, run: Run) {
  const name = `quantd probe ${randomBytes(8).toString('hex')}`
  const pool = probing(primary, name)
  const onProbe = runnerOn(pool, { primary })
  return {
    /** Resolves, if a group commit would succeed now, with how the database replicates. */
    async ping(): Promise<Replication> {
      try {
        return await onProbe(function* () {
          const [written] = yield statement(WRITE)
          if (written!.refuses === true) throw new NotCommitted('PostgreSQL is read-only')
          yield statement(CHANGE)
          return yield* replication({ dialect: 'postgres' })
        })
      } catch (error) {
        primary.forget()
        await run(() => cancelWaits(name)).catch(() => undefined)
        throw error
      }
    },
    close: () => pool.end(),
  }
}

/** Ends COMMITs of earlier probes that wait for a standby. They wait on without their client, and would use up the connections. */
function* cancelWaits(name: string): Transaction<void> {
  yield statement(
    `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND wait_event = 'SyncRep'`,
    name,
  )
}
