/** Answers that the words and headings of loan data suggest: loans without an outcome yet, and the scores of a bureau. */
import { plural, short } from '../numbers.ts'
import { isHeadingOf, isOfOutcome, plain } from './headings.ts'
import { LEFT_OUT, type Mapping, MOST_MEANINGS, withField } from './mapping.ts'
import { type Column, cellOf, isNumeric, wordsIn } from './table.ts'
import { areaUnderRoc, type Meant } from './values.ts'

/** States of loans that have not ended, by which nobody knows whether they will default. */
const PENDING = /^(current|issued|active|open|in grace period|late|in repayment|laufend|en cours)$/
/** Scores of bureaus, of which high ones are published to be safe. */
const BUREAU = /\b(fico|vantage|vantagescore)\b/
/** Their range; 9999 and bands of scores are none. */
const [LEAST_SCORE, MOST_SCORE] = [250, 999]

const isOfBureau = ({ name, values }: Column): boolean =>
  BUREAU.test(plain(name)) &&
  values.every((value) => Number.isNaN(value) || (value >= LEAST_SCORE && value <= MOST_SCORE))

/** Whether a column has only two codes of what was observed in the end, which a matrix of measures must not have. */
export const isOutcome = (column: Column): boolean =>
  isNumeric(column) &&
  wordsIn(column, 2).length === 2 &&
  column.values.every((value) => Number.isNaN(value) || Math.abs(value) === 1 || value === 0) &&
  isOfOutcome(column.name)

interface Suggested {
  readonly mapping: Mapping
  readonly line: string
}

export function loansSuggested(meant: Meant): Suggested | null {
  return pendingLeftOut(meant) ?? bureauScore(meant) ?? bureauDirection(meant)
}

function pendingLeftOut({ spec, table, mapping }: Meant): Suggested | null {
  const [field] =
    Object.entries(spec.choices ?? {}).find(([, choices]) => typeof choices[0] === 'number') ?? []
  const column = field === undefined ? undefined : table.columns[mapping.fields[field]]
  if (field === undefined || column === undefined) return null
  const words = wordsIn(column, MOST_MEANINGS)
  const meanings = mapping.meanings[field] ?? {}
  const pending = words.filter((word) => meanings[word] === undefined && PENDING.test(plain(word)))
  const isKnown = [0, 1].every((label) => Object.values(meanings).includes(label))
  if (!isKnown || pending.length === 0) return null
  const out = column.values.reduce(
    (sum, _, row) => sum + Number(pending.includes(String(cellOf(column, row)))),
    0,
  )
  const named = pending.map((word) => `“${word}”`).join(', ')
  return {
    mapping: {
      ...mapping,
      meanings: {
        ...mapping.meanings,
        [field]: { ...meanings, ...Object.fromEntries(pending.map((word) => [word, LEFT_OUT])) },
      },
    },
    line: `Left out: ${plural(out, 'row')} with ${named} in ${column.name}, which have no outcome yet`,
  }
}

/** The only score of a bureau among the columns that may be scores, or the first of several that order the rows alike; none beside other scores or probabilities. */
function bureauScore({ spec, table, mapping }: Meant): Suggested | null {
  const places = mapping.open.columns?.y_score ?? []
  const scores = places.filter((i) => isOfBureau(table.columns[i]))
  const [first, ...others] = scores
  const isRival = (i: number) => !scores.includes(i) && isHeadingOf('y_score', table.columns[i].name)
  if (
    first === undefined ||
    places.some(isRival) ||
    !others.every((i) => areAlike(table.columns[first], table.columns[i]))
  )
    return null
  const names = scores.map((i) => table.columns[i].name)
  return {
    mapping: withField(spec, table, mapping, { field: 'y_score', column: first }),
    line: `Scores are those of ${names[0]}, the score of a bureau${others.length > 0 ? `; ${names.slice(1).join(', ')} would order the rows alike` : ''}`,
  }
}

/** Whether two columns order the rows alike, so that the results of ranks are the same. */
function areAlike({ values }: Column, { values: others }: Column): boolean {
  const rows = [...values.keys()].sort((a, b) => values[a] - values[b] || others[a] - others[b])
  return rows.every((row, i) => {
    if (Number.isNaN(values[row]) || Number.isNaN(others[row])) return false
    const before = rows[i - 1] ?? row
    return values[before] === values[row] ? others[before] === others[row] : others[before] < others[row]
  })
}

function bureauDirection(meant: Meant): Suggested | null {
  const { spec, table, mapping } = meant
  const column = table.columns[mapping.fields[spec.turns ?? '']]
  if (mapping.isTurned !== null || column === undefined || !isOfBureau(column)) return null
  const area = areaUnderRoc(meant, column)
  // Scores that contradict their name are asked about.
  if (area === null || area >= 0.5) return null
  return {
    mapping: { ...mapping, isTurned: true },
    line: `Low values of ${column.name} are risky, as the bureau defines them; area under ROC ${short(1 - area)}`,
  }
}
