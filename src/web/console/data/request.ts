/** Makes the fields of a request from a table and the mapping of its columns, or names what must be asked first. */
// @ts-nocheck: to be converted
import { labelOf } from '../labels.ts'
import { plural, whole } from '../numbers.ts'
import { isDate } from './column-types.ts'
import { fieldsOf, isNeeded } from './mapping.ts'
import { questionsOf } from './questions.ts'
import { countedMoves, countedRows, MOST_RATINGS, ratingOrder, ratingsIn } from './ratings.ts'
import { cellOf, numberOf } from './table.ts'
import { valuesOf } from './values.ts'

/**
 * → `{ asks, fields, shown }`.
 * - `asks`: `{ key, text }` of each thing to ask, with the `answers` of questions.js where the person chooses one; if there is one,
 *   the others are null.
 * - `fields`: by name, a Float64Array; `{ values, words }`, where values are indices into words; of a matrix `{ values, rows,
 *   columns }`; of records a list of objects; names of columns a list of texts.
 * - `shown`: for pictures and results, `{ rows, columns, names, values, labels, kept, given, … }`, where `kept` is the row of the
 *   table of each row sent, or null for all rows, and `given` the table; with the properties that rowNames returns.
 */
export function requestOf(spec, table, mapping) {
  if (table === null) return nothing('table', 'Enter a table, or choose a file.')
  const made = { matrix, columns: byField, rows: byField, records, samples, transitions }[spec.kind](
    spec,
    table,
    mapping,
  )
  const questions = questionsOf(spec, table, mapping)
  const isAsked = (key) => questions.some((one) => one.key === key)
  const asks = [...questions, ...made.asks.filter(({ key }) => !isAsked(key))]
  if (mapping.guesses.length > 0) asks.push({ key: 'guesses', text: 'Confirm the meaning of the columns.' })
  if (asks.length > 0) return asking(asks)
  return {
    ...made,
    shown: {
      ...made.shown,
      ...rowNames(table, mapping, made.shown.kept),
      given: table,
      isTurned: mapping.isTurned,
    },
  }
}

function matrix(spec, table, mapping) {
  const used = mapping.used.map((i) => table.columns[i])
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
  const headings = spec.names !== undefined && table.hasHeader ? { [spec.names]: names } : {}
  return { asks, fields: { [spec.field]: X, ...headings }, shown: { ...X, names, kept } }
}

/** The fields that have a column. With the kind `rows`, the others have one value for all rows, outside the table. */
function byField(spec, table, mapping) {
  const asks = []
  const parts = []
  for (const field of fieldsOf(spec)) {
    const column = table.columns[mapping.fields[field]]
    if (column !== undefined) parts.push({ field, column, ...valuesOf(spec, mapping, field, column, asks) })
    else if (isNeeded(spec, field)) asks.push({ key: field, text: `Choose the column of ${labelOf(field)}.` })
  }
  if (asks.length > 0) return asking(asks)
  if (parts.length === 0) return nothing('fields', 'Choose a column for at least one field.')
  const { kept, asks: gaps } = rowsWith(table, mapping, parts)
  const rows = kept?.length ?? table.rows
  if (rows === 0) return nothing('rows', 'No row has a value for each of these fields.')
  const fields = Object.fromEntries(
    parts.map(({ field, values, words }) => {
      const own = picked(values, kept)
      return [field, words === undefined ? own : { values: own, words }]
    }),
  )
  // Fields of the kind `columns` have no entry outside the table, so those without a column are empty.
  if (spec.kind === 'columns') for (const field of spec.fields) fields[field] ??= new Float64Array()
  return { asks: gaps, fields, shown: { rows, kept } }
}

/** The rows as objects, which lack the fields without a column. */
function records(spec, table, mapping) {
  const made = byField(spec, table, mapping)
  if (made.fields === null) return made
  const columns = Object.entries(made.fields).map(([field, list]) => [
    field,
    list.words === undefined ? list : Array.from(list.values, (place) => list.words[place]),
  ])
  const list = Array.from({ length: made.shown.rows }, (_, row) =>
    Object.fromEntries(columns.map(([field, values]) => [field, values[row]])),
  )
  return { ...made, fields: { [spec.field]: list } }
}

/** Two samples of scores, perhaps with labels and weights. They may be shorter than the table: empty cells at the end are none. */
function samples(spec, table, mapping) {
  const asks = []
  const fields = {}
  for (const name of spec.needed) {
    const own = spec.fields.filter((field) => field.startsWith(name))
    const parts = own.flatMap((field) => {
      const column = table.columns[mapping.fields[field]]
      return column === undefined ? [] : [{ field, column, ...valuesOf(spec, mapping, field, column, asks) }]
    })
    if (parts[0]?.field !== name) asks.push({ key: name, text: `Choose the column of ${labelOf(name)}.` })
    const length = Math.max(0, ...parts.map(({ column }) => lengthOf(column, table.rows)))
    const { kept, asks: gaps } = rowsWith({ ...table, rows: length }, mapping, parts)
    asks.push(...gaps)
    const rows = kept ?? Array.from({ length }, (_, row) => row)
    for (const field of own) {
      const part = parts.find((one) => one.field === field)
      fields[field] =
        part === undefined ? new Float64Array() : Float64Array.from(rows, (row) => part.values[row])
    }
  }
  if (asks.length > 0) return asking(asks)
  return { asks, fields, shown: { rows: table.rows, kept: null } }
}

/** The length of a column without the empty cells at its end. */
function lengthOf(column, rows) {
  let length = rows
  while (length > 0 && cellOf(column, length - 1) === '') length--
  return length
}

/** The rows that have every value. Asks before it leaves rows out, unless the person gave their word the meaning LEFT_OUT. */
function rowsWith(table, mapping, parts) {
  const isOut = new Uint8Array(table.rows)
  let [out, first] = [0, null]
  for (const { values, column, leavesOut } of parts)
    for (let row = 0; row < table.rows; row++) {
      if (!Number.isNaN(values[row]) || isOut[row] === 1) continue
      isOut[row] = 1
      if (leavesOut?.(row)) continue
      out++
      first ??= { row, column }
    }
  const kept = isOut.includes(1) ? Uint32Array.from(keys(isOut)) : null
  if (out === 0 || mapping.leavesOut) return { kept, asks: [] }
  return { kept, asks: [{ key: 'gaps', text: gapsText(out, first, table) }] }
}

function gapsText(out, { row, column }, table) {
  const text = String(cellOf(column, row)).slice(0, 40)
  const fault = `no value in ${column.name}${text === '' ? '' : `, but “${text}”`}`
  if (out === 1) return `Row ${whole(numberOf(table, row))} has ${fault}.`
  return `${whole(out)} of ${plural(table.rows, 'row')} lack a value; row ${whole(numberOf(table, row))} has ${fault}.`
}

function* keys(isOut) {
  for (let row = 0; row < isOut.length; row++) if (isOut[row] === 0) yield row
}

/** A matrix of counts. If its rows have the names of its columns, they are put into the order of these. */
function countsOf(spec, table, mapping) {
  const made = matrix(spec, table, mapping)
  if (made.shown === null) return made
  const { rows, columns, names, kept, values } = made.shown
  const counted = kept === null ? countedRows(table, mapping) : null
  if (counted === null && rows !== columns)
    return nothing(
      'used',
      `A matrix of counts has as many rows as columns; this one has ${plural(rows, 'row')} and ${plural(columns, 'column')}.`,
    )
  const places = counted ?? Array.from(kept, (_, i) => i)
  const named = table.columns[mapping.names]
  const labels = named
    ? places.map((i) => String(cellOf(named, kept?.[i] ?? i)))
    : table.hasHeader
      ? names
      : null
  const counts = {
    rows: columns,
    columns,
    values: Float64Array.from(
      { length: columns ** 2 },
      (_, i) => values[places[Math.floor(i / columns)] * columns + (i % columns)],
    ),
  }
  return { ...made, fields: { [spec.field]: counts }, shown: { ...made.shown, ...counts, labels } }
}

/** The matrix of counts of the table, or of the moves in its rows. */
function transitions(spec, table, mapping) {
  if (!mapping.isHistory) return countsOf(spec, table, mapping)
  const pair = ['from', 'to'].map((field) => table.columns[mapping.fields[field]])
  const missing = ['from', 'to'].filter((_, i) => pair[i] === undefined)
  if (missing.length > 0)
    return asking(missing.map((field) => ({ key: field, text: `Choose the column of ${labelOf(field)}.` })))
  const words = ratingsIn(pair)
  if (words.length > MOST_RATINGS)
    return nothing('from', `These columns have more than ${MOST_RATINGS} different ratings.`)
  const order = mapping.order ?? ratingOrder(words).order
  if (order.length === 0) return nothing('order', 'Enter the ratings from best to worst.')
  const { kept, asks } = rowsWith(
    table,
    mapping,
    pair.map((column) => ({ values: column.values, column })),
  )
  const [from, to] = pair.map((column) =>
    Array.from({ length: kept?.length ?? table.rows }, (_, i) => String(cellOf(column, kept?.[i] ?? i))),
  )
  const { values, outside } = countedMoves(from, to, order)
  const counts = { values, rows: order.length, columns: order.length }
  return {
    asks,
    fields: { [spec.field]: counts },
    shown: { ...counts, names: order, labels: order, kept: null, outside, moves: from.length - outside },
  }
}

const asking = (asks) => ({ asks, fields: null, shown: null })

const nothing = (key, text) => asking([{ key, text }])

const picked = (values, kept) => (kept === null ? values : Float64Array.from(kept, (row) => values[row]))

function interleaved(lists) {
  const columns = lists.length
  const values = new Float64Array(columns * lists[0].length)
  for (const [i, list] of lists.entries())
    for (let row = 0; row < list.length; row++) values[row * columns + i] = list[row]
  return values
}

/**
 * The names of the rows sent: `{ heading, nameOf(i), numberOf(i), rowOf(i), times }`; `heading` and `times` are null if no column
 * has them.
 */
function rowNames(table, mapping, kept) {
  const rowOf = (i) => kept?.[i] ?? i
  const common = { rowOf, numberOf: (i) => numberOf(table, rowOf(i)) }
  const rowName = (i) => `Row ${whole(common.numberOf(i))}`
  const column = table.columns[mapping.names]
  if (column === undefined) return { ...common, heading: null, nameOf: rowName, times: null }
  const nameOf = (i) => String(cellOf(column, rowOf(i))) || rowName(i)
  return {
    ...common,
    heading: column.name,
    nameOf,
    times: isDate(column) ? picked(column.values, kept) : null,
  }
}

/** The body of a request in JSON: the fields of the table and the other values. */
export function bodyOf(spec, fields, others) {
  const texts = Object.entries(fields).map(([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`)
  const members = [...texts, JSON.stringify(others).slice(1, -1)].filter((text) => text !== '').join(',')
  return spec.kind === 'rows' ? `{"columns":{${members}}}` : `{${members}}`
}

function textOf(field) {
  if (Array.isArray(field)) return JSON.stringify(field)
  if (field instanceof Float64Array) return `[${field.join(',')}]`
  const { values, words, rows, columns } = field
  if (words !== undefined) {
    const texts = words.map((word) => JSON.stringify(word))
    return `[${Array.from(values, (place) => texts[place]).join(',')}]`
  }
  const lines = []
  for (let row = 0; row < rows; row++)
    lines.push(`[${values.subarray(row * columns, (row + 1) * columns).join(',')}]`)
  return `[${lines.join(',')}]`
}
