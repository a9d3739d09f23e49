/** TypeScript declarations of JSON Schemas in generated files; an object that occurs again is declared once. */
import { capitalised, wordsOf } from '../../src/derive/documented-endpoints.ts'
import { fieldInWords, type JsonSchema } from '../../src/derive/schemas.ts'

export interface Declared {
  readonly name: string
  readonly schema: JsonSchema
  /** Whether lists of numbers may be given as typed arrays. */
  readonly takesTypedArrays: boolean
}

interface Writing {
  readonly takesTypedArrays: boolean
  /** The name to write instead of the members of an object that occurs at `place`; undefined where it has none. */
  readonly nameOf?: NameOf
}

type NameOf = (object: JsonSchema, place: string) => string | undefined

/** A repeated object with fewer members is not given a name: it is clearer written out. */
const LEAST_MEMBERS = 2

/** The declarations of types. A repeated object is named after its type, or after the place where it first occurs: `HealthDataBackup`. */
export function declarations(all: readonly Declared[]): string[] {
  const names = namesOfRepeated(all)
  const written = new Set(all.map(({ name }) => name))
  return all.flatMap(({ name, schema, takesTypedArrays }) => {
    const others: string[] = []
    const nameOf: NameOf = (object) => {
      const known = names.get(typeOf(object, { takesTypedArrays }))
      if (known !== undefined && !written.has(known)) {
        written.add(known)
        others.push(declaration(known, object, { takesTypedArrays, nameOf }))
      }
      return known
    }
    const same = names.get(typeOf(schema, { takesTypedArrays })) ?? name
    const text =
      same === name
        ? declaration(name, schema, { takesTypedArrays, nameOf })
        : `export type ${name} = ${same}\n`
    return [...others, text]
  })
}

/** The names of repeated objects and of types that are objects, by the text of their types in full. */
function namesOfRepeated(all: readonly Declared[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const { name, schema, takesTypedArrays } of all) {
    const text = typeOf(schema, { takesTypedArrays })
    if (isLarge(schema) && !names.has(text)) names.set(text, name)
  }
  const places = new Map<string, string>()
  for (const { name, schema, takesTypedArrays } of all) {
    const nameOf: NameOf = (object, place) => {
      const text = typeOf(object, { takesTypedArrays })
      const first = names.get(text) ?? places.get(text)
      if (isLarge(object)) (first === undefined ? places : names).set(text, first ?? place)
      return first
    }
    if ((names.get(typeOf(schema, { takesTypedArrays })) ?? name) === name)
      declaration(name, schema, { takesTypedArrays, nameOf })
  }
  return names
}

const isLarge = ({ properties = {} }: JsonSchema): boolean => Object.keys(properties).length >= LEAST_MEMBERS

function declaration(name: string, schema: JsonSchema, writing: Writing): string {
  if (schema.type === 'object') return `export interface ${name} ${membersOf(schema, writing, name)}\n`
  const choices = (schema.anyOf ?? [schema]).map(
    (one) => `  | ${indented(typeOf(one, writing, name), '    ')}`,
  )
  return `export type ${name} =\n${choices.join('\n')}\n`
}

function typeOf(schema: JsonSchema, writing: Writing, place = ''): string {
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, writing, place)).join(' | ')
  if (schema.type === 'array') return arrayOf(typeOf(schema.items ?? {}, writing, place), writing)
  if (schema.type === 'object') return writing.nameOf?.(schema, place) ?? membersOf(schema, writing, place)
  if (schema.type === 'integer') return 'number'
  return schema.type ?? 'unknown'
}

function arrayOf(item: string, { takesTypedArrays }: Writing): string {
  if (takesTypedArrays && item === 'number') return 'Numbers'
  if (takesTypedArrays && item === 'Numbers') return 'readonly Numbers[]'
  return / \| /.test(item) ? `(${item})[]` : `${item}[]`
}

function membersOf({ properties = {}, required = [] }: JsonSchema, writing: Writing, place: string): string {
  if (Object.keys(properties).length === 0) return 'Record<string, unknown>'
  const lines = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?'
    const inner = place + wordsOf(name).map(capitalised).join('')
    return `${comment(fieldInWords(schema, JSON.stringify), '  ')}  ${name}${mark}: ${indented(typeOf(schema, writing, inner), '  ')}\n`
  })
  return `{\n${lines.join('')}}`
}

const indented = (text: string, indent: string): string => text.replaceAll('\n', `\n${indent}`)

export const comment = (text: string, indent: string): string =>
  text === '' ? '' : `${indent}/** ${text.replaceAll('*/', '* /')} */\n`

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value)
