/**
 * Makes links that contain the inputs of a page after #, which browsers never send, and reads and checks the inputs of a link,
 * which anyone may have written.
 */
import type { Form, FormField } from '../../derive/forms.ts'
import { labelOf } from './labels.ts'
import { plural } from './numbers.ts'
import type { Values } from './operation.ts'

/** The most characters of the inputs in an address. */
const LONGEST = 100_000

export const addressOfPage = (path: string): string => `#${path.replace(/^\/quantlib/, '')}`

/** The address of the page of an operation with inputs. `body`: a request as an object. */
export const addressOf = (path: string, body: unknown): string =>
  `${addressOfPage(path)}?body=${encodeURIComponent(JSON.stringify(body))}`

/** The URL of a page with these inputs; null if they are too long. */
export function linkTo(path: string, body: unknown): string | null {
  const address = addressOf(path, body)
  return address.length > LONGEST ? null : `${location.origin}${location.pathname}${address}`
}

/** The most characters of the inputs that a page puts into its own address. */
const LONGEST_OWN = 4_000

/** The address of a page that has its present inputs, which never contain a key; without them if they are long. */
export function ownAddress(path: string, body: object | null): string {
  const address = body === null ? '' : addressOf(path, body)
  const isShown = address !== '' && address.length <= LONGEST_OWN && !/qd_(user|team|guest)_/.test(address)
  return isShown ? address : addressOfPage(path)
}

interface LinkValues {
  /** null: the link has none. */
  readonly given: Values | null
  /** A message about values that were left out, or null. */
  readonly fault: string | null
}

/** The values in the query of a link. */
export function valuesIn(form: Form, query: string): LinkValues {
  const text = new URLSearchParams(query).get('body')
  if (text === null) return { given: null, fault: null }
  if (text.length > LONGEST)
    return { given: null, fault: 'The inputs in this link are too long; these are those of the example.' }
  const body = parsed(text)
  const isRows = form.path.endsWith('/columns')
  const values = isRows && isRecord(body) ? body.columns : body
  if (!isRecord(values))
    return { given: null, fault: 'The inputs in this link cannot be read; these are those of the example.' }
  const read = readValues(form, values, isRows)
  return { given: isRows ? { columns: read.values } : read.values, fault: read.fault }
}

/** The values that fit their fields, and a message about the others, or null. */
export function readValues(
  { fields }: Pick<Form, 'fields'>,
  given: Values,
  isRows = false,
): { readonly values: Values; readonly fault: string | null } {
  const values: Record<string, unknown> = {}
  const unfit: string[] = []
  for (const field of fields) {
    if (!Object.hasOwn(given, field.name)) continue
    const value = given[field.name]
    const isFit = isRows && Array.isArray(value) ? value.every((one) => fits(field, one)) : fits(field, value)
    if (isFit) values[field.name] = value
    else unfit.push(labelOf(field.name))
  }
  const unknown = Object.keys(given).filter((name) => !fields.some((field) => field.name === name)).length
  const left = [...unfit, ...(unknown > 0 ? [plural(unknown, 'unknown field')] : [])]
  return { values, fault: left.length === 0 ? null : `Left out of this link: ${left.join(', ')}.` }
}

function fits({ kind, choices }: FormField, value: unknown): boolean {
  if (kind === 'number') return typeof value === 'number'
  if (kind === 'choice') return choices.includes(value)
  if (kind === 'text') return typeof value === 'string'
  if (kind === 'either') return typeof value === 'string' || typeof value === 'number'
  return kind === 'json' ? typeof value === 'object' && value !== null : Array.isArray(value)
}

export const isRecord = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
