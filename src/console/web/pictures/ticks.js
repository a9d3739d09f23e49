/** The marks of an axis: their distances and their texts. */
import { brief, powerOfTen } from '../numbers.js'
import { dateText } from '../times.js'

/** Between names, between dates and between numbers on an axis. */
export const NAMED_PX = 100
export const DATE_PX = 88
export function numbersPx(_plot, _axis, from, to) {
  const most = Math.max(-from, to)
  const text = brief(most, digitsOf(most, (to - from) / 10))
  return Math.max(text.includes('×') ? 84 : 50, 8 * text.length)
}

/** That tell a number from another one at the distance of `step`. */
const digitsOf = (value, step) => Math.ceil(Math.log10(Math.abs(value) / step)) + 1

const DAY_SECONDS = 86_400

/** From a place on an axis to its text, where the marks have a distance of `step`. */
export function tickText(name, { log = '', isTime = false, xText }, step) {
  if (name === 'x' && isTime) return (seconds) => dayText(seconds, step)
  if (name === 'x' && xText) return xText
  return log.includes(name) ? logText : (value) => brief(value, digitsOf(value, step))
}

/** As much of a date as the distance between the marks needs. */
const dayText = (seconds, step) =>
  step >= 28 * DAY_SECONDS
    ? dateText(1000 * seconds).slice(0, 7)
    : dateText(1000 * seconds).slice(step < DAY_SECONDS ? 5 : 0)

/** Distances between the marks of an axis of counts. */
export const WHOLE = [1, 2, 5, 10]
  .flatMap((step) => [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7].map((unit) => step * unit))
  .sort((a, b) => a - b)

const logText = (value) => {
  const exponent = Math.round(Math.log10(value))
  return Math.abs(exponent) < 4 ? brief(value) : powerOfTen(exponent)
}

/** At whole exponents; at most about `most` of them. */
export function powersOfTen(from, to, most) {
  const first = Math.ceil(Math.log10(from) - 1e-9)
  const last = Math.floor(Math.log10(to) + 1e-9)
  const step = Math.max(1, Math.ceil((last - first) / most))
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, i) => 10 ** (first + i * step))
}
