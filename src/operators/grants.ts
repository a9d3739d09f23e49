/**
 * Credits that an operator grants and takes back. A reference is unique in the whole ledger, so that a request can be repeated.
 */

import { bookExpired, lotOf, tellOfFall, updateLot } from '../accounts/lots.ts'
import { writeMovement } from '../accounts/open-account.ts'
import {
  beyondGrant,
  grantEndIsPast,
  isGuestAccount,
  noSuchAccount,
  noSuchGrant,
  referenceTaken,
  tooManyLots,
} from '../base/errors/operator.ts'
import type { Failure } from '../base/failure.ts'
import { LOTS } from '../base/limits/callers.ts'
import { isoTime } from '../base/time.ts'
import { add, nextExpiry, takeBack } from '../ledger/rules/lots.ts'
import { writeWebhookEvent } from '../ledger/store/events.ts'
import { first, type ResultOf, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import { type AdminChange, type AdminEvent, writeAdminEvent } from './audit-event.ts'

interface Grant {
  readonly credits: number
  readonly note: string
  /** A grant with a reference is made once, however often it is sent. Null: no reference. */
  readonly reference: string | null
  /** Epoch milliseconds; null: never. */
  readonly expiresAt: number | null
}

/** The state after a movement of credits. `replayed`: the same movement with this reference existed, and nothing was written. */
export interface Moved {
  readonly outcome: 'moved' | 'replayed'
  readonly accountId: number
  readonly balance: number
  readonly debt: number
}

/** Grants credits. The row of the reference prevents a second grant with it on any account. A Failure: nothing was written. */
export function* grantCredits(
  sql: Sql,
  { accountId, credits, event, expiresAt, note, reference }: AdminChange & Grant,
): Transaction<Moved | Failure> {
  const holding = yield* lockedHolding(sql, accountId)
  if (holding === null || holding.isDeleted) return noSuchAccount(accountId)
  if (holding.tier === 'guest') return isGuestAccount(accountId, 'credits')
  const used = reference === null ? null : { reference, accountId, credits, grantReference: null }
  const earlier = used === null ? null : yield* findReference(sql, used.reference)
  if (used !== null && earlier !== null)
    return isSame(earlier, used) ? { outcome: 'replayed', accountId, ...balanceOf(holding) } : taken(earlier)
  if (expiresAt !== null && expiresAt <= holding.now) return grantEndIsPast()
  if (expiresAt !== null && holding.lots.length >= LOTS) return tooManyLots(LOTS)
  const other = used === null ? null : yield* useReference(sql, used)
  if (other !== null) return taken(other)
  const { balance, debt, kept } = add(holding, credits)
  yield* writeMovement(sql, { accountId, kind: 'grant', amount: credits, note, reference }, holding.now)
  let { lotsExpireAt } = holding
  if (expiresAt !== null) {
    const lot = { account_id: accountId, reference, granted: credits, remaining: kept, expires_at: expiresAt }
    yield* rows(sql.db.insertInto('lots').values(lot))
    if (kept > 0) lotsExpireAt = Math.min(expiresAt, lotsExpireAt ?? expiresAt)
  }
  yield* hold(sql, accountId, { balance, debt, lotsExpireAt })
  const facts = {
    credits,
    ...(reference !== null && { reference }),
    ...(expiresAt !== null && { expires_at: isoTime(expiresAt) }),
  }
  yield* writeAdminEvent(sql, event, 'credits_granted', { accountId, facts })
  yield* writeWebhookEvent(sql, {
    type: 'grant.created',
    accountId,
    at: holding.now,
    data: { reference, credits, balance },
  })
  return { outcome: 'moved', accountId, balance, debt }
}

interface Takeback {
  /** The reference of the grant. */
  readonly reference: string
  readonly credits: number
  readonly reversalReference: string
  readonly event: AdminEvent
}

/**
 * Takes credits of a grant back. Those that the balance does not hold become debt, unless the grant has expired. A Failure:
 * nothing was written.
 */
export function* reverseGrant(
  sql: Sql,
  { credits, event, reference, reversalReference }: Takeback,
): Transaction<Moved | Failure> {
  const found = yield* findReference(sql, reference)
  if (found === null || found.grantReference !== null) return noSuchGrant(reference)
  const { accountId } = found
  const holding = yield* lockedHolding(sql, accountId)
  if (holding === null) return noSuchGrant(reference)
  const used = { reference: reversalReference, accountId, credits, grantReference: reference }
  const earlier = yield* findReference(sql, reversalReference)
  if (earlier !== null)
    return isSame(earlier, used) ? { outcome: 'replayed', accountId, ...balanceOf(holding) } : taken(earlier)
  // Read again under the lock, because another reversal of the grant may have been committed before the lock was granted.
  const grant = (yield* findReference(sql, reference)) ?? found
  if (grant.reversed + credits > grant.credits) return beyondGrant(reference, grant.credits, grant.reversed)
  const other = yield* useReference(sql, used)
  if (other !== null) return taken(other)
  const lot = yield* lotOf(sql, accountId, reference)
  const after = takeBack(holding, credits, lot, holding.now)
  for (const left of after.lots) if (!holding.lots.includes(left)) yield* updateLot(sql, left)
  if (lot !== null && after.lapsed > 0) yield* updateLot(sql, { ...lot, expired: lot.expired - after.lapsed })
  yield* rows(
    sql.db
      .updateTable('ledger_references')
      .set({ reversed: grant.reversed + credits })
      .where('reference', '=', reference),
  )
  const moved = { accountId, kind: 'reversal', amount: 0 - after.moved, note: null } as const
  yield* writeMovement(sql, { ...moved, reference: reversalReference }, holding.now)
  const { balance, debt } = after
  yield* hold(sql, accountId, { balance, debt, lotsExpireAt: nextExpiry(after.lots) })
  const facts = { credits, reference, reversal_reference: reversalReference }
  yield* writeAdminEvent(sql, event, 'grant_reversed', { accountId, facts })
  yield* writeWebhookEvent(sql, {
    type: 'grant.reversed',
    accountId,
    at: holding.now,
    data: { reference, credits, balance },
  })
  yield* tellOfFall(sql, { id: accountId, ...holding }, balance, holding.now)
  return { outcome: 'moved', accountId, balance, debt }
}

type Holding = ResultOf<typeof lockedHolding>

/** Locks the account and books its expired lots. Grants of a deleted account can still be reversed. Null: there is no such account. */
function* lockedHolding(sql: Sql, accountId: number) {
  yield* sql.lock([accountId])
  const now = yield* sql.clock()
  const expiry = sql.db.selectFrom('accounts').select('lots_expire_at').where('id', '=', accountId)
  const hasLots = ((yield* first(expiry))?.lots_expire_at ?? null) !== null
  const lots = hasLots ? (yield* bookExpired(sql, [accountId], now)).live : []
  const account = yield* first(
    sql.db
      .selectFrom('accounts')
      .select(['tier', 'balance', 'debt', 'deleted_at', 'low_credits as lowCredits'])
      .where('id', '=', accountId),
  )
  if (account === undefined) return null
  const { deleted_at, ...held } = account
  return { ...held, isDeleted: deleted_at !== null, now, lots, lotsExpireAt: nextExpiry(lots) }
}

const balanceOf = ({ balance, debt }: Holding) => ({ balance, debt })

function* hold(
  { db }: Sql,
  accountId: number,
  { balance, debt, lotsExpireAt }: Pick<Holding, 'balance' | 'debt' | 'lotsExpireAt'>,
): Transaction<void> {
  const account = db.updateTable('accounts').where('id', '=', accountId)
  yield* rows(account.set({ balance, debt, lots_expire_at: lotsExpireAt }))
}

interface Reference {
  readonly reference: string
  readonly accountId: number
  readonly credits: number
  /** The grant that the reversal concerns; null: the movement is a grant. */
  readonly grantReference: string | null
  readonly reversed: number
}

type Use = Omit<Reference, 'reversed'>

const isSame = (one: Use, other: Use): boolean =>
  one.accountId === other.accountId &&
  one.credits === other.credits &&
  one.grantReference === other.grantReference

const taken = ({ accountId, credits, grantReference, reference }: Reference): Failure =>
  referenceTaken(reference, { accountId, credits, isReversal: grantReference !== null })

function* findReference({ db }: Sql, reference: string): Transaction<Reference | null> {
  const row = yield* first(db.selectFrom('ledger_references').selectAll().where('reference', '=', reference))
  if (row === undefined) return null
  const { account_id: accountId, credits, grant_reference: grantReference, reversed } = row
  return { reference, accountId, credits, grantReference, reversed }
}

/** Whether a movement has the reference, so that the request changes nothing. */
export function* isReferenceUsed(sql: Sql, reference: string): Transaction<boolean> {
  return (yield* findReference(sql, reference)) !== null
}

/** Reserves a reference; waits for a transaction that reserves the same. Returns the row of a movement that has it already. */
function* useReference(sql: Sql, used: Use): Transaction<Reference | null> {
  const { accountId, credits, grantReference, reference } = used
  const inserted = yield* rows(
    sql.db
      .insertInto('ledger_references')
      .values({ reference, account_id: accountId, credits, grant_reference: grantReference })
      .onConflict((conflict) => conflict.column('reference').doNothing())
      .returning('reference'),
  )
  return inserted.length > 0 ? null : yield* findReference(sql, reference)
}
