/** The deliveries of events to endpoints: queued, claimed, recorded. */
import { sql as raw } from 'kysely'
import {
  WEBHOOK_AGE_MS,
  WEBHOOK_BATCH,
  WEBHOOK_HOLDING_TRIES,
  WEBHOOK_LEASE_MS,
} from '../../base/limits/operation.ts'
import { awaitLock, takeLock, WEBHOOK_LOCK } from '../../ledger/store/locks.ts'
import { first, rows, type Sql, type Transaction } from '../../ledger/store/sql.ts'
import type { Sealed } from '../../secrets/vault.ts'

export interface Endpoint extends Sealed {
  readonly id: number
  readonly uid: string
  readonly url: string
  /** Null: all. */
  readonly types: readonly string[] | null
}

/** A delivery that a sender has claimed, with its event. */
export interface ClaimedDelivery {
  readonly id: number
  readonly eventId: number
  readonly accountId: number
  readonly type: string
  readonly data: string
  readonly at: number
  /** The number of tries, including this one. */
  readonly tries: number
}

export function* endpoints({ db }: Sql): Transaction<Endpoint[]> {
  const found = yield* rows(db.selectFrom('webhook_endpoints').selectAll().orderBy('id'))
  return found.map((row) => ({
    id: row.id,
    uid: row.uid,
    url: row.url,
    types: row.types === null ? null : JSON.parse(row.types),
    masterKeyId: row.master_key_id,
    sealed: row.sealed,
  }))
}

/** Queues the deliveries of at most `limit` new events; only one node does so at a time. Returns the number of new events. */
export function* queueDeliveries(sql: Sql, limit: number): Transaction<number> {
  return (yield* takeLock(sql, WEBHOOK_LOCK)) ? yield* queueNew(sql, limit) : 0
}

/** The endpoints; until the transaction ends, no other one queues deliveries or adds an endpoint. */
export function* lockedEndpoints(sql: Sql): Transaction<Endpoint[]> {
  yield* awaitLock(sql, WEBHOOK_LOCK)
  return yield* endpoints(sql)
}

/**
 * Queues the deliveries of all new events to the endpoints that were there before one was added, so that the new one gets the later
 * events. Neither times nor ids tell which these are: a clock may be set back, and each server of a cluster gives ids of its own.
 */
export function* queueAllNew(sql: Sql, earlier: readonly Endpoint[]): Transaction<void> {
  if (earlier.length > 0) {
    while ((yield* queueNew(sql, WEBHOOK_BATCH, earlier)) === WEBHOOK_BATCH);
    return
  }
  const queued = sql.db.updateTable('webhook_events').set({ queued_at: yield* sql.clock() })
  yield* rows(queued.where('queued_at', 'is', null))
}

function* queueNew(sql: Sql, limit: number, earlier?: readonly Endpoint[]): Transaction<number> {
  const events = yield* rows(
    sql.db
      .selectFrom('webhook_events')
      .select(['id', 'account_id', 'type', 'at'])
      .where('queued_at', 'is', null)
      // The ids of an account's events are in their order, even if the clock was set back between them.
      .orderBy('id')
      .limit(limit),
  )
  if (events.length === 0) return 0
  const now = yield* sql.clock()
  const to = earlier ?? (yield* endpoints(sql))
  const queued = events.flatMap((event) =>
    to.filter(({ types }) => types?.includes(event.type) ?? true).map(({ id }) => delivery(id, event, now)),
  )
  for (let from = 0; from < queued.length; from += INSERTED)
    yield* insertDeliveries(sql, queued.slice(from, from + INSERTED))
  const ids = events.map(({ id }) => id)
  yield* rows(sql.db.updateTable('webhook_events').set({ queued_at: now }).where('id', 'in', ids))
  return events.length
}

/** A delivery that is due at once. */
const delivery = (
  endpointId: number,
  event: { readonly id: number; readonly account_id: number },
  now: number,
) => ({
  endpoint_id: endpointId,
  event_id: event.id,
  account_id: event.account_id,
  queued_at: now,
  next_at: now,
})

/** Skips deliveries that another transaction has queued meanwhile, so that each is sent once. */
function* insertDeliveries({ db }: Sql, deliveries: readonly ReturnType<typeof delivery>[]) {
  const insert = db.insertInto('webhook_deliveries').values(deliveries)
  yield* rows(insert.onConflict((conflict) => conflict.doNothing()))
}

/** The most rows of one statement, because SQLite and PostgreSQL bound the number of values. */
const INSERTED = 1_000

/**
 * Claims due deliveries of an endpoint for a lease, and counts a try of each. A delivery waits for the earlier ones of its
 * account only until their first few tries have failed, so that a message which is never accepted does not block the others.
 */
export function* claimDeliveries(
  sql: Sql,
  endpointId: number,
  limit: number,
): Transaction<ClaimedDelivery[]> {
  const now = yield* sql.clock()
  const due = sql.db
    .selectFrom('webhook_deliveries as d')
    .select('d.id')
    .where('d.endpoint_id', '=', endpointId)
    .where('d.next_at', '<=', now)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('webhook_deliveries as e')
            .select('e.id')
            .where('e.endpoint_id', '=', endpointId)
            .whereRef('e.account_id', '=', 'd.account_id')
            .whereRef('e.id', '<', 'd.id')
            .where('e.next_at', 'is not', null)
            .where('e.attempts', '<', WEBHOOK_HOLDING_TRIES),
        ),
      ),
    )
    .orderBy('d.next_at')
    .orderBy('d.id')
    .limit(limit)
  const claimed = yield* rows(
    sql.db
      .updateTable('webhook_deliveries')
      .set((update) => ({ attempts: update('attempts', '+', 1), next_at: now + WEBHOOK_LEASE_MS }))
      .where('id', 'in', sql.dialect === 'postgres' ? due.forUpdate('d').skipLocked() : due)
      .returning(['id', 'event_id', 'attempts']),
  )
  if (claimed.length === 0) return []
  const ids = claimed.map((delivery) => delivery.event_id)
  const events = yield* rows(sql.db.selectFrom('webhook_events').selectAll().where('id', 'in', ids))
  return claimed.flatMap(({ attempts: tries, event_id: eventId, id }) => {
    const event = events.find((one) => one.id === eventId)
    if (event === undefined) return []
    const { account_id: accountId, at, data, type } = event
    return [{ id, eventId, accountId, type, data, at, tries }]
  })
}

/** Records a try: done, to be repeated after a time, or parked once it is too old. */
export function* recordAttempt(
  sql: Sql,
  id: number,
  { isDone, retryInMs, status }: { isDone: boolean; status: number | null; retryInMs: number },
): Transaction<void> {
  const now = yield* sql.clock()
  const delivery = yield* first(
    sql.db.selectFrom('webhook_deliveries').select('queued_at').where('id', '=', id),
  )
  if (delivery === undefined) return
  const isOld = now + retryInMs - delivery.queued_at > WEBHOOK_AGE_MS
  const end = isDone ? { delivered_at: now } : isOld ? { parked_at: now } : null
  const change = end === null ? { next_at: now + retryInMs } : { ...end, next_at: null }
  yield* rows(
    sql.db
      .updateTable('webhook_deliveries')
      .set({ ...change, status })
      .where('id', '=', id),
  )
}

/**
 * Sends events again, in their order: those with these ids, or of a span of time. Returns their number. The deliveries get new
 * rows, which a try of the former row that is still in progress does not change.
 */
export function* replayEvents(
  sql: Sql,
  endpointId: number,
  which: { readonly ids: readonly number[] } | { readonly from: number; readonly to?: number },
): Transaction<number> {
  const now = yield* sql.clock()
  const condition =
    'ids' in which
      ? raw<boolean>`id IN (${raw.join([...which.ids])})`
      : raw<boolean>`at >= ${which.from} AND at < ${which.to ?? Number.MAX_SAFE_INTEGER}`
  const types = (yield* endpoints(sql)).find(({ id }) => id === endpointId)?.types ?? null
  const wanted = sql.db.selectFrom('webhook_events').select(['id', 'account_id', 'type']).where(condition)
  const found = yield* rows(wanted.orderBy('at').orderBy('id'))
  const events = found.filter(({ type }) => types?.includes(type) ?? true)
  for (let from = 0; from < events.length; from += INSERTED) {
    const some = events.slice(from, from + INSERTED)
    const ids = some.map(({ id }) => id)
    const earlier = sql.db.deleteFrom('webhook_deliveries').where('endpoint_id', '=', endpointId)
    yield* rows(earlier.where('event_id', 'in', ids))
    yield* insertDeliveries(
      sql,
      some.map((event) => delivery(endpointId, event, now)),
    )
  }
  return events.length
}

/** A delivery as operators see it. */
export interface ListedDelivery extends Omit<ClaimedDelivery, 'id'> {
  /** The status of the last reply; null: none came. */
  readonly status: number | null
  readonly nextAt: number | null
  readonly deliveredAt: number | null
  readonly parkedAt: number | null
}

export type DeliveryState = 'waiting' | 'delivered' | 'parked'

/** The column that is set in each state. */
const STATES = { waiting: 'next_at', delivered: 'delivered_at', parked: 'parked_at' } as const

/** The deliveries of an endpoint, those of the newest events first, and the event after which the next page begins; null: none. */
export function* deliveryPage(
  { db }: Sql,
  {
    before,
    endpointId,
    limit,
    state,
  }: Readonly<{
    endpointId: number
    state: DeliveryState | undefined
    /** Null: the first page. */
    before: number | null
    limit: number
  }>,
): Transaction<{ readonly items: ListedDelivery[]; readonly next: number | null }> {
  const deliveries = yield* rows(
    db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('endpoint_id', '=', endpointId)
      .$if(before !== null, (some) => some.where('event_id', '<', before!))
      .$if(state !== undefined, (some) => some.where(STATES[state!], 'is not', null))
      .orderBy('event_id', 'desc')
      .limit(limit),
  )
  if (deliveries.length === 0) return { items: [], next: null }
  const ids = deliveries.map((one) => one.event_id)
  const events = yield* rows(db.selectFrom('webhook_events').selectAll().where('id', 'in', ids))
  const byId = new Map(events.map((event) => [event.id, event]))
  const items = deliveries.flatMap((one) => {
    const event = byId.get(one.event_id)
    return event === undefined
      ? []
      : [
          {
            eventId: event.id,
            accountId: event.account_id,
            type: event.type,
            at: event.at,
            data: event.data,
            tries: one.attempts,
            status: one.status,
            nextAt: one.next_at,
            deliveredAt: one.delivered_at,
            parkedAt: one.parked_at,
          },
        ]
  })
  return { items, next: deliveries.length < limit ? null : deliveries.at(-1)!.event_id }
}
