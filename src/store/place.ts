/** The place of a row in an order: the values of the columns that tell it. Cursors hold it, and callers can write them. */

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
