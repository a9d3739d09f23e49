/** Values that a database holds once for all nodes. */
import { first, rows, type Sql, type Transaction } from './sql.ts'

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
