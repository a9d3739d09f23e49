/** The clean-up: what has lapsed is deleted, a bounded piece at a time, by one node at once. */
import { sql as raw } from 'kysely'
import { deletePiece, first, rows, type Sql, type Transaction } from '../sql.ts'
import type { Tidied } from '../store.ts'
import { tidyAccounts } from './tidy-accounts.ts'

const DAY_MS = 24 * 3_600_000
const WEEK_MS = 7 * DAY_MS
/** Rows a single transaction deletes at most, so that it never holds others up for long. */
const PIECE = 5_000
/** Names the clean-up among the database's advisory locks. */
const TIDY_LOCK = 7_140_951

/** Null when another node is at it; `more`: there was too much for one piece. */
export function* tidy(sql: Sql, options: { auditRetentionMs: number | null }): Transaction<Tidied | null> {
  if (sql.dialect === 'postgres') {
    const lock = yield { sql: 'SELECT pg_try_advisory_xact_lock($1) AS mine', parameters: [TIDY_LOCK] }
    if (lock[0]!.mine !== true) return null
  }
  const now = yield* sql.clock()
  const guests = yield* deleteGuests(sql, now - WEEK_MS)
  const deleted = [
    yield* deletePiece(sql, 'bindings', raw`expires_at <= ${now}`, PIECE),
    yield* deletePiece(sql, 'attempts', raw`expires_at <= ${now}`, PIECE),
    ...(yield* tidyAccounts(sql, now, PIECE)),
  ]
  const { auditRetentionMs } = options
  const before = auditRetentionMs === null ? null : now - auditRetentionMs
  const auditRows = before === null ? 0 : yield* archive(sql, now, before)
  if (before !== null) deleted.push(yield* deletePiece(sql, 'refusals', raw`minute < ${before}`, PIECE))
  return { guests, auditRows, more: [guests, auditRows, ...deleted].some((count) => count >= PIECE) }
}

/** Guest accounts go with their keys, grants and device data; their audit rows stay. */
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

/** Old audit rows go; the sum of their debits stays in the ledger, so that the books still balance. */
function* archive(sql: Sql, now: number, before: number): Transaction<number> {
  const last = yield* first(
    sql.db.selectFrom('audit').select('at').where('at', '<', before).orderBy('at').offset(PIECE).limit(1),
  )
  const until = last === undefined ? before : last.at + 1
  const debits = yield* rows(
    sql.db
      .selectFrom('audit')
      .innerJoin('accounts', 'accounts.id', 'audit.account_id')
      .select(['accounts.id', raw<number>`cast(sum(audit.credits) as bigint)`.as('credits')])
      .where('audit.at', '<', until)
      .where('audit.credits', '>', 0)
      .groupBy('accounts.id'),
  )
  yield* sql.lock(debits.map((debit) => debit.id))
  for (const debit of debits)
    yield* rows(
      sql.db.insertInto('ledger').values({
        at: now,
        account_id: debit.id,
        kind: 'archived_debits',
        amount: -debit.credits,
        audit_id: null,
        note: null,
      }),
    )
  yield* rows(sql.db.deleteFrom('usage_days').where('day', '<', Math.floor(until / DAY_MS)))
  const deleted = yield* rows(sql.db.deleteFrom('audit').where('at', '<', until).returning('id'))
  return deleted.length
}
