/** What calls of a batch that look alike have in common: every byte but those of their numbers. */
import { Failure } from '../../errors.ts'
import type { Input, OperationPerformer } from '../perform.ts'
import { readNumber } from './json-number.ts'
import { behind, type Literal, literal, type Viewed } from './literal.ts'

export interface CallPattern {
  readonly performer: OperationPerformer
  /** The checked body of one of these calls; the numbers of another make it the body of that one. */
  readonly input: Input
  /** How many numbers a call takes in `read`. */
  readonly width: number
  /**
   * The offset behind the call that begins at `start`, and its numbers in `numbers` from index `from` on, in the order
   * of the operation's fields; −1 where no such call stands.
   */
  read(body: Viewed, start: number, numbers: Float64Array, from: number): number
}

export type Performers = ReadonlyMap<string, OperationPerformer>

type Fields = Readonly<Record<string, unknown>>

/** So short that 5,000 such calls stay below the limits on numbers and on values in a request. */
const MAX_BYTES = 1_000

const STRING = /"(?:[^"\\]|\\.)*"/.source
const FLAT_OBJECT = `\\{(?:[^"{}[\\]]|${STRING})*\\}`
/** An object whose objects hold neither objects nor arrays. */
const CALL = new RegExp(`^\\{(?:[^"{}[\\]]|${STRING}|${FLAT_OBJECT})*\\}`)
/** In JSON; strings too, so that a digit of theirs is not taken for a number. */
const STRING_OR_NUMBER = new RegExp(`${STRING}|-?\\d[\\d.eE+-]*`, 'g')

/** The pattern of the call that begins at `start`; null where anything about it is out of the ordinary. */
export function patternAt(bytes: Buffer, start: number, performers: Performers): CallPattern | null {
  const text = CALL.exec(bytes.toString('latin1', start, start + MAX_BYTES))?.[0] ?? ''
  const { literals, numbered } = taken(text)
  const call = callIn(text)
  const places = callIn(numbered)?.body
  const performer = performers.get(call?.path ?? '')
  if (call === null || places === undefined || performer === undefined) return null
  const { names } = performer.numberFields
  const slots = new Int32Array(literals.length - 1).fill(-1)
  for (const name in places) if (typeof places[name] === 'number') slots[places[name]] = names.indexOf(name)
  const input = checked(performer, call.body)
  if (input === null || slots.includes(-1)) return null
  const usual = Float64Array.from(names, (name) => (input as Fields)[name] as number)
  const shape = { literals, slots, usual }
  return {
    performer,
    input,
    width: names.length,
    read: (body, start, numbers, from) => readLike(shape, body, start, numbers, from),
  }
}

/** A text apart: what stands around its numbers, and the text with each number's index in its place. */
function taken(text: string) {
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

function checked(performer: OperationPerformer, body: Fields): Input | null {
  try {
    return performer.validate(body)
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

interface Shape {
  /** What stands around the numbers: one more than there are numbers. */
  readonly literals: readonly Literal[]
  /** For each number in the text, the index of its field. */
  readonly slots: Int32Array
  /** By field: what those hold that the calls leave out. */
  readonly usual: Float64Array
}

function readLike(
  { literals, slots, usual }: Shape,
  body: Viewed,
  start: number,
  numbers: Float64Array,
  from: number,
): number {
  for (let slot = 0; slot < usual.length; slot++) numbers[from + slot] = usual[slot]!
  let at = behind(literals[0]!, body, start)
  for (let index = 0; index < slots.length && at !== -1; index++) {
    at = readNumber(body.bytes, at, numbers, from + slots[index]!)
    if (at !== -1) at = behind(literals[index + 1]!, body, at)
  }
  return at
}
