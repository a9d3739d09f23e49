/** The event `usage.day`: the sums of each account's day, sent once by one node after the day is over. */

import { DAY_MS, dayName, MINUTE_MS } from '../base/time.ts'
import { writeWebhookEvents } from '../ledger/store/events.ts'
import { factOf, setFact } from '../ledger/store/facts.ts'
import { awaitLock, TIDY_LOCK } from '../ledger/store/locks.ts'
import { rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { Runner } from '../ledger/store/store.ts'
import { lastOpenDay, openAgain, USAGE_DAY } from './usage-sums.ts'

/** Rows that a transaction reads; on SQLite it blocks the event loop meanwhile. */
const PAGE = 2_000
/** A node that reads the rows of a day has this long before another one begins. */
const LEASE_MS = 10 * MINUTE_MS

interface Sum {
  calls: number
  credits: number
}

/** Writes the events of days that are over. The first run of a database begins with the present day. */
export async function tellUsage(store: Runner): Promise<void> {
  for (;;) {
    const day = await store.run(claimDay)
    if (day === null) return
    const sums = new Map<number, Sum>()
    for (let after: Place | null = { at: day * DAY_MS, id: '' }; after !== null; )
      after = await store.run(addPage, after, (day + 1) * DAY_MS, sums)
    await store.run(tellDay, day, sums)
  }
}

interface Place {
  readonly at: number
  readonly id: string
}

/** The value of the fact USAGE_DAY. */
interface Fact {
  readonly day: number
  readonly until: number
}

/** Null: no day is to be sent, or another node reads it. */
export function* claimDay(sql: Sql): Transaction<number | null> {
  yield* awaitLock(sql, TIDY_LOCK)
  const now = yield* sql.clock()
  const today = lastOpenDay(now)
  const fact = yield* factOf<Fact>(sql, USAGE_DAY)
  // The clock was ahead: events were written, and sums may be stored, of days that are not over.
  const wasAhead = fact !== null && fact.day > Math.floor(now / DAY_MS)
  if (wasAhead) yield* openAgain(sql, today)
  if (fact === null || wasAhead) {
    yield* setFact(sql, USAGE_DAY, { day: today, until: 0 })
    return null
  }
  if (fact.day >= today || fact.until > now) return null
  yield* setFact(sql, USAGE_DAY, { day: fact.day, until: now + LEASE_MS })
  return fact.day
}

/** Adds the rows of the next page; returns where the page after it begins; null: this was the last one. */
export function* addPage(
  { db }: Sql,
  { at, id }: Place,
  until: number,
  sums: Map<number, Sum>,
): Transaction<Place | null> {
  const page = yield* rows(
    db
      .selectFrom('audit as a')
      .leftJoin('ledger as r', (join) =>
        join
          .onRef('r.audit_id', '=', 'a.id')
          .onRef('r.account_id', '=', 'a.account_id')
          .on('r.kind', '=', 'refund'),
      )
      .select(['a.account_id as accountId', 'a.at', 'a.id', 'a.kind', 'a.status', 'a.calls', 'a.credits'])
      .select('r.amount as refunded')
      .where('a.at', '>=', at)
      .where('a.at', '<', until)
      .where((where) => where.or([where('a.at', '>', at), where('a.id', '>', id)]))
      .orderBy('a.at')
      .orderBy('a.id')
      .limit(PAGE),
  )
  for (const { accountId, calls, credits, kind, refunded, status } of page) {
    if (kind !== COMPUTED || status !== 200 || refunded !== null || accountId === null) continue
    const sum = sums.get(accountId) ?? { calls: 0, credits: 0 }
    sums.set(accountId, { calls: sum.calls + calls, credits: sum.credits + credits })
  }
  const last = page.at(-1)
  return page.length < PAGE || last === undefined ? null : { at: last.at, id: last.id }
}

const COMPUTED = 'computation'

/** Writes the events of a day; guests have none. */
export function* tellDay(sql: Sql, day: number, sums: ReadonlyMap<number, Sum>): Transaction<void> {
  yield* awaitLock(sql, TIDY_LOCK)
  if ((yield* factOf<Fact>(sql, USAGE_DAY))?.day !== day) return
  const at = yield* sql.clock()
  const date = dayName(day * DAY_MS)
  const ids = [...sums.keys()].sort((a, b) => a - b)
  for (let from = 0; from < ids.length; from += PAGE) {
    const some = ids.slice(from, from + PAGE)
    const present = sql.db.selectFrom('accounts').select('id').where('id', 'in', some)
    const registered = yield* rows(present.where('tier', '<>', 'guest').orderBy('id'))
    yield* writeWebhookEvents(
      sql,
      registered.map(({ id }) => ({
        type: 'usage.day' as const,
        accountId: id,
        at,
        data: { day: date, calls: 0, credits: 0, ...sums.get(id) },
      })),
    )
  }
  yield* setFact(sql, USAGE_DAY, { day: day + 1, until: 0 })
}
