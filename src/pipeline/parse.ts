/** Bytes of a body → the JSON object in them, or a failure that says where it breaks off. */
import { isUtf8 } from 'node:buffer'
import { Failure } from '../errors.ts'
import { jsonErrorOffset } from './json-error.ts'

const MAX_DEPTH = 32
/** A matrix of a million numbers, one to a row, has two million values; no request that is taken has more. */
const MAX_VALUES = 2_100_000
const COMMA = 0x2c

const QUOTE = 0x22
const BACKSLASH = 0x5c
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

export function parse(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) throw new Failure('invalid_json', 'The body is not UTF-8; encode it as UTF-8.')
  refuseBulk(bytes)
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure('invalid_json', `The body is not valid JSON${whereabouts(text)}; correct it there.`)
  }
}

/** Counts brackets and commas outside of strings: what is nested too deep or holds too much is never built. */
function refuseBulk(bytes: Uint8Array): void {
  let depth = 0
  let commas = 0
  let inString = false
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!
    if (inString) {
      if (byte === BACKSLASH) index += 1
      else if (byte === QUOTE) inString = false
    } else if (byte === QUOTE) inString = true
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      depth += 1
      if (depth > MAX_DEPTH)
        throw new Failure('invalid_json', `The body nests deeper than ${MAX_DEPTH} levels; flatten it.`)
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1
    else if (byte === COMMA) commas += 1
  }
  if (commas > MAX_VALUES)
    throw new Failure('invalid_input', 'The body holds more than 1000000 numbers; send parts of it.')
}

function whereabouts(text: string): string {
  const offset = jsonErrorOffset(text)
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  const column = offset - before.lastIndexOf('\n')
  return ` at line ${line}, column ${column}`
}
