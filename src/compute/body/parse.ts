/** Parses a body as JSON; a failure names the line and column of the error, which V8 often does not report. */
import { isAscii, isUtf8 } from 'node:buffer'
import { invalidJson, notUtf8, tooDeep, tooManyNumbers, tooManyStrings } from '../../base/errors/requests.ts'
import type { Failure } from '../../base/failure.ts'
import {
  MAX_DEPTH,
  MAX_NUMBERS,
  MAX_STRINGS,
  MAX_VALUES,
  SMALL_BODY_BYTES,
} from '../../base/limits/callers.ts'
import { CLOSE, COMMA, endOfString, MEANING, OTHER, QUOTE, SPACE } from '../../wire/json-bytes.ts'

/** @param mostStrings the different names and texts that the body may have */
export function parse(bytes: Uint8Array, mostStrings = MAX_STRINGS): unknown {
  if (!isUtf8(bytes)) throw notUtf8()
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!isFlat(body)) refuseBulk(body, mostStrings)
  const text = textOf(body)
  try {
    return JSON.parse(text)
  } catch {
    throw syntaxError(text)
  }
}

/** Whether a value that was parsed is an object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Nearly all JSON is ASCII, which needs no decoding. */
const textOf = (bytes: Buffer): string => bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8')

/**
 * Whether a large body, such as columns of numbers, has so few brackets, strings and commas that it cannot exceed their limits.
 * This check halves the time of reading 100,000 rows of five numbers, because `refuseBulk`, which looks at every byte, is skipped.
 */
function isFlat(body: Buffer): boolean {
  if (body.length < SMALL_BODY_BYTES) return false
  if (!(hasAtMost(body, '[', MAX_DEPTH / 2) && hasAtMost(body, '{', MAX_DEPTH / 2))) return false
  return hasAtMost(body, '"', MAX_STRINGS) && (body.length <= MAX_VALUES || commasIn(body) <= MAX_VALUES)
}

function hasAtMost(body: Buffer, character: string, most: number): boolean {
  let at = -1
  for (let count = 0; count <= most; count++) {
    at = body.indexOf(character, at + 1)
    if (at === -1) return true
  }
  return false
}

function commasIn(body: Buffer): number {
  let commas = 0
  for (let index = 0; index < body.length; index++) commas += body[index] === COMMA_CODE ? 1 : 0
  return commas
}

/** Refuses a body that is too deep or has too many values, by counting brackets, commas and strings before it is parsed. */
function refuseBulk(bytes: Uint8Array, mostStrings: number): void {
  let depth = 0
  let commas = 0
  let strings = 0
  let different: ReturnType<typeof distinctStrings> | null = null
  for (let index = 0; index < bytes.length; index++) {
    const meaning = MEANING[bytes[index]]
    if (meaning === OTHER || meaning === SPACE) continue
    if (meaning === COMMA) commas += 1
    else if (meaning === QUOTE) {
      const start = index + 1
      index = endOfString(bytes, index)
      strings += 1
      if (strings <= mostStrings) continue
      different ??= distinctStrings()
      different.add(bytes, start, index)
      if (different.count > mostStrings) throw tooManyStrings(mostStrings)
    } else if (meaning === CLOSE) depth -= 1
    else if (++depth > MAX_DEPTH) throw tooDeep(MAX_DEPTH)
  }
  if (commas > MAX_VALUES) throw tooManyNumbers(MAX_NUMBERS)
}

function syntaxError(text: string): Failure {
  const offset = jsonErrorOffset(text)
  let line = 1
  let lineStart = 0
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', lineStart)) {
    line += 1
    lineStart = end + 1
  }
  const column = offset - lineStart + 1
  const found = text.codePointAt(offset)
  const character = found === undefined ? null : String.fromCodePoint(found)
  return invalidJson(character, line, column)
}

/** Slots of the table, as a power of two; strings that share one are counted once. */
const SLOT_BITS = 14
/** The initial value of a hash is random, so that no client can choose strings that share slots. */
const SEED = Math.floor(Math.random() * 2 ** 32)
const PRIME = 0x01000193
const MIX = 0x85ebca6b
/** Strings that share their first bytes count once: such strings are long, so a body cannot hold many. */
const HASHED_BYTES = 64

/** Counts the different strings in JSON: V8 takes a microsecond for each new name, 20 times as long as for a known one. */
function distinctStrings() {
  const slots = new Uint8Array(2 ** SLOT_BITS)
  let count = 0
  return {
    add(bytes: Uint8Array, start: number, end: number): void {
      const last = Math.min(end, start + HASHED_BYTES)
      // FNV-1a, and a last step that spreads all bits to the high ones.
      let hash = SEED
      for (let index = start; index < last; index++) hash = Math.imul(hash ^ bytes[index], PRIME)
      const slot = Math.imul(hash ^ (hash >>> 15), MIX) >>> (32 - SLOT_BITS)
      if (slots[slot] === 0) count += 1
      slots[slot] = 1
    },
    get count(): number {
      return count
    },
  }
}

/** Character codes: regular expressions for strings and white space took three times as long, on the event loop. */
const [QUOTE_CODE, COMMA_CODE, COLON, BACKSLASH, LOWER_U] = [0x22, 0x2c, 0x3a, 0x5c, 0x75]
const [ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]
const FIRST_PRINTABLE = 0x20
const ESCAPES = new Set(Buffer.from('"\\/bfnrt'))
const HEXADECIMAL = /^[0-9a-fA-F]{4}$/

/** The tokens that are allowed next. */
type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma or end' | 'end of text'

/** Returns the offset of the first character that is not allowed in its place; the text's length if it ends too early. */
export function jsonErrorOffset(text: string): number {
  /** The characters that end the arrays and objects around the offset. */
  const ends: number[] = []
  let expected: Expected = 'value'
  let offset = endOfSpace(text, 0)
  const closed = (): Expected => (ends.length === 0 ? 'end of text' : 'comma or end')
  for (; offset < text.length; offset = endOfSpace(text, offset)) {
    const code = text.charCodeAt(offset)
    if (expected === 'value' || expected === 'value or ]') {
      if (code === ARRAY || code === OBJECT) {
        ends.push(code === ARRAY ? ARRAY_END : OBJECT_END)
        expected = code === ARRAY ? 'value or ]' : 'name or }'
        offset += 1
      } else if (code === ARRAY_END && expected === 'value or ]') {
        ends.pop()
        expected = closed()
        offset += 1
      } else {
        const end = code === QUOTE_CODE ? endOfText(text, offset) : endOfScalar(text, offset)
        if (end === offset) return offset
        offset = end
        expected = closed()
      }
    } else if (expected === 'name' || expected === 'name or }') {
      if (code === OBJECT_END && expected === 'name or }') {
        ends.pop()
        expected = closed()
        offset += 1
      } else {
        const end = code === QUOTE_CODE ? endOfText(text, offset) : offset
        if (end === offset) return offset
        offset = end
        expected = 'colon'
      }
    } else if (expected === 'colon') {
      if (code !== COLON) return offset
      expected = 'value'
      offset += 1
    } else if (expected === 'comma or end') {
      const end = ends.at(-1)
      if (code === COMMA_CODE) expected = end === ARRAY_END ? 'value' : 'name'
      else if (code === end) {
        ends.pop()
        expected = closed()
      } else return offset
      offset += 1
    } else return offset
  }
  return offset
}

function endOfSpace(text: string, start: number): number {
  let offset = start
  while (isSpace(text.charCodeAt(offset))) offset += 1
  return offset
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

/** Returns the offset after a string, or `start` if it never ends. */
function endOfText(text: string, start: number): number {
  let offset = start + 1
  for (;;) {
    const code = text.charCodeAt(offset)
    if (code === QUOTE_CODE) return offset + 1
    // The comparison is also false at the end of the text, where the code is NaN.
    if (!(code >= FIRST_PRINTABLE)) return start
    if (code !== BACKSLASH) offset += 1
    else {
      const escaped = text.charCodeAt(offset + 1)
      if (ESCAPES.has(escaped)) offset += 2
      else if (escaped === LOWER_U && HEXADECIMAL.test(text.slice(offset + 2, offset + 6))) offset += 6
      else return start
    }
  }
}

const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** Returns the offset after a number, true, false or null, or `start` if there is none. */
function endOfScalar(text: string, start: number): number {
  SCALAR.lastIndex = start
  return SCALAR.test(text) ? SCALAR.lastIndex : start
}
