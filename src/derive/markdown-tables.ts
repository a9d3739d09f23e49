/** Tables of Markdown. */
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

interface InnerField {
  readonly path: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
}

/** The fields of an object's schema and of the objects in it, by their paths: `user.email`, `items[].at`. */
const innerFields = ({ properties = {}, required = [] }: JsonSchema, prefix = ''): InnerField[] =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const path = prefix + name
    const inner =
      schema.type === 'object'
        ? innerFields(schema, `${path}.`)
        : schema.items?.type === 'object'
          ? innerFields(schema.items, `${path}[].`)
          : []
    return [{ path, schema, isRequired: required.includes(name) }, ...inner]
  })
