/** Values that a database holds once for all nodes. */
import { first, rows, type Sql, type Transaction } from './sql.ts'

/** Stores the HMAC key if the name has none; returns the stored one. */
export function* keepHashKey(
  sql: Sql,
  name: string,
  { masterKeyId, sealed }: SealedKey,
): Transaction<SealedKey> {
  yield* rows(
    sql.db
      .insertInto('hash_keys')
      .values({ name, master_key_id: masterKeyId, sealed })
      .onConflict((conflict) => conflict.column('name').doNothing()),
  )
  const kept = sql.db.selectFrom('hash_keys').select(['master_key_id as masterKeyId', 'sealed'])
  return (yield* first(kept.where('name', '=', name)))!
}

/** The time from which audit rows have proofs, in a database that had rows before. */
export const AUDIT_PROVEN_FROM = 'audit proven from'

interface SealedKey {
  readonly masterKeyId: string
  readonly sealed: Uint8Array
}

/** The value of a name, which is JSON; null: it has none. */
export function* factOf<Value>({ db }: Sql, name: string): Transaction<Value | null> {
  const row = yield* first(db.selectFrom('facts').select('value').where('name', '=', name))
  return row === undefined ? null : JSON.parse(row.value)
}

export function* setFact({ db }: Sql, name: string, fact: unknown): Transaction<void> {
  const value = JSON.stringify(fact)
  yield* rows(
    db
      .insertInto('facts')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value })),
  )
}

/** Stores the value if the name has none; returns the stored value. */
export function* keepOnce(sql: Sql, name: string, value: string): Transaction<string> {
  yield* rows(
    sql.db
      .insertInto('facts')
      .values({ name, value })
      .onConflict((conflict) => conflict.doNothing()),
  )
  return (yield* first(sql.db.selectFrom('facts').select('value').where('name', '=', name)))!.value
}
