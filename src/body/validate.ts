/** A parsed body → the input of an operation, or a failure that names the fields and the rules they break. */
import type { TObject, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'
import { Errors } from 'typebox/value'
import { type Detail, Failure } from '../errors.ts'

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
  /** Whether an input still is one, now that other values stand in it; its names must be the same. */
  admits(input: Input): boolean
}

/** Compiles a schema once; it says itself whether unknown fields are refused or ignored. */
export function validator<Input>(schema: TObject): Validator<Input> {
  // That fields are known takes longer to check, as a rule of the schema, than all else: their names are looked at anyway.
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
  const text = `${name} ${first?.message ?? 'is not valid'}`
  return new Failure('invalid_input', text.endsWith('?') && more === '' ? text : `${text}${more}.`, {
    details,
  })
}

/** Names that would reach into the prototype of what copies them. */
const isForbidden = (name: string): boolean =>
  name === '__proto__' || name === 'constructor' || name === 'prototype'

/**
 * Forbidden names first; too much is refused by its count, before each piece of it would be looked at.
 * Returns how many fields are unknown.
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
  const near = known.find((candidate) => isNear(name.toLowerCase(), candidate.toLowerCase()))
  if (known.length === 0) return 'is not a field here'
  return near === undefined
    ? `is not a field of this endpoint; its fields are: ${known.join(', ')}`
    : `is not a field of this endpoint; did you mean "${near}"?`
}

/** One contains the other, or few letters differ. */
const isNear = (name: string, candidate: string): boolean =>
  (name.startsWith(candidate) && name.length === candidate.length + 1) ||
  (name.length > 1 && candidate.includes(name)) ||
  (candidate.length > 2 && name.includes(candidate)) ||
  (candidate.length > 2 &&
    editDistance(name.slice(0, 64), candidate) <= Math.max(1, Math.floor(candidate.length / 3)))

/** Levenshtein (1966). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    row = next
  }
  return row[b.length]!
}

const at = (value: unknown, path: string): unknown =>
  path
    .split('/')
    .slice(1)
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value)
