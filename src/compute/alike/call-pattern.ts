/** The pattern of calls that differ in their numbers alone: all other bytes, and an input to put the numbers into. */
import { Failure } from '../../errors.ts'
import type { CompiledOperation, Input } from '../computation.ts'
import { readNumber } from './json-number.ts'
import { behind, type Literal, literal, type Viewed } from './literal.ts'
import type { NumberFields } from './number-fields.ts'

/** An operation with the fields that its calls may differ in. */
export interface Patterned {
  readonly compiled: CompiledOperation
  readonly fields: NumberFields
}

export type PatternedOperations = ReadonlyMap<string, Patterned>

export interface CallPattern extends Patterned {
  /** The checked body of one of these calls; with the numbers of another it is the body of that call. */
  readonly input: Input
  /**
   * Reads the call that begins at `start`: its numbers go into `numbers` from index `from` on, in the order of the
   * operation's fields. Returns the offset behind the call, or −1 if no such call stands there.
   */
  read(body: Viewed, start: number, numbers: Float64Array, from: number): number
}

type Fields = Readonly<Record<string, unknown>>

/** So short that 5,000 such calls stay below the limits on numbers and on values in a request. */
const MAX_BYTES = 1_000

const STRING = /"(?:[^"\\]|\\.)*"/.source
const FLAT_OBJECT = `\\{(?:[^"{}[\\]]|${STRING})*\\}`
/** An object whose objects hold neither objects nor arrays. */
const CALL = new RegExp(`^\\{(?:[^"{}[\\]]|${STRING}|${FLAT_OBJECT})*\\}`)
/** Numbers in JSON; strings too, so that digits inside a string are not taken for a number. */
const STRING_OR_NUMBER = new RegExp(`${STRING}|-?\\d[\\d.eE+-]*`, 'g')

/** Returns the pattern of the call that begins at `start`, or null if the call is not a plain valid one. */
export function patternAt(bytes: Buffer, start: number, operations: PatternedOperations): CallPattern | null {
  const text = CALL.exec(bytes.toString('latin1', start, start + MAX_BYTES))?.[0] ?? ''
  const { literals, numbered } = split(text)
  const call = callIn(text)
  const places = callIn(numbered)?.body
  const patterned = operations.get(call?.path ?? '')
  if (call === null || places === undefined || patterned === undefined) return null
  const { compiled, fields } = patterned
  const slots = new Int32Array(literals.length - 1).fill(-1)
  for (const name in places)
    if (typeof places[name] === 'number') slots[places[name]] = fields.names.indexOf(name)
  const input = checked(compiled, call.body)
  if (input === null || slots.includes(-1)) return null
  const defaults = Float64Array.from(fields.names, (name) => (input as Fields)[name] as number)
  const shape = { literals, slots, defaults }
  return {
    compiled,
    fields,
    input,
    read: (body, start, numbers, from) => readLike(shape, body, start, numbers, from),
  }
}

/** Splits a text at its numbers: the literals around them, and the text with each number's index in its place. */
function split(text: string) {
  const literals: Literal[] = []
  let end = 0
  const numbered = text.replace(STRING_OR_NUMBER, (token, offset: number) => {
    if (token.startsWith('"')) return token
    literals.push(literal(text.slice(end, offset)))
    end = offset + token.length
    return String(literals.length - 1)
  })
  return { literals: [...literals, literal(text.slice(end))], numbered }
}

function callIn(text: string): { readonly path: string; readonly body: Fields } | null {
  try {
    const call = JSON.parse(text) as Fields
    const { body, path } = call
    const isCall = typeof path === 'string' && typeof body === 'object' && body !== null
    return isCall && Object.keys(call).length === 2 ? { path, body: body as Fields } : null
  } catch {
    return null
  }
}

function checked({ validate }: CompiledOperation, body: Fields): Input | null {
  try {
    return validate(body)
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

interface Shape {
  /** The text around the numbers: one literal more than there are numbers. */
  readonly literals: readonly Literal[]
  /** For each number in the text, the index of its field. */
  readonly slots: Int32Array
  /** By field: the value where the calls leave it out. */
  readonly defaults: Float64Array
}

function readLike(
  { defaults, literals, slots }: Shape,
  body: Viewed,
  start: number,
  numbers: Float64Array,
  from: number,
): number {
  for (let slot = 0; slot < defaults.length; slot++) numbers[from + slot] = defaults[slot]!
  let at = behind(literals[0]!, body, start)
  for (let index = 0; index < slots.length && at !== -1; index++) {
    at = readNumber(body.bytes, at, numbers, from + slots[index]!)
    if (at !== -1) at = behind(literals[index + 1]!, body, at)
  }
  return at
}
