/**
 * The versions of the plan: a version holds all values that operators have set, the others are those of the settings. How changes are
 * read, and versions printed.
 */
import { noSuchOperation, planHasChanged } from '../base/errors/operator.ts'
import type { Failure } from '../base/failure.ts'
import { plural } from '../base/text.ts'
import { isoTime } from '../base/time.ts'
import {
  itemIn,
  itemsOf,
  named,
  type Plan,
  type PlanItems,
  type Price,
  planWith,
} from '../ledger/rules/plan.ts'
import type { Limits, Tier } from '../ledger/rules/tiers.ts'
import type { Schema } from '../ledger/store/schema.ts'
import { first, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import { type AdminEvent, writeAdminEvent } from './audit-event.ts'
import { priceFrom, priceJson } from './prices.ts'

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
type PlanChange = Readonly<Record<string, PlanItems[string] | null>>

/** A value before and after a change; null: that of the settings. */
interface ItemChange {
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

/** Values to set; null: the value of the settings applies again; absent: unchanged. */
interface GivenPlan {
  readonly tiers?: Readonly<Partial<Record<Tier, Limits | null>>>
  readonly work?: Readonly<Partial<Record<Tier, number | null>>>
  readonly initial_credits?: Readonly<{ registered?: number | null; guest?: number | null }>
  readonly low_credits?: number | null
  readonly costs?: Readonly<Record<string, number | null>>
  readonly price?: { readonly amount: string; readonly currency: string } | null
}

/** @param paths of the operations. Throws Failure `invalid_input` for the cost of anything else */
export function changeOf(given: GivenPlan, paths: readonly string[]): PlanChange {
  const {
    costs = {},
    initial_credits: initialCredits = {},
    low_credits: lowCredits,
    price,
    tiers = {},
    work = {},
  } = given
  const unknown = Object.keys(costs).find((path) => !paths.includes(path))
  if (unknown !== undefined) throw noSuchOperation(unknown)
  return {
    ...(named('tiers/', tiers) as PlanChange),
    ...(named('work/', work) as PlanChange),
    ...(named('initial_credits/', initialCredits) as PlanChange),
    ...(lowCredits !== undefined && { low_credits: lowCredits }),
    ...(named('costs', costs) as PlanChange),
    ...(price !== undefined && { price: price && priceFrom(price) }),
  }
}

/** The body of the request that restores the values from before the newest version. */
export function restoring({ changes, version }: ReturnType<typeof historyJson>): Record<string, unknown> {
  const groups: Record<string, Record<string, unknown>> = {}
  const single: Record<string, unknown> = {}
  for (const { from, item } of changes) {
    const [, group = item, name] = /^(costs)(\/.+)$/.exec(item) ?? /^(\w+)\/(.+)$/.exec(item) ?? []
    if (name === undefined) single[item] = from
    else groups[group] = { ...groups[group], [name]: from }
  }
  return { version, ...groups, ...single }
}

/** The version with all values that it puts in force. */
export function planJson(version: PlanVersion, settings: Plan, paths: readonly string[]) {
  const { costs, initialCredits, lowCredits, price, tiers, work } = planWith(settings, version.set)
  return {
    ...versionJson(version),
    tiers,
    work,
    initial_credits: initialCredits,
    low_credits: lowCredits,
    costs: Object.fromEntries(paths.map((path) => [path, costs[path] ?? 1])),
    settings_costs: Object.fromEntries(
      paths.filter((path) => `costs${path}` in version.set).map((path) => [path, settings.costs[path] ?? 1]),
    ),
    price: priceJson(price),
    set: Object.keys(version.set).sort(),
  }
}

const versionJson = ({ actor, at, note, version }: PlanVersion) => ({
  version,
  made_at: isoTime(at),
  made_by: actor,
  note,
})

export const historyJson = (version: PlanVersion & { readonly changes: readonly ItemChange[] }) => ({
  ...versionJson(version),
  changes: version.changes.map(({ from, item, to }) => ({ item, from: valueJson(from), to: valueJson(to) })),
})

const isPrice = (value: object): value is Price => 'currency' in value

const valueJson = (value: ItemChange['from']) =>
  typeof value === 'object' && value !== null && isPrice(value) ? priceJson(value) : value

/** The plan as lines for a person. A star marks the values that operators have set. */
export function planText(plan: ReturnType<typeof planJson>): string {
  const { costs, initial_credits: initialCredits, low_credits: lowCredits, price, set, tiers, work } = plan
  const items = Object.entries({
    ...itemsOf({ tiers, work, initialCredits, lowCredits, costs, price: null }),
    ...(price !== null && { price }),
  })
  const lines = items.map(
    ([name, value]) => `${set.includes(name) ? '*' : ' '} ${padded(name)} ${inWords(name, value)}`,
  )
  return [headOf(plan), ...lines].join('\n')
}

export const historyText = (versions: readonly ReturnType<typeof historyJson>[]): string =>
  versions
    .flatMap((one) => [
      headOf(one),
      ...one.changes.map(
        ({ from, item, to }) => `  ${padded(item)} ${inWords(item, from)} → ${inWords(item, to)}`,
      ),
    ])
    .join('\n')

const padded = (item: string): string => item.padEnd(58)

const headOf = ({ made_at: at, made_by: by, note, version }: ReturnType<typeof versionJson>): string =>
  version === 0
    ? 'The plan of the settings; no version was made.'
    : `Version ${version}, made ${at} by ${by}${note === null ? '' : `: ${note}`}`

const inWords = (item: string, value: Limits | number | ReturnType<typeof priceJson>): string =>
  value === null
    ? item === 'price'
      ? 'none'
      : 'settings'
    : typeof value === 'number'
      ? item.startsWith('work/')
        ? `${plural(value, 'processor second')} an hour`
        : plural(value, 'credit')
      : 'currency' in value
        ? `${value.amount} ${value.currency} a credit`
        : `${value.hour} an hour${value.day === null ? '' : `, ${value.day} a day`}`
