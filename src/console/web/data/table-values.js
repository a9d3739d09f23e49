/** From a table to the fields of a request. */
import { columnOf } from '../kernels/column-of.js'
import { labelOf } from '../labels.js'

/**
 * `spec`: `{ kind: 'matrix', field }`, `{ kind: 'columns', fields }` or `{ kind: 'rows', fields }`; `chosen`: the column of each
 * of these fields, for rows -1 where a field has one value for all rows. Matrices become `{ values, rows, columns }`,
 * columns Float64Arrays; rows are not computed in the browser.
 */
export function tableValues(spec, table, chosen) {
  if (spec.kind === 'rows') return {}
  return spec.kind === 'matrix'
    ? { [spec.field]: { values: table.values, rows: table.rows, columns: table.columns } }
    : Object.fromEntries(
        spec.fields.map((name, i) => [name, columnOf(table, Math.min(chosen[i], table.columns - 1))]),
      )
}

/** The columns whose headings are the names or labels of the fields; else, unless rows are sent, the first ones. */
export const chosenColumns = (spec, names) =>
  (spec.fields ?? []).map((name, i) => {
    const found = names.findIndex((heading) => plain(heading) === plain(name))
    if (found !== -1) return found
    const labelled = names.findIndex((heading) => plain(heading) === plain(labelOf(name)))
    return labelled !== -1 || spec.kind === 'rows' ? labelled : Math.min(i, names.length - 1)
  })

const plain = (heading) => heading.trim().replace(/[\s_-]+/g, ' ')

/** The fields whose values are in the table. */
export const fieldsInTable = (spec, { table, chosen }) =>
  spec === null
    ? []
    : spec.kind === 'rows'
      ? spec.fields.filter((_, i) => table !== null && chosen[i] >= 0)
      : (spec.fields ?? [spec.field])

/** The body of a request: the fields of the table and the other values. */
export function bodyOf(spec, table, chosen, others) {
  const rest = Object.entries(others)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  const fields = [...tableFields(spec, table, chosen), ...rest].join(',')
  return spec.kind === 'rows' ? `{"columns":{${fields}}}` : `{${fields}}`
}

const tableFields = (spec, table, chosen) =>
  spec.kind === 'matrix'
    ? [`${JSON.stringify(spec.field)}:${matrixText(table)}`]
    : spec.fields.flatMap((name, i) =>
        chosen[i] < 0
          ? []
          : [`${JSON.stringify(name)}:[${columnText(table, Math.min(chosen[i], table.columns - 1))}]`],
      )

function columnText(table, column) {
  const values = columnOf(table, column)
  const words = table.words?.[column]?.map((word) => JSON.stringify(word))
  return words === undefined ? values.join(',') : Array.from(values, (place) => words[place]).join(',')
}

function matrixText({ values, rows, columns }) {
  const lines = []
  for (let row = 0; row < rows; row++)
    lines.push(`[${values.subarray(row * columns, (row + 1) * columns).join(',')}]`)
  return `[${lines.join(',')}]`
}
