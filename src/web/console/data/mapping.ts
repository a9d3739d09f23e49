/**
 * The meaning of the columns of a table: a guess by headings and contents, which the person confirms or changes. A mapping has
 * - `fields`: the column of each field; `used`: the columns of a matrix; `names`: the column that names the rows, or -1;
 * - `meanings`: for each field, the value of each word of its column, or LEFT_OUT; `units`: the unit of each field (units.ts);
 * - `day`: the day from which times to maturity count; `isTurned`: whether high scores are safe;
 * - `order`: the ratings from best to worst, or null for that of ratingOrder; `isHistory`: whether each row is a move;
 * - `leavesOut`: whether rows without a value are left out; `guesses`: `{ key, text }` of those that are not confirmed.
 */
// @ts-nocheck: to be converted
import { labelOf } from '../labels.ts'
import { plural } from '../numbers.ts'
import { extent } from '../pictures/sampling.ts'
import { isDate, isNumeric } from './column-types.ts'
import { likeness, meaningOf, namesRows } from './headings.ts'
import { countedRows, isNoRating, MOST_RATINGS, ratingOrder, ratingsIn } from './ratings.ts'
import { wordsIn } from './table.ts'
import { unitGuess, unitsOf } from './units.ts'

/** The most different words of a column to which the person can give meanings. */
export const MOST_MEANINGS = 12
export const LEFT_OUT = '–'

/** The fields that may be columns. */
export const fieldsOf = ({ kind, fields }) => (kind === 'transitions' ? ['from', 'to'] : (fields ?? []))

/** Whether a field must have a column: it is in `needed`, or `needed` is absent and the table has the kind `columns`. */
export const isNeeded = ({ kind, needed }, field) => needed?.includes(field) ?? kind === 'columns'

const EMPTY = {
  fields: {},
  used: [],
  names: -1,
  meanings: {},
  units: {},
  day: '',
  isTurned: false,
  order: null,
  isHistory: false,
  leavesOut: false,
  guesses: [],
}

/** Guesses a mapping. `spec`: `{ kind, field, fields, choices }`; `choices`: the values of fields that have few. */
export function guessed(spec, table) {
  const { fields, guesses } = fieldsBy(spec, table)
  const isRatings = spec.kind === 'transitions'
  const numbers = table.columns.flatMap((column, i) =>
    isNumeric(column) && !(isRatings && isNoRating(column.name)) ? [i] : [],
  )
  const isHistory =
    isRatings && countedRows(table, { names: namesBy(spec, table, []), used: numbers }) === null
  const given = isRatings && !isHistory ? {} : fields
  const taken = Object.values(given)
  const names = namesBy(spec, table, taken)
  const isGuessed = names !== -1 && isNumeric(table.columns[names])
  const used = numbers.filter((i) => i !== names)
  const isMatrix = spec.kind === 'matrix' || (isRatings && !isHistory)
  const mapping = {
    ...EMPTY,
    fields: given,
    names,
    isHistory,
    used,
    guesses: [
      ...(isRatings && !isHistory ? [] : guesses),
      ...(isGuessed ? [{ key: 'names', text: `${table.columns[names].name} names the rows` }] : []),
      ...doubtsOf(
        [names, ...(isMatrix ? used : [])].filter((i) => i !== -1).map((i) => table.columns[i]),
        'types',
      ),
    ],
  }
  return withOrder(
    spec,
    table,
    Object.keys(given).reduce((made, field) => withDetails(spec, table, made, field), mapping),
  )
}

/** One guess for all columns whose cells can be read in two ways: the reading that was taken. */
function doubtsOf(columns, key) {
  const [first, ...others] = columns.filter(({ doubt }) => doubt !== null)
  if (first === undefined) return []
  const more = others.length > 0 ? `, and likewise in ${plural(others.length, 'more column')}` : ''
  const { cell, readings } = first.doubt
  return [{ key, text: `“${cell}” in ${first.name} is ${readings.join(', not ')}${more}` }]
}

/** The mapping, with the order of the ratings as a guess if they are of no known scale. */
function withOrder(spec, table, mapping) {
  const { from, to } = mapping.fields
  if (spec.kind !== 'transitions' || from === undefined || to === undefined) return mapping
  const { order, isKnown } = ratingOrder(ratingsIn([table.columns[from], table.columns[to]]))
  if (isKnown) return mapping
  return {
    ...mapping,
    guesses: [
      ...mapping.guesses,
      { key: 'order', text: `the order of ratings is ${order.slice(0, 30).join(', ')}` },
    ],
  }
}

/** The mapping after the person has chosen another column for a field; -1: no column. */
export function withField(spec, table, mapping, field, column) {
  const { [field]: _before, ...fields } = mapping.fields
  const { [field]: _meaning, ...meanings } = mapping.meanings
  const { [field]: _unit, ...units } = mapping.units
  const next = {
    ...mapping,
    meanings,
    units,
    leavesOut: false,
    order: null,
    fields: column < 0 ? fields : { ...fields, [field]: column },
    guesses: mapping.guesses.filter(
      ({ key }) => key !== field && key !== 'order' && !key.startsWith(`${field} `),
    ),
  }
  return column < 0 ? next : withOrder(spec, table, withDetails(spec, table, next, field))
}

/** The mapping, with guesses of the unit of a field or of the meanings of its words. */
function withDetails(spec, table, mapping, field) {
  const column = table.columns[mapping.fields[field]]
  const label = labelOf(field)
  const guesses = [...mapping.guesses]
  const units = { ...mapping.units }
  const meanings = { ...mapping.meanings }
  const choices = spec.choices?.[field]
  if (choices !== undefined) {
    const { words, isCertain } = meaningsBy(column, choices)
    meanings[field] = words
    const text = Object.entries(words).map(([word, choice]) => `“${word}” is ${labelOfChoice(choice)}`)
    if (!isCertain && text.length > 0) guesses.push({ key: `${field} words`, text: text.join(', ') })
  } else if (unitsOf(field, column).length > 0) {
    units[field] = unitGuess(field, column)
    const [usual] = unitsOf(field, column)
    if (units[field] !== usual.name) {
      const { label: unit } = unitsOf(field, column).find(({ name }) => name === units[field])
      guesses.push({ key: `${field} unit`, text: `${label}: ${unit}` })
    }
  }
  guesses.push(...doubtsOf([column], `${field} type`))
  return { ...mapping, units, meanings, guesses }
}

export const labelOfChoice = (choice) =>
  choice === LEFT_OUT
    ? 'left out'
    : typeof choice === 'number'
      ? choice === 1
        ? '1, default'
        : '0, no default'
      : String(choice)

/** The words whose meaning is known. In a column of numbers all must be: other codes of two classes contain 0 or 1 too. */
function meaningsBy(column, choices) {
  const words = wordsIn(column, MOST_MEANINGS)
  const isNumber = words.every((word) => word !== '' && Number.isFinite(Number(word)))
  const known = words
    .map((word) => [word, meaningOf(word, choices)])
    .filter(([, choice]) => choice !== undefined)
  const isCertain = known.every(([word, choice]) => word === String(choice))
  if (words.length > MOST_MEANINGS || (isNumber && known.length < words.length))
    return { words: {}, isCertain }
  return { words: Object.fromEntries(known), isCertain }
}

/** The most likely column of each field; no column has two fields. */
function fieldsBy(spec, table) {
  const pairs = fieldsOf(spec)
    .flatMap((field) =>
      table.columns.map((column, i) => ({
        field,
        i,
        share: suits(spec, field, column) ? likeness(field, column.name) : 0,
      })),
    )
    .filter(({ share }) => share > 0 && (table.hasHeader || share === 1))
    .sort((a, b) => b.share - a.share)
  const fields = {}
  const guesses = []
  const assign = (field, i, isCertain) => {
    if (field in fields || Object.values(fields).includes(i)) return
    fields[field] = i
    if (!isCertain) guesses.push({ key: field, text: `${labelOf(field)}: ${table.columns[i].name}` })
  }
  for (const { field, i, share } of pairs) assign(field, i, share === 1)
  if (spec.kind === 'columns') byContents(spec, table, assign)
  if (spec.kind === 'samples') byOrder(spec, table, assign)
  return { fields, guesses }
}

/** Assigns the columns of a table that has no others: one with two values has the labels, the others have the numbers. */
function byContents({ fields, choices = {}, needed = fields }, table, assign) {
  const { columns } = table
  if (columns.length > needed.length) return
  for (const field of needed.filter((name) => name in choices)) {
    const place = columns.findIndex((column) => wordsIn(column, 2).length === 2)
    if (place !== -1) assign(field, place, false)
  }
  for (const field of needed.filter((name) => !(name in choices)))
    for (const [i, column] of columns.entries()) if (isNumeric(column)) assign(field, i, columns.length === 1)
}

/** Assigns columns of numbers to the samples, of two values to their labels, and of weights by heading, each in their order. */
function byOrder({ fields, choices, needed }, { columns }, assign) {
  const isWeights = ({ name }) => likeness('weights', name) > 0
  const isLabels = (column) => !isWeights(column) && wordsIn(column, 2).length <= 2
  const isScores = (column) => isNumeric(column) && !isWeights(column) && !isLabels(column)
  for (const [names, isOne] of [
    [needed, isScores],
    [fields.filter((name) => name in choices), isLabels],
    [fields.filter((name) => name.endsWith('_weights')), isWeights],
  ]) {
    const places = columns.flatMap((column, i) => (isOne(column) ? [i] : []))
    if (names.length === places.length)
      for (const [i, name] of names.entries()) assign(name, places[i], false)
  }
}

function suits({ choices = {}, kind }, field, column) {
  if (kind === 'transitions') return wordsIn(column, MOST_RATINGS).length <= MOST_RATINGS && !isDate(column)
  if (field in choices) return wordsIn(column, MOST_MEANINGS).length <= MOST_MEANINGS && !isDate(column)
  if (field === 'y_prob') return isNumeric(column) && mayBeProbabilities(column)
  return isNumeric(column) || (isDate(column) && unitsOf(field, column).length > 0)
}

/** Whether values may be probabilities, as decimals or in percent; the points of a score usually exceed 100. */
function mayBeProbabilities({ values }) {
  const [least, most] = extent(values)
  return least >= 0 && most <= 100
}

/** Whether a column has row numbers as pandas and R write them: it is the first and has no heading. */
const isIndex = (name, i) => i === 0 && /^(Column 1|Unnamed: 0)$/.test(name)

/** The column that names the rows, or -1: one of dates, else one of distinct words, else one of ids by its heading. */
function namesBy(spec, table, taken) {
  const free = table.columns.map((column, i) => ({ column, i })).filter(({ i }) => !taken.includes(i))
  const isDistinct = ({ words, gaps }) =>
    words !== null && words.length === table.rows - gaps && 2 * gaps < table.rows
  const isId = ({ name, values }, i) =>
    table.hasHeader && (namesRows(name) || isIndex(name, i)) && values.every(Number.isInteger)
  const found =
    (spec.kind !== 'transitions' && free.find(({ column }) => isDate(column))) ||
    free.find(({ column }) => isDistinct(column) && (table.hasHeader || spec.kind !== 'columns')) ||
    free.find(({ column }) => column.words !== null && namesRows(column.name)) ||
    (spec.kind !== 'transitions' && free.find(({ column, i }) => isNumeric(column) && isId(column, i)))
  return found ? found.i : -1
}
