/** Accounts as an operator sees them: no secret, no device. */
import { sql as raw } from 'kysely'
import { first, rows, type Sql, type Transaction } from '../sql.ts'
import type { AccountView } from '../store.ts'

export function* accountsPage(sql: Sql, page: { after: number; limit: number }): Transaction<AccountView[]> {
  return yield* rows(views(sql).where('a.id', '>', page.after).orderBy('a.id').limit(page.limit))
}

export function* accountView(
  sql: Sql,
  who: { readonly accountId: number } | { readonly address: string },
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
  // What was given and is gone was spent; refunds cancel their debits.
  return { ...view, granted, spent: granted - view.credits }
}

/** The key of an account that is not revoked; where there is none, its newest. */
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
