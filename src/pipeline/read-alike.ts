/** Calls of a batch that look alike, read without what JSON.parse builds: each is compared with one before it. */
import { isAscii } from 'node:buffer'
import { MAX_CALLS } from '../catalogue/batch.ts'
import { type CallPattern, type Performers, patternAt } from './call-pattern.ts'

export interface AlikeCalls {
  readonly calls: readonly AlikeCall[]
  /** Those of all calls, one after another. */
  readonly numbers: readonly number[]
}

export interface AlikeCall {
  readonly pattern: CallPattern
  /** Where its numbers begin. */
  readonly from: number
}

/** One for each order of fields, spacing and choice of words that a client mixes. */
const MAX_PATTERNS = 16
/** In less, finding a pattern takes longer than it saves. */
const MIN_BYTES = 2_048

const OPENING = /^[ \t\n\r]*\{[ \t\n\r]*"calls"[ \t\n\r]*:[ \t\n\r]*\[/
const CLOSING = /^\][ \t\n\r]*\}[ \t\n\r]*$/
const MAX_OPENING_BYTES = 100
const [SPACE, TAB, LINE_FEED, RETURN, COMMA] = [0x20, 0x09, 0x0a, 0x0d, 0x2c]

/** null: something about the body is out of the ordinary, be it an error or not; it is to be parsed as a whole. */
export function readAlike(bytes: Buffer, performers: Performers): AlikeCalls | null {
  if (bytes.length < MIN_BYTES || !isAscii(bytes)) return null
  const opening = OPENING.exec(bytes.toString('latin1', 0, MAX_OPENING_BYTES))
  if (opening === null) return null
  const calls: AlikeCall[] = []
  const numbers: number[] = []
  const patterns: CallPattern[] = []
  let at = opening[0].length
  for (;;) {
    const from = numbers.length
    const end = readCall(patterns, bytes, behindSpace(bytes, at), numbers, performers)
    if (end === -1 || calls.length === MAX_CALLS) return null
    calls.push({ pattern: patterns[0]!, from })
    at = behindSpace(bytes, end)
    if (bytes[at] !== COMMA) break
    at += 1
  }
  return CLOSING.test(bytes.toString('latin1', at)) ? { calls, numbers } : null
}

/** The offset behind the call that begins at `start`, or −1; its pattern then comes first. */
function readCall(
  patterns: CallPattern[],
  bytes: Buffer,
  start: number,
  numbers: number[],
  performers: Performers,
): number {
  for (let index = 0; index < patterns.length; index++) {
    const end = patterns[index]!.read(bytes, start, numbers)
    if (end === -1) continue
    if (index > 0) patterns.unshift(...patterns.splice(index, 1))
    return end
  }
  const found = patterns.length < MAX_PATTERNS ? patternAt(bytes, start, performers) : null
  if (found === null) return -1
  patterns.unshift(found)
  return found.read(bytes, start, numbers)
}

function behindSpace(bytes: Buffer, start: number): number {
  let at = start
  while (isSpace(bytes[at]!)) at += 1
  return at
}

const isSpace = (byte: number): boolean =>
  byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB
