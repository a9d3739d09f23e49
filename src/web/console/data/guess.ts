/** Proposes the meaning of the columns of a table by their headings and contents. */
import { labelOf } from '../labels.ts'
import { extent } from '../pictures/sampling.ts'
import { today } from '../times.ts'
import { isOfPeriods } from './column-types.ts'
import { type Choice, isHeadingOf, likeness, meaningOf, namesRows, WHOLE } from './headings.ts'
import {
  EMPTY,
  fieldsOf,
  isOfRowNumbers,
  isWeights,
  type Mapping,
  MOST_MEANINGS,
  type TableSpec,
  withDetails,
  withOrder,
} from './mapping.ts'
import { isOutcome } from './outcomes.ts'
import {
  countedRows,
  isDefault,
  isHeadingOfRatings,
  isNoRating,
  isOfRatings,
  MOST_RATINGS,
  openOfMatrix,
  ratingOrder,
} from './ratings.ts'
import { isOfIds, LEAST_COUNTED, mayBeMeasure, namesBy } from './roles.ts'
import {
  areEqual,
  type Column,
  cellOf,
  groupsAlike,
  isDate,
  isNumeric,
  type Table,
  wordsIn,
} from './table.ts'
import { isTime, mayBe, mayBeProbabilities, provenUnit, unitsOf } from './units.ts'

/** Proposes a mapping. */
export function guessed(spec: TableSpec, table: Table): Mapping {
  const { fields, guesses, open, isRoles } = fieldsBy(spec, table)
  const isRatings = spec.kind === 'transitions'
  const numbers = table.columns.flatMap((column, i) =>
    isNumeric(column) && column.madeOf === undefined && !(isRatings && isNoRating(column.name)) ? [i] : [],
  )
  const first = isRatings ? namesBy(spec, table, []) : -1
  const counts = measuresOf(spec, table, first, numbers)
  const counted = isRatings ? countedRows(table, { names: first, used: counts }) : null
  const isText = (i: number) => table.columns[i]?.type === 'text'
  const isOfMoves = ['from', 'to'].every((field) => [fields[field], ...(open[field] ?? [])].some(isText))
  const isHistory = isRatings && (counted === null || isOfMoves)
  const isCounts = isRatings && !isHistory
  const given = isCounts ? {} : fields
  const names = spec.kind === 'history' ? -1 : namesBy(spec, table, Object.values(given))
  const mayMeasure = spec.kind === 'matrix' && names !== -1 && mayBeMeasure(table, names)
  const mapping: Mapping = {
    ...EMPTY,
    day: today(),
    fields: given,
    names,
    isHistory,
    used: measuresOf(spec, table, names, numbers),
    guesses: isCounts ? [] : guesses,
    open: isCounts
      ? openOfMatrix(table, counts, counted ?? [])
      : { columns: open, ...(isRoles && { roles: true }), ...(mayMeasure && { names }) },
  }
  const detailed = Object.keys(given).reduce((made, field) => withDetails(spec, table, made, field), mapping)
  return withOrder(spec, table, detailed)
}

/**
 * The columns of a matrix: without those of outcomes, unless there are only such; of one of ratings, from the first that has the name of
 * a row, because cohorts are counted before it.
 */
function measuresOf(
  { kind }: TableSpec,
  { columns, rows }: Table,
  names: number,
  numbers: readonly number[],
) {
  const used = numbers.filter((i) => i !== names)
  if (kind === 'matrix') {
    const measures = used.filter((i) => !isOutcome(columns[i]))
    return measures.length > 0 ? measures : used
  }
  const named = names === -1 || kind !== 'transitions' ? null : columns[names]
  if (named === null) return used
  const labels = new Set(
    Array.from({ length: Math.min(rows, MOST_RATINGS) }, (_, row) => String(cellOf(named, row))),
  )
  const isLabel = (i: number) => labels.has(columns[i].name)
  const own = used.slice(Math.max(0, used.findIndex(isLabel)))
  const shown = 2 * own.filter(isLabel).length >= own.length ? own : used
  const headings = shown.map((i) => columns[i].name)
  if (!isDefault(headings[0] ?? '') || isDefault(headings.at(-1) ?? '')) return shown
  // Default is the last rating of a request; the rows have names, so that they follow.
  return ratingOrder(headings).order.map((name) => shown[headings.indexOf(name)])
}

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
    if (
      isWeights(field) ||
      !places.every((i) => i === places[0] || areEqual(table.columns[places[0]], table.columns[i]))
    )
      found.open[field] = places
    else assign(field, places[0], false)
  byCells(spec, table, assign)
  if (spec.kind === 'history') byRatings(table, assign, found)
  if (spec.kind === 'transitions') {
    byYears(table, assign)
    openCells(table, found)
  }
  if (spec.kind === 'columns') byContents(spec, table, assign, found)
  if (spec.kind === 'samples') byOrder(spec, table, assign, found)
  openRival(spec, found)
  return found
}

/** Opens the second of two fields of which a row has one, if the table has both. */
function openRival({ either: [first, second] = ['', ''] }: TableSpec, found: Found): void {
  const place = found.fields[second]
  if (place === undefined || !(first in found.fields || first in found.open)) return
  delete found.fields[second]
  found.guesses = found.guesses.filter(({ key }) => key !== second)
  found.open[second] = [place]
}

/**
 * Assigns a column whose heading says nothing, but whose cells do: all its words are those of the choices of the field, or it is the
 * only one of dates and none is past.
 */
function byCells(spec: TableSpec, { columns }: Table, assign: Assign) {
  if (['samples', 'transitions', 'history'].includes(spec.kind)) return
  const only = onlyColumn(columns, assign)
  for (const field of fieldsOf(spec)) {
    const choices = spec.choices?.[field]
    if (choices !== undefined) only(field, (column) => isOfWords(column, choices))
  }
  const dates = columns.filter(isDate)
  const isFuture = dates.length === 1 && extent(dates[0].values)[0] > Date.parse(today())
  const time = fieldsOf(spec).find(isTime)
  if (isFuture && time !== undefined) only(time, isDate)
}

/** Assigns a column to a field if it is the only one of its kind. @param isTaken columns that do not count */
const onlyColumn =
  (columns: readonly Column[], assign: Assign, isTaken: (i: number) => boolean = () => false) =>
  (field: string, isOne: (column: Column) => boolean): void => {
    const places = columns.flatMap((column, i) => (!isTaken(i) && isOne(column) ? [i] : []))
    if (places.length === 1) assign(field, places[0], false)
  }

/**
 * Assigns the columns of a rating history whose headings say nothing: of dates, of ratings of a known scale, and of texts that repeat.
 * Of several agencies side by side, and of several columns that may name the entities, one is asked.
 */
function byRatings({ columns, rows }: Table, assign: Assign, found: Found) {
  const isTaken = (i: number) => Object.values(found.fields).includes(i)
  const placesOf = (isOne: (column: Column) => boolean) =>
    columns.flatMap((column, i) => (!isTaken(i) && isOne(column) ? [i] : []))
  const only = (field: string, places: readonly number[]) => {
    if (places.length === 1) assign(field, places[0], false)
    else if (places.length > 1 && !(field in found.fields)) found.open[field] ??= places.slice(0, MOST_ASKED)
  }
  only(
    'dates',
    placesOf(
      (column) => (isDate(column) && likeness('time_to_maturity', column.name) === 0) || isOfPeriods(column),
    ),
  )
  const isOfMoves = ({ name }: Column) => likeness('from', name) > 0 || likeness('to', name) > 0
  only(
    'ratings',
    placesOf((column) => isOfRatings(column) && !isOfMoves(column)),
  )
  const scaled = found.open.ratings?.filter((i) => isOfRatings(columns[i])) ?? []
  if (scaled.length > 0) delete found.open.ratings
  only('ratings', scaled)
  const named = placesOf(({ name }) => isHeadingOfRatings(name))
  if (named.length === 1) only('ratings', named)
  const repeated = placesOf(
    (column) =>
      (column.words !== null || namesRows(column.name)) &&
      !(isOfPeriods(column) || isOfRatings(column)) &&
      new Set(column.values).size < rows,
  )
  const counts = repeated.map((i) => new Set(columns[i].values).size)
  const most = Math.max(...counts)
  // Sectors and outlooks have far fewer values than entities.
  const entities = repeated.filter((_, place) => 2 * counts[place] > most)
  const [first, ...others] = entities
  only(
    'entities',
    others.every((i) => groupsAlike(columns[first], columns[i])) ? entities.slice(0, 1) : entities,
  )
}

/** Assigns two columns of ratings whose headings name years: the moves are from the earlier year to the later. */
function byYears({ columns }: Table, assign: Assign) {
  const places = columns.flatMap((column, i) =>
    isOfRatings(column) || isHeadingOfRatings(column.name) ? [i] : [],
  )
  const [first, second] = places.map((i) => Number(/(?<!\d)(19|20)\d\d(?!\d)/.exec(columns[i].name)?.[0]))
  if (places.length !== 2 || !(first < second || first > second)) return
  const [from, to] = first < second ? places : places.toReversed()
  assign('from', from, false)
  assign('to', to, false)
}

/** Opens the numbers beside moves of which none occurs again: they are the cells of a matrix, rather than one move each. */
function openCells({ columns, rows }: Table, { fields, open }: Found) {
  const [from, to] = [fields.from, fields.to].map((i): Column | undefined => columns[i])
  if (from === undefined || to === undefined || 'weights' in fields || rows < LEAST_COUNTED) return
  const pairs = new Set(Array.from(from.values, (rating, row) => `${rating} ${to.values[row]}`))
  if (pairs.size < rows) return
  const places = columns.flatMap((column, i) =>
    isNumeric(column) && !isOfRowNumbers(column) && column !== from && column !== to ? [i] : [],
  )
  if (places.length > 0) open.weights ??= places.slice(0, MOST_ASKED)
}

/** Whether all words of a column, at least two, name choices by themselves. */
function isOfWords(column: Column, choices: readonly Choice[]): boolean {
  const words = column.words === null ? [] : wordsIn(column, MOST_MEANINGS)
  return words.length > 1 && words.every((word) => meaningOf(word, choices, '') !== undefined)
}

/** The most columns of which one is asked. */
const MOST_ASKED = 8

/**
 * Assigns to a field that needs a column the only one that it may be: one of two values for labels, else of numbers, and of
 * several the only one of shares. Else it is asked.
 */
function byContents(spec: TableSpec, table: Table, assign: Assign, found: Found) {
  const { columns } = table
  const { fields = [], choices = {}, needed = fields } = spec
  const isLabels = (column: Column) => !isDate(column) && wordsIn(column, 2).length === 2
  for (const field of needed.toSorted((a, b) => Number(b in choices) - Number(a in choices))) {
    const isOne = (column: Column, i: number) =>
      field in choices
        ? isLabels(column)
        : suits(spec, field, column) &&
          !isOfIds(table, i) &&
          (columns.length === needed.length || !(needed.length > 1 && isLabels(column)))
    const taken = [...Object.values(found.fields), ...Object.values(found.open).flat()]
    const places = columns.flatMap((column, i) => (!taken.includes(i) && isOne(column, i) ? [i] : []))
    const proven = places.filter((i) => field === 'probabilities' && provenUnit(field, columns[i]) !== null)
    const [first, second] = proven.length === 1 ? proven : places
    if (first === undefined || field in found.open) continue
    if (second === undefined) assign(field, first, false)
    else if (!(field in found.fields) && places.length <= MOST_ASKED) found.open[field] = places
  }
  // Nothing else can be meant by the only column of numbers.
  if (needed.length === 1 && columns.filter(isNumeric).length === 1) found.guesses = []
}

/**
 * Assigns columns of numbers to the samples, and of two values to their labels, in their order, which is then open. Columns with
 * headings of weights are open too.
 */
function byOrder(
  { fields = [], choices = {}, needed = [] }: TableSpec,
  table: Table,
  assign: Assign,
  found: Found,
) {
  const { columns, rows } = table
  const isWeight = ({ name }: Column) => likeness('weights', name) > 0
  const isLabels = (column: Column) => !isWeight(column) && wordsIn(column, 2).length <= 2
  const isScores = (column: Column) => isNumeric(column) && !isWeight(column) && !isLabels(column)
  const groups = columns.flatMap((column, i) => (isOfSamples(column) ? [i] : []))
  const places = columns.flatMap((column, i) =>
    isScores(column) && !(isOfIds(table, i) && new Set(column.values).size === rows) ? [i] : [],
  )
  if (groups.length === 1 && places.length > 0 && 'sample' in choices) {
    assign('sample', groups[0], true)
    found.isRoles = wordsIn(columns[groups[0]], 2).length === 2
    if (places.length === 1) assign('expected', places[0], true)
    else found.open.expected = places
    const weights = columns.flatMap((column, i) => (isNumeric(column) && isWeight(column) ? [i] : []))
    if (weights.length > 0 && fields.includes('expected_weights')) found.open.expected_weights = weights
    const [first, second] = columns.flatMap((column, i) => (i !== groups[0] && isLabels(column) ? [i] : []))
    if (first !== undefined && second === undefined) assign('expected_y_true', first, false)
    return
  }
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
    fields.filter((field) => field.endsWith('y_true')),
    isLabels,
  ))
    assign(name, place, found.isRoles)
  for (const one of inOrder(fields.filter(isWeights), isWeight))
    if (!isNamed(one)) found.open[one.name] = [one.place]
}

/** Whether a column says to which of several samples each row belongs. */
const isOfSamples = ({ name, words }: Column): boolean =>
  words !== null &&
  words.length > 1 &&
  words.length <= MOST_MEANINGS &&
  (isHeadingOf('sample', name) || (words.length === 2 && isOfPeriods({ words })))

function suits({ choices = {}, kind }: TableSpec, field: string, column: Column): boolean {
  if (kind === 'history' && field === 'dates')
    return isDate(column) || isNumeric(column) || isOfPeriods(column)
  if (kind === 'history' && field === 'entities') return !(isDate(column) || isOfPeriods(column))
  if (kind === 'transitions' && isWeights(field)) return isNumeric(column)
  if (kind === 'transitions' || kind === 'history')
    return wordsIn(column, MOST_RATINGS).length <= MOST_RATINGS && !isDate(column)
  if (field in choices) return wordsIn(column, MOST_MEANINGS).length <= MOST_MEANINGS && !isDate(column)
  if (field === 'y_prob') return isNumeric(column) && mayBeProbabilities(column)
  if (isDate(column)) return unitsOf(field, column).length > 0
  return isNumeric(column) && mayBe(field, column) && !isOfRowNumbers(column)
}
