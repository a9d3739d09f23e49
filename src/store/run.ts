/** Runs the transactions that verbs describe. */
import { boundedQueue } from '../bounded-queue.ts'
import { NotCommitted } from './outcomes.ts'
import type { Sql, Transaction } from './sql.ts'
import type { Runner } from './store.ts'

/** Runs a transaction on one of the databases. Rejects with NotCommitted or OutcomeUnknown. */
export type Run = <Result>(transaction: () => Transaction<Result>) => Promise<Result>

/** @param sql builds the statements of every verb */
export const runnerOf = (sql: Sql, run: Run): Runner => ({
  run: (verb, ...args) => run(() => verb(sql, ...args)),
})

/**
 * Runs at most `concurrent` transactions at once and the others in order. If one cannot reach the database, those that
 * wait fail with it at once, instead of each waiting for its own time-out.
 */
export function queued(
  run: Run,
  concurrent: number,
  cannotReach = (error: unknown): boolean => error instanceof NotCommitted,
): Run {
  const queue = boundedQueue({
    concurrent,
    waiting: Number.POSITIVE_INFINITY,
    onFull: () => new NotCommitted('Too many transactions are waiting'),
    failsWaiting: cannotReach,
  })
  return (transaction) => queue(() => run(transaction))
}
