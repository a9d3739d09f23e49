/** Reads the values of a receipt that anybody may have made. */
import { canonical } from './canonical.ts'

/** The receipt proves nothing; the message says why. */
export class InvalidReceipt extends Error {
  override readonly name = 'InvalidReceipt'
}

export type Fields = Record<string, unknown>

const HASH = /^[0-9a-f]{64}$/
const REPLY = '{"success":true,"data":'
const BRACE = 0x7d

/** The bytes between the envelope's head and its last brace; Arrow and bare data as they are. */
export function dataOf(reply: Uint8Array): Uint8Array {
  const isEnveloped =
    new TextDecoder().decode(reply.subarray(0, REPLY.length)) === REPLY && reply.at(-1) === BRACE
  return isEnveloped ? reply.subarray(REPLY.length, reply.length - 1) : reply
}

export const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content

export function textOf(value: unknown): string {
  try {
    return canonical(value)
  } catch {
    return fail('a field has a value that no receipt has')
  }
}

/** Of a JSON value or a text: the receipt, or the one in the reply that has it as its `data`. */
export function opened(given: unknown): Fields {
  const whole = fields(typeof given === 'string' ? parsed(given) : given, 'the receipt')
  return whole.success === true ? fields(whole.data, 'the receipt') : whole
}

function parsed(text: string): unknown {
  let value: unknown
  let isRepeating: boolean
  try {
    value = JSON.parse(text)
    isRepeating = namesIn(text) !== membersOf(value)
  } catch {
    return fail('it is not JSON')
  }
  // Of two values of one name, JSON.parse takes the last; others may take, or show, the first.
  if (isRepeating) fail('an object has a name twice')
  return value
}

const STRINGS = /"(?:[^"\\]+|\\.)*"(\s*:)?/g

/** The number of names of members in JSON. */
function namesIn(text: string): number {
  let names = 0
  for (const [, colon] of text.matchAll(STRINGS)) if (colon !== undefined) names += 1
  return names
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const items = Object.values(value)
  return items.reduce((sum: number, item) => sum + membersOf(item), Array.isArray(value) ? 0 : items.length)
}

export function fields(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail(`${name} is malformed`)
  return value as Fields
}

/** An object with exactly these members: others would be shown with the receipt, and prove nothing. */
export function members<Name extends string>(
  value: unknown,
  name: string,
  ...names: readonly Name[]
): Readonly<Record<Name, unknown>> {
  const given = fields(value, name)
  if (Object.keys(given).length !== names.length || !names.every((own) => Object.hasOwn(given, own)))
    return fail(`${name} has other members`)
  return given as Record<Name, unknown>
}

export const hash = (value: unknown): string =>
  typeof value === 'string' && HASH.test(value) ? value : fail('a hash is malformed')

export const whole = (value: unknown): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : fail('a number is malformed')

export function fail(message: string): never {
  throw new InvalidReceipt(`The receipt is not valid: ${message}.`)
}
