/** The units of prices and Greeks. A choice of a unit is stored in this browser and holds on all pages. */
// @ts-nocheck: to be converted
import { labelOf } from './labels.ts'
import { observable } from './observable.ts'

const STORED = 'quantd-units'

/** The first option of each choice is the unit of the service, whose numbers are divided by the `divisor` of the others. */
export const choices = {
  volatility: {
    label: 'Vega and rho',
    options: { one: { unit: 'per 1.00', divisor: 1 }, point: { unit: 'per point', divisor: 100 } },
  },
  time: {
    label: 'Theta',
    options: { year: { unit: 'per year', divisor: 1 }, day: { unit: 'per calendar day', divisor: 365 } },
  },
}

const choiceOf = { vega: 'volatility', d_sigma: 'volatility', rho: 'volatility', theta: 'time' }

const CURRENCY = 'in currency'
const fixed = {
  price: CURRENCY,
  vg_call_price: CURRENCY,
  european_price: CURRENCY,
  early_exercise_premium: CURRENCY,
  delta: 'per 1 of the underlying',
  gamma: 'per 1 of the underlying',
  d_theta_vg: 'per 1.00',
  d_nu: 'per 1.00',
  implied_volatility: 'per year, as a decimal',
}

const { notify, useChanges } = observable()
const chosen = stored()

/** The name of the chosen option for each choice. */
export const unitsChosen = () => chosen

export function chooseUnit(choice, option) {
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
export const choicesFor = (names) => [
  ...new Set(names.map((name) => choiceOf[name]).filter((choice) => choice !== undefined)),
]

/** The unit of an output in words; '' if it has none. */
export const unitOf = (name) => optionOf(name)?.unit ?? fixed[name] ?? ''

/** Converts a number of the service to the chosen unit. */
export const inUnit = (name, value) => {
  const { divisor = 1 } = optionOf(name) ?? {}
  return divisor === 1 || typeof value !== 'number' ? value : value / divisor
}

/** A label with its unit, such as `Theta, per year`. `isShort`: only a unit with a choice is named. */
export function labelWithUnit(name, { isShort = false } = {}) {
  const unit = isShort ? (optionOf(name)?.unit ?? '') : unitOf(name)
  return unit === '' ? labelOf(name) : `${labelOf(name)}, ${unit}`
}

/** An output as a number of a headline. */
export const quantity = (name, value, label = labelOf(name)) => ({
  name,
  label,
  value: inUnit(name, value),
  unit: unitOf(name),
})

/** The outputs with these names that the data has, as numbers of a headline. */
export const quantities = (names, data) =>
  names.filter((name) => data[name] !== undefined).map((name) => quantity(name, data[name]))

const optionOf = (name) =>
  Object.hasOwn(choiceOf, name) ? choices[choiceOf[name]].options[chosen[choiceOf[name]]] : undefined

function stored() {
  let saved = null
  try {
    saved = JSON.parse(globalThis.localStorage?.getItem(STORED) ?? 'null')
  } catch {
    // The browser forbids storage, or the stored text is not JSON: the units of the service hold.
  }
  return Object.fromEntries(
    Object.entries(choices).map(([choice, { options }]) => {
      const [first] = Object.keys(options)
      return [choice, Object.hasOwn(options, saved?.[choice]) ? saved[choice] : first]
    }),
  )
}
