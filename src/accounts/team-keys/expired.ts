/** The event of a team key that has reached its end: no call tells it, since the key is refused. */

import { rows, type Sql, type Transaction } from '../../store/sql.ts'
import { isoTime } from '../../time.ts'
import { writeWebhookEvent } from '../../webhooks/write.ts'

/** Tells the ends of at most `most` keys, those that wait longest first; returns of how many. */
export function* tellExpiredKeys(sql: Sql, most: number): Transaction<number> {
  const ended = sql.db
    .selectFrom('team_keys')
    .select(['id', 'account_id as accountId', 'name', 'expires_at as endedAt'])
    .where('expires_at', '<=', yield* sql.clock())
    .where('told_end', 'is', null)
  const waiting = yield* rows(ended.orderBy('expires_at').limit(most))
  yield* sql.lock(waiting.map(({ accountId }) => accountId))
  const at = yield* sql.clock()
  for (const { accountId, id } of waiting) {
    // As it is under the lock: its owner may have given it a later end.
    const [key] = yield* rows(
      sql.db
        .updateTable('team_keys')
        .set({ told_end: at })
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('expires_at', '<=', at)
        .where('told_end', 'is', null)
        .returning(['name', 'expires_at']),
    )
    const live = sql.db.selectFrom('api_keys').select('id').where('account_id', '=', accountId)
    const present = yield* rows(live.where('team_key_id', '=', id).where('status', '<>', 'revoked').limit(1))
    if (key === undefined || present.length === 0) continue
    yield* writeWebhookEvent(sql, {
      ...{ type: 'key.expired', accountId, at },
      data: { key_id: id, name: key.name, expired_at: isoTime(key.expires_at ?? at) },
    })
  }
  return waiting.length
}
