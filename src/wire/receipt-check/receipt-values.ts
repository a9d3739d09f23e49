/** Reads the values of a receipt, which anybody may have forged, and prints them as they are signed. */

/** The receipt proves nothing; the message says why. */
export class InvalidReceipt extends Error {
  override readonly name = 'InvalidReceipt'
}

export type Fields = Record<string, unknown>

const HASH = /^[0-9a-f]{64}$/
const REPLY = '{"success":true,"data":'
const BRACE = 0x7d

/** The data of a reply: the bytes within the envelope; an Arrow stream, or data without an envelope, unchanged. */
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

/** The fields of a receipt. @param given the receipt, or a reply whose `data` it is: the JSON value, or its text */
export function opened(given: unknown): Fields {
  const whole = fields(typeof given === 'string' ? parsed(given) : given, 'the receipt')
  return whole.success === true
    ? fields(members(whole, 'the reply', 'success', 'data').data, 'the receipt')
    : whole
}

/** The value of a JSON text in which no object has a name twice. */
export function parsed(text: string): unknown {
  let value: unknown
  let isRepeating: boolean
  try {
    // The program that saved the file may have added a byte order mark.
    value = JSON.parse(text.replace(/^\ufeff/, ''))
    isRepeating = namesIn(text) !== membersOf(value)
  } catch {
    return fail('it is not JSON')
  }
  // JSON.parse takes the last of two values with one name; other programs may take, or show, the first.
  if (isRepeating) fail('an object has a name twice')
  return value
}

const STRINGS = /"(?:[^"\\]+|\\.)*"(\s*:)?/g

/** The number of members that a JSON text has in all its objects. */
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

/** Refuses an object with other members than these: they would be shown with the receipt, although it does not prove them. */
export function members<Name extends string>(
  value: unknown,
  name: string,
  ...names: readonly Name[]
): Readonly<Record<Name, unknown>> {
  const found = fields(value, name)
  if (Object.keys(found).length !== names.length || !names.every((member) => Object.hasOwn(found, member)))
    return fail(`${name} has other members`)
  return found as Record<Name, unknown>
}

export const hash = (value: unknown): string =>
  typeof value === 'string' && HASH.test(value) ? value : fail('a hash is malformed')

export const whole = (value: unknown): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : fail('a number is malformed')

export function fail(message: string): never {
  return refuse(`The receipt is not valid: ${message}.`)
}

export function refuse(message: string): never {
  throw new InvalidReceipt(message)
}

/**
 * Throws TypeError for other values, and for texts that UTF-8 cannot encode. Names are sorted by UTF-16 code units, as RFC 8785
 * demands and JavaScript does.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value === 'object' && value !== null) {
    const named = value as Record<string, unknown>
    const members = Object.keys(named)
      .sort()
      .map((name) => `${canonical(name)}:${canonical(named[name])}`)
    return `{${members.join()}}`
  }
  const isText = typeof value === 'string' && value.isWellFormed()
  const isPlain = value === null || isText || typeof value === 'boolean'
  if (!(isPlain || Number.isSafeInteger(value))) throw new TypeError('is no value of a receipt')
  return JSON.stringify(value)
}
