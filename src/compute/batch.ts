/** A batch as something to perform: its calls one after another, each with an answer of its own. */

import { validator } from '../body/validate.ts'
import { batch } from '../catalogue/batch.ts'
import { MAX_NUMBERS } from '../catalogue/schema.ts'
import { Failure } from '../errors.ts'
import type { Performers } from './alike/call-pattern.ts'
import { readAlike } from './alike/read-alike.ts'
import {
  type Answer,
  attempt,
  bodyOf,
  type Performer,
  type PerformFailure,
  performFailure,
  type Work,
} from './perform.ts'
import { type PreparedCall, prepare, prepareAlike } from './prepare-calls.ts'

interface BatchBody {
  readonly calls: readonly { readonly path: string; readonly body: object }[]
}

/** The longest a batch may be estimated to take. */
const MAX_WORK_MICROS = 25_000_000
/** The text of so many calls is put together at a time: that of all of them would not stay in the processor's caches. */
const CALLS_PER_PIECE = 128

export function batchPerformer(performers: Performers): Performer {
  const input = validator<BatchBody>(batch.input)
  const readWhole = (bytes: Uint8Array): PreparedCall[] => {
    const { calls } = input.validate(bodyOf(bytes))
    refuseNumbers(calls)
    return calls.map(({ body, path }) => prepare(performers, path, body))
  }
  const read = (bytes: Uint8Array): Work => {
    const alike = readAlike(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), performers)
    const prepared = alike === null ? readWhole(bytes) : prepareAlike(alike)
    const micros = microsOf(prepared)
    if (micros > MAX_WORK_MICROS) throw tooMuchWork(micros)
    const cost = prepared.reduce((sum, call) => sum + call.cost, 0)
    return { extent: { units: prepared.length, cost }, micros, perform: () => runAll(prepared) }
  }
  return {
    path: batch.path,
    extent: null,
    least: { units: 1, cost: Math.min(...[...performers.values()].map(({ least }) => least.cost)) },
    read: (bytes) => attempt(() => read(bytes)),
  }
}

function microsOf(calls: readonly PreparedCall[]): number {
  let micros = 0
  let from = 0
  for (const call of calls) {
    micros += call.micros(from)
    from += call.width
  }
  return micros
}

interface BatchPart {
  readonly path: string
  calls: number
  credits: number
}

/** Runs the calls one after another, and adds up what they were and cost. */
function runAll(calls: readonly PreparedCall[]): Answer {
  const parts = new Map<string, BatchPart>()
  let part: BatchPart | undefined
  const pieces: string[] = []
  let piece = '{"results":['
  let from = 0
  for (let index = 0; index < calls.length; index++) {
    const call = calls[index]!
    if (part?.path !== call.path) part = partOf(parts, call.path)
    part.calls += 1
    const before = index === 0 ? '' : ','
    try {
      piece += `${before}{"success":true,"data":${call.run(from)}}`
      part.credits += call.cost
    } catch (error) {
      piece += before + failureText(performFailure(error, call.operation ?? undefined))
    }
    from += call.width
    if (index % CALLS_PER_PIECE === CALLS_PER_PIECE - 1) {
      pieces.push(piece)
      piece = ''
    }
  }
  pieces.push(`${piece}]}`)
  const sums = [...parts.values()]
  return {
    get data() {
      return pieces.join('')
    },
    pieces,
    credits: sums.reduce((sum, { credits }) => sum + credits, 0),
    parts: JSON.stringify(sums),
  }
}

function partOf(parts: Map<string, BatchPart>, path: string): BatchPart {
  const part = parts.get(path) ?? { path, calls: 0, credits: 0 }
  parts.set(path, part)
  return part
}

const failureText = ({ code, details, message }: PerformFailure): string =>
  JSON.stringify({ success: false, message, error: { code, ...(details.length > 0 && { details }) } })

/** The limit on numbers bounds the sum of the calls. */
function refuseNumbers(calls: BatchBody['calls']): void {
  let numbers = 0
  for (const call of calls) {
    const body = call.body as Record<string, unknown>
    for (const name in body) numbers += numbersIn(body[name])
  }
  if (numbers > MAX_NUMBERS)
    throw new Failure(
      'invalid_input',
      `The calls hold ${numbers} numbers together; at most ${MAX_NUMBERS} are taken: send several batches.`,
      { details: [{ path: '/calls', message: `must hold at most ${MAX_NUMBERS} numbers together` }] },
    )
}

function numbersIn(value: unknown): number {
  if (typeof value === 'number') return 1
  if (!Array.isArray(value)) return 0
  let numbers = 0
  for (const item of value) numbers += numbersIn(item)
  return numbers
}

const tooMuchWork = (micros: number) =>
  new Failure(
    'invalid_input',
    `The calls would take about ${Math.ceil(micros / 1e6)} s together; at most ${MAX_WORK_MICROS / 1e6} s are given to one request: send several batches.`,
    { details: [{ path: '/calls', message: 'hold too much work together' }] },
  )
