/** The ticks of an axis: their places, distances and texts. */
import { brief, powerOfTen } from '../numbers.ts'
import { dateText } from '../times.ts'

/** How an axis is divided and labelled. */
export interface AxisStyle {
  readonly isLog: boolean
  /** Whether the axis has only whole numbers. */
  readonly isWhole: boolean
  /** Whether its numbers are seconds since 1970 and its ticks are dates. */
  readonly isTime: boolean
  /** The text of a number; absent: the number. */
  readonly text?: ((value: number) => string) | undefined
  /** The width of the widest of these texts in pixels. */
  readonly textPx: number
}

export interface Tick {
  readonly value: number
  readonly text: string
}

/** The least distances in pixels between dates, numbers of a horizontal axis, and lines of text, and between names. */
const [DATE_PX, NUMBER_PX, LINE_PX, GAP_PX] = [88, 50, 34, 10]

/** The ticks between two numbers on an axis of so many pixels. */
export function ticksOf(
  { isLog, isWhole, isTime, text, textPx }: AxisStyle,
  [from, to]: readonly [from: number, to: number],
  size: { readonly px: number; readonly isUpright: boolean },
): Tick[] {
  const least = size.isUpright ? LINE_PX : text ? textPx + GAP_PX : isTime ? DATE_PX : numbersPx(from, to)
  const most = Math.max(1, Math.floor(size.px / least))
  if (isLog) return powersOfTen(from, to, most).map((value) => ({ value, text: logText(value) }))
  if (isTime) return dateTicks(from, to, most)
  const step = stepFor((to - from) / most, isWhole || text !== undefined)
  return multiples(from, to, step).map((value) => ({
    value,
    text: text ? text(value) : brief(value, digitsOf(value, step)),
  }))
}

function numbersPx(from: number, to: number): number {
  const most = Math.max(-from, to)
  const text = brief(most, digitsOf(most, (to - from) / 10))
  return Math.max(text.includes('×') ? 84 : NUMBER_PX, 8 * text.length)
}

/** The significant digits that distinguish numbers at the distance `step`. */
const digitsOf = (value: number, step: number): number =>
  value === 0 ? 0 : Math.ceil(Math.log10(Math.abs(value) / step) - 1e-9) + 1

/** The least round distance that is not below another: 1, 2, 2.5 or 5 times a power of ten. */
function stepFor(least: number, isWhole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const rounds = isWhole ? [1, 2, 5, 10] : [1, 2, 2.5, 5, 10]
  const step = rounds.map((one) => one * power).find((one) => one >= least * (1 - 1e-9))!
  return isWhole ? Math.max(1, step) : step
}

/** The multiples of a step between two numbers, without the digits of rounding errors. */
function multiples(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step - 1e-9)
  const count = Math.floor(to / step + 1e-9) - first + 1
  return Array.from({ length: Math.max(0, count) }, (_, i) => Number(((first + i) * step).toPrecision(12)))
}

const [HOUR_SECONDS, DAY_SECONDS] = [3_600, 86_400]
const SHORT_STEPS = [
  ...[60, 300, 900, 1_800],
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_SECONDS),
  ...[1, 2, 7, 14].map((days) => days * DAY_SECONDS),
]
const MONTHS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1_200]

/** Dates in UTC: full hours, days, weeks, or the first days of months and years. */
function dateTicks(from: number, to: number, most: number): Tick[] {
  const least = (to - from) / most
  const step = SHORT_STEPS.find((one) => one >= least)
  const months = MONTHS.find((one) => one * 28 * DAY_SECONDS >= least) ?? MONTHS.at(-1)!
  const values = step === undefined ? monthsBetween(from, to, months) : multiples(from, to, step)
  return values.map((value) => ({ value, text: dayText(value, step ?? 28 * DAY_SECONDS) }))
}

function monthsBetween(from: number, to: number, step: number): number[] {
  const start = new Date(1_000 * from)
  const first = Math.floor((12 * start.getUTCFullYear() + start.getUTCMonth()) / step) * step
  const found: number[] = []
  for (let month = first; ; month += step) {
    const seconds = Date.UTC(Math.floor(month / 12), month % 12) / 1_000
    if (seconds > to) return found
    if (seconds >= from) found.push(seconds)
  }
}

/** The part of a date that distinguishes ticks at the distance `step`. */
const dayText = (seconds: number, step: number): string =>
  step >= 28 * DAY_SECONDS
    ? dateText(1_000 * seconds).slice(0, 7)
    : dateText(1_000 * seconds).slice(step < DAY_SECONDS ? 5 : 0)

const logText = (value: number): string => {
  const exponent = Math.round(Math.log10(value))
  return Math.abs(exponent) < 4 ? brief(value) : powerOfTen(exponent)
}

/** The powers of ten between two numbers; if they are more than about `most`, some at equal distances. */
export function powersOfTen(from: number, to: number, most: number): number[] {
  const first = Math.ceil(Math.log10(from) - 1e-9)
  const last = Math.floor(Math.log10(to) + 1e-9)
  const step = Math.max(1, Math.ceil((last - first) / most))
  return Array.from(
    { length: Math.max(0, Math.floor((last - first) / step) + 1) },
    (_, i) => 10 ** (first + i * step),
  )
}
