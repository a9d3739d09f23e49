/**
 * The meaning of the columns of a table: a guess by headings and contents, which the person confirms or changes. A mapping is
 * `{ fields, used, names, meanings, units, day, isTurned, order, isHistory, leavesOut, guesses }`: `fields`: name of a field →
 * its column; `used`: columns of a matrix; `names`: column that names the rows, or -1; `meanings`: field → word of its column →
 * value of the field, or LEFT_OUT; `units`: field → its unit (units.js); `day`: from which times to maturity count; `isTurned`:
 * high scores are safe; `order`: ratings from best to worst, or null for ratingOrder; `isHistory`: from and to are columns, not
 * a matrix; `leavesOut`: rows without a value are left out; `guesses`: `{ key, text }` not confirmed yet.
 */
import { labelOf } from '../labels.js'
import { plural } from '../numbers.js'
import { extent } from '../pictures/sampling.js'
import { isDate, isNumeric } from './column-types.js'
import { likeness, meaningOf, namesRows } from './headings.js'
import { countedRows, isNoRating, MOST_RATINGS, ratingOrder, ratingsIn } from './ratings.js'
import { wordsIn } from './table.js'
import { unitGuess, unitsOf } from './units.js'

/** Different words that may be given a meaning each. */
export const MOST_MEANINGS = 12
export const LEFT_OUT = '–'

/** The fields that may be columns. */
export const fieldsOf = ({ kind, fields }) => (kind === 'transitions' ? ['from', 'to'] : (fields ?? []))

/** Whether a field must have a column: those that are named, else of columns all. */
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

/** `spec`: `{ kind, field, fields, choices }`; `choices`: the values of the fields that have a few. */
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

/** The reading that was taken of cells that can be read in two ways; one guess for all columns. */
function doubtsOf(columns, key) {
  const [first, ...others] = columns.filter(({ doubt }) => doubt !== null)
  if (first === undefined) return []
  const more = others.length > 0 ? `, and likewise in ${plural(others.length, 'more column')}` : ''
  const { cell, readings } = first.doubt
  return [{ key, text: `“${cell}” in ${first.name} is ${readings.join(', not ')}${more}` }]
}

/** With the order of ratings as a guess, where they are of no known scale. */
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

/** A mapping with another column for a field, chosen by hand; -1 for none. */
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

/** With a guess of the unit and of the meanings of words. */
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

/** Words whose meaning is known; of numbers only 0 and 1, which other codes of two classes contain too. */
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

/** The likeliest column of each field, each column for one field. */
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

/** Where few columns leave little doubt: one with two values has the labels, and the only other one the numbers. */
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

/**
 * The columns of numbers are the samples in their order; those of two values between them their labels; those that say so their
 * weights.
 */
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

/** As shares or in percent, which points of a score are not. */
function mayBeProbabilities({ values }) {
  const [least, most] = extent(values)
  return least >= 0 && most <= 100
}

/** The first column without a heading, as pandas and R write the numbers of rows. */
const isIndex = (name, i) => i === 0 && /^(Column 1|Unnamed: 0)$/.test(name)

/** Dates; else a column of different words; else ids by their heading. */
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
