/**
 * Accounts as an operator sees them, without secrets and device data: read, and printed with the names of the HTTP interface or as lines
 * for a person.
 */
import { type InferResult, sql as raw } from 'kysely'
import { type AccountReference, located } from '../accounts/account.ts'
import { lotsOf } from '../accounts/lots.ts'
import { GRANTS_SHOWN } from '../base/limits/operation.ts'
import { isoTime } from '../base/time.ts'
import { expire, sumOf } from '../ledger/rules/lots.ts'
import type { Plan } from '../ledger/rules/plan.ts'
import { limitsOf, workLimitOf } from '../ledger/rules/tiers.ts'
import type { KeyStatus, Lot } from '../ledger/rules/types.ts'
import { rows, type Sql, type Transaction } from '../ledger/store/sql.ts'

export type AccountView = Omit<AccountRow, 'balance'> & KeyView

type AccountRow = InferResult<ReturnType<typeof accounts>>[number]

interface KeyView {
  /** The status of the key that is not revoked; if all are, of the newest key. */
  readonly keyStatus: KeyStatus | null
  readonly keyCreatedAt: number | null
  /** The first characters of this key; null: they are not known. */
  readonly keyStart: string | null
}

export interface FoundAccount extends AccountView {
  readonly granted: number
  readonly spent: number
  /** The lots that have not expired. */
  readonly lots: readonly Lot[]
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
export const accounts = ({ db }: Sql, now: number) =>
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
      // The beginning of the last hour with a computation; 0: it has made none.
      'hour_started_at as usedAt',
    ])
    .select(
      raw<number>`balance - case when lots_expire_at <= ${now} then cast((select coalesce(sum(remaining), 0) from lots
        where lots.account_id = accounts.id and lots.expires_at <= ${now}) as bigint) else 0 end`.as(
        'credits',
      ),
    )
    .where('deleted_at', 'is', null)

/** Adds to each account its key that is not revoked; if all are, its newest key. */
export function* withKeys<View extends Omit<AccountRow, 'balance'>>(
  { db }: Sql,
  views: readonly View[],
): Transaction<(View & KeyView)[]> {
  if (views.length === 0) return []
  const keys = yield* rows(
    db
      .selectFrom('api_keys')
      .select(['account_id', 'status', 'created_at', 'prefix'])
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
    return {
      ...view,
      keyStatus: key?.status ?? null,
      keyCreatedAt: key?.created_at ?? null,
      keyStart: key?.prefix ?? null,
    }
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

/** The limits of account types. */
type TypeLimits = Pick<Plan, 'tiers' | 'work'>

export const accountJson = (account: AccountView, { tiers, work }: TypeLimits) => ({
  account_id: account.accountId,
  email: account.email,
  username: account.username,
  full_name: account.fullName,
  account_type: account.tier,
  credits: account.credits,
  api_key_status: account.keyStatus,
  api_key_created_at: isoTime(account.keyCreatedAt),
  api_key_start: account.keyStart,
  limits: {
    ...limitsOf(account, tiers),
    work: workLimitOf(account, work),
    own_hour: account.hourLimit,
    own_day: account.dayLimit,
    own_work: account.workLimit,
  },
  low_credits: account.lowCredits,
  mfa_enabled: account.mfaEnabledAt !== null,
  created_at: isoTime(account.createdAt),
  verified_at: isoTime(account.verifiedAt),
  expires_at: isoTime(account.expiresAt),
  linked_to: account.linkedTo,
  last_used_at: isoTime(account.usedAt || null),
})

export const foundJson = (account: FoundAccount, limits: TypeLimits) => ({
  ...accountJson(account, limits),
  granted: account.granted,
  spent: account.spent,
  ...(account.debt > 0 && { debt: account.debt }),
  ...(account.lots.length > 0 && {
    lots: account.lots.map((lot) => ({ credits: lot.remaining, expires_at: isoTime(lot.expiresAt) })),
  }),
})

/** The name of an account in a sentence. */
export const nameOf = ({ accountId, email }: Pick<AccountView, 'accountId' | 'email'>): string =>
  email ?? `guest ${accountId}`

/** One line per label and value. */
export function accountText(account: FoundAccount, { tiers, work }: TypeLimits): string {
  const { day, hour } = limitsOf(account, tiers)
  const isOwn = [account.hourLimit, account.dayLimit, account.workLimit].some((limit) => limit !== null)
  const own = isOwn ? ' (set for this account)' : ''
  const lines: [string, unknown][] = [
    ['account', account.accountId],
    ['e-mail', account.email],
    ['username', account.username],
    ['full name', account.fullName],
    ['type', account.tier],
    ['credits', `${account.credits} (granted ${account.granted}, spent ${account.spent})`],
    ['debt', account.debt > 0 ? account.debt : null],
    ...account.lots.map((lot): [string, unknown] => [
      'expiring',
      `${lot.remaining} at ${isoTime(lot.expiresAt)}`,
    ]),
    [
      'API key',
      account.keyStatus &&
        `${account.keyStart === null ? '' : `${account.keyStart}…, `}${account.keyStatus}, created ${isoTime(account.keyCreatedAt)}`,
    ],
    [
      'limits',
      `${hour} an hour${day === null ? '' : `, ${day} a day`}, ${workLimitOf(account, work)} processor seconds an hour${own}`,
    ],
    ['second factor', account.mfaEnabledAt === null ? 'off' : `on since ${isoTime(account.mfaEnabledAt)}`],
    ['created', isoTime(account.createdAt)],
    ['last used', account.usedAt === 0 ? 'never' : `in the hour from ${isoTime(account.usedAt)}`],
    ['expires', isoTime(account.expiresAt)],
    ['taken over by', account.linkedTo],
  ]
  return lines
    .filter(([, value]) => value !== null)
    .map(([label, value]) => `${label.padEnd(14)} ${value}`)
    .join('\n')
}
