/** The forms of the console and of the operators' page, with the kind, bounds and example of each field. */
import { describe, type Sources, snakeCase } from './documented-endpoints.ts'
import type { DeclaredAct } from './operator-openapi.ts'
import { boundsInWords, type JsonSchema, plain, typeInWords } from './schemas.ts'

export interface FormField {
  readonly name: string
  /** Absent: the one made of the name. */
  readonly label?: string
  /** choices: several of a list; texts: a list of them; either: a text or a number. */
  readonly kind:
    | 'number'
    | 'choice'
    | 'choices'
    | 'vector'
    | 'matrix'
    | 'records'
    | 'text'
    | 'texts'
    | 'either'
    | 'json'
  readonly required: boolean
  readonly description: string
  readonly type: string
  readonly bounds: string
  readonly choices: readonly unknown[]
  /** A line about each choice; absent: the choices speak for themselves. */
  readonly lines?: Readonly<Record<string, string>>
  /** Fields of the objects of a list; empty for others. */
  readonly items: readonly FormField[]
  /** null: no default. */
  readonly default: unknown
  /** Value in the example; null: not in the example. */
  readonly example: unknown
}

export interface Form {
  readonly id: string
  readonly path: string
  readonly area: string
  readonly title: string
  readonly summary: string
  readonly fields: readonly FormField[]
  /** Method of the Python client. */
  readonly python: string
}

/** The form of an act. `words` and `flags`: as in the declaration of its command; absent: the usual ones. */
export interface ActForm
  extends Pick<DeclaredAct, 'path' | 'title' | 'summary' | 'role' | 'verb' | 'final' | 'secrets'> {
  /** Without the one that a command reads from standard input, which no page may see. */
  readonly fields: readonly FormField[]
  readonly words?: readonly string[]
  readonly flags?: Readonly<Record<string, string>>
}

/** The forms of the console: one for each computation. A request of columns has its fields below `columns`. */
export function forms(sources: Sources): Form[] {
  return describe(sources)
    .filter(({ computation }) => computation)
    .map(({ id, path, area, title, summary, input, example }) => {
      const body = plain(input!)
      const values = (example.input ?? {}) as Record<string, unknown>
      const fields = path.endsWith('/columns')
        ? fieldsOf(body.properties?.columns ?? body, values.columns as Record<string, unknown>)
        : fieldsOf(body, values)
      return { id, path, area, title, summary, fields, python: pythonMethod(path, title) }
    })
}

/** The forms of the operators' page: one for each act, with the fields of its request. */
export const actForms = (acts: readonly DeclaredAct[]): ActForm[] =>
  acts
    .filter(({ input }) => input !== null)
    .map(({ command, example, final, input, path, role, secrets, summary, title, verb }) => {
      const { flags, stdin, words } = command ?? {}
      const all = fieldsOf(plain(input!), (example.input ?? {}) as Record<string, unknown>)
      return {
        path,
        title,
        summary,
        role,
        verb,
        ...(final && { final }),
        ...(secrets && { secrets }),
        ...(words && { words }),
        ...(flags && { flags }),
        fields: all.filter(({ name }) => name !== stdin),
      }
    })

/** A method of the Python client; that of an operation also sends its columns. */
export const pythonMethod = (path: string, title: string): string =>
  path === '/quantlib/batch' ? 'batch' : snakeCase(title.replace(/ of columns$/, ''))

const fieldsOf = (
  { properties = {}, required = [] }: JsonSchema,
  values: Readonly<Record<string, unknown>> = {},
): FormField[] =>
  Object.entries(properties).map(([name, schema]) =>
    field(name, schema, required.includes(name), values[name]),
  )

/** A field of columns, which is a scalar or an array, is described as the scalar. */
function field(name: string, schema: JsonSchema, required: boolean, example: unknown): FormField {
  const one = isEither(schema) ? schema : (schema.anyOf?.[0] ?? schema)
  const lines = one.items?.['x-enumDescriptions']
  return {
    name,
    ...(schema.title !== undefined && { label: schema.title }),
    kind: kindOf(one),
    required,
    description: schema.description ?? '',
    type: typeInWords(one),
    bounds: boundsInWords(one),
    choices: one.enum ?? (lines && one.items?.enum) ?? (one.type === 'boolean' ? [false, true] : []),
    ...(lines && { lines }),
    items: kindOf(one) === 'records' ? fieldsOf(one.items!) : [],
    default: schema.default ?? null,
    example: example ?? null,
  }
}

function kindOf(schema: JsonSchema): FormField['kind'] {
  if (schema.enum || schema.type === 'boolean') return 'choice'
  if (isNumber(schema)) return 'number'
  if (schema.type === 'string') return 'text'
  if (isEither(schema)) return 'either'
  if (schema.type !== 'array') return 'json'
  if (schema.items?.['x-enumDescriptions'] !== undefined) return 'choices'
  if (isNumber(schema.items)) return 'vector'
  if (schema.items?.type === 'string' || isEither(schema.items)) return 'texts'
  if (Object.values(schema.items?.properties ?? { none: {} }).every(isScalar)) return 'records'
  return schema.items?.type === 'array' && isNumber(schema.items.items) ? 'matrix' : 'json'
}

const isScalar = (schema: JsonSchema): boolean => isNumber(schema) || schema.enum !== undefined

/** Whether the value is a text or a number. */
const isEither = (schema: JsonSchema | undefined): boolean =>
  schema?.anyOf?.length === 2 && schema.anyOf[0].type === 'string' && isNumber(schema.anyOf[1])

const isNumber = (schema: JsonSchema | undefined): boolean =>
  schema?.type === 'number' || schema?.type === 'integer'
