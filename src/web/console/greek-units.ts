/** The units of prices and Greeks. A choice of a unit is stored in this browser and holds on all pages. */
import { labelOf } from './labels.ts'
import { observable } from './observable.ts'
import type { Quantity, Values } from './operation.ts'

const STORED = 'quantd-units'

/** The first option of each choice is the unit of the service, whose numbers are divided by the `divisor` of the others. */
interface Unit {
  readonly unit: string
  readonly divisor: number
}
interface UnitChoice {
  readonly label: string
  readonly options: Readonly<Record<string, Unit>>
}

export const choices: Readonly<Record<string, UnitChoice>> = {
  volatility: {
    label: 'Vega and rho',
    options: { one: { unit: 'per 1.00', divisor: 1 }, point: { unit: 'per point', divisor: 100 } },
  },
  time: {
    label: 'Theta',
    options: { year: { unit: 'per year', divisor: 1 }, day: { unit: 'per calendar day', divisor: 365 } },
  },
}

const choiceOf: Readonly<Record<string, string>> = {
  vega: 'volatility',
  d_sigma: 'volatility',
  rho: 'volatility',
  dividend_rho: 'volatility',
  theta: 'time',
  vanna: 'volatility',
  zomma: 'volatility',
  charm: 'time',
  color: 'time',
}

const CURRENCY = 'in currency'
const fixed: Readonly<Record<string, string>> = {
  price: CURRENCY,
  vg_call_price: CURRENCY,
  european_price: CURRENCY,
  early_exercise_premium: CURRENCY,
  delta: 'per 1 of the underlying',
  gamma: 'per 1 of the underlying',
  speed: 'per 1 of the underlying',
  volga: 'per 1.00',
  d_theta_vg: 'per 1.00',
  d_nu: 'per 1.00',
  implied_volatility: 'per year, as a decimal',
  sigma: 'per year, as a decimal',
  theta_vg: 'per year',
  nu: 'in years',
  rmse: 'in currency',
}

const { notify, useChanges } = observable()
const chosen = stored()

/** The name of the chosen option for each choice. */
export const unitsChosen = () => chosen

export function chooseUnit(choice: string, option: string): void {
  chosen[choice] = option
  try {
    localStorage.setItem(STORED, JSON.stringify(chosen))
  } catch {
    // The browser forbids storage: the choice holds until the page is left.
  }
  notify()
}

/** Renders the view again when a unit is chosen; returns a text that differs for each choice. */
export function useUnits() {
  useChanges()
  return Object.values(chosen).join(' ')
}

/** The choices that these outputs depend on. */
export const choicesFor = (names: readonly string[]): string[] => [
  ...new Set(names.map((name) => choiceOf[name]).filter((choice) => choice !== undefined)),
]

/** The unit of an output in words; '' if it has none. */
export const unitOf = (name: string): string => optionOf(name)?.unit ?? fixed[name] ?? ''

/** Converts a number of the service to the chosen unit. */
export const inUnit = <Value>(name: string, value: Value): Value | number => {
  const { divisor = 1 } = optionOf(name) ?? {}
  return divisor === 1 || typeof value !== 'number' ? value : value / divisor
}

/** A label with its unit, such as `Theta, per year`. `isShort`: only a unit with a choice is named. */
export function labelWithUnit(
  name: string,
  { isShort = false }: { readonly isShort?: boolean } = {},
): string {
  const unit = isShort ? (optionOf(name)?.unit ?? '') : unitOf(name)
  return unit === '' ? labelOf(name) : `${labelOf(name)}, ${unit}`
}

/** An output as a number of a headline. */
export const quantity = (name: string, value: number, label = labelOf(name)): Quantity => ({
  name,
  label,
  value: inUnit(name, value),
  unit: unitOf(name),
})

/** The Greeks of two differentiations and more. */
export const higherGreeks: readonly string[] = ['vanna', 'volga', 'charm', 'speed', 'zomma', 'color']

/** The outputs with these names that the data has, as numbers of a headline. */
export const quantities = (names: readonly string[], data: object): Quantity[] =>
  names.flatMap((name) => {
    const value = (data as Values)[name]
    return value === undefined ? [] : [quantity(name, value as number)]
  })

const optionOf = (name: string): Unit | undefined =>
  Object.hasOwn(choiceOf, name) ? choices[choiceOf[name]].options[chosen[choiceOf[name]]] : undefined

function stored(): Record<string, string> {
  let saved: Record<string, string> | null = null
  try {
    saved = JSON.parse(globalThis.localStorage?.getItem(STORED) ?? 'null')
  } catch {
    // The browser forbids storage, or the stored text is not JSON: the units of the service hold.
  }
  return Object.fromEntries(
    Object.entries(choices).map(([choice, { options }]) => {
      const [first] = Object.keys(options)
      const kept = saved?.[choice]
      return [choice, kept !== undefined && Object.hasOwn(options, kept) ? kept : first]
    }),
  )
}
