/**
 * Inserts accounts with their first key and first grant, and movements of credits into the ledger; an account may take over a guest.
 */
import type { Insertable } from 'kysely'
import type { Tier } from '../ledger/rules/tiers.ts'
import { writeWebhookEvent } from '../ledger/store/events.ts'
import type { Schema } from '../ledger/store/schema.ts'
import { first, type ResultOf, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { StoredKey } from '../secrets/keys.ts'

/** The person who registered an account. */
export interface Owner {
  /** The e-mail address in the form in which addresses are compared, and as it was written. */
  readonly address: string
  readonly email: string
  readonly username: string
  readonly fullName: string
  readonly passwordHash: string
}

export interface Device {
  readonly id: string
  readonly name: string
  readonly platform: string
}

interface AccountToOpen {
  readonly uid: string
  readonly tier: Tier
  readonly key: StoredKey
  /** The first grant: its credits, and the reason that the ledger gives for it. */
  readonly grant: { readonly credits: number; readonly reason: string }
  /** Credits in addition to the grant, whose movement the caller writes. */
  readonly transferred?: number
  readonly expiresAt?: number
  readonly owner?: Owner
  readonly device?: Device
}

/** Inserts a verified account. The caller holds the lock of its address, if any. Null: another account has this address. */
export function* openAccount(
  sql: Sql,
  account: AccountToOpen,
  now: number,
): Transaction<{ accountId: number; keyId: number } | null> {
  const { device, grant, owner } = account
  if (owner !== undefined && (yield* sql.addresses.accountIdOf(owner.address)) !== null) return null
  const inserted = yield* first(
    sql.db
      .insertInto('accounts')
      .values({
        uid: account.uid,
        tier: account.tier,
        balance: grant.credits + (account.transferred ?? 0),
        created_at: now,
        verified_at: now,
        expires_at: account.expiresAt ?? null,
        hour_limit: null,
        day_limit: null,
        device_id: device?.id ?? null,
        device_name: device?.name ?? null,
        platform: device?.platform ?? null,
        address: owner?.address ?? null,
        email: owner?.email ?? null,
        username: owner?.username ?? null,
        full_name: owner?.fullName ?? null,
        password_hash: owner?.passwordHash ?? null,
      })
      .returning('id'),
  )
  const accountId = inserted!.id
  if (owner !== undefined) yield* sql.addresses.add(owner.address, accountId)
  if (grant.credits > 0)
    yield* writeMovement(sql, { accountId, kind: 'grant', amount: grant.credits, note: grant.reason }, now)
  if (account.tier !== 'guest')
    yield* writeWebhookEvent(sql, {
      type: 'account.created',
      accountId,
      at: now,
      data: { type: account.tier, credits: grant.credits + (account.transferred ?? 0) },
    })
  return { accountId, keyId: yield* insertKey(sql, accountId, account.key, now) }
}

/**
 * Replaces the active key of an account by another. Returns the ids of both; null: it has no such key.
 * @param oldKeyId the key to replace; null: the account's own, whichever that is
 */
export function* succeedKey(
  sql: Sql,
  { accountId, key, oldKeyId }: { accountId: number; key: StoredKey; oldKeyId: number | null },
  now: number,
): Transaction<{ revoked: number; keyId: number } | null> {
  const active = sql.db
    .updateTable('api_keys')
    .set({ status: 'revoked' })
    .where('account_id', '=', accountId)
    .where('status', '=', 'active')
  const chosen =
    oldKeyId === null ? active.where('team_key_id', 'is', null) : active.where('id', '=', oldKeyId)
  const revoked = yield* first(chosen.returning('id'))
  if (revoked === undefined) return null
  return { revoked: revoked.id, keyId: yield* insertKey(sql, accountId, key, now) }
}

/** Returns the id of the new key. @param others columns in which it differs from the account's own key */
export function* insertKey(
  sql: Sql,
  accountId: number,
  key: StoredKey,
  now: number,
  others: Partial<Insertable<Schema['api_keys']>> = {},
): Transaction<number> {
  const inserted = yield* first(
    sql.db
      .insertInto('api_keys')
      .values({
        uid: key.uid,
        account_id: accountId,
        hash: key.hash,
        master_key_id: key.masterKeyId,
        sealed: key.sealed,
        prefix: key.prefix,
        last4: key.last4,
        status: 'active',
        created_at: now,
        ...others,
      })
      .returning('id'),
  )
  return inserted!.id
}

interface Movement {
  readonly accountId: number
  readonly kind: Exclude<Schema['ledger']['kind'], 'refund'>
  /** Negative: credits taken from the account. */
  readonly amount: number
  readonly note: string | null
  readonly reference?: string | null
  /** The lineage that spent the credits. */
  readonly teamKeyId?: number | null
}

/** Writes a movement of credits into the ledger; the caller changes the balance. Refunds have their own insert. */
export const writeMovement = (sql: Sql, movement: Movement, now: number): Transaction<void> =>
  writeMovements(sql, [{ ...movement, at: now }])

/** Writes one or more movements. */
export function* writeMovements(
  { db }: Sql,
  movements: readonly (Movement & { readonly at: number })[],
): Transaction<void> {
  const written = movements.map(
    ({ accountId, amount, at, kind, note, reference = null, teamKeyId = null }) => ({
      at,
      account_id: accountId,
      kind,
      amount,
      audit_id: null,
      note,
      reference,
      team_key_id: teamKeyId,
    }),
  )
  yield* rows(db.insertInto('ledger').values(written))
}

type Guest = ResultOf<typeof lockUsableGuest>

/** Locks the guest account of a key. Null: the key's account is no guest that can be taken over. */
export function* lockUsableGuest(sql: Sql, keyId: number) {
  const key = yield* first(sql.db.selectFrom('api_keys').select('account_id').where('id', '=', keyId))
  if (key === undefined) return null
  yield* sql.lock([key.account_id])
  const now = yield* sql.clock()
  const guest = yield* first(
    sql.db
      .selectFrom('accounts')
      .innerJoin('api_keys', 'api_keys.account_id', 'accounts.id')
      .select(['accounts.id as accountId', 'accounts.balance as credits'])
      .where('accounts.id', '=', key.account_id)
      .where('api_keys.id', '=', keyId)
      .where('api_keys.status', '=', 'active')
      .where('accounts.tier', '=', 'guest')
      .where('accounts.expires_at', '>', now),
  )
  return guest === undefined ? null : { ...guest, keyId }
}

/**
 * Writes both movements of the transfer; the receiving account's first balance already includes the credits. The
 * guest's row is kept without its expiry, so that its history stays linked, and without the data about its device.
 */
export function* endGuest(sql: Sql, guest: Guest, accountId: number, now: number): Transaction<void> {
  const { accountId: guestId, credits } = guest
  if (credits > 0) {
    const away = { kind: 'transfer_out', amount: -credits, note: `to account ${accountId}` } as const
    yield* writeMovement(sql, { accountId: guestId, ...away }, now)
    const here = { kind: 'transfer_in', amount: credits, note: `from guest ${guestId}` } as const
    yield* writeMovement(sql, { accountId, ...here }, now)
  }
  yield* rows(
    sql.db
      .updateTable('accounts')
      .set({
        balance: 0,
        linked_to: accountId,
        expires_at: null,
        device_id: null,
        device_name: null,
        platform: null,
      })
      .where('id', '=', guestId),
  )
  const key = sql.db.updateTable('api_keys').set({ status: 'revoked' }).where('id', '=', guest.keyId)
  yield* rows(key.where('account_id', '=', guestId))
  yield* moveBindings(sql, guestId, accountId)
}

/** Idempotency keys that a statement moves. */
const BINDINGS_A_STATEMENT = 1_000

/**
 * Binds the guest's idempotency keys to the account, so that a request which the guest has paid for is not charged again. The rows
 * are written anew, because the account's number decides in which part of a divided table a row lies.
 */
function* moveBindings({ db }: Sql, guestId: number, accountId: number): Transaction<void> {
  const bound = yield* rows(db.selectFrom('bindings').selectAll().where('account_id', '=', guestId))
  for (let start = 0; start < bound.length; start += BINDINGS_A_STATEMENT) {
    const some = bound.slice(start, start + BINDINGS_A_STATEMENT)
    const values = some.map((binding) => ({ ...binding, account_id: accountId }))
    yield* rows(
      db
        .insertInto('bindings')
        .values(values)
        .onConflict((conflict) => conflict.columns(['account_id', 'idempotency_key']).doNothing()),
    )
  }
  yield* rows(db.deleteFrom('bindings').where('account_id', '=', guestId))
}
