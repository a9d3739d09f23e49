/** The rows of a columns request as receipts prove them: the values that the request sent, and the results. */
import { columnRows, type ProvenColumn, type ProvenRows } from '../../wire/receipt-check/proven-rows.ts'
import type { Results } from './row-loop.ts'
import type { Field, Table } from './table.ts'

interface Fields {
  readonly inputs: readonly Field[]
  readonly outputs: readonly Field[]
}

export function provenTable({ inputs, outputs }: Fields, table: Table, results: Results): ProvenRows {
  const hasFailed = failedRows(outputs[0], results[0])
  const sent = inputs.flatMap((field, index): ProvenColumn[] => {
    const { isGiven, isScalar, values } = table.columns[index]
    if (!isGiven) return []
    // The words of failed rows are proven as null, because the table does not keep every refused word.
    const texts = textsOf(field, values, isScalar ? () => false : hasFailed)
    return [{ name: field.name, isScalar, values: texts ?? (values as Float64Array) }]
  })
  const returned = outputs.map((field, index): ProvenColumn => {
    const values = results[index]
    return {
      name: field.name,
      isScalar: false,
      values: textsOf(field, values, hasFailed) ?? (values as Float64Array),
    }
  })
  return columnRows(table.rows, sent, returned)
}

const failedRows =
  ({ words }: Field, values: Results[number]) =>
  (row: number): boolean =>
    words === null ? Number.isNaN(values[row]) : words[values[row]] === undefined

function textsOf({ words }: Field, values: Results[number], hasFailed: (row: number) => boolean) {
  if (words === null) return null
  const texts = words.map((word) => JSON.stringify(word))
  return (row: number): string => (hasFailed(row) ? 'null' : texts[values[row]])
}
