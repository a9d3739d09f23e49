/** The plan as the command line and the interface over HTTP print it and take changes of it. */

import { noSuchOperation } from '../errors/operator.ts'
import { named, type Plan, planWith } from '../ledger/plan.ts'
import type { Limits, Tier } from '../ledger/tiers.ts'
import { isoTime } from '../time.ts'
import type { ItemChange, PlanChange, PlanVersion } from './plans.ts'

/** Values to be set; null: that of the settings again; absent: unchanged. */
interface GivenPlan {
  readonly tiers?: Readonly<Partial<Record<Tier, Limits | null>>>
  readonly initial_credits?: Readonly<{ registered?: number | null; guest?: number | null }>
  readonly low_credits?: number | null
  readonly costs?: Readonly<Record<string, number | null>>
}

/** @param paths of the operations. Throws Failure `invalid_input` for the cost of anything else */
export function changeOf(given: GivenPlan, paths: readonly string[]): PlanChange {
  const { costs = {}, initial_credits: initialCredits = {}, low_credits: lowCredits, tiers = {} } = given
  const unknown = Object.keys(costs).find((path) => !paths.includes(path))
  if (unknown !== undefined) throw noSuchOperation(unknown)
  return {
    ...(named('tiers/', tiers) as PlanChange),
    ...(named('initial_credits/', initialCredits) as PlanChange),
    ...(lowCredits !== undefined && { low_credits: lowCredits }),
    ...(named('costs', costs) as PlanChange),
  }
}

/** The version with all values that are in force by it. */
export function planJson(version: PlanVersion, settings: Plan, paths: readonly string[]) {
  const { costs, initialCredits, lowCredits, tiers } = planWith(settings, version.set)
  return {
    ...versionJson(version),
    tiers,
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
