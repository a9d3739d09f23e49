/** The plan and its versions as lines for a person. */
import { itemsOf, type Plan } from '../ledger/plan.ts'
import type { Limits } from '../ledger/tiers.ts'

interface ShownVersion {
  readonly version: number
  readonly made_at: string | null
  readonly made_by: string | null
  readonly note: string | null
}
type Value = Limits | number | null

/** A star marks the values that operators have set. */
export function planText(
  plan: ShownVersion &
    Pick<Plan, 'tiers' | 'costs'> & {
      readonly initial_credits: Plan['initialCredits']
      readonly low_credits: number
      readonly set: readonly string[]
    },
): string {
  const { costs, initial_credits: initialCredits, low_credits: lowCredits, set, tiers } = plan
  const items = Object.entries(itemsOf({ tiers, initialCredits, lowCredits, costs }))
  const lines = items.map(
    ([name, value]) => `${set.includes(name) ? '*' : ' '} ${named(name)} ${inWords(value)}`,
  )
  return [headOf(plan), ...lines].join('\n')
}

export const historyText = (
  versions: readonly (ShownVersion & {
    readonly changes: readonly { readonly item: string; readonly from: Value; readonly to: Value }[]
  })[],
): string =>
  versions
    .flatMap((one) => [
      headOf(one),
      ...one.changes.map(({ from, item, to }) => `  ${named(item)} ${inWords(from)} → ${inWords(to)}`),
    ])
    .join('\n')

const named = (item: string): string => item.padEnd(58)

const headOf = ({ made_at: at, made_by: by, note, version }: ShownVersion): string =>
  version === 0
    ? 'The plan of the settings; no version was made.'
    : `Version ${version}, made ${at} by ${by}${note === null ? '' : `: ${note}`}`

const inWords = (value: Value): string =>
  value === null
    ? 'settings'
    : typeof value === 'number'
      ? `${value} credits`
      : `${value.hour} an hour${value.day === null ? '' : `, ${value.day} a day`}`
