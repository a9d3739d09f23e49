/** Matrices as one flat typed array, row after row. */
import { DomainError } from '../domain-error.ts'

/** values[row · columns + column] */
export interface Matrix {
  readonly values: Float64Array
  readonly rows: number
  readonly columns: number
}

/**
 * The rows one after another. Refuses rows of unequal length.
 * @param name what a refusal calls the matrix
 */
export function flatten(rows: readonly (readonly number[])[], name: string): Matrix {
  const columns = rows[0].length
  rows.forEach((row, index) => {
    if (row.length !== columns)
      throw new DomainError(
        `${name}.${index}`,
        `must have ${columns} columns like the first row, not ${row.length}`,
      )
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
