/**
 * Answers that the table itself suggests to open questions, and values of fields beside it. Nothing of it is used before the person
 * has confirmed all of it with one click; each can be changed or answered otherwise.
 */
import { DAY_MS } from '../../../base/time.ts'
import { dateText } from '../times.ts'
import { type Beside, type Suggestion, valuesBeside } from './beside-table.ts'
import { pairsIn } from './chain-pairs.ts'
import { quoteSide } from './headings.ts'
import { type Mapping, rivalOf, underlyingIn } from './mapping.ts'
import { loansSuggested } from './outcomes.ts'
import { parityOf } from './parity.ts'
import { areInUnderlying, doQuotesAgree } from './proven-quotes.ts'
import { questionsOf } from './questions.ts'
import type { Column } from './table.ts'
import { isStrike, isTime, isVolatility, type Unit } from './units.ts'
import type { Answer, Meant, Question } from './values.ts'

/** A suggestion, or null where the table suggests none, or only one answer of a question, which is a click already. */
export function suggestionOf(meant: Meant, beside: Beside): Suggestion | null {
  const answered = answersOf(meant, beside)
  const found = valuesBeside({ ...meant, mapping: answered.mapping }, beside)
  const lines = [...answered.lines, ...found.lines]
  return lines.length > 1 || lines.length > answered.asked
    ? { lines, mapping: found.mapping, texts: found.texts }
    : null
}

interface Step {
  readonly mapping: Mapping
  readonly line: string
}

/** More answers than any table has questions. */
const MOST_STEPS = 12

interface Answered {
  readonly mapping: Mapping
  readonly lines: readonly string[]
  /** How many of them are answers that a question offers. */
  readonly asked: number
}

/** The mapping after all answers that the table suggests. */
function answersOf(meant: Meant, beside: Beside): Answered {
  let { mapping } = meant
  let asked = 0
  const lines: string[] = []
  for (let i = 0; i < MOST_STEPS; i++) {
    const now = { ...meant, mapping }
    const answer = questionsOf(now.spec, now.table, mapping)
      .map((question) => ofQuestion(now, question, beside))
      .find((step) => step !== null)
    const next = answer ?? loansSuggested(now)
    if (next === null) break
    if (answer) asked++
    mapping = next.mapping
    lines.push(next.line)
  }
  return { mapping, lines, asked }
}

function ofQuestion(meant: Meant, question: Question, beside: Beside): Step | null {
  const { spec, table, mapping } = meant
  const step = (answer: Answer | undefined, line: string): Step | null =>
    answer?.mapping === undefined ? null : { mapping: answer.mapping, line }
  const { key, answers } = question
  if (key === 'price') {
    const mid = answers.find(({ label }) => quoteSide(label) === 'mid')
    const rival = table.columns[mapping.fields[rivalOf(spec, 'price') ?? '']]
    if (rival === undefined) return step(mid, `Prices are those of ${mid?.label}, neither bids nor asks`)
    const found = valuesBeside(meant, beside)
    const market = marketOf(found, beside)
    return market !== null && doQuotesAgree({ ...meant, mapping: found.mapping }, market)
      ? step(answers.at(-1), `Volatilities are those of ${rival.name}, with which the prices agree`)
      : null
  }
  if (isTime(key)) return countedDays(meant, answers)
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
  if (field === 'price' && areInUnderlying(meant)) {
    const own = answers.find(({ mapping }) => mapping?.units.price === 'underlying')
    return step(
      own,
      `${column.name}: in units of the underlying, because options in the money would cost less than exercise pays; ${own?.effect}`,
    )
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

/** The market that is known or suggested; null: it is not. Without a dividend yield it is 0, as in requests. */
function marketOf({ texts }: Suggestion, { sent }: Beside) {
  const numberOf = (name: string) => Number(texts[name] ?? sent[name] ?? Number.NaN)
  const [spot, rate] = [numberOf('S'), numberOf('r')]
  return spot > 0 && Number.isFinite(rate) ? { spot, rate, dividend: numberOf('q') || 0 } : null
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

/** Of a column of expiries and one of days to them, the latter, if all rows count from one day or from a column of days. */
function countedDays({ table }: Meant, answers: readonly Answer[]): Step | null {
  const inUnit = (unit: Unit) =>
    answers.find(({ mapping }) => mapping && Object.values(mapping.units).includes(unit))?.mapping
  const [counted, dated] = [inUnit('days'), inUnit('date')]
  if (counted === undefined || dated === undefined) return null
  const columnOf = (mapping: Mapping) =>
    table.columns[mapping.fields[Object.keys(mapping.fields).find(isTime) ?? '']]
  const [days, expiries] = [columnOf(counted), columnOf(dated)]
  const starts = expiries.values.map((expiry, row) => expiry - days.values[row] * DAY_MS)
  const quoted = table.columns[dated.open.days?.[0] ?? -1]
  const isNear = (start: number, row: number) =>
    Math.abs(start - (quoted?.values[row] ?? starts[0])) <= DAY_MS
  if (!starts.every(isNear)) return null
  const from = quoted?.name ?? dateText(starts[0]).slice(0, 10)
  return { mapping: counted, line: `${days.name}: the days from ${from} to ${expiries.name} in each row` }
}
