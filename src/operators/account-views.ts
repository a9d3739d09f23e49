/** Accounts as an operator sees them: without secrets and device data. */
import { sql as raw } from 'kysely'
import { type AccountReference, located } from '../accounts/account.ts'
import { lotsOf } from '../accounts/lots.ts'
import { GRANTS_SHOWN } from '../base/limits/operation.ts'
import { expire, sumOf } from '../ledger/rules/lots.ts'
import type { Tier } from '../ledger/rules/tiers.ts'
import type { KeyStatus, Lot } from '../ledger/rules/types.ts'
import { rows, type Sql, type Transaction } from '../ledger/store/sql.ts'

export interface AccountView {
  readonly accountId: number
  readonly tier: Tier
  readonly credits: number
  readonly debt: number
  readonly email: string | null
  readonly username: string | null
  readonly fullName: string | null
  readonly createdAt: number
  readonly verifiedAt: number | null
  readonly expiresAt: number | null
  readonly hourLimit: number | null
  readonly dayLimit: number | null
  readonly workLimit: number | null
  /** The account's own threshold of `credits.low`; null: that of the setting. */
  readonly lowCredits: number | null
  readonly mfaEnabledAt: number | null
  /** The account that took this guest over. */
  readonly linkedTo: number | null
  /** The status of the key that is not revoked; if all are, of the newest key. */
  readonly keyStatus: KeyStatus | null
  readonly keyCreatedAt: number | null
}

export interface FoundAccount extends AccountView {
  readonly granted: number
  readonly spent: number
  /** The lots that have not expired. */
  readonly lots: readonly Lot[]
}

export function* accountsPage(
  sql: Sql,
  page: { readonly after: number; readonly limit: number },
): Transaction<AccountView[]> {
  const query = accounts(sql, yield* sql.clock())
    .where('id', '>', page.after)
    .orderBy('id')
    .limit(page.limit)
  return yield* withKeys(sql, yield* rows(query))
}

/** Accounts by their numbers, in their order. */
export function* accountsOf(sql: Sql, ids: readonly number[]): Transaction<AccountView[]> {
  if (ids.length === 0) return []
  return yield* withKeys(
    sql,
    yield* rows(
      accounts(sql, yield* sql.clock())
        .where('id', 'in', ids)
        .orderBy('id'),
    ),
  )
}

export function* accountView(sql: Sql, who: AccountReference): Transaction<FoundAccount | null> {
  const now = yield* sql.clock()
  const account = accounts(sql, now).where('id', '=', yield* located(sql, who))
  // Read by the statement that reads the balance: a grant between two statements would change the sum of debits.
  const granted = raw<number>`(select cast(coalesce(sum(amount), 0) as bigint) from ledger where ledger.account_id = accounts.id
    and kind in ('grant', 'transfer_in', 'transfer_out', 'reversal', 'expired'))`
  const [view] = yield* withKeys(sql, yield* rows(account.select(granted.as('granted'))))
  if (view === undefined) return null
  const lots = yield* lotsOf(sql, [view.accountId])
  // Credits that were granted and are not in the balance were spent; refunds cancel debits.
  return {
    ...view,
    granted: view.granted - sumOf(expire(lots, now).expired),
    spent: view.granted - view.balance + view.debt,
    lots: expire(lots, now).live,
  }
}

/** The rows of accounts. `balance` contains expired credits until these are booked. */
const accounts = ({ db }: Sql, now: number) =>
  db
    .selectFrom('accounts')
    .select([
      'id as accountId',
      'tier',
      'balance',
      'debt',
      'email',
      'username',
      'full_name as fullName',
      'created_at as createdAt',
      'verified_at as verifiedAt',
      'expires_at as expiresAt',
      'hour_limit as hourLimit',
      'day_limit as dayLimit',
      'work_limit as workLimit',
      'low_credits as lowCredits',
      'totp_enabled_at as mfaEnabledAt',
      'linked_to as linkedTo',
    ])
    .select(
      raw<number>`balance - case when lots_expire_at <= ${now} then cast((select coalesce(sum(remaining), 0) from lots
        where lots.account_id = accounts.id and lots.expires_at <= ${now}) as bigint) else 0 end`.as(
        'credits',
      ),
    )
    .where('deleted_at', 'is', null)

/** Adds to each account its key that is not revoked; if all are, its newest key. */
function* withKeys<View extends Omit<AccountView, 'keyStatus' | 'keyCreatedAt'>>(
  { db }: Sql,
  views: readonly View[],
): Transaction<(View & Pick<AccountView, 'keyStatus' | 'keyCreatedAt'>)[]> {
  if (views.length === 0) return []
  const keys = yield* rows(
    db
      .selectFrom('api_keys')
      .select(['account_id', 'status', 'created_at'])
      .where('team_key_id', 'is', null)
      .where(
        'account_id',
        'in',
        views.map(({ accountId }) => accountId),
      )
      .orderBy(raw`case when status = 'revoked' then 0 else 1 end`)
      .orderBy('id'),
  )
  // The last key of an account replaces the earlier ones in the map.
  const present = new Map(keys.map((key) => [key.account_id, key]))
  return views.map((view) => {
    const key = present.get(view.accountId)
    return { ...view, keyStatus: key?.status ?? null, keyCreatedAt: key?.created_at ?? null }
  })
}

/**
 * Movements of credits other than debits and refunds, the newest first. `reversed`: the credits that were taken back; null: the
 * movement cannot be reversed.
 */
export function* movements({ db }: Sql, accountId: number) {
  return yield* rows(
    db
      .selectFrom('ledger as l')
      .leftJoin('ledger_references as r', (join) =>
        join
          .onRef('r.reference', '=', 'l.reference')
          .onRef('r.account_id', '=', 'l.account_id')
          .on('r.grant_reference', 'is', null),
      )
      .select(['l.at', 'l.kind', 'l.amount as credits', 'l.note', 'l.reference'])
      .select(raw<number | null>`case when l.kind = 'grant' then r.reversed end`.as('reversed'))
      .where('l.account_id', '=', accountId)
      .where('l.kind', 'in', ['grant', 'transfer_in', 'transfer_out', 'reversal', 'expired'])
      .orderBy('l.id', 'desc')
      .limit(GRANTS_SHOWN),
  )
}
