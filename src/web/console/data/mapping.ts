/**
 * The meaning of the columns of a table: proposed by headings and contents, confirmed or changed by the person. What changes a
 * result without being visible in it (a unit, a direction, a weight) is null or in `open` until the cells prove it or the person
 * has answered (questions.ts).
 */
import type { FormField } from '../../../derive/forms.ts'
import { labelOf } from '../labels.ts'
import { extent } from '../pictures/sampling.ts'
import { today } from '../times.ts'
import { type Choice, isOfRisk, likeness, meaningOf, namesRows } from './headings.ts'
import { countedRows, isNoRating, MOST_RATINGS, ratingOrder, ratingsIn } from './ratings.ts'
import { type Column, isDate, isNumeric, type Table, wordsIn } from './table.ts'
import { isAmount, isTime, isVolatility, provenUnit, type Unit, unitsOf } from './units.ts'

/** The table that an operation takes. */
export interface TableSpec {
  readonly kind: 'matrix' | 'columns' | 'rows' | 'records' | 'samples' | 'transitions'
  /** The field of a matrix or of records. */
  readonly field?: string
  /** The fields that may be columns; `needed`: those that must be; `choices`: the values of those that have few. */
  readonly fields?: readonly string[]
  readonly needed?: readonly string[]
  readonly choices?: Readonly<Record<string, readonly Choice[]>>
  /** The field of the names of the columns of a matrix. */
  readonly names?: string
  /** The field of scores, whose direction matters. */
  readonly turns?: string
  /** Whether the results are shown beside the rows of the table. */
  readonly byRow?: boolean
  /** The text of the table at first; absent: that of the example. */
  readonly sample?: string
}

export interface Mapping {
  /** The column of each field. */
  readonly fields: Readonly<Record<string, number>>
  /** The columns of a matrix. */
  readonly used: readonly number[]
  /** The column that names the rows, or -1. */
  readonly names: number
  /** For each field, the value of each word of its column, or LEFT_OUT. */
  readonly meanings: Readonly<Record<string, Readonly<Record<string, Choice>>>>
  /** The unit of each field, null while it is not known. */
  readonly units: Readonly<Record<string, Unit | null>>
  /** Whether high scores are safe, null while it is not known. */
  readonly isTurned: boolean | null
  /** The day from which times to maturity count. */
  readonly day: string
  /** The ratings from best to worst, or null for the order of ratingOrder. */
  readonly order: readonly string[] | null
  /** Whether each row is a move between ratings. */
  readonly isHistory: boolean
  /** Whether rows without a value are left out. */
  readonly leavesOut: boolean
  /** Columns that are not confirmed. */
  readonly guesses: readonly { readonly key: string; readonly text: string }[]
  readonly open: Open
}

/** The open questions of a mapping. */
export interface Open {
  /** By field, the columns of which the person chooses one or none. */
  readonly columns?: Readonly<Record<string, readonly number[]>>
  /** The column that may be an id or a measure. */
  readonly names?: number
  /** Whether the two samples may be the other way round. */
  readonly roles?: true
  /** Whether ratings of no known scale are in order. */
  readonly order?: true
}

/** The most different words of a column to which the person can give meanings. */
export const MOST_MEANINGS = 12
export const LEFT_OUT = '–'

/** The values of the fields that have few. In columns and lists of objects they are texts. */
export const choicesOf = (fields: readonly FormField[]): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    fields.filter(({ kind }) => kind === 'choice').map(({ name, choices }) => [name, choices.map(String)]),
  )

/** The fields that may be columns. */
export const fieldsOf = ({ kind, fields }: TableSpec): readonly string[] =>
  kind === 'transitions' ? ['from', 'to'] : (fields ?? [])

/** Whether a field must have a column: it is in `needed`, or `needed` is absent and the table has the kind `columns`. */
export const isNeeded = ({ kind, needed }: TableSpec, field: string): boolean =>
  needed?.includes(field) ?? kind === 'columns'

/** Whether the rows of the table are those of a matrix. */
export const isMatrix = ({ kind }: TableSpec, { isHistory }: Pick<Mapping, 'isHistory'>): boolean =>
  kind === 'matrix' || (kind === 'transitions' && !isHistory)

const EMPTY: Mapping = {
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

/** Proposes a mapping. */
export function guessed(spec: TableSpec, table: Table): Mapping {
  const { fields, guesses, open, isRoles } = fieldsBy(spec, table)
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
  const mapping: Mapping = {
    ...EMPTY,
    day: today(),
    fields: given,
    names,
    isHistory,
    used: numbers.filter((i) => i !== names),
    guesses: isCounts ? [] : guesses,
    open: isCounts ? {} : { columns: open, ...(isRoles && { roles: true }), ...(mayMeasure && { names }) },
  }
  const detailed = Object.keys(given).reduce((made, field) => withDetails(spec, table, made, field), mapping)
  return withOrder(spec, table, detailed)
}

/** The open questions of a mapping after the person has answered one. */
export function openWithout({ open }: Mapping, key: 'names' | 'roles' | 'order'): Open {
  const { [key]: _answered, ...others } = open
  return others
}

function without<Value>(given: Readonly<Record<string, Value>>, key: string): Record<string, Value> {
  const { [key]: _removed, ...others } = given
  return others
}

/** Whether a column of numbers that has the heading of ids may be a measure: its numbers do not count the rows. */
const mayBeMeasure = (column: Column) =>
  isNumeric(column) && column.values.some((value, row) => value !== column.values[0] + row)

/** The mapping, with the order of the ratings as a question if they are of no known scale. */
function withOrder(spec: TableSpec, table: Table, mapping: Mapping): Mapping {
  const { from, to } = mapping.fields
  if (spec.kind !== 'transitions' || from === undefined || to === undefined) return mapping
  const { isKnown } = ratingOrder(ratingsIn([table.columns[from], table.columns[to]]))
  return isKnown ? mapping : { ...mapping, open: { ...mapping.open, order: true } }
}

/** The mapping after the person has chosen another column for a field; -1: no column. */
export function withField(
  spec: TableSpec,
  table: Table,
  mapping: Mapping,
  { field, column }: { readonly field: string; readonly column: number },
): Mapping {
  const { columns = {}, order: _order, roles, ...open } = mapping.open
  const isOfRoles = roles === undefined || spec.needed?.includes(field)
  const fields = without(mapping.fields, field)
  const next: Mapping = {
    ...mapping,
    meanings: without(mapping.meanings, field),
    units: without(mapping.units, field),
    open: { ...open, columns: without(columns, field), ...(!isOfRoles && { roles }) },
    isTurned: field === spec.turns ? false : mapping.isTurned,
    leavesOut: false,
    order: null,
    fields: column < 0 ? fields : { ...fields, [field]: column },
    guesses: mapping.guesses.filter(({ key }) => key !== field),
  }
  return column < 0 ? next : withOrder(spec, table, withDetails(spec, table, next, field))
}

/** The mapping of two samples the other way round. */
export function withRolesTurned(spec: TableSpec, table: Table, mapping: Mapping): Mapping {
  const turned = (field: string) =>
    field.replace(/^(expected|actual)/, (role) => (role === 'expected' ? 'actual' : 'expected'))
  const byField = <Value>(given: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(given).map(([field, value]) => [turned(field), value]))
  const { columns = {}, ...open } = mapping.open
  const next: Mapping = {
    ...mapping,
    fields: byField(mapping.fields),
    open: { ...open, columns: byField(columns) },
    meanings: {},
    guesses: [],
  }
  return Object.keys(next.fields).reduce((made, field) => withDetails(spec, table, made, field), next)
}

/** The mapping, with what the cells prove of the unit, the direction or the words of a field. */
function withDetails(spec: TableSpec, table: Table, mapping: Mapping, field: string): Mapping {
  const column = table.columns[mapping.fields[field]]
  const choices = spec.choices?.[field]
  const isOfUnit = choices === undefined && unitsOf(field, column).length > 0
  return {
    ...mapping,
    ...(choices && { meanings: { ...mapping.meanings, [field]: meaningsBy(column, choices) } }),
    ...(isOfUnit && { units: { ...mapping.units, [field]: provenUnit(field, column) } }),
    ...(field === spec.turns && { isTurned: isOfRisk(column.name) ? false : null }),
  }
}

export const labelOfChoice = (choice: Choice): string =>
  choice === LEFT_OUT
    ? 'left out'
    : typeof choice === 'number'
      ? choice === 1
        ? '1, default'
        : '0, no default'
      : String(choice)

/** The words whose meaning is certain. In a column of numbers all must be: other codes of two classes contain 0 or 1 too. */
function meaningsBy(column: Column, choices: readonly Choice[]): Record<string, Choice> {
  const words = wordsIn(column, MOST_MEANINGS)
  if (words.length > MOST_MEANINGS) return {}
  const isNumber = words.every((word) => word !== '' && Number.isFinite(Number(word)))
  const known = words.flatMap((word): [string, Choice][] => {
    const choice = meaningOf(word, choices, column.name)
    return choice === undefined ? [] : [[word, choice]]
  })
  return isNumber && known.length < words.length ? {} : Object.fromEntries(known)
}

/** The least likeness of a heading that as a whole is a known one. */
const WHOLE = 0.5

/** Whether a field is that of weights, to which only its own name assigns a column. */
export const isWeights = (field: string): boolean => /(^|_)weights?$/.test(field)

interface Found {
  fields: Record<string, number>
  guesses: { key: string; text: string }[]
  open: Record<string, number[]>
  /** Whether the order of two samples is open. */
  isRoles: boolean
}

type Assign = (field: string, i: number, isCertain: boolean) => void

/**
 * The column of each field by its heading; no column has two fields. If several columns are likely for
 * a field, or one for weights, they are open.
 */
function fieldsBy(spec: TableSpec, table: Table): Found {
  const found: Found = { fields: {}, guesses: [], open: {}, isRoles: false }
  const isTaken = (i: number) => Object.values(found.fields).includes(i)
  const assign: Assign = (field, i, isCertain) => {
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
  const likely = new Map<string, { share: number; places: number[] }>()
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
  byCells(spec, table, assign)
  if (spec.kind === 'columns') byContents(spec, table, assign)
  if (spec.kind === 'samples') byOrder(spec, table, assign, found)
  return found
}

/**
 * Assigns a column whose heading says nothing, but whose cells do: all its words are those of the choices of the field, or it is the
 * only one of dates and none is past.
 */
function byCells(spec: TableSpec, { columns }: Table, assign: Assign) {
  if (spec.kind === 'samples' || spec.kind === 'transitions') return
  const only = (field: string, isOne: (column: Column) => boolean) => {
    const places = columns.flatMap((column, i) => (isOne(column) ? [i] : []))
    if (places.length === 1) assign(field, places[0], false)
  }
  for (const field of fieldsOf(spec)) {
    const choices = spec.choices?.[field]
    if (choices !== undefined) only(field, (column) => isOfWords(column, choices))
  }
  const dates = columns.filter(isDate)
  const isFuture = dates.length === 1 && extent(dates[0].values)[0] > Date.parse(today())
  const time = fieldsOf(spec).find(isTime)
  if (isFuture && time !== undefined) only(time, isDate)
}

/** Whether all words of a column, at least two, name choices by themselves. */
function isOfWords(column: Column, choices: readonly Choice[]): boolean {
  const words = column.words === null ? [] : wordsIn(column, MOST_MEANINGS)
  return words.length > 1 && words.every((word) => meaningOf(word, choices, '') !== undefined)
}

/** Assigns the columns of a table that has no others: one with two values has the labels, the others have the numbers. */
function byContents({ fields = [], choices = {}, needed = fields }: TableSpec, table: Table, assign: Assign) {
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
function byOrder(
  { fields = [], choices = {}, needed = [] }: TableSpec,
  { columns }: Table,
  assign: Assign,
  found: Found,
) {
  const isWeight = ({ name }: Column) => likeness('weights', name) > 0
  const isLabels = (column: Column) => !isWeight(column) && wordsIn(column, 2).length <= 2
  const isScores = (column: Column) => isNumeric(column) && !isWeight(column) && !isLabels(column)
  const inOrder = (names: readonly string[], isOne: (column: Column) => boolean) => {
    const places = columns.flatMap((column, i) => (isOne(column) ? [i] : []))
    return names.length === places.length ? names.map((name, i) => ({ name, place: places[i] })) : []
  }
  const isNamed = ({ name, place }: { name: string; place: number }) =>
    likeness(name, columns[place].name) === 1
  const scores = inOrder(needed, isScores)
  found.isRoles = scores.length > 0 && !scores.every(isNamed)
  for (const { name, place } of scores) assign(name, place, true)
  for (const { name, place } of inOrder(
    fields.filter((field) => field in choices),
    isLabels,
  ))
    assign(name, place, found.isRoles)
  for (const one of inOrder(fields.filter(isWeights), isWeight))
    if (!isNamed(one)) found.open[one.name] = [one.place]
}

function suits({ choices = {}, kind }: TableSpec, field: string, column: Column): boolean {
  if (kind === 'transitions') return wordsIn(column, MOST_RATINGS).length <= MOST_RATINGS && !isDate(column)
  if (field in choices) return wordsIn(column, MOST_MEANINGS).length <= MOST_MEANINGS && !isDate(column)
  if (field === 'y_prob') return isNumeric(column) && mayBeProbabilities(column)
  if (isDate(column)) return unitsOf(field, column).length > 0
  return isNumeric(column) && mayBe(field, column)
}

/** Whether the numbers of a column may be those of a field: volumes are no volatilities. */
function mayBe(field: string, { values, isPercent }: Column): boolean {
  const [least, most] = extent(values)
  if (isVolatility(field)) return least >= 0 && most <= MOST_VOLATILITY
  return !isPercent || !isAmount(field)
}

/** In per cent. */
const MOST_VOLATILITY = 1_000

/** Whether values may be probabilities, as decimals or in percent; the points of a score usually exceed 100. */
function mayBeProbabilities({ values }: Column) {
  const [least, most] = extent(values)
  return least >= 0 && most <= 100
}

/** Whether a column has row numbers as pandas and R write them: it is the first and has no heading. */
const isIndex = (name: string, i: number) => i === 0 && /^(Column 1|Unnamed: 0)$/.test(name)

/** The column that names the rows, or -1: one of dates, else one of distinct words, else one of ids by its heading. */
function namesBy(spec: TableSpec, table: Table, taken: readonly number[]): number {
  const free = table.columns.map((column, i) => ({ column, i })).filter(({ i }) => !taken.includes(i))
  const isDistinct = ({ words, gaps }: Column) =>
    words !== null && words.length === table.rows - gaps && 2 * gaps < table.rows
  const isId = ({ name, values }: Column, i: number) =>
    table.hasHeader && (namesRows(name) || isIndex(name, i)) && values.every(Number.isInteger)
  const found =
    (spec.kind !== 'transitions' && free.find(({ column }) => isDate(column))) ||
    free.find(({ column }) => isDistinct(column) && (table.hasHeader || spec.kind !== 'columns')) ||
    free.find(({ column }) => column.words !== null && namesRows(column.name)) ||
    (spec.kind !== 'transitions' && free.find(({ column, i }) => isNumeric(column) && isId(column, i)))
  return found ? found.i : -1
}
