/** Reads a batch whose calls differ in little but their numbers, without building what JSON.parse builds. */
import { isAscii } from 'node:buffer'
import { MAX_CALLS } from '../../catalogue/batch.ts'
import type { BatchCalls, CompiledOperations } from '../batch-calls.ts'
import { REFUSED_MICROS } from '../work.ts'
import { type CallPattern, type Patterned, type PatternedOperations, patternAt } from './call-pattern.ts'
import { type Viewed, viewed } from './literal.ts'
import { numberFields } from './number-fields.ts'

/** One for each order of fields, spacing and choice of words that a client mixes. */
const MAX_PATTERNS = 16
/** Below this, finding a pattern takes longer than it saves. */
const MIN_BYTES = 2_048

const OPENING = /^[ \t\n\r]*\{[ \t\n\r]*"calls"[ \t\n\r]*:[ \t\n\r]*\[/
const CLOSING = /^\][ \t\n\r]*\}[ \t\n\r]*$/
const MAX_OPENING_BYTES = 100
const MIN_CALL_BYTES = '{"path":"","body":{}}'.length
const [SPACE, TAB, LINE_FEED, RETURN, COMMA] = [0x20, 0x09, 0x0a, 0x0d, 0x2c]

/** Returns null for a body that does not follow the pattern, valid or not: it must be parsed as a whole. */
export type ReadAlike = (bytes: Buffer) => BatchCalls | null

export function alikeReader(operations: CompiledOperations): ReadAlike {
  const patterned = new Map<string, Patterned>(
    [...operations].map(([path, compiled]) => [
      path,
      { compiled, fields: numberFields(compiled.operation.input) },
    ]),
  )
  return (bytes) => readAlike(bytes, patterned)
}

function readAlike(bytes: Buffer, operations: PatternedOperations): BatchCalls | null {
  if (bytes.length < MIN_BYTES || !isAscii(bytes)) return null
  const opening = OPENING.exec(bytes.toString('latin1', 0, MAX_OPENING_BYTES))
  if (opening === null) return null
  const numbers = roomFor(bytes.length, operations)
  const reading: Reading = { body: viewed(bytes), numbers, patterns: [], operations }
  const calls: CallPattern[] = []
  const starts: number[] = []
  let from = 0
  let at = opening[0].length
  for (;;) {
    if (calls.length === MAX_CALLS) return null
    at = readCall(reading, behindSpace(bytes, at), from)
    if (at === -1) return null
    const pattern = reading.patterns[0]!
    calls.push(pattern)
    starts.push(from)
    from += pattern.fields.names.length
    at = behindSpace(bytes, at)
    if (bytes[at] !== COMMA) break
    at += 1
  }
  return CLOSING.test(bytes.toString('latin1', at)) ? alikeCalls(calls, numbers, starts) : null
}

/** @param starts the index in `numbers` of each call's first number */
function alikeCalls(
  calls: readonly CallPattern[],
  numbers: Float64Array,
  starts: readonly number[],
): BatchCalls {
  /** Calls of one pattern share its input, which holds the numbers of one call at a time. */
  const load = (index: number): CallPattern => {
    const pattern = calls[index]!
    pattern.fields.set(pattern.input, numbers, starts[index]!)
    return pattern
  }
  return {
    length: calls.length,
    target: (index) => calls[index]!.compiled,
    micros(index) {
      const { compiled, input } = load(index)
      return compiled.admits(input) ? compiled.operation.work(input) : REFUSED_MICROS
    },
    run(index) {
      const { compiled, input } = load(index)
      return compiled.compute(compiled.admits(input) ? input : compiled.validate(input))
    },
  }
}

/** Room for the numbers of as many calls as the body can hold. */
function roomFor(bytes: number, operations: PatternedOperations): Float64Array {
  const calls = Math.min(MAX_CALLS, Math.floor(bytes / MIN_CALL_BYTES))
  const most = Math.max(...[...operations.values()].map(({ fields }) => fields.names.length))
  return new Float64Array(calls * most)
}

interface Reading {
  readonly body: Viewed
  readonly numbers: Float64Array
  /** Those found so far, the last call's first. */
  readonly patterns: CallPattern[]
  readonly operations: PatternedOperations
}

/** Returns the offset behind the call that begins at `start`, or −1; puts the call's pattern first. */
function readCall({ body, numbers, operations, patterns }: Reading, start: number, from: number): number {
  for (let index = 0; index < patterns.length; index++) {
    const end = patterns[index]!.read(body, start, numbers, from)
    if (end === -1) continue
    if (index > 0) patterns.unshift(...patterns.splice(index, 1))
    return end
  }
  const found = patterns.length < MAX_PATTERNS ? patternAt(body.bytes, start, operations) : null
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
