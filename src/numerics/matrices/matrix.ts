/** Matrices in one flat typed array, in row-major order. */
import { DomainError } from '../domain-error.ts'

/** values[row · columns + column] */
export interface Matrix {
  readonly values: Float64Array
  readonly rows: number
  readonly columns: number
}

/**
 * Flattens rows into a matrix. Refuses rows of unequal length.
 * @param name the parameter that a refusal names
 */
export function flatten(rows: readonly (readonly number[])[], name = 'rows'): Matrix {
  const columns = rows[0].length
  rows.forEach((row, index) => {
    if (row.length !== columns)
      throw new DomainError(`${name}.${index}`, `has ${row.length} columns but the first row has ${columns}`)
  })
  const values = new Float64Array(rows.length * columns)
  let cell = 0
  for (const row of rows) for (let column = 0; column < columns; column++) values[cell++] = row[column]
  return { values, rows: rows.length, columns }
}

/** The rows as arrays, for a reply. */
export function unflatten({ values, rows, columns }: Matrix): number[][] {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => values[row * columns + column]),
  )
}
