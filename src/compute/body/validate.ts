/** Checks a parsed body, or the query of a request, against its schema; a failure names the fields and the rules that they break. */
import { createRequire } from 'node:module'
import type { TObject, TSchema } from 'typebox'
import { invalidInput, parameterRefused, unknownParameters } from '../../base/errors/requests.ts'
import type { Detail } from '../../base/failure.ts'
import {
  MAX_DETAILS,
  MAX_FIELDS,
  MAX_NAME_CHARACTERS,
  MAX_NUMBERS,
  MAX_UNKNOWN_PARAMETERS,
} from '../../base/limits/callers.ts'
import { faultsOf } from './faults.ts'
import { isObject } from './parse.ts'

/** Loads TypeBox's compiler with the first schema, since a command that checks none starts a tenth quicker without it. */
const load = createRequire(import.meta.url)

export interface Validator<Input> {
  /** Throws a Failure `invalid_input`; returns the input with every default filled in. */
  validate(value: unknown): Input
  /** Returns null where `validate` throws, without the cost of an explanation. */
  check(value: unknown): Input | null
}

/** Compiles a schema, which declares whether unknown fields are refused or ignored. */
export function validator<Input>(schema: TObject): Validator<Input> {
  // `isSound` checks for unknown fields: as a rule of the compiled schema, this check would take longer than all others.
  const { additionalProperties, ...rules }: TObject & { additionalProperties?: unknown } = schema
  const { Compile } = load('typebox/schema') as typeof import('typebox/schema')
  const compiled = Compile(rules as TObject)
  const properties = schema.properties as Record<string, Described>
  const known: ReadonlySet<string> = new Set(Object.keys(properties))
  const mayBeUnknown = additionalProperties !== false
  const defaults = defaultsOf(schema)
  const lists = Object.entries(properties)
    .map(([name, { items }]: [string, Described]) => ({ name, defaults: defaultsOf(items) }))
    .filter(({ defaults }) => defaults.length > 0)
  const check = (value: unknown): Input | null => {
    if (!isObject(value) || !isSound(value, known, mayBeUnknown) || !compiled.Check(value)) return null
    fill(value, defaults)
    for (const { name, defaults } of lists)
      for (const item of (value[name] ?? []) as Fields[]) fill(item, defaults)
    return value as Input
  }
  return {
    check,
    validate(value) {
      const input = check(value)
      if (input === null) throw invalidInput(explain(value, schema, known))
      return input
    },
  }
}

type Fields = Record<string, unknown>
/** A field of a schema, with the keywords that give the values of absent fields. */
type Described = TSchema & { readonly default?: unknown; readonly items?: TObject }

/** The names and defaults of the fields that have one. */
const defaultsOf = (schema: TObject | undefined): readonly (readonly [string, unknown])[] =>
  Object.entries(schema?.properties ?? {})
    .map(([name, field]: [string, Described]) => [name, field.default] as const)
    .filter(([, value]) => value !== undefined)

function fill(fields: Fields, defaults: readonly (readonly [string, unknown])[]): void {
  for (const [name, value] of defaults) fields[name] ??= value
}

/** Names that would set the prototype of an object they are copied to. */
const isForbidden = (name: string): boolean =>
  name === '__proto__' || name === 'constructor' || name === 'prototype'

/** Whether the names are allowed, and the fields and items few enough to check each of them. */
function isSound(
  fields: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
  mayBeUnknown: boolean,
): boolean {
  let count = 0
  for (const name in fields) {
    const field = fields[name]
    count += 1
    if (count > MAX_FIELDS) return false
    if (!known.has(name) && (!mayBeUnknown || isForbidden(name))) return false
    if (typeof field === 'object' && itemsIn(field) > MAX_NUMBERS) return false
  }
  return true
}

/** The number of items of a list, or of all rows of a matrix. */
function itemsIn(field: unknown): number {
  if (!Array.isArray(field)) return 0
  // A list that begins with a number is no matrix: its schema refuses it at the first item that is an array.
  if (field.length > MAX_NUMBERS || !Array.isArray(field[0])) return field.length
  let items = 0
  for (const item of field) items += Array.isArray(item) ? Math.max(1, item.length) : 1
  return items
}

function explain(value: unknown, schema: TObject, known: ReadonlySet<string>): readonly Detail[] {
  if (!isObject(value)) return [{ path: '', message: 'must be a JSON object' }]
  const names = Object.keys(value)
  const forbidden = names.filter(isForbidden).slice(0, MAX_DETAILS)
  if (forbidden.length > 0)
    return forbidden.map((name) => ({ path: `/${name}`, message: 'is not an allowed field name' }))
  if (names.length > MAX_FIELDS)
    return [{ path: '', message: `has ${names.length} fields; its fields are: ${[...known].join(', ')}` }]
  const bulky = names.filter((name) => itemsIn(value[name]) > MAX_NUMBERS).slice(0, MAX_DETAILS)
  if (bulky.length > 0)
    return bulky.map((name) => ({
      path: `/${name.slice(0, MAX_NAME_CHARACTERS)}`,
      message: `holds more than ${MAX_NUMBERS} numbers; send parts of it`,
    }))
  return faultsOf(schema, value)
}

/** Throws Failure `invalid_input` that names the unknown parameters and the known ones. */
export function refuseUnknownParameters(query: URLSearchParams, known: readonly string[]): void {
  if (query.size === 0) return
  const unknown = [...new Set(query.keys())]
    .filter((name) => !known.includes(name))
    .map((name) => name.slice(0, MAX_NAME_CHARACTERS))
    .slice(0, MAX_UNKNOWN_PARAMETERS)
  if (unknown.length === 0) return
  throw unknownParameters(unknown, known)
}

/**
 * Parameters arrive as text; those that the schema declares as numbers or booleans are converted before they are checked.
 * @param schema null: the endpoint takes none, and its query reads as null
 */
export function queryReader(schema: TObject | null): (query: URLSearchParams) => unknown {
  if (schema === null)
    return (query) => {
      refuseUnknownParameters(query, [])
      return null
    }
  const checked: Validator<object> = validator(schema)
  const properties = schema.properties as Record<string, { type?: string }>
  const known = Object.keys(properties)
  return (query) => {
    refuseUnknownParameters(query, known)
    const value: Record<string, unknown> = {}
    for (const [name, text] of query) {
      // No database column can hold this character.
      if (text.includes('\0')) throw parameterRefused(name, 'must not contain the character U+0000')
      value[name] = parameterValue(text, properties[name].type)
    }
    return checked.validate(value)
  }
}

/** The value of a parameter; a text that is none of its type is refused by the check. */
function parameterValue(text: string, type: string | undefined): unknown {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  const isNumber = (type === 'integer' || type === 'number') && text.trim() !== ''
  return isNumber && !Number.isNaN(Number(text)) ? Number(text) : text
}
