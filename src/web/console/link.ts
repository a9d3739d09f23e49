/**
 * Makes links that contain the inputs of a page after #, which browsers never send, and reads and checks the inputs of a link,
 * which anyone may have written.
 */
// @ts-nocheck: to be converted
import { labelOf } from './labels.ts'
import { plural } from './numbers.ts'

/** The most characters of the inputs in an address. */
const LONGEST = 100_000

/** The address of the page of an operation with inputs. `body`: a request as an object. */
export const addressOf = (path, body) =>
  `#${path.replace(/^\/quantlib/, '')}?body=${encodeURIComponent(JSON.stringify(body))}`

/** The URL of a page with these inputs; null if they are too long. */
export function linkTo(path, body) {
  const address = addressOf(path, body)
  return address.length > LONGEST ? null : `${location.origin}${location.pathname}${address}`
}

/** `{ given, fault }`: the values in `query`, or null if it has none; and a message about values that were left out, or null. */
export function valuesIn(form, query) {
  const text = new URLSearchParams(query).get('body')
  if (text === null) return { given: null, fault: null }
  if (text.length > LONGEST)
    return { given: null, fault: 'The inputs in this link are too long; these are those of the example.' }
  const body = parsed(text)
  const isRows = form.path.endsWith('/columns')
  const values = isRows ? body?.columns : body
  if (!isRecord(values))
    return { given: null, fault: 'The inputs in this link cannot be read; these are those of the example.' }
  const read = readValues(form, values, isRows)
  return { given: isRows ? { columns: read.values } : read.values, fault: read.fault }
}

/** The values that fit their fields, and a message about the others, or null. */
export function readValues({ fields }, given, isRows = false) {
  const values = {}
  const unfit = []
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

function fits({ kind, choices }, value) {
  if (kind === 'number') return typeof value === 'number'
  if (kind === 'choice') return choices.includes(value)
  if (kind === 'text') return typeof value === 'string'
  return kind === 'json' ? typeof value === 'object' && value !== null : Array.isArray(value)
}

const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
