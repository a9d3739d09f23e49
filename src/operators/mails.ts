/** Mails that were not sent. */

import { noSuchMail } from '../base/errors/operator.ts'
import type { Failure } from '../base/failure.ts'
import { rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import { type AdminEvent, writeAdminEvent } from './event.ts'

/** Waiting mails after a given one, the oldest first. */
export function* waitingMails(
  { db }: Sql,
  {
    after,
    limit,
  }: { readonly after: { readonly createdAt: number; readonly id: string } | null; readonly limit: number },
) {
  const waiting = db
    .selectFrom('mails')
    .select(['id', 'recipient', 'created_at as createdAt', 'attempts', 'next_at as nextAt'])
    .select('last_error as lastError')
    .where('sealed', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
  return yield* rows(
    waiting.$if(after !== null, (some) =>
      some.where((where) =>
        where.or([
          where('created_at', '>', after!.createdAt),
          where.and([where('created_at', '=', after!.createdAt), where('id', '>', after!.id)]),
        ]),
      ),
    ),
  )
}

/** Makes a mail due at once. */
export function* sendMailNow(
  sql: Sql,
  { event, id }: { readonly id: string; readonly event: AdminEvent },
): Transaction<Failure | null> {
  const now = yield* sql.clock()
  const waiting = sql.db.updateTable('mails').set({ next_at: now }).where('id', '=', id)
  if ((yield* rows(waiting.where('sealed', 'is not', null).returning('id'))).length === 0) return noSuchMail()
  yield* writeAdminEvent(sql, event, null, 'mail_sent_again', { mail: id })
  return null
}
