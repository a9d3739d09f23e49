/** One column of a table `{ values, rows, columns }`, as a Float64Array. */
export function columnOf({ values, rows, columns }, column) {
  const made = new Float64Array(rows)
  for (let row = 0; row < rows; row++) made[row] = values[row * columns + column]
  return made
}
