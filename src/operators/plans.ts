/** The versions of the plan. A version holds all values that operators have set; the others are those of the settings. */
import { planHasChanged } from '../base/errors/operator.ts'
import type { Failure } from '../base/failure.ts'
import { itemIn, itemsOf, type Plan, type PlanItems, planWith } from '../ledger/rules/plan.ts'
import type { Schema } from '../ledger/store/schema.ts'
import { first, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import { type AdminEvent, writeAdminEvent } from './audit-event.ts'

export interface PlanVersion {
  /** 0: operators have set nothing, and the settings are in force. */
  readonly version: number
  readonly at: number | null
  readonly actor: string | null
  readonly note: string | null
  readonly set: PlanItems
}

export const NO_VERSION: PlanVersion = { version: 0, at: null, actor: null, note: null, set: {} }

/** Values by name; null: the value of the settings applies again. */
export type PlanChange = Readonly<Record<string, PlanItems[string] | null>>

/** A value before and after a change; null: that of the settings. */
export interface ItemChange {
  readonly item: string
  readonly from: PlanItems[string] | null
  readonly to: PlanItems[string] | null
}

export function* newestPlan({ db }: Sql): Transaction<PlanVersion> {
  const row = yield* first(db.selectFrom('plans').selectAll().orderBy('version', 'desc').limit(1))
  return row === undefined ? NO_VERSION : versionOf(row)
}

/** The versions before a given one, the newest first, each with its changes. */
export function* planHistory(
  { db }: Sql,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Transaction<(PlanVersion & { readonly changes: readonly ItemChange[] })[]> {
  const query = db.selectFrom('plans').selectAll().orderBy('version', 'desc')
  const found = yield* rows((before === null ? query : query.where('version', '<', before)).limit(limit + 1))
  const versions = found.map(versionOf)
  return versions
    .slice(0, limit)
    .map((one, index) => ({ ...one, changes: itemChanges((versions[index + 1] ?? NO_VERSION).set, one.set) }))
}

/** Adds a version, if the newest is the one that the change is based on. */
export function* changePlan(
  sql: Sql,
  {
    basedOn,
    change,
    event,
    note,
    settings,
  }: {
    readonly basedOn: number
    readonly change: PlanChange
    readonly note: string | null
    readonly settings: Plan
    readonly event: AdminEvent
  },
): Transaction<{ readonly isChanged: boolean; readonly newest: PlanVersion } | Failure> {
  const before = yield* newestPlan(sql)
  if (before.version !== basedOn) return conflict(before, basedOn)
  const merged = Object.entries({ ...before.set, ...change }).filter(([, value]) => value !== null)
  const set = Object.fromEntries(merged) as PlanItems
  const changes = itemChanges(before.set, set)
  if (changes.length === 0) return { isChanged: false, newest: before }
  const at = yield* sql.clock()
  const version = basedOn + 1
  const added = yield* first(
    sql.db
      .insertInto('plans')
      .values({ version, at, actor: event.actor, note, items: JSON.stringify(set) })
      // Of two changes that are based on one version, the second conflicts.
      .onConflict((conflict) => conflict.column('version').doNothing())
      .returningAll(),
  )
  if (added === undefined) return conflict(yield* newestPlan(sql), basedOn)
  const [from, to] = [before.set, set].map((items) => itemsOf(planWith(settings, items)))
  yield* writeAdminEvent(sql, event, 'plan_changed', {
    facts: {
      version,
      ...(note !== null && { note }),
      changes: changes.map(({ item }) => ({ item, from: itemIn(from!, item), to: itemIn(to!, item) })),
    },
  })
  return { isChanged: true, newest: versionOf(added) }
}

export const conflict = ({ actor, version }: PlanVersion, basedOn: number): Failure =>
  planHasChanged(version, actor, basedOn)

function itemChanges(from: PlanItems, to: PlanItems): ItemChange[] {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort()
  return names
    .map((item) => ({ item, from: from[item] ?? null, to: to[item] ?? null }))
    .filter((one) => JSON.stringify(one.from) !== JSON.stringify(one.to))
}

const versionOf = ({ items, ...own }: Schema['plans']): PlanVersion => ({ ...own, set: JSON.parse(items) })
