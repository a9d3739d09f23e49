/** Makes the body of a request in JSON. */
import type { TableSpec } from './mapping.ts'
import type { Fields } from './request.ts'

/** The body with the fields of the table and the other values. */
export function bodyOf(
  spec: Pick<TableSpec, 'kind'>,
  fields: Fields,
  others: Readonly<Record<string, unknown>>,
): string {
  const texts = Object.entries(fields).map(([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`)
  const members = [...texts, JSON.stringify(others).slice(1, -1)].filter((text) => text !== '').join(',')
  return spec.kind === 'rows' ? `{"columns":{${members}}}` : `{${members}}`
}

function textOf(field: Fields[string]): string {
  if (field instanceof Float64Array) return `[${field.join(',')}]`
  if ('words' in field) {
    const { values, words } = field
    const texts = words.map((word) => JSON.stringify(word))
    return `[${Array.from(values, (place) => texts[place]).join(',')}]`
  }
  if (!('rows' in field)) return JSON.stringify(field)
  const { values, rows, columns } = field
  const lines: string[] = []
  for (let row = 0; row < rows; row++)
    lines.push(`[${values.subarray(row * columns, (row + 1) * columns).join(',')}]`)
  return `[${lines.join(',')}]`
}
