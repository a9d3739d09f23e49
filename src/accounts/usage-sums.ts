/**
 * Usage by day and path: sums of past days are stored after they were read, those of the present day are computed from its rows.
 * The event of each past day is computed from its rows, as they then are: refunded calls are left out.
 */
import { sql as raw } from 'kysely'
import { DAY_MS, dayName, HOUR_MS, MINUTE_MS } from '../base/time.ts'
import { COMPUTATION } from '../ledger/store/audit.ts'
import { writeWebhookEvents } from '../ledger/store/events.ts'
import { factOf, setFact } from '../ledger/store/facts.ts'
import { awaitLock, TIDY_LOCK } from '../ledger/store/locks.ts'
import { first, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { Runner } from '../ledger/store/store.ts'
import { withGuests } from './usage-pages.ts'

/** Calls of one path on one day (days since 1970); the calls of a batch are counted by their own paths. */
export interface UsageSum {
  readonly day: number
  readonly path: string
  /** The lineage of the team key that made the calls; 0: the account's own key. */
  readonly teamKeyId: number
  readonly calls: number
  readonly credits: number
}

/** The time after midnight by which the last rows of the day before are written. */
export const SETTLED_MS = HOUR_MS
const ROWS_A_STATEMENT = 1_000

/** Sums of days that are over, and not stored yet. */
export interface OverdueSums {
  readonly accountId: number
  /** The first of the days. */
  readonly from: number
  /** The day after the last of them. */
  readonly until: number
  readonly sums: readonly UsageSum[]
}

/** Sums that were read, and those of them that `keepSums` is to store. */
export interface ReadSums {
  readonly sums: readonly UsageSum[]
  readonly overdue: readonly OverdueSums[]
}

/** Computations of an account and of the guests it took over; a day and path may occur more than once. */
export function* usageSums(sql: Sql, accountId: number): Transaction<ReadSums> {
  const today = yield* firstOpenDay(sql)
  const found: ReadSums[] = []
  for (const id of yield* withGuests(sql, accountId)) found.push(yield* sumsOf(sql, id, today))
  return { sums: found.flatMap(({ sums }) => sums), overdue: found.flatMap(({ overdue }) => overdue) }
}

/** The computations of an account alone. */
function* sumsOf(sql: Sql, accountId: number, today: number): Transaction<ReadSums> {
  const from = yield* openSince(sql, accountId)
  const closed = yield* closedDays(sql, accountId, from)
  const open = yield* sumRows(sql, accountId, from)
  const over = open.filter(({ day }) => day < today)
  return {
    sums: [...closed, ...open],
    overdue: from >= today ? [] : [{ accountId, from, until: today, sums: merged(over) }],
  }
}

/** Computations of the account itself from a day to before another, by path and key. */
export function* usageOfDays(
  sql: Sql,
  {
    accountId,
    fromDay,
    untilDay,
  }: { readonly accountId: number; readonly fromDay: number; readonly untilDay: number },
): Transaction<ReadSums> {
  const { overdue, sums } = yield* sumsOf(sql, accountId, yield* firstOpenDay(sql))
  const found = sums.filter(({ day }) => day >= fromDay && day < untilDay)
  return { sums: merged(found.map((sum) => ({ ...sum, day: fromDay }))), overdue }
}

/** Credits that a lineage was charged, less refunds, for calls since the start of a day. */
export function* spentSince(
  sql: Sql,
  {
    accountId,
    from,
    teamKeyId,
  }: { readonly accountId: number; readonly from: number; readonly teamKeyId: number },
): Transaction<number> {
  const { sums } = yield* sumsOf(sql, accountId, yield* firstOpenDay(sql))
  const refunds = yield* rows(
    sql.db
      .selectFrom('ledger')
      .innerJoin('audit', 'audit.id', 'ledger.audit_id')
      .select('ledger.amount')
      .where('ledger.account_id', '=', accountId)
      .where('ledger.team_key_id', '=', teamKeyId)
      .where('audit.account_id', '=', accountId)
      .where('audit.at', '>=', from),
  )
  const charged = sums.filter((sum) => sum.teamKeyId === teamKeyId && sum.day * DAY_MS >= from)
  const total = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)
  return total(charged.map(({ credits }) => credits)) - total(refunds.map(({ amount }) => amount))
}

/** The day (since 1970) whose rows may still be written; those before it are final. */
const lastOpenDay = (now: number): number => Math.floor((now - SETTLED_MS) / DAY_MS)

/** A fact of the clean-up: the first day whose events were not written, and the end of a node's lease on it. */
const USAGE_DAY = 'usage day'

/** The first day whose sums may not be stored: where the clock was ahead, the clean-up opens the days again. */
function* firstOpenDay(sql: Sql): Transaction<number> {
  const fact = yield* factOf<{ readonly day: number }>(sql, USAGE_DAY)
  return Math.min(fact?.day ?? 0, lastOpenDay(yield* sql.clock()))
}

/** Deletes the stored sums of this day and later ones, of all accounts, because rows of these days are still to come. */
function* openAgain({ db }: Sql, day: number): Transaction<void> {
  yield* rows(db.updateTable('usage_closed').set({ until_day: day }).where('until_day', '>', day))
}

/** The first day whose sums are not stored; 0: none are. */
function* openSince({ db }: Sql, accountId: number): Transaction<number> {
  const closed = yield* first(
    db.selectFrom('usage_closed').select('until_day').where('account_id', '=', accountId),
  )
  return Number(closed?.until_day ?? 0)
}

/** Stores the sums of days that are over, unless another read has stored them, or the days were opened again. */
export function* keepSums(sql: Sql, overdue: readonly OverdueSums[]): Transaction<void> {
  const ids = overdue.map(({ accountId }) => accountId)
  yield* sql.lock(ids)
  const today = yield* firstOpenDay(sql)
  const found = yield* rows(sql.db.selectFrom('accounts').select('id').where('id', 'in', ids))
  const present = new Set(found.map(({ id }) => id))
  for (const { accountId, from, sums, until } of overdue)
    if (present.has(accountId) && until <= today && (yield* openSince(sql, accountId)) === from)
      yield* storeSums(sql, accountId, until, sums)
}

function* storeSums(
  { db }: Sql,
  accountId: number,
  until: number,
  sums: readonly UsageSum[],
): Transaction<void> {
  for (let start = 0; start < sums.length; start += ROWS_A_STATEMENT)
    yield* rows(
      db
        .insertInto('usage_days')
        .values(
          sums
            .slice(start, start + ROWS_A_STATEMENT)
            .map(({ teamKeyId, ...sum }) => ({ account_id: accountId, team_key_id: teamKeyId, ...sum })),
        )
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'day', 'path', 'team_key_id']).doUpdateSet((update) => ({
            calls: update.ref('excluded.calls'),
            credits: update.ref('excluded.credits'),
          })),
        ),
    )
  yield* rows(
    db
      .insertInto('usage_closed')
      .values({ account_id: accountId, until_day: until })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ until_day: until })),
  )
}

const closedDays = ({ db }: Sql, accountId: number, openFrom: number) =>
  rows(
    db
      .selectFrom('usage_days')
      .select(['day', 'path', 'team_key_id as teamKeyId', 'calls', 'credits'])
      .where('account_id', '=', accountId)
      .where('day', '<', openFrom),
  )

/** Sums from the start of a day to now. */
function* sumRows(sql: Sql, accountId: number, fromDay: number): Transaction<UsageSum[]> {
  const lineages = yield* lineageOfKeys(sql, accountId)
  const of = sql.db
    .selectFrom('audit')
    .select([
      raw<number>`at / ${raw.lit(DAY_MS)}`.as('day'),
      'path',
      'detail as parts',
      'key_id as keyId',
      raw<number>`cast(count(*) as bigint)`.as('rows'),
      raw<number>`cast(sum(calls) as bigint)`.as('calls'),
      raw<number>`cast(sum(credits) as bigint)`.as('credits'),
    ])
    .where('account_id', '=', accountId)
    .where('kind', '=', COMPUTATION)
    .where('at', '>=', fromDay * DAY_MS)
    // Rows that were not charged are summed apart: the parts of their batches state credits that were not charged.
    .groupBy(['day', 'path', 'detail', 'key_id', raw`case when credits > 0 then 1 else 0 end`])
  const found = yield* rows(of)
  return found.flatMap(({ keyId, ...sum }) => byPath({ ...sum, teamKeyId: lineages.get(keyId ?? 0) ?? 0 }))
}

/** The lineages of the account's team keys, by the ids of the keys. */
function* lineageOfKeys({ db }: Sql, accountId: number): Transaction<Map<number, number>> {
  const keys = yield* rows(
    db
      .selectFrom('api_keys')
      .select(['id', 'team_key_id'])
      .where('account_id', '=', accountId)
      .where('team_key_id', 'is not', null),
  )
  return new Map(keys.map(({ id, team_key_id }) => [id, team_key_id!]))
}

/** Counts a batch by the paths of its calls. */
function byPath(sum: UsageSum & { readonly parts: string | null; readonly rows: number }): UsageSum[] {
  const { calls, credits, day, parts, path, rows, teamKeyId } = sum
  if (parts === null) return [{ day, path, teamKeyId, calls, credits }]
  const each = JSON.parse(parts) as { path: string; calls: number; credits: number }[]
  return each.map((part) => ({
    day,
    path: part.path,
    teamKeyId,
    calls: part.calls * rows,
    credits: credits === 0 ? 0 : part.credits * rows,
  }))
}

function merged(sums: readonly UsageSum[]): UsageSum[] {
  const byName = new Map<string, UsageSum>()
  for (const sum of sums) {
    const name = `${sum.day} ${sum.path} ${sum.teamKeyId}`
    const before = byName.get(name) ?? { calls: 0, credits: 0 }
    byName.set(name, { ...sum, calls: before.calls + sum.calls, credits: before.credits + sum.credits })
  }
  return [...byName.values()]
}

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
