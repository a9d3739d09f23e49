/**
 * The meaning of the columns of a table: proposed by headings and contents, confirmed or changed by the person. What changes a
 * result without being visible in it (a unit, a direction, a weight) is null or in `open` until the cells prove it or the person
 * has answered (questions.ts).
 */
import type { FormField } from '../../../derive/forms.ts'
import { type Choice, isHeadingOf, isOfRisk, meaningOf, namesRows, plain } from './headings.ts'
import { ofTwoScales, ratingOrder, ratingsIn } from './ratings.ts'
import { type Column, isDate, isNumeric, keptRows, type Only, type Table, wordsIn } from './table.ts'
import { areLikeCoins, areLikeThousandths, isStrike, provenUnit, type Unit, unitsOf } from './units.ts'

/** The table that an operation takes. */
export interface TableSpec {
  readonly kind: 'matrix' | 'columns' | 'rows' | 'records' | 'samples' | 'transitions' | 'history'
  /** The field of a matrix or of records. */
  readonly field?: string
  /** The fields that may be columns; `needed`: those that must be; `choices`: the values of those that have few. */
  readonly fields?: readonly string[]
  readonly needed?: readonly string[]
  readonly choices?: Readonly<Record<string, readonly Choice[]>>
  /** The field of the names of the columns of a matrix. */
  readonly names?: string
  /** Further fields that are made of the table. */
  readonly more?: readonly string[]
  /** The field of scores, whose direction matters. */
  readonly turns?: string
  /** Two fields of which a row has one: the second is asked for where the table has both. */
  readonly either?: readonly [string, string]
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
  /** The day from which times to maturity count, and the column that has it for each row; -1: none has. */
  readonly day: string
  readonly days: number
  /** The ratings from best to worst, or null for the order of ratingOrder. */
  readonly order: readonly string[] | null
  /** Whether each row is a move between ratings. */
  readonly isHistory: boolean
  /** The column of withdrawn ratings that count as unchanged ones, or -1: they are left out. */
  readonly unchanged: number
  /** Whether the columns of a matrix are the ratings before the moves. */
  readonly isAcross: boolean
  /** The words of the rows that are used; none: all are. */
  readonly only: readonly Only[]
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
  /** The columns of dates of which one may be the day from which times to maturity count. */
  readonly days?: readonly number[]
  /** Whether the two samples may be the other way round. */
  readonly roles?: true
  /** Whether ratings of no known scale are in order. */
  readonly order?: true
  /** Whether the last rating of a history is default. */
  readonly last?: true
  /** Whether the last rating of a matrix, which has no row, is never left. */
  readonly absorbing?: true
  /** The column of the agencies of a history, if several rate the same entity. */
  readonly agencies?: number
  /** The number of rows of a history that another row of the same entity and time contradicts. */
  readonly twice?: number
  /** The column of withdrawn ratings of a matrix. */
  readonly withdrawn?: number
  /** The number of its empty cells. */
  readonly empty?: number
  /** Whether its columns may be the ratings before the moves. */
  readonly across?: true
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
  kind === 'transitions' ? ['from', 'to', 'weights'] : (fields ?? [])

/** Whether a field must have a column: it is in `needed`, or `needed` is absent and the table has the kind `columns` or `history`. */
export const isNeeded = ({ kind, needed }: TableSpec, field: string): boolean =>
  needed?.includes(field) ?? (kind === 'columns' || kind === 'history')

/** Whether the rows of the table are those of a matrix. */
export const isMatrix = ({ kind }: TableSpec, { isHistory }: Pick<Mapping, 'isHistory'>): boolean =>
  kind === 'matrix' || (kind === 'transitions' && !isHistory)

export const EMPTY: Mapping = {
  fields: {},
  used: [],
  names: -1,
  meanings: {},
  units: {},
  day: '',
  days: -1,
  isTurned: false,
  order: null,
  isHistory: false,
  unchanged: -1,
  isAcross: false,
  only: [],
  leavesOut: false,
  guesses: [],
  open: {},
}

/** The open questions of a mapping after the person has answered one. */
export function openWithout({ open }: Mapping, key: keyof Omit<Open, 'columns'>): Open {
  const { [key]: _answered, ...others } = open
  return others
}

/** The mapping without an open question. */
export const closed = (mapping: Mapping, key: Parameters<typeof openWithout>[1]): Mapping => ({
  ...mapping,
  open: openWithout(mapping, key),
})

function without<Value>(given: Readonly<Record<string, Value>>, key: string): Record<string, Value> {
  const { [key]: _removed, ...others } = given
  return others
}

/** The columns of the ratings of moves, or of a history; undefined for one that is not known. */
export const ratingColumns = ({ kind }: TableSpec, { columns }: Table, { fields }: Mapping) =>
  (kind === 'history' ? ['ratings'] : ['from', 'to']).map(
    (field): Column | undefined => columns[fields[field]],
  )

/**
 * The mapping, with the order of the ratings as a question if they are of no known scale, and the last one if it may not be default:
 * a history counts no move out of it.
 */
export function withOrder(spec: TableSpec, given: Table, mapping: Mapping): Mapping {
  if (spec.kind !== 'transitions' && spec.kind !== 'history') return mapping
  const table = keptRows(given, mapping.only)
  const columns = ratingColumns(spec, table, mapping).filter((column) => column !== undefined)
  if (columns.length < (spec.kind === 'history' ? 1 : 2)) return mapping
  const { isKnown, hasDefault } = ratingOrder(ratingsIn(columns))
  const isLast = spec.kind === 'history' && !hasDefault
  const agencies = spec.kind === 'history' ? agenciesIn(table, mapping, columns) : -1
  const twice = spec.kind === 'history' && agencies === -1 ? ratedTwice(table, mapping) : 0
  return {
    ...mapping,
    open: {
      ...mapping.open,
      ...(!isKnown && { order: true }),
      ...(isLast && { last: true }),
      ...(agencies !== -1 && { agencies }),
      ...(twice > 0 && { twice }),
    },
  }
}

/** The number of rows after which the same entity has another rating at the same time. */
function ratedTwice({ columns, rows }: Table, { fields }: Mapping): number {
  const [entities, dates, ratings] = ['entities', 'dates', 'ratings'].map(
    (field) => columns[fields[field]]?.values,
  )
  if (!entities || !dates || !ratings) return 0
  const last = new Map<number, Map<number, number>>()
  let count = 0
  for (let row = 0; row < rows; row++) {
    if (Number.isNaN(entities[row]) || Number.isNaN(dates[row])) continue
    const own = last.get(entities[row]) ?? new Map<number, number>()
    const before = own.get(dates[row])
    if (before !== undefined && before !== ratings[row]) count++
    last.set(entities[row], own.set(dates[row], ratings[row]))
  }
  return count
}

const AGENCIES =
  /^((credit )?rating )?(agency|agencies|agentur|ratingagentur|agence( de notation)?|rater)( (name|id|code|cd))?$/
/** Headings of what one entity has several ratings of, such as those of its short and its long debt. */
const KINDS =
  /^((credit |issuer |debt )?rating |debt |issue |instrument )(type|class|category|kind|scale|seniority|currency|term)( code)?$/

/** The column of agencies or kinds of ratings of which several rate the same entity, or use different scales; or -1. */
function agenciesIn({ columns }: Table, { fields }: Mapping, ratings: readonly Column[]): number {
  const entities = columns[fields.entities]?.values ?? new Float64Array()
  const isOfScales = ofTwoScales(ratingsIn(ratings)) !== null
  return columns.findIndex((column, i) => {
    const { name, values, words } = column
    const isOfKinds = AGENCIES.test(plain(name)) || KINDS.test(plain(name))
    if (words === null || words.length < 2 || !isOfKinds || Object.values(fields).includes(i)) return false
    const agencies = new Map<number, number>()
    const areSeveral = entities.some((entity, row) => {
      const known = agencies.get(entity)
      agencies.set(entity, values[row])
      return known !== undefined && known !== values[row]
    })
    return areSeveral || isOfScales
  })
}

/** The mapping after the person has chosen one agency, whose ratings alone are in order. */
export function withOnly(spec: TableSpec, table: Table, mapping: Mapping, only: Only): Mapping {
  const { order: _order, last: _last, agencies: _agencies, twice: _twice, ...open } = mapping.open
  return withOrder(spec, table, { ...mapping, open, order: null, only: [...mapping.only, only] })
}

/** The other one of two fields of which a row has one. */
export const rivalOf = ({ either = ['', ''] }: TableSpec, field: string): string | undefined =>
  either.includes(field) ? either.find((one) => one !== field) : undefined

interface Assigned {
  readonly field: string
  /** -1: no column. */
  readonly column: number
}

/** The mapping after the person has chosen another column for a field, which releases that of its rival. */
export function withField(spec: TableSpec, table: Table, mapping: Mapping, assigned: Assigned): Mapping {
  const rival = assigned.column < 0 ? undefined : rivalOf(spec, assigned.field)
  const alone = rival === undefined ? mapping : assignedTo(spec, table, mapping, { field: rival, column: -1 })
  return assignedTo(spec, table, alone, assigned)
}

function assignedTo(spec: TableSpec, table: Table, mapping: Mapping, { field, column }: Assigned): Mapping {
  const {
    columns = {},
    order: _order,
    last: _last,
    agencies: _agencies,
    twice: _twice,
    roles,
    days,
    ...open
  } = mapping.open
  const isOfDays = mapping.units[field] === 'date'
  const isOfRoles = roles === undefined || spec.needed?.includes(field)
  const fields = without(mapping.fields, field)
  const next: Mapping = {
    ...mapping,
    meanings: without(mapping.meanings, field),
    units: without(mapping.units, field),
    open: {
      ...open,
      columns: without(columns, field),
      ...(!isOfRoles && { roles }),
      ...(!isOfDays && days && { days }),
    },
    days: isOfDays ? -1 : mapping.days,
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
export function withDetails(spec: TableSpec, table: Table, mapping: Mapping, field: string): Mapping {
  const column = table.columns[mapping.fields[field]]
  const choices = spec.choices?.[field]
  const isOfUnit = choices === undefined && unitsOf(field, column).length > 0
  const proven = provenUnit(field, column) ?? (isAsWritten(table, field, column) ? 'as written' : null)
  const days = proven === 'date' ? daysBefore(table, column) : []
  return {
    ...mapping,
    ...(choices && { meanings: { ...mapping.meanings, [field]: meaningsBy(column, choices) } }),
    ...(isOfUnit && { units: { ...mapping.units, [field]: proven } }),
    ...(days.length > 0 && { open: { ...mapping.open, days } }),
    ...(field === spec.turns && { isTurned: isOfRisk(column.name) ? false : null }),
  }
}

/** The field whose column has the dates of expiries. */
export const fieldOfDates = ({ units }: Mapping): string | undefined =>
  Object.keys(units).find((field) => units[field] === 'date')

/** The column that has the price of the underlying by its heading. */
export const underlyingIn = ({ columns }: Table): Column | undefined =>
  columns.find(
    (column) =>
      isNumeric(column) &&
      !isOfRowNumbers(column) &&
      ['spot', 'forward'].some((field) => isHeadingOf(field, column.name)),
  )

/** Whether a column has the numbers of rows: whole ones, each different, below a heading of such. */
export const isOfRowNumbers = ({ name, values }: Column): boolean =>
  namesRows(name) && values.every(Number.isInteger) && new Set(values).size === values.length

/**
 * Whether strikes are near the price of the underlying as they are written, or, without it, are not as databases keep them; and
 * whether prices are not tiny beside it.
 */
function isAsWritten(table: Table, field: string, column: Column): boolean {
  const underlying = underlyingIn(table)
  if (field === 'price') return underlying === undefined || !areLikeCoins(column, underlying)
  if (!isStrike(field)) return false
  if (underlying === undefined) return !areLikeThousandths(column)
  return column.values.every((strike, row) => !(strike / underlying.values[row] > MOST_RATIO))
}

const MOST_RATIO = 50

/** Headings of the days on which options were quoted. */
const DAYS =
  /^((quote|quoted|trade|trading|valuation|pricing|as of|asof|snapshot|snap shot|observation|reporting|report|data) )?(date|timestamp)$|^as ?of$|^datum$|^stichtag$/

/** The columns with the days of the quotes: none is behind the expiry in its row. */
const daysBefore = ({ columns }: Table, expiries: Column): number[] =>
  columns.flatMap((column, i) =>
    isDate(column) &&
    DAYS.test(plain(column.name)) &&
    column.values.every((day, row) => !(day > expiries.values[row])) &&
    column !== expiries
      ? [i]
      : [],
  )

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

/** Whether a field is that of weights, to which only its own name assigns a column. */
export const isWeights = (field: string): boolean => /(^|_)weights?$/.test(field)
