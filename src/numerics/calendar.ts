/** Days of the calendar as numbers, from 1970-01-01 on; a time of day is a part of a day. */

/** The days of a year, with a leap day in every fourth. */
export const YEAR_DAYS = 365.25
const DAY_SECONDS = 86_400

/** 0001-01-01 and 9999-12-31: the years of dates in ISO 8601. */
export const FIRST_DAY = -719_162
export const LAST_DAY = 2_932_896

/**
 * The day of a date (Hinnant 2021, days_from_civil); NaN where the calendar has no such date.
 * @param year from 1 to 9999
 * @param month from 1 to 12
 */
export function dayOf(year: number, month: number, day: number): number {
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return Number.NaN
  // Years begin in March, so that a leap day is the last of its year.
  const shifted = month > 2 ? year : year - 1
  const era = Math.floor(shifted / 400)
  const ofEra = shifted - 400 * era
  const ofYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  return 146_097 * era + 365 * ofEra + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719_468
}

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const daysIn = (year: number, month: number): number =>
  month === 2 && isLeap(year) ? 29 : LENGTHS[month - 1]

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/** A date, or a date and a time of day; without a zone, UTC. */
const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?(?:Z|([+-])(\d\d):?(\d\d))?)?$/

/** The day of a date in ISO 8601, with its time of day as a part; NaN for another text, and for dates that do not exist. */
export function dayOfText(text: string): number {
  const [
    ,
    year,
    month,
    day,
    hour = 0,
    minute = 0,
    second = 0,
    part = 0,
    sign,
    aheadHours = 0,
    aheadMinutes = 0,
  ] = ISO.exec(text) ?? []
  if (year === undefined || !(+hour < 24 && +minute < 60 && +second < 60)) return Number.NaN
  const ahead = (sign === '-' ? -1 : 1) * (60 * +aheadHours + +aheadMinutes)
  const minutes = 60 * +hour + +minute - ahead
  return dayOf(+year, +month, +day) + (60 * minutes + +second + +part) / DAY_SECONDS
}

/** The day so many months later: of the same number in its month, or the month's last; the last day of a month stays the last. */
export function monthsLater(day: number, months: number): number {
  const whole = Math.floor(day)
  const date = new Date(1_000 * DAY_SECONDS * whole)
  const month = 12 * date.getUTCFullYear() + date.getUTCMonth() + months
  const [year, ofYear] = [Math.floor(month / 12), (month % 12) + 1]
  const isLast = date.getUTCDate() === daysIn(date.getUTCFullYear(), date.getUTCMonth() + 1)
  const last = daysIn(year, ofYear)
  return dayOf(year, ofYear, isLast ? last : Math.min(date.getUTCDate(), last)) + (day - whole)
}
