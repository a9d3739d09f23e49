/** Accounts as an operator sees them: without secrets and device data. */
import { sql as raw } from 'kysely'
import { type AccountReference, located } from '../accounts/account.ts'
import type { Tier } from '../ledger/tiers.ts'
import type { KeyStatus } from '../ledger/types.ts'
import { first, rows, type Sql, type Transaction } from '../store/sql.ts'

export interface AccountView {
  readonly accountId: number
  readonly tier: Tier
  readonly credits: number
  readonly email: string | null
  readonly username: string | null
  readonly fullName: string | null
  readonly createdAt: number
  readonly verifiedAt: number | null
  readonly expiresAt: number | null
  readonly hourLimit: number | null
  readonly dayLimit: number | null
  readonly mfaEnabledAt: number | null
  /** The account that took this guest over. */
  readonly linkedTo: number | null
  /** Of the key that is not revoked; else of the newest. */
  readonly keyStatus: KeyStatus | null
  readonly keyCreatedAt: number | null
}

export function* accountsPage(
  sql: Sql,
  page: { readonly after: number; readonly limit: number },
): Transaction<AccountView[]> {
  const query = accounts(sql).where('id', '>', page.after).orderBy('id').limit(page.limit)
  return yield* withKeys(sql, yield* rows(query))
}

/** Accounts by their numbers, in their order. */
export function* accountsOf(sql: Sql, ids: readonly number[]): Transaction<AccountView[]> {
  if (ids.length === 0) return []
  return yield* withKeys(sql, yield* rows(accounts(sql).where('id', 'in', ids).orderBy('id')))
}

export function* accountView(
  sql: Sql,
  who: AccountReference,
): Transaction<(AccountView & { granted: number; spent: number }) | null> {
  const query = accounts(sql).where('id', '=', yield* located(sql, who))
  const [view] = yield* withKeys(sql, yield* rows(query))
  if (view === undefined) return null
  const sums = yield* first(
    sql.db
      .selectFrom('ledger')
      .select([
        raw<number>`cast(coalesce(sum(case when kind in ('grant', 'transfer_in', 'transfer_out') then amount else 0 end), 0) as bigint)`.as(
          'granted',
        ),
      ])
      .where('account_id', '=', view.accountId),
  )
  const granted = sums!.granted
  // Everything granted that is not in the balance was spent; refunds cancel their debits.
  return { ...view, granted, spent: granted - view.credits }
}

const accounts = ({ db }: Sql) =>
  db
    .selectFrom('accounts')
    .select([
      ...(['id as accountId', 'tier', 'balance as credits', 'email', 'username'] as const),
      ...(['full_name as fullName', 'created_at as createdAt', 'verified_at as verifiedAt'] as const),
      ...(['expires_at as expiresAt', 'hour_limit as hourLimit', 'day_limit as dayLimit'] as const),
      ...(['totp_enabled_at as mfaEnabledAt', 'linked_to as linkedTo'] as const),
    ])

/** With each account's key that is not revoked, else its newest key. */
function* withKeys(
  { db }: Sql,
  views: readonly Omit<AccountView, 'keyStatus' | 'keyCreatedAt'>[],
): Transaction<AccountView[]> {
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
  // The last of an account is its present one.
  const present = new Map(keys.map((key) => [key.account_id, key]))
  return views.map((view) => {
    const key = present.get(view.accountId)
    return { ...view, keyStatus: key?.status ?? null, keyCreatedAt: key?.created_at ?? null }
  })
}
