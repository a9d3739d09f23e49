/** Turns verbs, which describe a transaction, into methods that run it. */
import { boundedQueue } from '../bounded-queue.ts'
import { NotCommitted } from './outcomes.ts'
import type { Sql, Transaction } from './sql.ts'

/** Describes a transaction by yielding its statements; see `Transaction`. */
type Verb = (sql: Sql, ...args: never[]) => Transaction<unknown>

/** For each verb `(sql, argument) => Transaction<Result>` the method `(argument) => Promise<Result>`. */
export type Methods<Verbs> = {
  [Name in keyof Verbs]: Verbs[Name] extends (sql: Sql, ...args: infer Args) => Transaction<infer Result>
    ? (...args: Args) => Promise<Result>
    : never
}

/** Runs a transaction on one of the databases. Rejects with NotCommitted or OutcomeUnknown. */
export type Run = <Result>(transaction: () => Transaction<Result>) => Promise<Result>

export function methodsOf<Verbs extends Readonly<Record<string, Verb>>>(
  verbs: Verbs,
  sql: Sql,
  run: Run,
): Methods<Verbs> {
  const methods = Object.entries(verbs).map(([name, verb]) => [
    name,
    (...args: never[]) => run(() => verb(sql, ...args)),
  ])
  return Object.fromEntries(methods)
}

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
