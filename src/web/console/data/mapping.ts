/**
 * The meaning of the columns of a table: proposed by headings and contents, confirmed or changed by the person. What changes a
 * result without being visible in it (a unit, a direction, a weight) is null or in `open` until the cells prove it or the person
 * has answered (questions.js). A mapping has
 * - `fields`: the column of each field; `used`: the columns of a matrix; `names`: the column that names the rows, or -1;
 * - `meanings`: for each field, the value of each word of its column, or LEFT_OUT;
 * - `units`: the unit of each field (units.js), null while it is not known;
 * - `isTurned`: whether high scores are safe, null while it is not known;
 * - `day`: the day from which times to maturity count;
 * - `order`: the ratings from best to worst, or null for that of ratingOrder; `isHistory`: whether each row is a move;
 * - `leavesOut`: whether rows without a value are left out; `guesses`: `{ key, text }` of columns that are not confirmed;
 * - `open`: by field, the columns of which the person chooses one or none; `names`: the column that may be an id or a measure;
 *   `roles`: whether the two samples may be the other way round; `order`: whether ratings of no known scale are in order.
 */
// @ts-nocheck: to be converted
import { labelOf } from '../labels.ts'
import { extent } from '../pictures/sampling.ts'
import { isDate, isNumeric } from './column-types.ts'
import { isOfRisk, likeness, meaningOf, namesRows } from './headings.ts'
import { countedRows, isNoRating, MOST_RATINGS, ratingOrder, ratingsIn } from './ratings.ts'
import { wordsIn } from './table.ts'
import { provenUnit, unitsOf } from './units.ts'

/** The most different words of a column to which the person can give meanings. */
export const MOST_MEANINGS = 12
export const LEFT_OUT = '–'

/** The fields that may be columns. */
export const fieldsOf = ({ kind, fields }) => (kind === 'transitions' ? ['from', 'to'] : (fields ?? []))

/** Whether a field must have a column: it is in `needed`, or `needed` is absent and the table has the kind `columns`. */
export const isNeeded = ({ kind, needed }, field) => needed?.includes(field) ?? kind === 'columns'

/** Whether the rows of the table are those of a matrix. */
export const isMatrix = ({ kind }, { isHistory }) =>
  kind === 'matrix' || (kind === 'transitions' && !isHistory)

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
  open: {},
}

/** Proposes a mapping. `spec`: `{ kind, field, fields, choices }`; `choices`: the values of fields that have few. */
export function guessed(spec, table) {
  const { fields, guesses, open } = fieldsBy(spec, table)
  const isRatings = spec.kind === 'transitions'
  const numbers = table.columns.flatMap((column, i) =>
    isNumeric(column) && !(isRatings && isNoRating(column.name)) ? [i] : [],
  )
  const isHistory =
    isRatings && countedRows(table, { names: namesBy(spec, table, []), used: numbers }) === null
  const isCounts = isRatings && !isHistory
  const given = isCounts ? {} : fields
  const names = namesBy(spec, table, Object.values(given))
  const mayMeasure = spec.kind === 'matrix' && names !== -1 && mayBeMeasure(table.columns[names])
  const mapping = {
    ...EMPTY,
    fields: given,
    names,
    isHistory,
    used: numbers.filter((i) => i !== names),
    guesses: isCounts ? [] : guesses,
    open: isCounts ? {} : { ...open, ...(mayMeasure && { names }) },
  }
  return withOrder(
    spec,
    table,
    Object.keys(given).reduce((made, field) => withDetails(spec, table, made, field), mapping),
  )
}

/** The open questions of a mapping after the person has answered one. */
export function openWithout({ open }, key) {
  const { [key]: _answered, ...others } = open
  return others
}

/** Whether a column of numbers that has the heading of ids may be a measure: its numbers do not count the rows. */
const mayBeMeasure = (column) =>
  isNumeric(column) && column.values.some((value, row) => value !== column.values[0] + row)

/** The mapping, with the order of the ratings as a question if they are of no known scale. */
function withOrder(spec, table, mapping) {
  const { from, to } = mapping.fields
  if (spec.kind !== 'transitions' || from === undefined || to === undefined) return mapping
  const { isKnown } = ratingOrder(ratingsIn([table.columns[from], table.columns[to]]))
  return isKnown ? mapping : { ...mapping, open: { ...mapping.open, order: true } }
}

/** The mapping after the person has chosen another column for a field; -1: no column. */
export function withField(spec, table, mapping, field, column) {
  const { [field]: _before, ...fields } = mapping.fields
  const { [field]: _meaning, ...meanings } = mapping.meanings
  const { [field]: _unit, ...units } = mapping.units
  const { [field]: _open, order: _order, roles, ...open } = mapping.open
  const next = {
    ...mapping,
    meanings,
    units,
    open: roles === undefined || spec.needed.includes(field) ? open : { ...open, roles },
    isTurned: field === spec.turns ? false : mapping.isTurned,
    leavesOut: false,
    order: null,
    fields: column < 0 ? fields : { ...fields, [field]: column },
    guesses: mapping.guesses.filter(({ key }) => key !== field),
  }
  return column < 0 ? next : withOrder(spec, table, withDetails(spec, table, next, field))
}

/** The mapping of two samples the other way round. */
export function withRolesTurned(spec, table, mapping) {
  const turned = (field) =>
    field.replace(/^(expected|actual)/, (role) => (role === 'expected' ? 'actual' : 'expected'))
  const byField = (given) =>
    Object.fromEntries(Object.entries(given).map(([field, value]) => [turned(field), value]))
  const { open, fields } = mapping
  const next = { ...mapping, fields: byField(fields), open: byField(open), meanings: {}, guesses: [] }
  return Object.keys(next.fields).reduce((made, field) => withDetails(spec, table, made, field), next)
}

/** The mapping, with what the cells prove of the unit, the direction or the words of a field. */
function withDetails(spec, table, mapping, field) {
  const column = table.columns[mapping.fields[field]]
  const choices = spec.choices?.[field]
  const made = { ...mapping }
  if (choices !== undefined) made.meanings = { ...made.meanings, [field]: meaningsBy(column, choices) }
  else if (unitsOf(field, column).length > 0)
    made.units = { ...made.units, [field]: provenUnit(field, column) }
  if (field === spec.turns) made.isTurned = isOfRisk(column.name) ? false : null
  return made
}

export const labelOfChoice = (choice) =>
  choice === LEFT_OUT
    ? 'left out'
    : typeof choice === 'number'
      ? choice === 1
        ? '1, default'
        : '0, no default'
      : String(choice)

/** The words whose meaning is certain. In a column of numbers all must be: other codes of two classes contain 0 or 1 too. */
function meaningsBy(column, choices) {
  const words = wordsIn(column, MOST_MEANINGS)
  if (words.length > MOST_MEANINGS) return {}
  const isNumber = words.every((word) => word !== '' && Number.isFinite(Number(word)))
  const known = words
    .map((word) => [word, meaningOf(word, choices, column.name)])
    .filter(([, choice]) => choice !== undefined)
  return isNumber && known.length < words.length ? {} : Object.fromEntries(known)
}

/** The least likeness of a heading that as a whole is a known one. */
const WHOLE = 0.5

/** Whether a field is that of weights, to which only its own name assigns a column. */
export const isWeights = (field) => /(^|_)weights?$/.test(field)

/**
 * `{ fields, guesses, open }`: the column of each field by its heading; no column has two fields. If several columns are likely for
 * a field, or one for weights, they are open.
 */
function fieldsBy(spec, table) {
  const found = { fields: {}, guesses: [], open: {} }
  const isTaken = (i) => Object.values(found.fields).includes(i)
  const assign = (field, i, isCertain) => {
    if (field in found.fields || field in found.open || isTaken(i)) return
    found.fields[field] = i
    if (!isCertain) found.guesses.push({ key: field, text: `${labelOf(field)}: ${table.columns[i].name}` })
  }
  const pairs = fieldsOf(spec)
    .flatMap((field) =>
      table.columns.map((column, i) => ({
        field,
        i,
        share: suits(spec, field, column) ? likeness(field, column.name) : 0,
      })),
    )
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share)
  for (const { field, i, share } of pairs) if (share === 1) assign(field, i, true)
  const likely = new Map()
  for (const { field, i, share } of table.hasHeader ? pairs : []) {
    const isClaimed = [...likely.values()].some(({ places }) => places.includes(i))
    if (field in found.fields || isTaken(i) || isClaimed) continue
    const best = likely.get(field)
    if (best === undefined) likely.set(field, { share, places: [i] })
    else if (share >= WHOLE || best.share < WHOLE) best.places.push(i)
  }
  for (const [field, { places }] of likely)
    if (places.length > 1 || isWeights(field)) found.open[field] = places
    else assign(field, places[0], false)
  if (spec.kind === 'columns') byContents(spec, table, assign)
  if (spec.kind === 'samples') byOrder(spec, table, assign, found.open)
  return found
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

/**
 * Assigns columns of numbers to the samples, and of two values to their labels, in their order, which is then open. Columns with
 * headings of weights are open too.
 */
function byOrder({ fields, choices, needed }, { columns }, assign, open) {
  const isWeight = ({ name }) => likeness('weights', name) > 0
  const isLabels = (column) => !isWeight(column) && wordsIn(column, 2).length <= 2
  const isScores = (column) => isNumeric(column) && !isWeight(column) && !isLabels(column)
  const inOrder = (names, isOne) => {
    const places = columns.flatMap((column, i) => (isOne(column) ? [i] : []))
    return names.length === places.length ? names.map((name, i) => ({ name, place: places[i] })) : []
  }
  const isNamed = ({ name, place }) => likeness(name, columns[place].name) === 1
  const scores = inOrder(needed, isScores)
  if (scores.length > 0 && !scores.every(isNamed)) open.roles = true
  for (const { name, place } of scores) assign(name, place, true)
  for (const { name, place } of inOrder(
    fields.filter((field) => field in choices),
    isLabels,
  ))
    assign(name, place, open.roles === true)
  for (const one of inOrder(fields.filter(isWeights), isWeight))
    if (!isNamed(one)) open[one.name] = [one.place]
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
