/** The clean-up: deletes expired rows, a limited number at a time, on one node at a time. */
import { sql as raw } from 'kysely'
import { eraseRemains } from '../../accounts/delete-account.ts'
import { bookExpiredOfIdle } from '../../accounts/lots.ts'
import { writeMovements } from '../../accounts/open-account.ts'
import { deleteEndedKeys, tellExpiredKeys } from '../../accounts/team-keys/end.ts'
import { tellUsage } from '../../accounts/usage-sums.ts'
import { REGISTRATION_MS } from '../../base/limits/callers.ts'
import {
  ENDING_CALLS_MS,
  EXPIRED_GUEST_MS,
  LONGEST_PAUSE_MS,
  SENT_MAIL_MS,
  WEBHOOK_BATCH,
  WEBHOOK_KEPT_MS,
} from '../../base/limits/operation.ts'
import { DAY_MS } from '../../base/time.ts'
import { auditParts } from '../../ledger/store/audit.ts'
import { TIDY_LOCK, takeLock } from '../../ledger/store/locks.ts'
import { deletePiece, first, rows, type Sql, type Transaction } from '../../ledger/store/sql.ts'
import type { Store } from '../../ledger/store/store.ts'
import { deleteApprovals, deleteLoneActs } from '../../operators/approvals.ts'
import { queueDeliveries } from '../../operators/webhooks/deliveries.ts'

/** The number of rows a clean-up deleted; `more`: it reached its limit, and another clean-up should follow. */
export interface Tidied {
  readonly guests: number
  readonly auditRows: number
  readonly more: boolean
}

/** The most rows that a transaction deletes from a table, so that others do not wait long. */
const PIECE = 5_000

/** The most movements that a statement writes: databases limit the number of parameters. */
const MOVEMENTS = 1_000

/** The most accounts whose expired credits are booked in a transaction, which locks them. */
const ACCOUNTS = 100

/**
 * Books expired credits, erases remaining records of deleted accounts, and deletes expired rows. Null: another node is cleaning
 * up.
 */
export async function tidy(
  store: Pick<Store, 'keepDays' | 'run'>,
  auditRetentionMs: number | null,
): Promise<Tidied | null> {
  const days = await store.keepDays(auditRetentionMs).then(
    (auditRows) => ({ auditRows }),
    (error) => ({ error }),
  )
  while ((await store.run(expireLots)) === ACCOUNTS);
  while ((await store.run(expireKeys)) === ACCOUNTS);
  await store.run(bringForward)
  // Nobody else queues events where there is no endpoint; the act that adds the first one would mark those of a month at once.
  while ((await store.run(queueDeliveries, WEBHOOK_BATCH)) === WEBHOOK_BATCH);
  await tellUsage(store)
  await eraseRemains(store, null)
  const tidied = await store.run(deleteExpired, auditRetentionMs)
  if ('error' in days) throw days.error
  if (tidied === null && days.auditRows === 0) return null
  const { auditRows, ...others } = tidied ?? { guests: 0, auditRows: 0, more: false }
  return { ...others, auditRows: auditRows + days.auditRows }
}

/**
 * Deletes guests a week after they expired, old bindings and counters, and audit rows past their retention (null: they are kept
 * for ever) with ended team keys that have no other rows. Null: another node is cleaning up.
 */
export function* deleteExpired(sql: Sql, auditRetentionMs: number | null): Transaction<Tidied | null> {
  if (!(yield* isMine(sql))) return null
  sql.erases()
  const now = yield* sql.clock()
  const guests = yield* deleteGuests(sql, now - EXPIRED_GUEST_MS)
  const deleted = [
    yield* deletePiece(sql, 'bindings', 'expires_at', now, PIECE),
    yield* deletePiece(sql, 'attempts', 'expires_at', now, PIECE),
    yield* deletePiece(sql, 'operator_tokens', 'expires_at', now, PIECE, raw`session_of IS NOT NULL`),
    yield* deleteApprovals(sql, now, PIECE),
    yield* deleteLoneActs(sql, now, PIECE),
    // Deliveries of this age are parked, and their events cannot be replayed any more.
    yield* deletePiece(sql, 'webhook_deliveries', 'queued_at', now - WEBHOOK_KEPT_MS, PIECE),
    yield* deletePiece(sql, 'webhook_events', 'at', now - WEBHOOK_KEPT_MS, PIECE),
    yield* deletePiece(sql, 'registrations', 'created_at', now - REGISTRATION_MS, PIECE),
    yield* deletePiece(sql, 'password_resets', 'code_expires_at', now, PIECE),
    yield* deletePiece(sql, 'mails', 'created_at', now - SENT_MAIL_MS, PIECE, raw`sealed IS NULL`),
  ]
  if (auditRetentionMs === null) return { guests, auditRows: 0, more: isMore([guests, ...deleted]) }
  const before = now - auditRetentionMs
  const until = yield* deletedUntil(sql, before)
  const auditRows = yield* archive(sql, now, until)
  for (const table of ['refusals', 'failed_attempts'] as const)
    deleted.push(yield* deletePiece(sql, table, 'minute', before - 1, PIECE))
  if (auditRows < PIECE) deleted.push(...(yield* deleteEndedKeys(sql, until - ENDING_CALLS_MS, PIECE)))
  return { guests, auditRows, more: isMore([guests, auditRows, ...deleted]) }
}

const isMore = (counts: readonly number[]): boolean => counts.some((count) => count >= PIECE)

/** Books the expired credits of accounts without calls; returns the number of accounts. */
export function* expireLots(sql: Sql): Transaction<number> {
  return (yield* isMine(sql)) ? yield* bookExpiredOfIdle(sql, ACCOUNTS) : 0
}

/** Writes the events of team keys that have expired; returns their number. */
export function* expireKeys(sql: Sql): Transaction<number> {
  return (yield* isMine(sql)) ? yield* tellExpiredKeys(sql, ACCOUNTS) : 0
}

/** Makes mails and deliveries due whose pause is longer than any can be, because the clock was ahead when they were postponed. */
export function* bringForward(sql: Sql): Transaction<void> {
  const now = yield* sql.clock()
  const late = now + LONGEST_PAUSE_MS
  const mails = sql.db.updateTable('mails').set({ next_at: now }).where('sealed', 'is not', null)
  yield* rows(mails.where('next_at', '>', late))
  const deliveries = sql.db.updateTable('webhook_deliveries').set({ next_at: now })
  // Names the endpoints because the index of due deliveries begins with them.
  const ofEndpoints = deliveries.where(
    'endpoint_id',
    'in',
    sql.db.selectFrom('webhook_endpoints').select('id'),
  )
  yield* rows(ofEndpoints.where('next_at', '>', late))
}

/** Whether this node cleans up; false: another one does. */
const isMine = (sql: Sql): Transaction<boolean> => takeLock(sql, TIDY_LOCK)

/** Deletes guest accounts with their keys, grants and device data; their audit rows stay. */
function* deleteGuests(sql: Sql, expiredBefore: number): Transaction<number> {
  const lapsed = yield* rows(
    sql.db.selectFrom('accounts').select('id').where('expires_at', '<=', expiredBefore).limit(PIECE),
  )
  const ids = lapsed.map((account) => account.id)
  if (ids.length === 0) return 0
  yield* sql.lock(ids)
  yield* rows(sql.db.deleteFrom('accounts').where('id', 'in', ids))
  return ids.length
}

/**
 * The time up to which rows are deleted: whole days, because sums of usage cover whole days. Days that have a partition are dropped
 * with it; this clean-up deletes older rows, and those of the default partition.
 */
function* deletedUntil(sql: Sql, before: number): Transaction<number> {
  const [oldest] = (yield* auditParts(sql)).filter(({ from }) => Number.isFinite(from))
  return Math.min(before - (before % DAY_MS), oldest?.from ?? before)
}

/** Deletes old audit rows and writes the sum of their debits into the ledger, so that balances still add up. */
function* archive(sql: Sql, now: number, before: number): Transaction<number> {
  const last = yield* first(
    sql.db.selectFrom('audit').select('at').where('at', '<', before).orderBy('at').offset(PIECE).limit(1),
  )
  const until = last === undefined ? before : last.at + 1
  const debits = yield* rows(
    sql.db
      .selectFrom('audit')
      .innerJoin('accounts', 'accounts.id', 'audit.account_id')
      .leftJoin('api_keys', (join) =>
        join.onRef('api_keys.id', '=', 'audit.key_id').onRef('api_keys.account_id', '=', 'audit.account_id'),
      )
      .select(['accounts.id', 'api_keys.team_key_id as teamKeyId'])
      .select(raw<number>`cast(sum(audit.credits) as bigint)`.as('credits'))
      .where('audit.at', '<', until)
      .where('audit.credits', '>', 0)
      .groupBy(['accounts.id', 'api_keys.team_key_id']),
  )
  // The accounts are not locked, because their calls would wait: the rows are final, and no balance changes.
  const movements = debits.map(({ credits, id, teamKeyId }) => ({
    ...({ accountId: id, kind: 'archived_debits', amount: -credits, note: null, at: now } as const),
    teamKeyId,
  }))
  for (let from = 0; from < movements.length; from += MOVEMENTS)
    yield* writeMovements(sql, movements.slice(from, from + MOVEMENTS))
  yield* rows(sql.db.deleteFrom('usage_days').where('day', '<', Math.floor(until / DAY_MS)))
  const deleted = yield* rows(sql.db.deleteFrom('audit').where('at', '<', until).returning('id'))
  return deleted.length
}
