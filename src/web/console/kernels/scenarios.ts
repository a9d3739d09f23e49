/** Prices around one set of values: along an axis, and on a grid of spot and volatility. The generators yield after each price. */
// @ts-nocheck: to be converted
import { evenly } from '../pictures/sampling.ts'

const SPOT_MOVES = [-0.1, -0.05, -0.025, 0, 0.025, 0.05, 0.1]
const VOLATILITY_MOVES = [-0.05, -0.025, 0, 0.025, 0.05]
/** The significant digits of a moved value; an unmoved one keeps all its digits. */
const DIGITS = 12

/** The numbers `f(values)` at each place of `field`; null where the model refuses the values. */
export function* along(f, values, field, places) {
  const found = []
  for (const place of places) {
    found.push(attempt(() => f({ ...values, [field]: place })))
    yield
  }
  return { values, places, found }
}

/**
 * `{ values, spots, volatilities, spotMoves, volatilityMoves, prices, base }`: `prices` has a row for each volatility, with null
 * for values that the model refuses; `base` is the price without moves.
 */
export function* scenarioGrid(model, values) {
  const { spot, volatility } = model.fields
  const spots = SPOT_MOVES.map((move) => (move === 0 ? values[spot] : rounded(values[spot] * (1 + move))))
  const volatilities = VOLATILITY_MOVES.map((move) =>
    move === 0 ? values[volatility] : rounded(values[volatility] + move),
  )
  const prices = []
  for (const one of volatilities) {
    const { found } = yield* along(model.price, { ...values, [volatility]: one }, spot, spots)
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
export function placesOf({ fields, places }, values, axis) {
  const at = values[fields[axis]]
  const [spot, strike] = [values[fields.spot], values[fields.strike]]
  if (axis === 'volatility') {
    // The volatility of Bachelier's model is in units of the forward.
    const unit = Math.max(Math.abs(spot), Math.abs(strike))
    const usual = values.model !== 'bachelier' ? 0.6 : unit > 1e-290 ? 0.1 * unit : 1
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
export function withPlace(places, place) {
  if (!(place > places[0] && place < places.at(-1)) || places.includes(place)) return places
  const next = places.findIndex((one) => one > place)
  return [...places.slice(0, next), place, ...places.slice(next)]
}

/** The body of a request of columns that asks the service for the prices of a grid. */
export function requestOfGrid({ fields }, { values, spots, volatilities }) {
  const pairs = volatilities.filter((one) => one >= 0).flatMap((one) => spots.map((spot) => [spot, one]))
  return {
    columns: {
      ...values,
      [fields.spot]: pairs.map(([spot]) => spot),
      [fields.volatility]: pairs.map(([, volatility]) => volatility),
    },
  }
}

const rounded = (value) => Number(value.toPrecision(DIGITS))

function attempt(f) {
  try {
    const found = f()
    return typeof found !== 'number' || Number.isFinite(found) ? found : null
  } catch {
    return null
  }
}
