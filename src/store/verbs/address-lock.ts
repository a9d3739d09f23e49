/** One transaction at a time per e-mail address: whether it has an account must not change half-way. */
import type { Sql, Transaction } from '../sql.ts'

/** Keeps these apart from the other advisory locks. */
const SEED = 7_140_952

/** Held to the end of the transaction; take it before any account's lock. SQLite has one writer anyway. */
export function* lockAddress(sql: Sql, address: string): Transaction<void> {
  if (sql.dialect === 'postgres')
    yield { sql: 'SELECT pg_advisory_xact_lock(hashtextextended($1, $2))', parameters: [address, SEED] }
}
