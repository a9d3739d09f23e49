/**
 * Answers that the table itself suggests to open questions, and values of fields beside it. Nothing of it is used before the person
 * has confirmed all of it with one click; each can be changed or answered otherwise.
 */
import { capitalised, wordFor } from '../labels.ts'
import { plural, short } from '../numbers.ts'
import { extent } from '../pictures/sampling.ts'
import { today } from '../times.ts'
import { isLikelySpot, pairsIn } from './chain-pairs.ts'
import { quoteSide } from './headings.ts'
import { fieldOfDates, fieldsOf, type Mapping, underlyingIn } from './mapping.ts'
import { loansSuggested } from './outcomes.ts'
import { type Parity, parityOf } from './parity.ts'
import { dayAbove, type Said, spotAbove } from './preface.ts'
import { questionsOf } from './questions.ts'
import type { Column } from './table.ts'
import { inUnit, isStrike, isVolatility } from './units.ts'
import type { Answer, Meant, Question } from './values.ts'

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

/** A suggestion, or null where the table suggests none, or only one answer, which is a click already. */
export function suggestionOf(meant: Meant, beside: Beside): Suggestion | null {
  const answered = answersOf(meant)
  const found = besideTable({ ...meant, mapping: answered.mapping }, beside)
  const lines = [...answered.lines, ...found.lines]
  const isWorth = Object.keys(found.texts).length > 0 || lines.length > 1
  return isWorth ? { lines, mapping: found.mapping, texts: found.texts } : null
}

interface Step {
  readonly mapping: Mapping
  readonly line: string
}

/** More answers than any table has questions. */
const MOST_STEPS = 12

/** The mapping after all answers that the table suggests. */
function answersOf(meant: Meant): { readonly mapping: Mapping; readonly lines: readonly string[] } {
  let { mapping } = meant
  const lines: string[] = []
  for (let i = 0; i < MOST_STEPS; i++) {
    const next = stepOf({ ...meant, mapping })
    if (next === null) break
    mapping = next.mapping
    lines.push(next.line)
  }
  return { mapping, lines }
}

function stepOf(meant: Meant): Step | null {
  for (const question of questionsOf(meant.spec, meant.table, meant.mapping)) {
    const found = ofQuestion(meant, question)
    if (found !== null) return found
  }
  return loansSuggested(meant)
}

function ofQuestion(meant: Meant, question: Question): Step | null {
  const { spec, table, mapping } = meant
  const step = (answer: Answer | undefined, line: string): Step | null =>
    answer?.mapping === undefined ? null : { mapping: answer.mapping, line }
  const { key, answers } = question
  if (key === 'price') {
    const mid = answers.find(({ label }) => quoteSide(label) === 'mid')
    const isRival = spec.either?.some((one) => mapping.fields[one] !== undefined)
    return isRival ? null : step(mid, `Prices are those of ${mid?.label}, between bid and ask`)
  }
  if (key === 'day' && answers.length === 2)
    return step(answers[0], `Expiries count from the day in ${answers[0].label}: ${answers[0].effect}`)
  const [field] = key.split(' ')
  if (key !== `${field} unit`) return null
  const column = table.columns[mapping.fields[field]]
  if (isStrike(field)) {
    const fits = answers.filter((answer) => areLikely(meant, column, answer))
    const [{ label = '', effect = '' } = {}] = fits
    return fits.length === 1
      ? step(fits[0], `${column.name}: ${label.toLowerCase()}, because ${effect}`)
      : null
  }
  if (
    isVolatility(field) &&
    column.values.every((value) => Number.isNaN(value) || (value >= 3 && value <= 300))
  )
    return step(
      answers.find(({ label }) => label === 'Per cent'),
      `${column.name}: in per cent, because as decimals all would be above 300 %`,
    )
  return null
}

/** Whether strikes in the unit of an answer are near the underlying, which is beside them or follows from put–call parity. */
function areLikely(meant: Meant, column: Column, { mapping }: Answer): boolean {
  const unit = Object.values(mapping?.units ?? {}).includes('thousandths') ? 1000 : 1
  const spots = underlyingIn(meant.table)?.values
  if (spots !== undefined)
    return column.values.every((strike, row) => {
      const ratio = strike / unit / spots[row]
      return Number.isNaN(ratio) || (ratio > 0.05 && ratio < 20)
    })
  return mapping !== undefined && parityOf(pairsIn({ ...meant, mapping })) !== null
}

/** The values of fields beside the table: the day and the spot above the headings, and what follows from put–call parity. */
function besideTable(asked: Meant, { fields, sent, isEuropean }: Beside): Suggestion {
  const empty = (...names: readonly string[]) =>
    names.find((name) => fields.includes(name) && !(name in sent))
  const day = dayOf(asked)
  const meant = day === null ? asked : { ...asked, mapping: { ...asked.mapping, day: day.value } }
  const strikes = strikesIn(meant)
  const [spotField, rateField] = [empty('spot', 'S'), empty('risk_free_rate', 'r')]
  const said = spotField === undefined ? null : spotAbove(meant.table.above, isLikelySpot(strikes))
  const given = [said?.value, sent.spot, sent.S].find((value) => typeof value === 'number')
  const fit = (spot?: number) => parityOf(pairsIn(meant, spot))
  const ofSpot = rateField !== undefined && isEuropean ? fit(given as number | undefined) : null
  // The last price of an index may be older than the quotes, which then tell another one.
  const parity = ofSpot ?? (said !== null && rateField !== undefined && isEuropean ? fit() : null)
  const texts: Record<string, string> = {}
  const lines = day === null ? [] : [`Expiries count from ${day.value}: “${day.text}” above the headings`]
  if (spotField !== undefined && said !== null && (parity?.spot ?? null) === null) {
    texts[spotField] = String(said.value)
    lines.push(`Spot price ${short(said.value)}: “${said.text}” above the headings`)
  }
  if (parity !== null && rateField !== undefined && (parity.spot === null || spotField !== undefined)) {
    const found = textsOf(parity)
    const dividend = empty('dividend_yield', 'q')
    texts[rateField] = found.rate
    if (spotField !== undefined && found.spot !== undefined) texts[spotField] = found.spot
    if (dividend !== undefined && found.dividend !== undefined) texts[dividend] = found.dividend
    lines.push(inWords(parity, found))
  }
  if (empty('model') !== undefined && isAboveZero(meant, strikes)) {
    texts.model = 'black_76'
    lines.push(`Model ${wordFor('black_76')}: all strikes and forward prices are above 0`)
  }
  return { lines, mapping: meant.mapping, texts }
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
