/** Lots of credits in transactions other than group commits. The caller holds the locks of the accounts. */

import { creditsFallen, expire, grantExpired, nextExpiry, sumOf } from '../ledger/rules/lots.ts'
import type { LedgerAccount, Lot } from '../ledger/rules/types.ts'
import { writeWebhookEvent, writeWebhookEvents } from '../ledger/store/events.ts'
import { lotFields, lotFrom } from '../ledger/store/ledger-rows.ts'
import { first, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import { writeMovements } from './open-account.ts'

/** The lots with credits left, in their order of expiry. */
export function* lotsOf({ db }: Sql, accountIds: readonly number[]): Transaction<Lot[]> {
  const found = yield* rows(
    db
      .selectFrom('lots')
      .select(lotFields)
      .where('account_id', 'in', accountIds)
      .where('remaining', '>', 0)
      .orderBy('expires_at')
      .orderBy('id'),
  )
  return found.map(lotFrom)
}

/** Books the rest of the accounts' expired lots; returns how many accounts had some, and the lots that have not expired. */
export function* bookExpired(
  sql: Sql,
  accountIds: readonly number[],
  now: number,
): Transaction<{ accounts: number; live: Lot[] }> {
  const lots = yield* lotsOf(sql, accountIds)
  const { expired, live } = expire(lots, now)
  const byAccount = Map.groupBy(expired, ({ accountId }) => accountId)
  for (const [id, own] of byAccount) {
    const movement = { accountId: id, kind: 'expired', note: null } as const
    const movements = own.map(({ expiresAt, remaining }) => ({
      ...movement,
      amount: -remaining,
      at: expiresAt,
    }))
    yield* writeMovements(sql, movements)
    yield* rows(
      sql.db
        .updateTable('lots')
        .set(({ ref }) => ({ remaining: 0, expired: ref('remaining') }))
        .where('account_id', '=', id)
        .where('remaining', '>', 0)
        .where('expires_at', '<=', now),
    )
    yield* writeWebhookEvents(
      sql,
      own.map((lot) => grantExpired(lot, now)),
    )
    const account = (yield* first(
      sql.db
        .selectFrom('accounts')
        .select(['id', 'tier', 'balance', 'low_credits as lowCredits'])
        .where('id', '=', id),
    ))!
    const balance = account.balance - sumOf(own)
    const next = nextExpiry(live.filter(({ accountId }) => accountId === id))
    yield* rows(sql.db.updateTable('accounts').set({ balance, lots_expire_at: next }).where('id', '=', id))
    yield* tellOfFall(sql, account, balance, now)
  }
  return { accounts: byAccount.size, live }
}

/** Writes the events that a fall of the balance causes. */
export function* tellOfFall(
  sql: Sql,
  account: Pick<LedgerAccount, 'id' | 'tier' | 'balance' | 'lowCredits'>,
  balance: number,
  now: number,
): Transaction<void> {
  for (const event of creditsFallen(account, balance, { lowCredits: sql.lowCredits(), now }))
    yield* writeWebhookEvent(sql, event)
}

/** The lot of a grant, even if it is spent or has expired. */
export function* lotOf({ db }: Sql, accountId: number, reference: string): Transaction<Lot | null> {
  const lots = db.selectFrom('lots').select(lotFields).where('account_id', '=', accountId)
  const lot = yield* first(lots.where('reference', '=', reference))
  return lot === undefined ? null : lotFrom(lot)
}

export function* updateLot({ db }: Sql, lot: Lot): Transaction<void> {
  const { accountId, expired, id, remaining } = lot
  yield* rows(
    db
      .updateTable('lots')
      .set({ remaining, expired })
      .where('id', '=', id)
      .where('account_id', '=', accountId),
  )
}

/** Locks up to `most` accounts with expired lots, the longest expired first, and books these lots. Returns their number. */
export function* bookExpiredOfIdle(sql: Sql, most: number): Transaction<number> {
  const waiting = sql.db
    .selectFrom('accounts')
    .select('id')
    .where('lots_expire_at', '<=', yield* sql.clock())
  const found = yield* rows(waiting.orderBy('lots_expire_at').limit(most))
  const ids = found.map(({ id }) => id)
  if (ids.length === 0) return 0
  yield* sql.lock(ids)
  return (yield* bookExpired(sql, ids, yield* sql.clock())).accounts
}
