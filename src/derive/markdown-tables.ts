/** Tables of Markdown. */
import { innerFields } from './inner-fields.ts'
import { fieldInWords, type JsonSchema, typeInWords } from './rules.ts'

/** The fields of an object's schema. */
export const fieldTable = (schema: JsonSchema): string =>
  tableOf(
    ['Field', 'Type', 'Needed', 'Description'],
    innerFields(schema).map(({ path, schema: field, isRequired }) => {
      const { default: fallback, ...rest } = field
      return [
        `\`${path}\``,
        typeInWords(field),
        fallback === undefined ? (isRequired ? 'yes' : 'no') : `default ${JSON.stringify(fallback)}`,
        fieldInWords(rest, JSON.stringify),
      ]
    }),
  )

export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}
