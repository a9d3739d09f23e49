/** The verbs whose statements both databases share, by their names in the Store. */

import type { Sql, Transaction } from '../sql.ts'
import type { Store } from '../store.ts'
import { attempt } from './attempts.ts'
import { keepOnce } from './facts.ts'
import { createGuest } from './guests.ts'
import { refund } from './refunds.ts'
import { tidy } from './tidy.ts'

export const verbs = { attempt, createGuest, keepOnce, refund, tidy }

type Verbs = typeof verbs

/** Runs a transaction to its end on one of the databases. */
export type Run = <Result>(transaction: () => Transaction<Result>) => Promise<Result>

/** The shared part of a Store over a way to run transactions. */
export function sharedVerbs(sql: Sql, run: Run): Pick<Store, keyof Verbs> {
  const bound = Object.entries(verbs).map(([name, verb]) => [
    name,
    (...args: unknown[]) =>
      run(() => (verb as (sql: Sql, ...args: unknown[]) => Transaction<unknown>)(sql, ...args)),
  ])
  return Object.fromEntries(bound) as Pick<Store, keyof Verbs>
}
