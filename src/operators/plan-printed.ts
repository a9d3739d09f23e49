/** The plan as it is printed, with the names of the HTTP interface and as lines for a person, and how changes of it are read. */
import { noSuchOperation } from '../base/errors/operator.ts'
import { plural } from '../base/text.ts'
import { isoTime } from '../base/time.ts'
import { itemsOf, named, type Plan, planWith } from '../ledger/rules/plan.ts'
import type { Limits, Tier } from '../ledger/rules/tiers.ts'
import type { ItemChange, PlanChange, PlanVersion } from './plans.ts'

/** Values to set; null: the value of the settings applies again; absent: unchanged. */
interface GivenPlan {
  readonly tiers?: Readonly<Partial<Record<Tier, Limits | null>>>
  readonly work?: Readonly<Partial<Record<Tier, number | null>>>
  readonly initial_credits?: Readonly<{ registered?: number | null; guest?: number | null }>
  readonly low_credits?: number | null
  readonly costs?: Readonly<Record<string, number | null>>
}

/** @param paths of the operations. Throws Failure `invalid_input` for the cost of anything else */
export function changeOf(given: GivenPlan, paths: readonly string[]): PlanChange {
  const {
    costs = {},
    initial_credits: initialCredits = {},
    low_credits: lowCredits,
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
  }
}

/** The version with all values that it puts in force. */
export function planJson(version: PlanVersion, settings: Plan, paths: readonly string[]) {
  const { costs, initialCredits, lowCredits, tiers, work } = planWith(settings, version.set)
  return {
    ...versionJson(version),
    tiers,
    work,
    initial_credits: initialCredits,
    low_credits: lowCredits,
    costs: Object.fromEntries(paths.map((path) => [path, costs[path] ?? 1])),
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
  changes: version.changes,
})

/** The plan as lines for a person. A star marks the values that operators have set. */
export function planText(plan: ReturnType<typeof planJson>): string {
  const { costs, initial_credits: initialCredits, low_credits: lowCredits, set, tiers, work } = plan
  const items = Object.entries(itemsOf({ tiers, work, initialCredits, lowCredits, costs }))
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

const inWords = (item: string, value: Limits | number | null): string =>
  value === null
    ? 'settings'
    : typeof value === 'number'
      ? item.startsWith('work/')
        ? `${plural(value, 'processor second')} an hour`
        : plural(value, 'credit')
      : `${value.hour} an hour${value.day === null ? '' : `, ${value.day} a day`}`
