/** Opens a stream of groups in the audit. */
import { newStream, type Stream } from '../proofs/group.ts'
import { version } from '../version.ts'
import { first, type Sql, type Transaction } from './sql.ts'

export function* openStream(sql: Sql): Transaction<Stream> {
  const openedAt = yield* sql.clock()
  const opened = sql.db
    .insertInto('audit_streams')
    .values({ opened_at: openedAt, version, signed_at: openedAt })
  const { id } = (yield* first(opened.returning('id')))!
  return newStream({ id, openedAt, version })
}
