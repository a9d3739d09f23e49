/**
 * The place of a row in an order: the values of the columns that tell it, and the cursor that holds them. Callers can write
 * one.
 */

/** Columns that tell a row's place, with their types. */
export type Place = Readonly<Record<string, 'number' | 'string'>>

/** Whether the values can be those of a row; PostgreSQL takes neither parts of numbers nor U+0000. */
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

/** The place that a cursor holds; null: none of such a row. */
export function placeIn<Of extends Place>(cursor: string, place: Of): Values<Of> | null {
  const values = parsed(Buffer.from(cursor, 'base64url').toString())
  if (!isPlace(place, values)) return null
  return Object.fromEntries(Object.keys(place).map((name, index) => [name, values[index]])) as Values<Of>
}

/** Undefined: it is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
