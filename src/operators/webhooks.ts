/** Endpoints of webhooks: they are created, listed, tested and deleted, and events are sent to them again. */
import { noEventId, noSuchEndpoint, unusableEndpoint } from '../base/errors/operator.ts'
import type { Failure } from '../base/failure.ts'
import { uuidv7 } from '../base/ids.ts'
import { first, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { Runner } from '../ledger/store/store.ts'
import type { Vault } from '../secrets/vault.ts'
import { type AdminEvent, writeAdminEvent } from './audit-event.ts'
import { endpoints, lockedEndpoints, queueAllNew, replayEvents } from './webhooks/deliveries.ts'
import { faultOf } from './webhooks/post.ts'
import { newSigningKeys, receiverKeys, send } from './webhooks/sender.ts'

interface EndpointGiven {
  readonly url: string
  /** Absent: all types. */
  readonly types?: readonly string[] | undefined
}

/** A new endpoint, and the keys for its receiver. Throws Failure if the URL is invalid. */
export function newEndpoint(
  { vault, webhookPrivate }: { readonly vault: Pick<Vault, 'seal'>; readonly webhookPrivate: boolean },
  { types, url }: EndpointGiven,
) {
  const fault = faultOf(url, { allowPrivate: webhookPrivate })
  if (fault !== null) throw unusableEndpoint(url, fault)
  const keys = newSigningKeys()
  const uid = uuidv7()
  return {
    stored: { url, types: types ?? null, uid, ...vault.seal('webhook', keys, [uid]) },
    keys: receiverKeys(keys),
  }
}

/** Sends a message of the type `test`. Returns the status of the reply; null: none came. Throws Failure `not_found`. */
export async function testEndpoint(
  parts: { readonly store: Runner; readonly vault: Pick<Vault, 'open'>; readonly webhookPrivate: boolean },
  id: number,
): Promise<number | null> {
  const endpoint = (await parts.store.run(endpoints)).find((one) => one.id === id)
  if (endpoint === undefined) throw noSuchEndpoint(id)
  const message = { eventId: 0, accountId: 0, type: 'test', data: '{}', at: Date.now() }
  return await send({ vault: parts.vault, post: { allowPrivate: parts.webhookPrivate } }, endpoint, message)
}

/** The numbers of events by their ids, such as `evt_17_1767225600000` or `17`. Throws Failure. */
export const numbersOf = (ids: readonly string[]): number[] =>
  ids.map((id) => {
    const number = Number(/^(?:evt_)?(\d{1,16})(?:_\d+)?$/.exec(id)?.[1])
    if (!Number.isSafeInteger(number)) throw noEventId(id)
    return number
  })

export function* addEndpoint(
  sql: Sql,
  endpoint: ReturnType<typeof newEndpoint>['stored'] & { readonly event: AdminEvent },
): Transaction<number> {
  const { event, masterKeyId, sealed, types, uid, url } = endpoint
  const earlier = yield* lockedEndpoints(sql)
  const now = yield* sql.clock()
  const inserted = yield* first(
    sql.db
      .insertInto('webhook_endpoints')
      .values({
        uid,
        url,
        types: types === null ? null : JSON.stringify(types),
        created_at: now,
        master_key_id: masterKeyId,
        sealed,
      })
      .returning('id'),
  )
  // After the insertion: Citus refuses a change of a table that each server has after a statement over all shards.
  yield* queueAllNew(sql, earlier)
  yield* writeAdminEvent(sql, event, 'webhook_created', {
    facts: { webhook: inserted!.id, host: hostOf(url), types },
  })
  return inserted!.id
}

/** All of an address that the audit tells to every operator: its path may be a secret that the receiver checks. */
const hostOf = (url: string): string => new URL(url).host

/** The endpoints, with the deliveries that wait for each. */
export function* listEndpoints({ db }: Sql) {
  const found = yield* rows(
    db
      .selectFrom('webhook_endpoints as w')
      .leftJoin('webhook_deliveries as d', (join) =>
        join.onRef('d.endpoint_id', '=', 'w.id').on('d.delivered_at', 'is', null),
      )
      .select(['w.id', 'w.url', 'w.types'])
      .select(({ fn }) => [
        fn.count<number>('d.next_at').as('waiting'),
        fn.count<number>('d.parked_at').as('parked'),
      ])
      .groupBy(['w.id', 'w.url', 'w.types'])
      .orderBy('w.id'),
  )
  return found.map(({ id, parked, types, url, waiting }) => ({
    id,
    url,
    waiting: Number(waiting),
    parked: Number(parked),
    types: types === null ? null : (JSON.parse(types) as string[]),
  }))
}

export function* deleteEndpoint(
  sql: Sql,
  { event, id }: { readonly id: number; readonly event: AdminEvent },
): Transaction<Failure | null> {
  const deleted = yield* first(sql.db.deleteFrom('webhook_endpoints').where('id', '=', id).returning('url'))
  if (deleted === undefined) return noSuchEndpoint(id)
  yield* writeAdminEvent(sql, event, 'webhook_deleted', { facts: { webhook: id, host: hostOf(deleted.url) } })
  return null
}

/** Queues events for an endpoint again; returns their number. */
export function* replay(
  sql: Sql,
  { event, id, which }: { id: number; which: Parameters<typeof replayEvents>[2]; event: AdminEvent },
): Transaction<number | Failure> {
  const endpoint = sql.db.selectFrom('webhook_endpoints').select('id').where('id', '=', id)
  if ((yield* first(endpoint)) === undefined) return noSuchEndpoint(id)
  const events = yield* replayEvents(sql, id, which)
  yield* writeAdminEvent(sql, event, 'webhook_replayed', { facts: { webhook: id, events, ...which } })
  return events
}
