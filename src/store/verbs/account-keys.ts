/** API keys of registered accounts: shown at login, replaced on demand. */
import type { Tier } from '../../ledger/tiers.ts'
import { first, rows, type Sql, type Transaction } from '../sql.ts'
import type { AccountChange, EventOrigin } from '../types/account-changes.ts'
import type { AttemptLimit } from '../types/attempts.ts'
import type { StoredKey } from '../types/secrets.ts'
import { attempt } from './attempts.ts'
import { writeEvent } from './events.ts'
import { insertKey } from './open-account.ts'
import { queueMail } from './outbox.ts'

/** Records that a key was shown. Null: it is not the account's active key any more. */
export function* revealKey(
  sql: Sql,
  {
    accountId,
    event,
    keyId,
  }: { readonly accountId: number; readonly keyId: number; readonly event: EventOrigin },
): Transaction<{ credits: number; tier: Tier } | null> {
  yield* sql.lock([accountId])
  const now = yield* sql.clock()
  const account = yield* first(
    sql.db
      .selectFrom('accounts')
      .innerJoin('api_keys', 'api_keys.account_id', 'accounts.id')
      .select(['accounts.balance as credits', 'accounts.tier'])
      .where('accounts.id', '=', accountId)
      .where('api_keys.id', '=', keyId)
      .where('api_keys.status', '=', 'active'),
  )
  if (account === undefined) return null
  yield* writeEvent(sql, event, { at: now, accountId, keyId, name: 'key_revealed' })
  return account
}

/** Revokes a key and creates another; its mail is queued unless its limit is reached. False: the old key was not active. */
export function* replaceKey(
  sql: Sql,
  {
    accountId,
    event,
    key,
    mail,
    mailLimit,
    oldKeyId,
  }: AccountChange & {
    readonly oldKeyId: number
    readonly key: StoredKey
    readonly mailLimit: AttemptLimit
  },
): Transaction<boolean> {
  yield* sql.lock([accountId])
  const now = yield* sql.clock()
  const revoked = yield* rows(
    sql.db
      .updateTable('api_keys')
      .set({ status: 'revoked' })
      .where('id', '=', oldKeyId)
      .where('account_id', '=', accountId)
      .where('status', '=', 'active')
      .returning('id'),
  )
  if (revoked.length === 0) return false
  const keyId = yield* insertKey(sql, accountId, key, now)
  if ((yield* attempt(sql, [mailLimit])).ok) yield* queueMail(sql, mail, now)
  const detail = JSON.stringify({ revoked: oldKeyId })
  yield* writeEvent(sql, event, { at: now, accountId, keyId, name: 'key_regenerated', detail })
  return true
}
