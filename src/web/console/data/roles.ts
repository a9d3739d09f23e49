/** The role of each column of a table: a field, a column of the matrix, or the names of the rows. */
import { labelOf } from '../labels.ts'
import { namesRows } from './headings.ts'
import { fieldsOf, isMatrix, type Mapping, openWithout, type TableSpec, withField } from './mapping.ts'
import { type Column, isDate, isNumeric, type Table } from './table.ts'

/** A role that is no field. */
export const UNUSED = ''
export const USED = '#used'
export const NAMES = '#names'

export function roleOf(spec: TableSpec, mapping: Mapping, column: number): string {
  const field = isMatrix(spec, mapping)
    ? mapping.used.includes(column) && USED
    : Object.keys(mapping.fields).find((name) => mapping.fields[name] === column)
  return field || (mapping.names === column ? NAMES : UNUSED)
}

/** The roles that a column may have, with their labels. */
export function rolesFor(
  spec: TableSpec,
  { columns }: Table,
  mapping: Mapping,
  column: number,
): (readonly [role: string, label: string])[] {
  const isNamed =
    mapping.names === column ||
    (columns.length > 1 && spec.kind !== 'samples' && (spec.kind !== 'transitions' || !mapping.isHistory))
  const used = isMatrix(spec, mapping)
    ? isNumeric(columns[column])
      ? [[USED, 'used'] as const]
      : []
    : fieldsOf(spec).map((field) => [field, labelOf(field)] as const)
  return [[UNUSED, 'not used'], ...used, ...(isNamed ? [[NAMES, 'row label'] as const] : [])]
}

/** The mapping after the person has chosen the role of a column, which takes it from another one. */
export function withRole(
  spec: TableSpec,
  table: Table,
  mapping: Mapping,
  { column, role }: { readonly column: number; readonly role: string },
): Mapping {
  const left = Object.keys(mapping.fields).filter((field) => mapping.fields[field] === column)
  const without = left.reduce((made, field) => withField(spec, table, made, { field, column: -1 }), mapping)
  const isUsed = role === USED
  const next: Mapping = {
    ...without,
    names: role === NAMES ? column : without.names === column ? -1 : without.names,
    used: isUsed
      ? [...without.used, column].sort((a, b) => a - b)
      : without.used.filter((place) => place !== column),
    // Another column may lack values in other rows, so leaving rows out must be confirmed again.
    leavesOut: without.leavesOut && !isUsed,
    open: role === NAMES || without.open.names === column ? openWithout(without, 'names') : without.open,
  }
  return fieldsOf(spec).includes(role) ? withField(spec, table, next, { field: role, column }) : next
}

/** Whether a column of numbers that names the rows may be a measure: it has no heading of ids, or does not count the rows. */
export const mayBeMeasure = (table: Table, place: number) =>
  isNumeric(table.columns[place]) && !(isOfIds(table, place) && countsRows(table.columns[place]))

/** Tables with fewer rows have such numbers by chance. */
export const LEAST_COUNTED = 5
const isCounter = ({ values }: Column) => values.length >= LEAST_COUNTED && values[0] <= 1
const YEARS = /^(year|fiscal year|fy|jahr|année|annee|ano)$/i
const countsRows = ({ values }: Column) => values.every((value, row) => value === values[0] + row)

/** Whether a column has row numbers as pandas and R write them: it is the first and has no heading. */
const isIndex = (name: string, i: number) => i === 0 && /^(Column 1|Unnamed: 0)$/.test(name)

/** Whether the heading of a column is that of ids or row numbers. */
export const isOfIds = ({ columns, hasHeader }: Table, i: number) =>
  namesRows(columns[i].name) || (hasHeader && isIndex(columns[i].name, i))

/** The column that names the rows, or -1: one of distinct dates, else of distinct words, else one of ids by its heading, else one of dates. */
export function namesBy(spec: TableSpec, table: Table, taken: readonly number[]): number {
  const free = table.columns.map((column, i) => ({ column, i })).filter(({ i }) => !taken.includes(i))
  const isDistinct = ({ words, gaps }: Column) =>
    words !== null && words.length === table.rows - gaps && 2 * gaps < table.rows
  const isId = (column: Column, i: number) =>
    table.hasHeader &&
    (isOfIds(table, i)
      ? column.values.every(Number.isInteger)
      : i === 0 && countsRows(column) && (YEARS.test(column.name) || isCounter(column)))
  const isOfTime = ({ column }: { readonly column: Column }) => spec.kind !== 'transitions' && isDate(column)
  const headings = new Set(table.columns.map(({ name }) => name))
  const isOfHeadings = ({ values }: Column) => values.every((value) => headings.has(String(value)))
  const found =
    (spec.kind === 'transitions' && free.find(({ column }) => isNumeric(column) && isOfHeadings(column))) ||
    free.find((one) => isOfTime(one) && new Set(one.column.values).size === table.rows) ||
    free.find(({ column }) => isDistinct(column) && (table.hasHeader || spec.kind !== 'columns')) ||
    free.find(({ column }) => column.words !== null && namesRows(column.name)) ||
    (spec.kind !== 'transitions' && free.find(({ column, i }) => isNumeric(column) && isId(column, i))) ||
    free.find(isOfTime)
  return found ? found.i : -1
}
