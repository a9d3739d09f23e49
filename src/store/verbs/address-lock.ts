/** A lock per e-mail address, so that whether it has an account does not change during a transaction. */
import type { Sql, Transaction } from '../sql.ts'

/** Separates these advisory locks from the others. */
const SEED = 7_140_952

/** Held until the transaction ends; take it before the lock of any account. SQLite has a single writer anyway. */
export function* lockAddress(sql: Sql, address: string): Transaction<void> {
  if (sql.dialect === 'postgres')
    yield { sql: 'SELECT pg_advisory_xact_lock(hashtextextended($1, $2))', parameters: [address, SEED] }
}
