/** Describes where a value breaks its schema: all missing fields, and only the first few other faults, to bound the cost. */
import type { TObject, TSchema } from 'typebox'
import { IsDateTime } from 'typebox/format'
import { Guard } from 'typebox/guard'
import type { Detail } from '../../base/failure.ts'
import { MAX_DETAILS, MAX_NAME_CHARACTERS } from '../../base/limits/callers.ts'
import { plural } from '../../base/text.ts'
import { Type } from '../../base/type.ts'
import type { JsonSchema } from '../catalogue/schema.ts'
import { isObject } from './parse.ts'
import { mustBeOneOf, nearest, percentageHint, synonymOf } from './suggestions.ts'

/** Returns at least one fault; call it for a value that was found invalid. */
export function faultsOf(schema: TSchema, value: unknown): readonly Detail[] {
  const found: Detail[] = []
  collect(schema as JsonSchema, value, '', found)
  return found.length === 0 ? [{ path: '', message: 'is not valid' }] : found
}

/** The faults of field names alone: absent and unknown fields. */
export function nameFaults(schema: TObject, fields: Readonly<Record<string, unknown>>): readonly Detail[] {
  const known = schema.properties
  const isKnown = Object.keys(fields).every((name) => Object.hasOwn(known, name))
  if (isKnown && (schema.required ?? []).every((name) => Object.hasOwn(fields, name))) return []
  const names = Object.fromEntries(Object.keys(known).map((name) => [name, Type.Unknown()]))
  return faultsOf({ ...schema, properties: names }, fields)
}

function collect(declared: JsonSchema, value: unknown, path: string, found: Detail[]): void {
  const rules = meant(declared, value)
  const message = rules === null ? wrongTypes(declared) : ownFault(rules, value)
  if (message !== null) found.push({ path, message })
  else if (rules?.properties !== undefined)
    collectFields(rules, value as Readonly<Record<string, unknown>>, path, found)
  else if (rules?.patternProperties !== undefined)
    for (const [name, field] of Object.entries(value as object).slice(0, MAX_DETAILS))
      collect(Object.values(rules.patternProperties)[0], field, `${path}/${escaped(name)}`, found)
  else if (rules?.items !== undefined) {
    const items = value as readonly unknown[]
    for (let index = 0; index < items.length && found.length < MAX_DETAILS; index++)
      collect(rules.items, items[index], `${path}/${index}`, found)
  }
}

/** The rules that apply to a value: in a choice of types, those of the value's type; null: the value has none of the types. */
function meant(rules: JsonSchema, value: unknown): JsonSchema | null {
  const { anyOf } = rules
  if (anyOf === undefined || anyOf.some((one) => typeOf(one) === undefined)) return rules
  return anyOf.find((one) => hasType(value, typeOf(one)!)) ?? null
}

/** The type that rules demand; a schema of words has no keyword for it. */
const typeOf = ({ enum: words, type }: JsonSchema): string | undefined =>
  type ?? (words === undefined ? undefined : 'string')

const wrongTypes = ({ anyOf = [] }: JsonSchema): string => {
  const types = anyOf.map((one) => typeOf(one)!)
  return `must be ${types.map((type) => (type === 'null' ? 'null' : withArticle(type))).join(' or ')}`
}

/** A name within a JSON pointer. */
const escaped = (name: string): string =>
  name.slice(0, MAX_NAME_CHARACTERS).replaceAll('~', '~0').replaceAll('/', '~1')

function collectFields(
  { additionalProperties, properties = {}, required = [] }: JsonSchema,
  fields: Readonly<Record<string, unknown>>,
  path: string,
  found: Detail[],
): void {
  const report = (name: string, message: string): void => {
    if (found.length < MAX_DETAILS) found.push({ path: `${path}/${name}`, message })
  }
  const mayBeUnknown = additionalProperties !== false
  const otherNames = mayBeUnknown ? new Map<string, string>() : otherNamesOf(fields, properties)
  // Every missing field is reported, because a declaration has few; with the other name under which it was sent, if any.
  const missing = required.filter((name) => !Object.hasOwn(fields, name))
  for (const name of missing) {
    const sent = otherNames.get(name)
    if (sent === undefined) found.push({ path: `${path}/${name}`, message: 'is required' })
    else found.push({ path: `${path}/${sent}`, message: isCalled(name) })
  }
  if (!mayBeUnknown) {
    const known = Object.keys(properties)
    const told = new Set(missing.map((name) => otherNames.get(name)))
    for (const name in fields) {
      if (found.length >= MAX_DETAILS) return
      if (Object.hasOwn(properties, name) || told.has(name)) continue
      const message = unknownField(name, known, path === '' ? 'of this endpoint' : 'here')
      report(name.slice(0, MAX_NAME_CHARACTERS), message)
    }
  }
  for (const name in properties)
    if (found.length < MAX_DETAILS && Object.hasOwn(fields, name))
      collect(properties[name], fields[name], `${path}/${name}`, found)
}

/** The names of fields that were sent under another name for the same quantity, each with the first of these. */
function otherNamesOf(
  fields: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, unknown>>,
): Map<string, string> {
  const known = Object.keys(properties)
  const found = new Map<string, string>()
  for (const name in fields) {
    const meant = Object.hasOwn(properties, name) ? null : synonymOf(name, known)
    if (meant !== null && !found.has(meant)) found.set(meant, name)
  }
  return found
}

/** The fault of a value itself, not of its fields or items. */
function ownFault(rules: JsonSchema, value: unknown): string | null {
  const { type } = rules
  if (rules.enum !== undefined) return rules.enum.includes(value) ? null : mustBeOneOf(rules.enum, value)
  if (isBinary(rules)) return value === 0 || value === 1 ? null : 'must be 0 or 1'
  if (type !== undefined && !hasType(value, type)) return wrongType(type, value)
  if (typeof value === 'number') return outOfRange(rules, value)
  if (typeof value === 'string') return badText(rules, value)
  return Array.isArray(value) ? badCount(rules, value.length) : null
}

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'number':
      return Number.isFinite(value)
    case 'integer':
      return Number.isInteger(value)
    case 'null':
      return value === null
    default:
      return typeof value === type
  }
}

function wrongType(type: string, found: unknown): string {
  if (typeof found === 'number' && !Number.isFinite(found)) return 'must be a finite number (at most 1.8e308)'
  const hint = type === 'number' || type === 'integer' ? percentageHint(found) : ''
  return `must be ${withArticle(type)}${hint}`
}

const withArticle = (type: string): string =>
  `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type === 'integer' ? 'integer (a whole number)' : type}`

/** Whether the only values are 0 and 1. */
const isBinary = ({ type, minimum, maximum }: JsonSchema): boolean =>
  type === 'integer' && minimum === 0 && maximum === 1

function outOfRange(
  { exclusiveMaximum, exclusiveMinimum, maximum, minimum }: JsonSchema,
  value: number,
): string | null {
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    return `must be greater than ${exclusiveMinimum}`
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum)
    return `must be less than ${exclusiveMaximum}`
  if (maximum !== undefined && value > maximum) return `must be at most ${maximum}`
  return null
}

function badText(
  { description, format, maxLength, minLength, pattern }: JsonSchema,
  value: string,
): string | null {
  if (minLength !== undefined && !Guard.IsMinLength(value, minLength))
    return `must have at least ${plural(minLength, 'character')}`
  if (maxLength !== undefined && !Guard.IsMaxLength(value, maxLength))
    return `must have at most ${plural(maxLength, 'character')}`
  const hasForm = pattern === undefined || new RegExp(pattern, 'u').test(value)
  if (format === 'date-time' && !(hasForm && IsDateTime(value)))
    return 'must be a date, a time and a zone, such as 2026-01-31T12:00:00Z'
  if (hasForm) return null
  if (value.includes('\0')) return 'must not contain the character U+0000'
  return `does not have the expected form${description === undefined ? '' : ` (${description})`}`
}

function badCount({ maxItems, minItems }: JsonSchema, count: number): string | null {
  if (minItems !== undefined && count < minItems)
    return `must ${count === 0 ? 'not be empty: it needs' : 'have'} at least ${plural(minItems, 'item')}`
  if (maxItems !== undefined && count > maxItems) return `must have at most ${plural(maxItems, 'item')}`
  return null
}

const isCalled = (name: string): string => `is not a field: this operation calls it "${name}"`

function unknownField(name: string, known: readonly string[], place: string): string {
  const synonym = synonymOf(name, known)
  const similar = part(name, known)
  if (synonym !== null && synonym !== similar) return isCalled(synonym)
  const meant = similar ?? nearest(name, known)
  return meant === null
    ? `is not a field ${place}; its fields are: ${known.join(', ')}`
    : `is not a field ${place}; did you mean "${meant}"?`
}

/** The field whose name contains the one that was sent, or is contained in it: `dividend_yield` for `dividend`. */
function part(name: string, known: readonly string[]): string | null {
  const typed = name.slice(0, MAX_NAME_CHARACTERS).toLowerCase()
  const isPart = (candidate: string): boolean =>
    (typed.length > 1 && candidate.includes(typed)) ||
    (candidate.length > 2 && typed.includes(candidate)) ||
    (typed.startsWith(candidate) && typed.length === candidate.length + 1)
  return known.find((candidate) => isPart(candidate.toLowerCase())) ?? null
}
