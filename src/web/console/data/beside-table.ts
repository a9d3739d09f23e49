/**
 * The values that a table suggests for fields beside it: its day and spot above the headings, columns that have one value in all
 * rows, and what follows from put–call parity.
 */
import { DAY_MS } from '../../../base/time.ts'
import { capitalised, labelOf, wordFor } from '../labels.ts'
import { plural, short } from '../numbers.ts'
import { extent } from '../pictures/sampling.ts'
import { today } from '../times.ts'
import { isLikelySpot, pairsIn } from './chain-pairs.ts'
import { withDates } from './column-types.ts'
import { isHeadingOf, plain } from './headings.ts'
import { fieldOfDates, fieldsOf, type Mapping } from './mapping.ts'
import { type Parity, parityOf } from './parity.ts'
import { dayAbove, type Said, spotAbove } from './preface.ts'
import { isDate, isNumeric, keptRows, type Table } from './table.ts'
import { inUnit, isStrike, provenUnit, unitsOf } from './units.ts'
import type { Meant } from './values.ts'

export interface Suggestion {
  /** What is suggested and why, a sentence each. */
  readonly lines: readonly string[]
  readonly mapping: Mapping
  /** The texts of fields beside the table. */
  readonly texts: Readonly<Record<string, string>>
}

export interface Beside {
  /** The fields beside the table, and the values of those that have one. */
  readonly fields: readonly string[]
  readonly sent: Readonly<Record<string, unknown>>
  /** Whether options are exercised at expiry only, for which put–call parity holds. */
  readonly isEuropean: boolean
}

export function valuesBeside(asked: Meant, { fields, sent, isEuropean }: Beside): Suggestion {
  const day = dayOf(asked)
  const meant = day === null ? asked : { ...asked, mapping: { ...asked.mapping, day: day.value } }
  const texts: Record<string, string> = {}
  const lines: string[] = []
  const take = (name: string, text: string, line: string) => {
    texts[name] = text
    lines.push(line)
  }
  const empty = (...names: readonly string[]) =>
    names.find((name) => fields.includes(name) && !(name in sent) && !(name in texts))
  if (day !== null) lines.push(`Expiries count from ${day.value}: “${day.text}” above the headings`)
  if (meant.spec.kind === 'records')
    for (const name of fields.filter((one) => empty(one))) {
      const same = sameInAllRows(meant.table, name)
      if (same !== null)
        take(
          name,
          String(same.value),
          `${labelOf(name)} ${short(same.value)}: the same in each row of ${same.text}`,
        )
    }
  const months = meant.spec.kind === 'history' && empty('period') ? monthsApart(meant) : null
  if (months !== null)
    take(
      'period',
      `${months}/12`,
      `Period ${months}/12 of a year: the history is shorter than a year, and its dates are ${plural(months, 'month')} apart`,
    )
  const strikes = strikesIn(meant)
  const [spotField, rateField] = [empty('spot', 'S'), empty('risk_free_rate', 'r')]
  const said = spotField === undefined ? null : spotAbove(meant.table.above, isLikelySpot(strikes))
  const spot = said?.value ?? numberOf(texts.S ?? sent.S ?? sent.spot)
  const isSought = rateField !== undefined && isEuropean && !hasAmerican(meant.table)
  // The last price of an index may be older than the quotes, which then tell another one.
  const fits = isSought ? [spot, ...(said === null ? [] : [undefined])] : []
  const maturity = numberOf(sent.time_to_maturity)
  const parity = fits.reduce<Parity | null>(
    (found, one) => found ?? parityOf(pairsIn(meant, { spot: one, maturity })),
    null,
  )
  if (spotField !== undefined && said !== null && (parity?.spot ?? null) === null)
    take(spotField, String(said.value), `Spot price ${short(said.value)}: “${said.text}” above the headings`)
  if (parity !== null && rateField !== undefined && (parity.spot === null || spotField !== undefined)) {
    const found = textsOf(parity)
    const dividendField = empty('dividend_yield', 'q')
    if (spotField !== undefined && found.spot !== undefined) texts[spotField] = found.spot
    if (dividendField !== undefined && found.dividend !== undefined) texts[dividendField] = found.dividend
    take(rateField, found.rate, inWords(parity, found))
  }
  if (empty('model') !== undefined && isAboveZero(meant, strikes))
    take('model', 'black_76', `Model ${wordFor('black_76')}: all strikes and forward prices are above 0`)
  return { lines, mapping: meant.mapping, texts }
}

/** Days of a month, of which the shortest has 28. */
const [SHORT_MONTH, LONG_MONTH] = [28, 31]
const MONTHS_A_YEAR = 12

/** The months between the dates of a history that is shorter than a year, if they are as far apart as months are; else null. */
function monthsApart({ table, mapping }: Meant): number | null {
  const column = keptRows(table, mapping.only).columns[mapping.fields.dates]
  const dates = column && withDates(column)
  if (dates === undefined || !isDate(dates)) return null
  const times = [...new Set(dates.values.filter((time) => !Number.isNaN(time)))].sort((a, b) => a - b)
  const days = times.slice(1).map((time, i) => (time - times[i]) / DAY_MS)
  const gaps = days.map((count) => Math.round((MONTHS_A_YEAR * count) / 365))
  const areMonths = days.every((count, i) => count >= SHORT_MONTH * gaps[i] && count <= LONG_MONTH * gaps[i])
  const all = gaps.reduce((sum, gap) => sum + gap, 0)
  const least = Math.min(...gaps)
  return gaps.length > 0 && areMonths && least > 0 && all < MONTHS_A_YEAR ? least : null
}

/** Whether a column says that options are exercised early. */
const hasAmerican = ({ columns }: Table): boolean =>
  columns.some(
    ({ name, words }) =>
      /\b(style|exercise)\b/.test(plain(name)) && words?.some((word) => /^a(mer.*)?$/i.test(word)),
  )

const numberOf = (value: unknown): number | undefined =>
  value === undefined || Number.isNaN(Number(value)) ? undefined : Number(value)

/** The value of the only column of a field, if all rows have it and its unit is certain. */
function sameInAllRows({ columns }: Table, field: string): Said<number> | null {
  const [column, ...others] = columns.filter((one) => isNumeric(one) && isHeadingOf(field, one.name))
  if (column === undefined || others.length > 0 || column.doubt !== null) return null
  const unit = unitsOf(field, column).length === 0 ? undefined : provenUnit(field, column)
  const [least, most] = extent(column.values)
  if (unit === null || least !== most || column.values.some(Number.isNaN)) return null
  return { value: inUnit(Float64Array.of(least), unit)[0], text: column.name }
}

/** The day above the headings, from which expiries count that would count from today. */
function dayOf({ table, mapping }: Meant): Said<string> | null {
  const field = fieldOfDates(mapping)
  if (field === undefined || mapping.days !== -1 || mapping.open.days || mapping.day !== today()) return null
  const said = dayAbove(table.above)
  const [first] = extent(table.columns[mapping.fields[field]].values)
  return said !== null && said.value !== mapping.day && Date.parse(said.value) <= first ? said : null
}

/** The strikes as they are used. */
function strikesIn({ spec, table, mapping }: Meant): Float64Array {
  const field = fieldsOf(spec).find(isStrike) ?? ''
  const column = table.columns[mapping.fields[field]]
  return column === undefined ? new Float64Array() : inUnit(column.values, mapping.units[field])
}

const isAboveZero = ({ table, mapping }: Meant, strikes: Float64Array): boolean => {
  const forwards = table.columns[mapping.fields.forward]?.values
  return (
    strikes.length > 0 && forwards !== undefined && [strikes, forwards].every((all) => extent(all)[0] > 0)
  )
}

interface ParityTexts {
  readonly rate: string
  readonly spot?: string
  readonly dividend?: string
}

/** The values with the digits that the pairs determine. */
function textsOf({ spot, rate, rateError, dividend }: Parity): ParityTexts {
  const digits = Math.min(6, Math.max(4, Math.floor(-Math.log10(2 * rateError))))
  const rounded = (value: number) => String(Number(value.toFixed(digits)))
  return {
    rate: rounded(rate),
    ...(spot !== null && { spot: String(Number(spot.toPrecision(6))) }),
    ...(dividend !== null && { dividend: rounded(dividend) }),
  }
}

function inWords({ pairs, expiries, residual, spot, dividend }: Parity, found: ParityTexts): string {
  const perCent = (text = '') => `${short(Number((Number(text) * 100).toPrecision(6)))} %`
  const isNet = spot !== null && expiries === 1
  const values = [
    found.spot &&
      `spot price ${short(Number(found.spot))}${isNet ? ', less the dividends until the expiry,' : ''}`,
    `risk-free rate ${perCent(found.rate)}`,
    dividend !== null && `dividend yield ${perCent(found.dividend)}`,
  ].filter(Boolean)
  const named = capitalised(values.join(' and '))
  return `${named} by put–call parity of ${plural(pairs, 'pair')} of calls and puts, if these are European; the median residual is ${short(Number(residual.toPrecision(2)))}`
}
