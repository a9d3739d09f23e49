/** From a table to the fields of a request. */
import { columnOf } from '../kernels/column-of.js'

/**
 * `spec`: `{ kind: 'matrix', field }` or `{ kind: 'columns', fields }`; `chosen`: the column of each of these fields.
 * Matrices become `{ values, rows, columns }`, columns Float64Arrays.
 */
export const tableValues = (spec, table, chosen) =>
  spec.kind === 'matrix'
    ? { [spec.field]: { values: table.values, rows: table.rows, columns: table.columns } }
    : Object.fromEntries(
        spec.fields.map((name, i) => [name, columnOf(table, Math.min(chosen[i], table.columns - 1))]),
      )

/** The columns whose headings are the names of the fields, else the first ones. */
export const chosenColumns = (spec, names) =>
  (spec.fields ?? []).map((name, i) => {
    const found = names.indexOf(name)
    return found === -1 ? Math.min(i, names.length - 1) : found
  })

const encoder = new TextEncoder()

/** The body of a request as UTF-8 in pieces: the fields of the table and the other values. */
export function bodyOf(spec, table, chosen, others) {
  const rest = Object.entries(others)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join('')
  if (spec.kind === 'matrix' && table.json !== null && table.json !== undefined)
    return [encoder.encode(`{${JSON.stringify(spec.field)}:[`), table.json, encoder.encode(`]]${rest}}`)]
  const fields = Object.entries(tableValues(spec, table, chosen)).map(
    ([name, value]) =>
      `${JSON.stringify(name)}:${spec.kind === 'matrix' ? matrixText(value) : `[${value.join(',')}]`}`,
  )
  return [encoder.encode(`{${fields.join(',')}${rest}}`)]
}

function matrixText({ values, rows, columns }) {
  const lines = []
  for (let row = 0; row < rows; row++)
    lines.push(`[${values.subarray(row * columns, (row + 1) * columns).join(',')}]`)
  return `[${lines.join(',')}]`
}
