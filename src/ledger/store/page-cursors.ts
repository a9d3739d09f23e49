/**
 * The place of a row in an order: the values of the columns that it is ordered by, and the cursor that encodes them. A cursor
 * may be forged, because callers send it.
 */
import { parsedJson } from '../../base/text.ts'

/** The columns of an order, with their types. */
export type Place = Readonly<Record<string, 'number' | 'string'>>

/** Whether a row may have the values. PostgreSQL refuses fractions for its integers, and U+0000. */
export const isPlace = (place: Place, values: unknown): values is (number | string)[] => {
  const types = Object.values(place)
  return (
    Array.isArray(values) &&
    values.length === types.length &&
    values.every((value, index) =>
      types[index] === 'number'
        ? Number.isSafeInteger(value)
        : typeof value === 'string' && !value.includes('\0'),
    )
  )
}

type Values<Of extends Place> = { readonly [Name in keyof Of]: Of[Name] extends 'number' ? number : string }

/** The cursor of the page after a row. */
export const cursorOf = <Of extends Place>(
  place: Of,
  row: { readonly [Name in keyof Of]: string | number | null },
): string => Buffer.from(JSON.stringify(Object.keys(place).map((name) => row[name]))).toString('base64url')

/** The place that a cursor encodes; null: it encodes none of this order. */
export function placeIn<Of extends Place>(cursor: string, place: Of): Values<Of> | null {
  const values = parsedJson(Buffer.from(cursor, 'base64url').toString())
  if (!isPlace(place, values)) return null
  return Object.fromEntries(Object.keys(place).map((name, index) => [name, values[index]])) as Values<Of>
}
