/** Reads the values of a receipt that anybody may have made. */
import { canonical } from './canonical.ts'

/** The receipt proves nothing; the message says why. */
export class InvalidReceipt extends Error {
  override readonly name = 'InvalidReceipt'
}

export type Fields = Record<string, unknown>

const HASH = /^[0-9a-f]{64}$/
const REPLY = '{"success":true,"data":'

/** What is between the envelope's head and its last brace; Arrow and bare data as they are. */
export function dataOf(reply: Uint8Array): Uint8Array {
  const isEnveloped = new TextDecoder().decode(reply.subarray(0, REPLY.length)) === REPLY
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

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return fail('the receipt is not JSON')
  }
}

export function fields(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail(`${name} is malformed`)
  return value as Fields
}

export const hash = (value: unknown): string =>
  typeof value === 'string' && HASH.test(value) ? value : fail('a hash is malformed')

export const whole = (value: unknown): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : fail('a number is malformed')

export function fail(message: string): never {
  throw new InvalidReceipt(`The receipt is not valid: ${message}.`)
}
