/** Accounts as an operator sees them: without secrets and device data. */
import { sql as raw } from 'kysely'
import type { Tier } from '../../ledger/tiers.ts'
import type { KeyStatus } from '../../ledger/types.ts'
import { first, rows, type Sql, type Transaction } from '../sql.ts'
import type { AccountReference } from '../types/account-changes.ts'

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
  return yield* rows(views(sql).where('a.id', '>', page.after).orderBy('a.id').limit(page.limit))
}

export function* accountView(
  sql: Sql,
  who: AccountReference,
): Transaction<(AccountView & { granted: number; spent: number }) | null> {
  const view = yield* first(
    'accountId' in who
      ? views(sql).where('a.id', '=', who.accountId)
      : views(sql).where('a.address', '=', who.address),
  )
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

/** The account's key that is not revoked, else its newest key. */
const presentKey = raw<number>`(select id from api_keys where account_id = a.id order by case when status = 'revoked' then 1 else 0 end, id desc limit 1)`

const views = ({ db }: Sql) =>
  db
    .selectFrom('accounts as a')
    .leftJoin('api_keys as k', (join) => join.on('k.id', '=', presentKey))
    .select([
      ...(['a.id as accountId', 'a.tier', 'a.balance as credits', 'a.email', 'a.username'] as const),
      ...(['a.full_name as fullName', 'a.created_at as createdAt', 'a.verified_at as verifiedAt'] as const),
      ...(['a.expires_at as expiresAt', 'a.hour_limit as hourLimit', 'a.day_limit as dayLimit'] as const),
      ...(['a.totp_enabled_at as mfaEnabledAt', 'a.linked_to as linkedTo'] as const),
      ...(['k.status as keyStatus', 'k.created_at as keyCreatedAt'] as const),
    ])
