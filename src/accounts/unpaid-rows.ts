/** Counts the rows that requests without a key write, and that are deleted after a time. */
import { sql as raw } from 'kysely'
import { first, type Sql, type Transaction } from '../ledger/store/sql.ts'

const SOURCES = [
  ...['registrations', 'password_resets', 'attempts', 'mails'].map((table) => raw.table(table)),
  // Guests.
  raw`accounts WHERE expires_at IS NOT NULL`,
]

/** The number of registrations, guests, codes, counters of attempts and mails, each counted to `most`. */
export function* unpaidRows({ db }: Sql, most: number): Transaction<number> {
  let sum = 0
  for (const source of SOURCES) {
    const some = raw<{ row: number }>`(SELECT 1 AS row FROM ${source} LIMIT ${raw.lit(most)})`
    const counted = db.selectFrom(some.as('some')).select(({ fn }) => fn.countAll<number>().as('count'))
    sum += Number((yield* first(counted))!.count)
  }
  return sum
}
