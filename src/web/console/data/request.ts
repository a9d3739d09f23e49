/** Makes the fields of a request from a table and the mapping of its columns, or names what must be asked first. */
import { labelOf } from '../labels.ts'
import { plural, whole } from '../numbers.ts'
import { isoDate } from '../times.ts'
import { withDates } from './column-types.ts'
import { fieldOfDates, fieldsOf, isNeeded, type Mapping, ratingColumns, type TableSpec } from './mapping.ts'
import { questionsOf } from './questions.ts'
import { countedMoves, countedRows, MOST_RATINGS, NO_ROW, ratingOrder, ratingsIn } from './ratings.ts'
import { type Column, cellOf, isDate, keptRows, lengthOf, numberOf, type Table, withZeros } from './table.ts'
import { inUnit, isVolatility, sumOf } from './units.ts'
import { type Ask, type FieldValues, type Question, valuesOf } from './values.ts'

export type Numbers = Float64Array<ArrayBuffer>

/** The rows of a matrix, one after the other. */
export interface Matrix {
  readonly values: Numbers
  readonly rows: number
  readonly columns: number
}

/** Texts, as indices into `words`. */
export interface Words {
  readonly values: Numbers
  readonly words: readonly string[]
}

export type Records = readonly Readonly<Record<string, number | string>>[]
/** The fields of a request by their names; the names of columns are texts. */
export type Fields = Record<string, Numbers | Words | Matrix | Records | readonly string[]>

/** The names of the rows sent, by their places; `heading` and `times` are null if no column has them. */
export interface RowNames {
  readonly heading: string | null
  readonly nameOf: (i: number) => string
  readonly numberOf: (i: number) => number
  /** The row of the table. */
  readonly rowOf: (i: number) => number
  readonly times: Numbers | null
}

interface Made {
  readonly rows: number
  /** The row of the table of each row sent, or null for all rows. */
  readonly kept: Uint32Array | null
  readonly columns?: number
  readonly values?: Numbers
  readonly names?: readonly string[]
  /** The names of the rows of a matrix of counts. */
  readonly labels?: readonly string[] | null
  /** The moves that were counted, and those from or to ratings outside the order. */
  readonly moves?: number
  readonly outside?: number
}

/** The rows that are sent, for pictures and results; `given`: the table. */
export interface Shown extends Made, RowNames {
  readonly given: Table
  readonly isTurned: boolean | null
}

/** A request, or what must be asked first. An operation without a table has neither fields nor rows in `shown`. */
export type TableRequest =
  | { readonly asks: readonly (Ask | Question)[]; readonly fields: null; readonly shown: null }
  | { readonly asks: readonly []; readonly fields: Fields; readonly shown: Shown | null }

/** What one kind of table makes; `asks` may stand beside fields. */
type Draft =
  | { readonly asks: readonly Ask[]; readonly fields: null; readonly shown: null }
  | { readonly asks: readonly Ask[]; readonly fields: Fields; readonly shown: Made }

interface Part extends FieldValues {
  readonly field?: string
  readonly column: Column
}

export function requestOf(spec: TableSpec, all: Table | null, mapping: Mapping | null): TableRequest {
  if (all === null || mapping === null) return nothing('table', 'Enter a table, or choose a file.')
  const table = keptRows(all, mapping.only)
  const made = { matrix, columns: byField, rows: byField, records, samples, transitions, history }[spec.kind](
    spec,
    table,
    mapping,
  )
  const questions = questionsOf(spec, table, mapping)
  const isAsked = (key: string) => questions.some((one) => one.key === key)
  const asks: Ask[] = [...questions, ...made.asks.filter(({ key }) => !isAsked(key))]
  if (mapping.guesses.length > 0) asks.push({ key: 'guesses', text: 'Confirm the meaning of the columns.' })
  if (asks.length > 0 || made.fields === null) return asking(asks)
  return {
    asks: [],
    fields: made.fields,
    shown: {
      ...made.shown,
      ...rowNames(table, mapping, made.shown.kept),
      given: table,
      isTurned: mapping.isTurned,
    },
  }
}

/** The field that holds the whole table. */
const fieldOf = ({ field }: TableSpec): string => field!

function matrix(spec: TableSpec, table: Table, mapping: Mapping) {
  const columns = mapping.used.map((i) => table.columns[i])
  const used = spec.kind === 'transitions' ? columns.map(withZeros) : columns
  if (used.length === 0) return nothing('used', 'Choose at least one column of numbers.')
  const { kept, asks } = rowsWith(
    table,
    mapping,
    used.map((column) => ({ values: column.values, column })),
  )
  const values = interleaved(used.map((column) => picked(column.values, kept)))
  const rows = kept?.length ?? table.rows
  if (rows === 0) return nothing('rows', 'No row has a number in each of these columns.')
  const X = { values, rows, columns: used.length }
  const names = used.map(({ name }) => name)
  const fields: Fields = { [fieldOf(spec)]: X }
  if (spec.names !== undefined && table.hasHeader) fields[spec.names] = names
  return { asks, fields, shown: { ...X, names, kept } }
}

/** The fields that have a column. With the kind `rows`, the others have one value for all rows, outside the table. */
function byField(spec: TableSpec, table: Table, mapping: Mapping): Draft {
  const asks: Ask[] = []
  const parts: (Part & { field: string })[] = []
  for (const field of fieldsOf(spec)) {
    const column = table.columns[mapping.fields[field]]
    if (column !== undefined) {
      const own = valuesOf({ spec, table, mapping }, { field, column }, asks)
      const isOfQuotes = spec.kind === 'rows' && (field === 'price' || isVolatility(field))
      // Chains list options without a quote. Each row has a result of its own, so that those of the others are the same without it.
      // Of many cells that are not read, only the first are known, so that no other one is known to be empty.
      const isKnown = column.oddCount === column.odd.length
      const isNone = (row: number) => isOfQuotes && isKnown && cellOf(column, row) === ''
      parts.push({ ...own, field, column, leavesOut: (row) => own.leavesOut?.(row) || isNone(row) })
    } else if (isNeeded(spec, field)) asks.push(choose(field))
  }
  if (asks.length > 0) return asking(asks)
  if (parts.length === 0) return nothing('fields', 'Choose a column for at least one field.')
  const days = fieldOfDates(mapping) === undefined ? undefined : table.columns[mapping.days]
  const ofDays = days === undefined ? [] : [{ values: days.values, column: days }]
  const { kept, asks: gaps } = rowsWith(table, mapping, [...ofDays, ...parts])
  const rows = kept?.length ?? table.rows
  if (rows === 0) return nothing('rows', 'No row has a value for each of these fields.')
  const fields: Fields = Object.fromEntries(
    parts.map(({ field, values, words }): [string, Numbers | Words] => {
      const own = picked(values, kept)
      return [field, words === undefined ? own : { values: own, words }]
    }),
  )
  // Fields of the kind `columns` have no entry outside the table, so those without a column are empty.
  if (spec.kind === 'columns') for (const field of fieldsOf(spec)) fields[field] ??= new Float64Array()
  return { asks: gaps, fields, shown: { rows, kept } }
}

/** The rows as objects, which lack the fields without a column. */
function records(spec: TableSpec, table: Table, mapping: Mapping): Draft {
  const made = byField(spec, table, mapping)
  if (made.fields === null) return made
  const columns = Object.entries(made.fields as Record<string, Numbers | Words>).map(
    ([field, list]): [string, ArrayLike<number | string>] => [
      field,
      'words' in list ? Array.from(list.values, (place) => list.words[place]) : list,
    ],
  )
  const list = Array.from({ length: made.shown.rows }, (_, row) =>
    Object.fromEntries(columns.map(([field, values]) => [field, values[row]])),
  )
  return { ...made, fields: { [fieldOf(spec)]: list } }
}

/**
 * Two samples of scores, perhaps with labels and weights. Side by side, they may be shorter than the table: empty cells at the end
 * are none.
 */
function samples(spec: TableSpec, table: Table, mapping: Mapping): Draft {
  const asks: Ask[] = []
  const fields: Fields = {}
  const column = table.columns[mapping.fields.sample]
  const group = column && { ...valuesOf({ spec, table, mapping }, { field: 'sample', column }, asks), column }
  if (asks.length > 0) return asking(asks)
  for (const [place, name] of (spec.needed ?? []).entries()) {
    const own = fieldsOf(spec).filter((field) => field.startsWith(name))
    const parts = own.flatMap((field) => {
      const given = group === undefined ? field : field.replace(name, 'expected')
      const column = table.columns[mapping.fields[given]]
      return column === undefined
        ? []
        : [{ column, ...valuesOf({ spec, table, mapping }, { field: given, column }, asks), field }]
    })
    if (parts[0]?.field !== name) asks.push(choose(name))
    const length = group
      ? table.rows
      : Math.max(0, ...parts.map(({ column }) => lengthOf(column, table.rows)))
    const { kept, asks: gaps } = rowsWith(
      { ...table, rows: length },
      mapping,
      group ? [group, ...parts] : parts,
    )
    asks.push(...gaps)
    const all = kept ?? Array.from({ length }, (_, row) => row)
    const rows = [...all].filter((row) => group === undefined || group.values[row] === place)
    for (const field of own) {
      const part = parts.find((one) => one.field === field)
      fields[field] =
        part === undefined ? new Float64Array() : Float64Array.from(rows, (row) => part.values[row])
    }
  }
  const texts = asks.map(({ text }) => text)
  if (asks.length > 0) return asking(asks.filter(({ text }, i) => texts.indexOf(text) === i))
  return { asks, fields, shown: { rows: table.rows, kept: null } }
}

/** The rows that have every value. Asks before it leaves rows out, unless the person gave their word the meaning LEFT_OUT. */
function rowsWith(
  table: Table,
  mapping: Mapping,
  parts: readonly Part[],
): { kept: Uint32Array | null; asks: Ask[] } {
  const isOut = new Uint8Array(table.rows)
  let out = 0
  let first: Lack | undefined
  for (const { values, column, leavesOut } of parts)
    for (let row = 0; row < table.rows; row++) {
      if (!Number.isNaN(values[row]) || isOut[row] === 1) continue
      isOut[row] = 1
      if (leavesOut?.(row)) continue
      out++
      first ??= { row, column }
    }
  const kept = isOut.includes(1) ? Uint32Array.from(keys(isOut)) : null
  if (first === undefined || mapping.leavesOut) return { kept, asks: [] }
  return { kept, asks: [{ key: 'gaps', text: gapsText(out, first, table), rows: out }] }
}

/** A row without a value in a column. */
interface Lack {
  readonly row: number
  readonly column: Column
}

function gapsText(out: number, { row, column }: Lack, table: Table): string {
  const text = String(cellOf(column, row)).slice(0, 40)
  const fault = `no value in ${column.name}${text === '' ? '' : `, but “${text}”`}`
  if (out === 1) return `Row ${whole(numberOf(table, row))} has ${fault}.`
  return `${whole(out)} of ${plural(table.rows, 'row')} lack a value; row ${whole(numberOf(table, row))} has ${fault}.`
}

function* keys(isOut: Uint8Array) {
  for (let row = 0; row < isOut.length; row++) if (isOut[row] === 0) yield row
}

/** A matrix of counts. If its rows have the names of its columns, they are put into the order of these. */
function countsOf(spec: TableSpec, table: Table, mapping: Mapping): Draft {
  const made = matrix(spec, table, mapping)
  if (made.shown === null) return made
  const { rows, columns, names, kept, values } = made.shown
  const counted = kept === null ? countedRows(table, mapping) : null
  if (counted === null && rows !== columns)
    return nothing(
      'used',
      `A matrix of counts has as many rows as columns; this one has ${plural(rows, 'row')} and ${plural(columns, 'column')}.`,
    )
  const places = counted ?? Array.from({ length: rows }, (_, i) => i)
  const unchanged = table.columns[mapping.unchanged]?.values
  const countAt = (row: number, column: number) =>
    places[row] === NO_ROW
      ? 0
      : values[places[row] * columns + column] +
        (row === column ? (unchanged?.[kept?.[places[row]] ?? places[row]] ?? 0) : 0)
  const named = table.columns[mapping.names]
  const labels = named
    ? places.map((i, at) =>
        i !== NO_ROW ? String(cellOf(named, kept?.[i] ?? i)) : table.hasHeader ? names[at] : 'D',
      )
    : table.hasHeader
      ? names
      : null
  const counts = {
    rows: columns,
    columns,
    values: Float64Array.from({ length: columns ** 2 }, (_, i) => {
      const [row, column] = [Math.floor(i / columns), i % columns]
      return mapping.isAcross ? countAt(column, row) : countAt(row, column)
    }),
  }
  return { ...made, fields: { [fieldOf(spec)]: counts }, shown: { ...made.shown, ...counts, labels } }
}

/** The matrix of counts of the table, or of the moves in its rows. */
function transitions(spec: TableSpec, table: Table, mapping: Mapping): Draft {
  if (!mapping.isHistory) return countsOf(spec, table, mapping)
  const weights = table.columns[mapping.fields.weights]
  const pair = ratingColumns(spec, table, mapping) as Column[]
  const missing = ['from', 'to'].filter((_, i) => pair[i] === undefined)
  if (missing.length > 0) return asking(missing.map(choose))
  const words = ratingsIn(pair)
  if (words.length > MOST_RATINGS)
    return nothing('from', `These columns have more than ${MOST_RATINGS} different ratings.`)
  const order = mapping.order ?? ratingOrder(words).order
  if (order.length === 0) return nothing('order', 'Enter the ratings from best to worst.')
  const { kept, asks } = rowsWith(
    table,
    mapping,
    [...pair, ...(weights ? [weights] : [])].map((column) => ({ values: column.values, column })),
  )
  const [from, to] = pair.map((column) =>
    Array.from({ length: kept?.length ?? table.rows }, (_, i) => String(cellOf(column, kept?.[i] ?? i))),
  )
  const counted = weights && picked(weights.values, kept)
  const { values, outside } = countedMoves({ from, to, weights: counted }, order)
  const counts = { values, rows: order.length, columns: order.length }
  return {
    asks,
    fields: { [fieldOf(spec)]: counts },
    shown: { ...counts, names: order, labels: order, kept: null, outside, moves: sumOf(values) },
  }
}

/** The rows of a rating history, with the order of its ratings; those outside the order are withdrawn ones. */
function history(spec: TableSpec, table: Table, mapping: Mapping): Draft {
  const columns = fieldsOf(spec).map((field) => table.columns[mapping.fields[field]])
  const missing = fieldsOf(spec).filter((_, i) => columns[i] === undefined)
  if (missing.length > 0) return asking(missing.map(choose))
  const [entities, dates, ratings] = columns.map(withDates)
  const words = ratingsIn(ratingColumns(spec, table, mapping) as Column[])
  if (words.length > MOST_RATINGS)
    return nothing('ratings', `${ratings.name} has more than ${MOST_RATINGS} different ratings.`)
  const order = mapping.order ?? ratingOrder(words).order
  if (order.length < 2) return nothing('order', 'Enter the ratings from best to worst; the last is default.')
  const { kept, asks } = rowsWith(
    table,
    mapping,
    columns.map((column) => ({ values: column.values, column })),
  )
  const rows = kept?.length ?? table.rows
  if (rows === 0) return nothing('rows', 'No row has an entity, a date and a rating.')
  const withdrawn = words.filter((word) => !order.includes(word))
  const times = inUnit(picked(dates.values, kept), mapping.units.dates)
  return {
    asks,
    fields: {
      entities: textsOf(entities, kept, String),
      ...(isDate(dates) ? { dates: textsOf(dates, kept, isoDate) } : { times }),
      ratings: textsOf(ratings, kept, String),
      order,
      ...(withdrawn.length > 0 && { withdrawn }),
    },
    shown: { rows, kept },
  }
}

/** The texts of a column, each different one once. */
function textsOf(column: Column, kept: Uint32Array | null, textOf: (value: number) => string): Words {
  const values = picked(column.values, kept)
  if (column.words !== null) return { values, words: column.words }
  const places = new Map<number, number>()
  for (const value of values) if (!places.has(value)) places.set(value, places.size)
  return { values: values.map((value) => places.get(value)!), words: Array.from(places.keys(), textOf) }
}

const choose = (field: string): Ask => ({ key: field, text: `Choose the column of ${labelOf(field)}.` })

const asking = (asks: readonly Ask[]) => ({ asks, fields: null, shown: null })

const nothing = (key: string, text: string) => asking([{ key, text }])

const picked = (values: Numbers, kept: Uint32Array | null): Numbers =>
  kept === null ? values : Float64Array.from(kept, (row) => values[row])

function interleaved(lists: readonly Numbers[]): Numbers {
  const columns = lists.length
  const values = new Float64Array(columns * lists[0].length)
  for (const [i, list] of lists.entries())
    for (let row = 0; row < list.length; row++) values[row * columns + i] = list[row]
  return values
}

function rowNames(table: Table, mapping: Mapping, kept: Uint32Array | null): RowNames {
  const rowOf = (i: number) => kept?.[i] ?? i
  const common = { rowOf, numberOf: (i: number) => numberOf(table, rowOf(i)) }
  const rowName = (i: number) => `Row ${whole(common.numberOf(i))}`
  const column = table.columns[mapping.names]
  if (column === undefined) return { ...common, heading: null, nameOf: rowName, times: null }
  const nameOf = (i: number) => String(cellOf(column, rowOf(i))) || rowName(i)
  return {
    ...common,
    heading: column.name,
    nameOf,
    times: isDate(column) ? picked(column.values, kept) : null,
  }
}
