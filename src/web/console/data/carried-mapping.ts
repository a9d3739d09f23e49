/** The mapping of a table that another page had: what the person said of its columns holds on. */
import type { TableSource } from '../carried.ts'
import { fieldsOf, isMatrix, type Mapping, type TableSpec, withField } from './mapping.ts'
import type { Table } from './table.ts'

/** @param fields the field of the other page for each field; null: it is the same page */
export function carriedMapping(
  spec: TableSpec,
  table: Table,
  guess: Mapping,
  {
    source,
    fields,
  }: { readonly source: TableSource; readonly fields: Readonly<Record<string, string>> | null },
): Mapping {
  const { mapping, columns } = source
  const isUnread = columns.some((name, i) => table.columns[i]?.name !== name)
  if (mapping === null || isUnread) return guess
  if (fields === null) return mapping
  if (isMatrix(spec, guess)) {
    const { used, names, open, order } = mapping
    return mapping.isHistory ? guess : { ...guess, used, names, open, order }
  }
  return fieldsOf(spec)
    .filter((field) => mapping.fields[fields[field]] !== undefined)
    .reduce((made, field) => {
      const before = fields[field]
      const { meanings, units, ...next } = withField(spec, table, made, {
        field,
        column: mapping.fields[before],
      })
      return {
        ...next,
        day: mapping.day,
        meanings: before in mapping.meanings ? { ...meanings, [field]: mapping.meanings[before] } : meanings,
        units: before in mapping.units ? { ...units, [field]: mapping.units[before] } : units,
      }
    }, guess)
}
