/** The plan: the limits of account types, the costs of operations, and the credits that accounts begin with. */
import type { Limits, Tiers, Work } from './tiers.ts'

/** Credits that a new account and a new guest key get. */
export interface InitialCredits {
  readonly registered: number
  readonly guest: number
}

/** The price of a credit. */
export interface Price {
  /** In millionths of the currency's unit. */
  readonly amount: number
  /** By ISO 4217. */
  readonly currency: string
}

export interface Plan {
  readonly tiers: Tiers
  /** Processor seconds an hour by account type. */
  readonly work: Work
  readonly initialCredits: InitialCredits
  /** The threshold of the event `credits.low`; 0: none. */
  readonly lowCredits: number
  /** Credits for each second that the estimate of a call begins, by operation path; absent: 1. */
  readonly costs: Readonly<Record<string, number>>
  /** Null: statements have no amounts. */
  readonly price: Price | null
}

/** The part of a plan that the ledger decides by. */
export type LedgerPlan = Pick<Plan, 'tiers' | 'work' | 'lowCredits'>

/** The values of a plan by their names: `tiers/pro`, `work/pro`, `costs/quantlib/…`, `initial_credits/guest`, `low_credits`, `price`. */
export type PlanItems = Readonly<Record<string, Limits | number | Price>>

export const itemsOf = ({ costs, initialCredits, lowCredits, price, tiers, work }: Plan): PlanItems => ({
  ...named('tiers/', tiers),
  ...named('work/', work),
  ...named('initial_credits/', initialCredits),
  low_credits: lowCredits,
  ...named('costs', costs),
  ...(price !== null && { price }),
})

/** The plan of the settings, in which the values that operators have set replace those of the settings. */
export function planWith(settings: Plan, set: PlanItems): Plan {
  const items = { ...itemsOf(settings), ...set }
  return Object.freeze({
    tiers: valuesOf<Tiers>(items, 'tiers/'),
    work: valuesOf<Work>(items, 'work/'),
    initialCredits: valuesOf<InitialCredits>(items, 'initial_credits/'),
    lowCredits: items.low_credits as number,
    costs: valuesOf<Plan['costs']>(items, 'costs'),
    price: priceOf(items),
  })
}

/** The price that the values of a plan hold; null: none. */
export const priceOf = (items: PlanItems): Price | null => (items.price as Price | undefined) ?? null

/** A value of a plan; an operation costs 1 unless its cost is set, and credits have no price. */
export const itemIn = (items: PlanItems, name: string): PlanItems[string] | null =>
  items[name] ?? (name === 'price' ? null : 1)

export const named = (prefix: string, values: object): PlanItems =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [prefix + name, value]))

const valuesOf = <Values>(items: PlanItems, prefix: string): Values =>
  Object.freeze(
    Object.fromEntries(
      Object.entries(items)
        .filter(([name]) => name.startsWith(prefix))
        .map(([name, value]) => [name.slice(prefix.length), value]),
    ),
  ) as Values
