/** Calls of a batch that look alike, read without what JSON.parse builds: each is compared with one before it. */
import { isAscii } from 'node:buffer'
import { MAX_CALLS } from '../../catalogue/batch.ts'
import { type CallPattern, type Performers, patternAt } from './call-pattern.ts'
import { type Viewed, viewed } from './literal.ts'

export interface AlikeCalls {
  /** The pattern of each. */
  readonly calls: readonly CallPattern[]
  /** Those of all calls, one after another. */
  readonly numbers: Float64Array
}

/** One for each order of fields, spacing and choice of words that a client mixes. */
const MAX_PATTERNS = 16
/** In less, finding a pattern takes longer than it saves. */
const MIN_BYTES = 2_048

const OPENING = /^[ \t\n\r]*\{[ \t\n\r]*"calls"[ \t\n\r]*:[ \t\n\r]*\[/
const CLOSING = /^\][ \t\n\r]*\}[ \t\n\r]*$/
const MAX_OPENING_BYTES = 100
const MIN_CALL_BYTES = '{"path":"","body":{}}'.length
const [SPACE, TAB, LINE_FEED, RETURN, COMMA] = [0x20, 0x09, 0x0a, 0x0d, 0x2c]

/** null: something about the body is out of the ordinary, be it an error or not; it is to be parsed as a whole. */
export function readAlike(bytes: Buffer, performers: Performers): AlikeCalls | null {
  if (bytes.length < MIN_BYTES || !isAscii(bytes)) return null
  const opening = OPENING.exec(bytes.toString('latin1', 0, MAX_OPENING_BYTES))
  if (opening === null) return null
  const numbers = roomFor(bytes.length, performers)
  const reading: Reading = { body: viewed(bytes), numbers, patterns: [], performers }
  const calls: CallPattern[] = []
  let from = 0
  let at = opening[0].length
  for (;;) {
    if (calls.length === MAX_CALLS) return null
    at = readCall(reading, behindSpace(bytes, at), from)
    if (at === -1) return null
    const pattern = reading.patterns[0]!
    calls.push(pattern)
    from += pattern.width
    at = behindSpace(bytes, at)
    if (bytes[at] !== COMMA) break
    at += 1
  }
  return CLOSING.test(bytes.toString('latin1', at)) ? { calls, numbers } : null
}

/** Room for the numbers of as many calls as the body can hold. */
function roomFor(bytes: number, performers: Performers): Float64Array {
  const calls = Math.min(MAX_CALLS, Math.floor(bytes / MIN_CALL_BYTES))
  const most = Math.max(...[...performers.values()].map(({ numberFields }) => numberFields.names.length))
  return new Float64Array(calls * most)
}

interface Reading {
  readonly body: Viewed
  readonly numbers: Float64Array
  /** Those found so far, that of the last call first. */
  readonly patterns: CallPattern[]
  readonly performers: Performers
}

/** The offset behind the call that begins at `start`, or −1; its pattern then comes first. */
function readCall({ body, numbers, patterns, performers }: Reading, start: number, from: number): number {
  for (let index = 0; index < patterns.length; index++) {
    const end = patterns[index]!.read(body, start, numbers, from)
    if (end === -1) continue
    if (index > 0) patterns.unshift(...patterns.splice(index, 1))
    return end
  }
  const found = patterns.length < MAX_PATTERNS ? patternAt(body.bytes, start, performers) : null
  if (found === null) return -1
  patterns.unshift(found)
  return found.read(body, start, numbers, from)
}

function behindSpace(bytes: Buffer, start: number): number {
  let at = start
  while (isSpace(bytes[at]!)) at += 1
  return at
}

const isSpace = (byte: number): boolean =>
  byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB
