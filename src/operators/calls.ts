/** A call by its request id, with all that is known of it: its account and key, refunds, other calls like it, events and receipt. */
import { sql as raw } from 'kysely'
import { timeOfId } from '../base/ids.ts'
import { IDEMPOTENCY_MS } from '../base/limits/callers.ts'
import { CALLS_SHOWN, CLOCK_DIFFERENCE_MS } from '../base/limits/operation.ts'
import { type FoundReceipt, receiptOf } from '../ledger/receipts/receipt.ts'
import { COMPUTATION } from '../ledger/store/audit.ts'
import { type AuditLine, auditRows } from '../ledger/store/audit-pages.ts'
import { first, type ResultOf, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import { type AccountView, accountsOf } from './accounts.ts'

/** A row of the audit with the digest of its request and result; null: it has none. */
interface FoundCall extends AuditLine {
  readonly id: string
  readonly content: Uint8Array | null
}

export interface CallDetails {
  /** Null: the call had no account, or the account was deleted. */
  readonly account: AccountView | null
  /** It may have ended since. */
  readonly key: ResultOf<typeof keyOf> | null
  readonly refunded: number
  readonly idempotency: { readonly key: string; readonly expiresAt: number; readonly replays: number } | null
  /** Other calls of the account with the same request and result, in the time in which an idempotency key is kept. */
  readonly alike: readonly FoundCall[]
  /** Events of the account that were written in the transaction of the call. */
  readonly events: readonly { id: number; type: string; at: number; data: string }[]
  readonly receipt: FoundReceipt
}

/**
 * The calls with a request id, the newest first. An id of the service tells the time near which its row is; callers may have given the
 * same id to several calls.
 */
export function* callsWith(sql: Sql, id: string): Transaction<FoundCall[]> {
  const at = timeOfId(id)
  const all = auditRows(sql).select('content').orderBy('at', 'desc').limit(CALLS_SHOWN)
  const made =
    at === null
      ? []
      : yield* rows(
          all
            .where('id', '=', id)
            .where('at', '>=', at - CLOCK_DIFFERENCE_MS)
            .where('at', '<=', at + CLOCK_DIFFERENCE_MS),
        )
  const given = yield* rows(
    all.where('request_id', '=', id).where('kind', '=', COMPUTATION).whereRef('request_id', '<>', 'id'),
  )
  return [...made, ...given].sort((a, b) => b.at - a.at)
}

/** What is known of a row of the audit. */
export function* callDetails(sql: Sql, call: CalledRow): Transaction<CallDetails> {
  const { accountId, at, id } = call
  const receipt = yield* receiptOf(sql, { id, at })
  if (accountId === null)
    return { account: null, key: null, refunded: 0, idempotency: null, alike: [], events: [], receipt }
  const alike = yield* callsLike(sql, { ...call, accountId })
  const [account = null] = yield* accountsOf(sql, [accountId])
  return {
    account,
    key: yield* keyOf(sql, accountId, call.keyId),
    refunded: yield* refundOf(sql, accountId, id),
    idempotency: yield* bindingOf(sql, accountId, [id, ...alike.map((other) => other.id)]),
    alike,
    events: yield* rows(
      sql.db
        .selectFrom('webhook_events')
        .select(['id', 'type', 'at', 'data'])
        .where('account_id', '=', accountId)
        .where('at', '=', at)
        .orderBy('id'),
    ),
    receipt,
  }
}

/** The part of a call by which the rest is found. */
type CalledRow = Pick<FoundCall, 'accountId' | 'at' | 'content' | 'id' | 'keyId' | 'path'>

function* callsLike(sql: Sql, call: CalledRow & { readonly accountId: number }): Transaction<FoundCall[]> {
  if (call.content === null) return []
  return yield* rows(
    auditRows(sql)
      .select('content')
      .where('account_id', '=', call.accountId)
      .where('kind', '=', COMPUTATION)
      .where('at', '>=', call.at - IDEMPOTENCY_MS)
      .where('at', '<=', call.at + IDEMPOTENCY_MS)
      .where('content', '=', call.content)
      .where('path', '=', call.path)
      .where('id', '<>', call.id)
      .orderBy('at', 'desc')
      .limit(CALLS_SHOWN),
  )
}

/** The key of a call, with the lineage and its name; without one, the account's own key. */
function* keyOf({ db }: Sql, accountId: number, keyId: number | null) {
  if (keyId === null) return null
  const key = yield* first(
    db
      .selectFrom('api_keys')
      .select(['id', 'status', 'prefix as start', 'team_key_id as teamKeyId'])
      .where('id', '=', keyId)
      .where('account_id', '=', accountId),
  )
  if (key === undefined) return null
  const { teamKeyId, ...facts } = key
  if (teamKeyId === null) return { ...facts, team: null }
  const named = db.selectFrom('team_keys').select(['id', 'name']).where('account_id', '=', accountId)
  return { ...facts, team: (yield* first(named.where('id', '=', teamKeyId))) ?? null }
}

function* refundOf({ db }: Sql, accountId: number, auditId: string): Transaction<number> {
  const refunds = db.selectFrom('ledger').select('amount').where('account_id', '=', accountId)
  const refund = yield* first(
    refunds.where('audit_id', '=', auditId).where('kind', '=', raw.lit('refund' as const)),
  )
  return refund?.amount ?? 0
}

/** The idempotency key that is bound to one of the rows; null: none is, or it has expired. */
function* bindingOf(
  { db }: Sql,
  accountId: number,
  auditIds: readonly string[],
): Transaction<CallDetails['idempotency']> {
  const bound = yield* first(
    db
      .selectFrom('bindings')
      .select(['idempotency_key as key', 'expires_at as expiresAt', 'replayed as replays'])
      .where('account_id', '=', accountId)
      .where('audit_id', 'in', auditIds)
      .limit(1),
  )
  return bound ?? null
}
