/** Checks a parsed body against its schema; a failure names the fields and the rules that they break. */
import type { TObject, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'
import { Errors } from 'typebox/value'
import { type Detail, Failure, messages } from '../errors.ts'
import { nearest } from './nearest.ts'

const MAX_DETAILS = 20
/** More fields than any request has; TypeBox reports an unknown one twice. */
const MAX_FIELDS = 100
/** More items than any request has in one field. */
const MAX_ITEMS = 1_000_000
const MAX_NAME = 100
Settings.Set({ maxErrors: 2 * MAX_FIELDS + MAX_DETAILS })

export interface Validator<Input> {
  /** Throws a Failure `invalid_input`; returns the input with every default filled in. */
  validate(value: unknown): Input
  /** Whether an input is still valid after its values changed; its names must be the same. */
  admits(input: Input): boolean
}

/** Compiles a schema, which declares whether unknown fields are refused or ignored. */
export function validator<Input>(schema: TObject): Validator<Input> {
  // As a rule of the schema, the check for unknown fields would take longer than all others; `refuseNamesAndBulk` counts them.
  const { additionalProperties, ...rules }: TObject & { additionalProperties?: unknown } = schema
  const compiled = Compile(rules as TObject)
  const properties = schema.properties as Record<string, TSchema & { default?: unknown }>
  const known: ReadonlySet<string> = new Set(Object.keys(properties))
  const defaults = Object.entries(properties).filter(([, property]) => property.default !== undefined)
  return {
    validate(value) {
      if (value === null || typeof value !== 'object' || Array.isArray(value))
        throw invalid([{ path: '', message: 'must be a JSON object' }])
      const unknown = refuseNamesAndBulk(value, known)
      if ((unknown > 0 && additionalProperties === false) || !compiled.Check(value))
        throw invalid(explain(Errors(schema, value), schema, value))
      const input = value as Record<string, unknown>
      for (const [name, property] of defaults) input[name] ??= property.default
      return input as Input
    },
    admits: (input) => compiled.Check(input),
  }
}

const invalid = (details: readonly Detail[]): Failure => {
  const [first] = details
  const name =
    first === undefined || first.path === '' ? 'The body' : first.path.slice(1).replaceAll('/', '.')
  const more = details.length > 1 ? ` (and ${details.length - 1} more, see details)` : ''
  const message = messages.invalidField(name, `${first?.message ?? 'is not valid'}${more}`)
  return new Failure('invalid_input', message, { details })
}

/** Names that would set the prototype of an object they are copied to. */
const isForbidden = (name: string): boolean =>
  name === '__proto__' || name === 'constructor' || name === 'prototype'

/**
 * Refuses forbidden names, then fields and items in excess by their count alone, before each would be checked.
 * Returns the number of unknown fields.
 */
function refuseNamesAndBulk(value: object, known: ReadonlySet<string>): number {
  const fields = value as Record<string, unknown>
  let count = 0
  let unknown = 0
  let isBulky = false
  let isSuspect = false
  for (const name in fields) {
    const field = fields[name]
    count += 1
    if (!known.has(name)) {
      unknown += 1
      if (isForbidden(name)) isSuspect = true
    }
    if (typeof field === 'object' && itemsIn(field) > MAX_ITEMS) isBulky = true
  }
  if (isSuspect)
    throw invalid(
      Object.keys(fields)
        .filter(isForbidden)
        .map((name) => ({ path: `/${name}`, message: 'is not an allowed field name' })),
    )
  if (count > MAX_FIELDS)
    throw invalid([{ path: '', message: `has ${count} fields; its fields are: ${[...known].join(', ')}` }])
  if (isBulky)
    throw invalid(
      Object.keys(fields)
        .filter((name) => itemsIn(fields[name]) > MAX_ITEMS)
        .map((name) => ({
          path: `/${name.slice(0, MAX_NAME)}`,
          message: `holds more than ${MAX_ITEMS} numbers; send parts of it`,
        })),
    )
  return unknown
}

function itemsIn(field: unknown): number {
  if (!Array.isArray(field)) return 0
  if (field.length > MAX_ITEMS) return field.length
  let items = 0
  for (const item of field) items += Array.isArray(item) ? Math.max(1, item.length) : 1
  return items
}

function explain(errors: readonly TLocalizedValidationError[], schema: TObject, value: object): Detail[] {
  const details: Detail[] = []
  for (const error of errors) {
    if (details.length === MAX_DETAILS) break
    details.push(...describe(error, schema, value))
  }
  return details.slice(0, MAX_DETAILS)
}

function describe(error: TLocalizedValidationError, schema: TObject, value: object): Detail[] {
  const path = error.instancePath
  const { keyword, params } = error as { keyword: string; params: Record<string, unknown> }
  switch (keyword) {
    case 'required':
      return (params.requiredProperties as string[]).map((name) => ({
        path: `${path}/${name}`,
        message: 'is required',
      }))
    case 'additionalProperties':
      return (params.additionalProperties as string[]).map((name) => ({
        path: `${path}/${name.slice(0, MAX_NAME)}`,
        message: unknownField(name, path === '' ? Object.keys(schema.properties) : []),
      }))
    // TypeBox reports an unknown field twice: by its own (false) schema, and by the rule above.
    case 'boolean':
      return []
    case 'type':
      return [{ path, message: wrongType(params.type as string, at(value, path)) }]
    case 'enum':
      return [{ path, message: `must be one of: ${(params.allowedValues as unknown[]).join(', ')}` }]
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return [{ path, message: bound(params.comparison as string, params.limit as number) }]
    case 'minItems':
      return [{ path, message: `must not be empty: it needs at least ${plural(params.limit as number)}` }]
    case 'maxItems':
      return [{ path, message: `must have at most ${plural(params.limit as number)}` }]
    case 'minLength':
    case 'maxLength': {
      const word = keyword === 'minLength' ? 'at least' : 'at most'
      const limit = params.limit as number
      return [{ path, message: `must have ${word} ${limit} ${limit === 1 ? 'character' : 'characters'}` }]
    }
    case 'pattern':
      return [{ path, message: 'does not have the expected form' }]
    default:
      return [{ path, message: error.message }]
  }
}

const plural = (count: number) => (count === 1 ? '1 item' : `${count} items`)

const bound = (comparison: string, limit: number): string =>
  ({
    '>': `must be greater than ${limit}`,
    '>=': `must be at least ${limit}`,
    '<': `must be less than ${limit}`,
    '<=': `must be at most ${limit}`,
  })[comparison] ?? `must be ${comparison} ${limit}`

function wrongType(type: string, found: unknown): string {
  if (typeof found === 'number' && !Number.isFinite(found)) return 'must be a finite number (at most 1.8e308)'
  const article = /^[aeiou]/.test(type) ? 'an' : 'a'
  const noun = type === 'integer' ? 'integer (a whole number)' : type
  return `must be ${article} ${noun}`
}

function unknownField(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'is not a field here'
  const meant = part(name, known) ?? nearest(name, known)
  return meant === null
    ? `is not a field of this endpoint; its fields are: ${known.join(', ')}`
    : `is not a field of this endpoint; did you mean "${meant}"?`
}

/** A field whose name contains the given one, or is contained in it: `dividend` for `dividend_yield`. */
function part(name: string, known: readonly string[]): string | null {
  const typed = name.slice(0, MAX_NAME).toLowerCase()
  const isPart = (candidate: string): boolean =>
    (typed.length > 1 && candidate.includes(typed)) ||
    (candidate.length > 2 && typed.includes(candidate)) ||
    (typed.startsWith(candidate) && typed.length === candidate.length + 1)
  return known.find((candidate) => isPart(candidate.toLowerCase())) ?? null
}

const at = (value: unknown, path: string): unknown =>
  path
    .split('/')
    .slice(1)
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value)
