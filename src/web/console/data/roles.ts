/** The role of each column of a table: a field, a column of the matrix, or the names of the rows. */
import { labelOf } from '../labels.ts'
import { fieldsOf, isMatrix, type Mapping, openWithout, type TableSpec, withField } from './mapping.ts'
import { isNumeric, type Table } from './table.ts'

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
