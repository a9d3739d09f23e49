/** Counts of rating histories, by the names of requests and replies. */
import { dayOfText, monthsLater, YEAR_DAYS } from '../calendar.ts'
import { DomainError } from '../domain-error.ts'
import { unflatten } from '../matrices/matrix.ts'
import { looksEvery, type RatingRows, ratingHistory } from '../matrices/rating-history.ts'

export const historyMethods = ['cohort', 'duration'] as const

/** A request without its rows. */
export interface HistorySettings {
  readonly order: readonly string[]
  readonly start: number | string
  readonly end: number | string
  readonly method: (typeof historyMethods)[number]
  readonly period: number
  readonly withdrawn: readonly string[]
}

interface HistoryRequest extends HistorySettings {
  readonly entities: readonly (string | number)[]
  readonly times: readonly number[]
  readonly dates: readonly string[]
  readonly ratings: readonly string[]
}

/** The unit of the times of rows: those of dates are days. */
export type TimeUnit = 'years' | 'days'

export function history({ entities, times, dates, ratings, ...settings }: HistoryRequest) {
  const unit = timeUnit(times.length > 0, dates.length > 0)
  const places = ratingPlaces(settings)
  const rows = {
    entities: numbered(entities),
    times: unit === 'years' ? Float64Array.from(times) : Float64Array.from(dates, dayOfRow),
    ratings: Uint16Array.from(ratings, (rating, row) => placeOf(places, rating, row)),
  }
  for (const [name, { length }] of Object.entries({
    [unit === 'years' ? 'times' : 'dates']: rows.times,
    ratings,
  }))
    if (length !== entities.length)
      throw new DomainError(name, `has ${length} items but {entities} has ${entities.length}`)
  return counted(rows, settings, unit)
}

/** The counts of rows whose ratings are places in the order. */
export function counted(rows: Omit<RatingRows, 'count'>, settings: HistorySettings, unit: TimeUnit) {
  const { method, order, period } = settings
  const [start, end] = (['start', 'end'] as const).map((name) => instant(name, settings[name], unit))
  const looks = method === 'duration' ? new Float64Array() : looksOf(period, { start, end, unit })
  const found = ratingHistory({ ...rows, count: order.length }, { start, end, looks })
  const years = unit === 'years' ? 1 : YEAR_DAYS
  return {
    ratings: [...order],
    transitions: unflatten(found.transitions),
    ...(method === 'duration' && { exposures: Array.from(found.exposures, (time) => time / years) }),
    entities: found.entities,
    withdrawals: found.withdrawals,
    unrated_years: found.unratedTime / years,
  }
}

/** Throws unless rows have either times or dates. */
export function timeUnit(hasTimes: boolean, hasDates: boolean): TimeUnit {
  if (hasTimes && hasDates) throw new DomainError('dates', 'cannot be given with {times}')
  if (!hasTimes && !hasDates) throw new DomainError('dates', 'is required, or {times} in years')
  return hasTimes ? 'years' : 'days'
}

/** The place of each rating in the order; of a withdrawn one, the number of ratings. */
export function ratingPlaces({ order, withdrawn }: Pick<HistorySettings, 'order' | 'withdrawn'>) {
  const places = new Map<string, number>()
  for (const [place, rating] of order.entries()) {
    if (places.has(rating)) throw new DomainError(`order.${place}`, `repeats ${quoted(rating)}`)
    places.set(rating, place)
  }
  for (const [row, rating] of withdrawn.entries()) {
    if ((places.get(rating) ?? order.length) < order.length)
      throw new DomainError(`withdrawn.${row}`, `is ${quoted(rating)}, which is also in {order}`)
    places.set(rating, order.length)
  }
  return places as ReadonlyMap<string, number>
}

/** @param row of the rating, for the message */
export function placeOf(places: ReadonlyMap<string, number>, rating: string, row: number): number {
  const place = places.get(rating)
  if (place === undefined)
    throw new DomainError(
      `ratings.${row}`,
      `is ${quoted(rating)}, which is neither in {order} nor {withdrawn}`,
    )
  return place
}

/** The day of a date in ISO 8601. @param row of the date, for the message */
export function dayOfRow(date: string, row: number): number {
  const day = dayOfText(date)
  if (Number.isNaN(day)) throw new DomainError(`dates.${row}`, `is ${quoted(date)}; ${IS_A_DATE}`)
  return day
}

export const IS_A_DATE = 'it must be a date of the calendar, such as 2026-01-31'
const MOST_SHOWN = 40
const quoted = (text: string): string =>
  JSON.stringify(text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text)

function instant(name: 'start' | 'end', value: number | string, unit: TimeUnit): number {
  if (unit === 'years' && typeof value === 'string')
    throw new DomainError(name, 'must be a number of years, because {times} are')
  if (unit === 'days' && typeof value === 'number')
    throw new DomainError(name, 'must be a date such as "2026-01-31", because {dates} are')
  if (typeof value === 'number') return value
  const day = dayOfText(value)
  if (Number.isNaN(day)) throw new DomainError(name, `is ${quoted(value)}; ${IS_A_DATE}`)
  return day
}

interface Window {
  readonly start: number
  readonly end: number
  readonly unit: TimeUnit
}

/** The looks of cohorts; those of dates are on the same day of a month, if the period is a number of months. */
function looksOf(period: number, { start, end, unit }: Window): Float64Array {
  const months = Math.round(12 * period)
  const isMonths = unit === 'days' && Math.abs(12 * period - months) < 1e-9
  const looks =
    isMonths && months > 0
      ? Float64Array.from({ length: Math.floor((end - start) / (28 * months)) + 1 }, (_, look) =>
          monthsLater(start, look * months),
        ).filter((day) => day <= end)
      : looksEvery(unit === 'years' ? period : period * YEAR_DAYS, start, end)
  if (end > start && looks.length < 2)
    throw new DomainError('period', 'must not be longer than from {start} to {end}')
  return looks
}

/** The number of the entity of each row, by first appearance. */
function numbered(entities: readonly (string | number)[]): Uint32Array {
  const numbers = new Map<string | number, number>()
  const type = typeof entities[0]
  return Uint32Array.from(entities, (entity, row) => {
    const known = numbers.get(entity)
    if (known !== undefined) return known
    if (typeof entity !== type)
      throw new DomainError(
        `entities.${row}`,
        'must be of one kind with the others: all texts, or all whole numbers',
      )
    numbers.set(entity, numbers.size)
    return numbers.size - 1
  })
}
