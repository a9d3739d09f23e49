/** Prices around one set of values: along an axis, and on a grid of spot and volatility. The generators yield after each price. */
import { evenly } from '../pictures/sampling.ts'
import type { PriceAxis, PriceModel } from './options.ts'

const SPOT_MOVES = [-0.1, -0.05, -0.025, 0, 0.025, 0.05, 0.1]
const VOLATILITY_MOVES = [-0.05, -0.025, 0, 0.025, 0.05]
/** The significant digits of a moved value; an unmoved one keeps all its digits. */
const DIGITS = 12

/** The fields with numbers, which `values` of any option has by their names. */
export type Numbers = Readonly<Record<string, number>>

export interface Along<Found> {
  /** The present value of the field. */
  readonly at: number
  readonly places: readonly number[]
  readonly found: readonly (Found | null)[]
}

/** Prices of an option on a grid. */
export interface ScenarioGrid {
  readonly values: object
  readonly spots: readonly number[]
  readonly volatilities: readonly number[]
  readonly spotMoves: readonly number[]
  readonly volatilityMoves: readonly number[]
  /** A row for each volatility, with null for values that the model refuses. */
  readonly prices: readonly (readonly (number | null)[])[]
  /** The price without moves. */
  readonly base: number | null
}

/** The numbers `f(values)` at each place of `field`; null where the model refuses the values. */
export function* along<Found>(
  f: (values: object) => Found,
  values: object,
  field: string,
  places: readonly number[],
): Generator<undefined, Along<Found>> {
  const found: (Found | null)[] = []
  for (const place of places) {
    found.push(attempt(() => f({ ...values, [field]: place })))
    yield undefined
  }
  return { at: (values as Numbers)[field], places, found }
}

export function* scenarioGrid(
  model: Pick<PriceModel, 'fields' | 'price'>,
  given: object,
): Generator<undefined, ScenarioGrid> {
  const values = given as Numbers
  const { spot, volatility } = model.fields
  const spots = SPOT_MOVES.map((move) => (move === 0 ? values[spot] : rounded(values[spot] * (1 + move))))
  const volatilities = VOLATILITY_MOVES.map((move) =>
    move === 0 ? values[volatility] : rounded(values[volatility] + move),
  )
  const prices: (readonly (number | null)[])[] = []
  for (const one of volatilities) {
    const { found } = yield* along(
      (moved) => model.price(moved),
      { ...values, [volatility]: one },
      spot,
      spots,
    )
    prices.push(found)
  }
  const base = prices[VOLATILITY_MOVES.indexOf(0)][SPOT_MOVES.indexOf(0)]
  return {
    values,
    spots,
    volatilities,
    spotMoves: SPOT_MOVES,
    volatilityMoves: VOLATILITY_MOVES,
    prices,
    base,
  }
}

/** The places of an axis, whose range contains the present value. */
export function placesOf(
  { fields, places }: Pick<PriceModel, 'fields' | 'places'>,
  given: object,
  axis: PriceAxis,
): number[] {
  const values = given as Numbers
  const at = values[fields[axis]]
  const [spot, strike] = [values[fields.spot], values[fields.strike]]
  if (axis === 'volatility') {
    // The volatility of Bachelier's model is in units of the forward.
    const unit = Math.max(Math.abs(spot), Math.abs(strike))
    const usual =
      (given as { readonly model?: string }).model !== 'bachelier' ? 0.6 : unit > 1e-290 ? 0.1 * unit : 1
    return evenly(0, Math.max(usual, 2 * at), places)
  }
  if (axis === 'maturity') return evenly(0, Math.max(2, 2 * at), places)
  const [low, high] = [Math.min(spot, strike), Math.max(spot, strike)]
  if (low > 0 && high > 1e-290) return evenly(low * 0.4, high * 1.6, places)
  // Forwards may be below 0.
  const margin = Math.max(-low, high) * 0.6
  return margin > 1e-290 ? evenly(low - margin, high + margin, places) : evenly(-1, 1, places)
}

/** Ascending places with one more, if it is between the first and the last. */
export function withPlace(places: readonly number[], place: number): readonly number[] {
  if (!(place > places[0] && place < places.at(-1)!) || places.includes(place)) return places
  const next = places.findIndex((one) => one > place)
  return [...places.slice(0, next), place, ...places.slice(next)]
}

/** The body of a request of columns that asks the service for the prices of a grid. */
export function requestOfGrid(
  { fields }: Pick<PriceModel, 'fields'>,
  { values, spots, volatilities }: Pick<ScenarioGrid, 'values' | 'spots' | 'volatilities'>,
) {
  const pairs = volatilities
    .filter((one) => one >= 0)
    .flatMap((one) => spots.map((spot) => [spot, one] as const))
  return {
    columns: {
      ...values,
      [fields.spot]: pairs.map(([spot]) => spot),
      [fields.volatility]: pairs.map(([, volatility]) => volatility),
    },
  }
}

const rounded = (value: number): number => Number(value.toPrecision(DIGITS))

function attempt<Found>(f: () => Found): Found | null {
  try {
    const found = f()
    return typeof found !== 'number' || Number.isFinite(found) ? found : null
  } catch {
    return null
  }
}
