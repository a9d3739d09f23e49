/** The ticks of an axis: their distances and texts. */
import type uPlot from 'uplot'
import { brief, powerOfTen } from '../numbers.ts'
import { dateText } from '../times.ts'

/** The least distances in pixels between names, dates and numbers on an axis. */
export const NAMED_PX = 100
export const DATE_PX = 88
export function numbersPx(_plot: uPlot, _axis: number, from: number, to: number): number {
  const most = Math.max(-from, to)
  const text = brief(most, digitsOf(most, (to - from) / 10))
  return Math.max(text.includes('×') ? 84 : 50, 8 * text.length)
}

/** The significant digits that distinguish numbers at the distance `step`. */
const digitsOf = (value: number, step: number): number => Math.ceil(Math.log10(Math.abs(value) / step)) + 1

const DAY_SECONDS = 86_400

interface TickStyle {
  readonly log?: string
  readonly isTime?: boolean
  readonly xText?: ((value: number) => string) | undefined
}

/** The function that gives the text of a tick; `step`: the distance between the ticks. */
export function tickText(
  name: 'x' | 'y',
  { log = '', isTime = false, xText }: TickStyle,
  step: number,
): (value: number) => string {
  if (name === 'x' && isTime) return (seconds) => dayText(seconds, step)
  if (name === 'x' && xText) return xText
  return log.includes(name) ? logText : (value) => brief(value, digitsOf(value, step))
}

/** The part of a date that distinguishes ticks at the distance `step`. */
const dayText = (seconds: number, step: number): string =>
  step >= 28 * DAY_SECONDS
    ? dateText(1000 * seconds).slice(0, 7)
    : dateText(1000 * seconds).slice(step < DAY_SECONDS ? 5 : 0)

/** The possible distances between the ticks of an axis of counts. */
export const WHOLE = [1, 2, 5, 10]
  .flatMap((step) => [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7].map((unit) => step * unit))
  .sort((a, b) => a - b)

const logText = (value: number): string => {
  const exponent = Math.round(Math.log10(value))
  return Math.abs(exponent) < 4 ? brief(value) : powerOfTen(exponent)
}

/** The powers of ten between two numbers; if they are more than about `most`, some at equal distances. */
export function powersOfTen(from: number, to: number, most: number): number[] {
  const first = Math.ceil(Math.log10(from) - 1e-9)
  const last = Math.floor(Math.log10(to) + 1e-9)
  const step = Math.max(1, Math.ceil((last - first) / most))
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, i) => 10 ** (first + i * step))
}
