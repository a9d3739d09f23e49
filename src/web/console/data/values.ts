/** The values of a field in the column of a table, by the mapping. */
import { discrimination } from '../../../numerics/statistics/discrimination.ts'
import { labelOf } from '../labels.ts'
import { extent } from '../pictures/sampling.ts'
import type { Choice } from './headings.ts'
import { LEFT_OUT, type Mapping, MOST_MEANINGS, type TableSpec, underlyingIn } from './mapping.ts'
import { type Column, type ColumnType, cellOf, isNumeric, type Table, wordsIn } from './table.ts'
import { inUnit } from './units.ts'

/** What must be asked before a request is made. */
export interface Ask {
  readonly key: string
  readonly text: string
  /** The number of rows that lack a value, if the person can leave them out. */
  readonly rows?: number
}

/** What an answer changes in the result, and the mapping, or the types of columns by number, that follow from it. */
export type Answer = { readonly label: string; readonly effect: string } & (
  | { readonly mapping: Mapping; readonly types?: undefined }
  | { readonly types: Readonly<Record<number, ColumnType>>; readonly mapping?: undefined }
)

export interface Question extends Ask {
  readonly answers: readonly Answer[]
}

/** A table, and what its columns mean. */
export interface Meant {
  readonly spec: TableSpec
  readonly table: Table
  readonly mapping: Mapping
}

export interface FieldColumn {
  readonly field: string
  readonly column: Column
}

export interface FieldValues {
  readonly values: Float64Array<ArrayBuffer>
  /** The words of which the values are the indices. */
  readonly words?: readonly string[]
  /** Whether the person gave the word of a row the meaning LEFT_OUT. */
  readonly leavesOut?: (row: number) => boolean
}

/** The numbers of a column in the unit of the field, or indices into the choices of the field; NaN for a missing value. */
export function valuesOf(
  { spec, table, mapping }: Meant,
  { field, column }: FieldColumn,
  asks: Ask[],
): FieldValues {
  const choices = spec.choices?.[field]
  if (choices !== undefined) return choicesOf(mapping.meanings[field] ?? {}, choices, { field, column }, asks)
  const unit = mapping.units[field]
  const day = Date.parse(mapping.day)
  const days = table.columns[mapping.days]?.values
  if (unit === 'date' && days === undefined && Number.isNaN(day))
    asks.push({ key: 'day', text: 'Enter the day from which the dates count.' })
  else if (unit === 'date' && days === undefined && extent(column.values)[1] < day)
    asks.push({
      key: 'day',
      text: `All dates in ${column.name} lie before ${mapping.day}, from which they count: enter the day of the data in its heading.`,
    })
  const underlying = unit === 'underlying' ? underlyingIn(table)?.values : undefined
  const values = inUnit(column.values, unit, (row) =>
    unit === 'underlying' ? (underlying?.[row] ?? Number.NaN) : (days?.[row] ?? day),
  )
  const outside =
    field === 'y_prob' && unit !== null ? values.findIndex((value) => value < 0 || value > 1) : -1
  if (outside !== -1)
    asks.push({
      key: field,
      text: `“${cellOf(column, outside)}” in ${column.name} is no probability: choose another column or unit.`,
    })
  if (!mapping.isTurned || field !== spec.turns) return { values }
  return { values: values.map((value) => (field === 'y_prob' ? 1 - value : -value)) }
}

/** The same of the column that has a field; null: none has it, or its unit is an open question. */
export function valuesOfField(meant: Meant, field: string | undefined, asks: Ask[]): Float64Array | null {
  const { table, mapping } = meant
  const column = table.columns[mapping.fields[field ?? '']]
  if (field === undefined || column === undefined || mapping.units[field] === null) return null
  return valuesOf(meant, { field, column }, asks).values
}

function choicesOf(
  meanings: Readonly<Record<string, Choice>>,
  choices: readonly Choice[],
  { field, column }: FieldColumn,
  asks: Ask[],
): FieldValues {
  const words = wordsIn(column, MOST_MEANINGS)
  if (words.length > MOST_MEANINGS) {
    asks.push({
      key: field,
      text: `${column.name} has more than ${MOST_MEANINGS} different values: choose another column for ${labelOf(field)}.`,
    })
    return { values: column.values }
  }
  const unknown = words.find((word) => meanings[word] === undefined)
  if (unknown !== undefined)
    asks.push({ key: `${field} words`, text: `Say what “${unknown}” in ${column.name} means.` })
  const places = new Map(words.map((word) => [word, choices.indexOf(meanings[word])]))
  const isNumber = typeof choices[0] === 'number'
  const numberAt = (place: number | undefined) =>
    place === undefined || place < 0 ? Number.NaN : isNumber ? Number(choices[place]) : place
  const byWord = column.words?.map((word) => numberAt(places.get(word)))
  const values = column.values.map((value) =>
    byWord === undefined ? numberAt(places.get(String(value))) : (byWord[value] ?? Number.NaN),
  )
  const leavesOut = (row: number) => meanings[String(cellOf(column, row))] === LEFT_OUT
  return { values, leavesOut, ...(isNumber ? {} : { words: choices.map(String) }) }
}

/** The most rows for which an answer tells the area under ROC. */
const MOST_RANKED = 50_000

/** The area under ROC if high values are risky; null if the classes are not known yet. */
export function areaUnderRoc({ spec, table, mapping }: Meant, scores: Column): number | null {
  const [field] = Object.keys(spec.choices ?? {})
  const labels = table.columns[mapping.fields[field]]
  if (labels === undefined || !isNumeric(scores) || table.rows > MOST_RANKED) return null
  const asks: Ask[] = []
  const { values } = valuesOf({ spec, table, mapping }, { field, column: labels }, asks)
  const kept = [...values.keys()].filter(
    (row) => !Number.isNaN(values[row]) && !Number.isNaN(scores.values[row]),
  )
  const classes = Uint8Array.from(kept, (row) => values[row])
  if (asks.length > 0 || !classes.includes(0) || !classes.includes(1)) return null
  return discrimination(
    classes,
    Float64Array.from(kept, (row) => scores.values[row]),
  ).auc
}
