/** The batch as a computation: its calls run one after another, each with an outcome of its own. */

import {
  batchOfTooManyNumbers,
  batchOfTooMuchWork,
  keyForbidden,
  noSuchComputation,
} from '../base/errors/requests.ts'
import type { Failure, FailureFacts } from '../base/failure.ts'
import { INLINE, MAX_CALLS, MAX_NUMBERS, MAX_WORK_MICROS } from '../base/limits/callers.ts'
import { callCounter } from './body/call-counter.ts'
import { validator } from './body/validate.ts'
import { batch } from './catalogue/batch.ts'
import { type Operation, workOf } from './catalogue/operation.ts'
import {
  bodyOf,
  type CompiledOperation,
  type Computation,
  type Costs,
  factsOf,
  type Job,
  orFailure,
  REFUSED_MICROS,
  startedSeconds,
} from './computation.ts'
import type { Result } from './result.ts'

interface BatchBody {
  readonly calls: readonly { readonly path: string; readonly body: object }[]
}

/** The work of reading and printing a call. */
const CALL_MICROS = 0.5
/** Results are joined in pieces of this many calls, because the text of a whole batch does not fit the processor's caches. */
const CALLS_PER_PIECE = 128

/** The parts that do not depend on costs. */
export const compileBatch = () => ({ path: batch.path, input: validator<BatchBody>(batch.input) })

export function batchComputation(
  operations: CompiledOperations,
  allCosts: Costs,
  { input, path }: ReturnType<typeof compileBatch>,
): Computation {
  const prices = [...operations.values()].map(({ price }) => price)
  const leastCost = Math.min(...prices)
  const read = (bytes: Uint8Array, allowed: ReadonlySet<string> | null): Job => {
    const body = input.validate(bodyOf(bytes))
    refuseNumbers(body)
    const calls = parsedCalls(operations, leastCost, body.calls, allowed)
    let micros = 0
    let cost = 0
    for (const call of calls) {
      micros += CALL_MICROS + call.micros
      cost += call.cost
    }
    if (micros > MAX_WORK_MICROS) throw batchOfTooMuchWork(Math.ceil(micros / 1e6), MAX_WORK_MICROS / 1e6)
    return { cost, micros, run: () => orFailure(() => runAll(calls)) }
  }
  return {
    path,
    operationPath: null,
    counter: callCounter,
    leastCost,
    // Each call begins at most one second more than it takes.
    mostCost: (MAX_CALLS + startedSeconds(MAX_WORK_MICROS)) * Math.max(...prices),
    costs: allCosts,
    inPieces: null,
    inlineBytes: INLINE.bytes,
    takesArrow: false,
    read: (bytes, _wire, allowed = null) => orFailure(() => read(bytes, allowed)),
  }
}

/** The calls to one path, as the audit lists them. */
interface PathSum {
  readonly path: string
  calls: number
  credits: number
}

/** Runs the calls one after another, and sums calls and credits by path. */
function runAll(calls: readonly ParsedCall[]): Result {
  const sums = new Map<string, PathSum>()
  let sum: PathSum | undefined
  const pieces: string[] = []
  let piece = '{"results":['
  for (const [index, call] of calls.entries()) {
    const { cost, operation, path } = call
    if (sum?.path !== path) sum = sumOf(sums, path)
    sum.calls += 1
    const separator = index === 0 ? '' : ','
    try {
      piece += `${separator}{"success":true,"data":${call.run()}}`
      sum.credits += cost
    } catch (error) {
      piece += separator + failureText(factsOf(error, operation ?? undefined))
    }
    if (index % CALLS_PER_PIECE === CALLS_PER_PIECE - 1) {
      pieces.push(piece)
      piece = ''
    }
  }
  pieces.push(`${piece}]}`)
  const parts = [...sums.values()]
  return {
    pieces,
    encoding: 'json',
    calls: calls.length,
    credits: parts.reduce((total, { credits }) => total + credits, 0),
    parts: JSON.stringify(parts),
  }
}

function sumOf(sums: Map<string, PathSum>, path: string): PathSum {
  const sum = sums.get(path) ?? { path, calls: 0, credits: 0 }
  sums.set(path, sum)
  return sum
}

const failureText = ({ code, details, message }: FailureFacts): string =>
  JSON.stringify({ success: false, message, error: { code, ...(details.length > 0 && { details }) } })

/** The limit on numbers holds for the sum over all calls. */
function refuseNumbers({ calls }: BatchBody): void {
  let numbers = 0
  for (const call of calls) {
    const body = call.body as Record<string, unknown>
    for (const name in body) numbers += numbersIn(body[name])
  }
  if (numbers > MAX_NUMBERS) throw batchOfTooManyNumbers(numbers, MAX_NUMBERS)
}

function numbersIn(value: unknown): number {
  if (typeof value === 'number') return 1
  if (typeof value !== 'object' || value === null) return 0
  let numbers = 0
  for (const item of Array.isArray(value) ? value : Object.values(value)) numbers += numbersIn(item)
  return numbers
}

/** The calls of a batch, each checked and ready to run; a refused call throws its failure when it is run. */
export type CompiledOperations = ReadonlyMap<string, CompiledOperation>

/** The operation that a call names, with the cost of the call. */
interface CallTarget {
  /** The path under which the account's usage counts the call. */
  readonly path: string
  readonly cost: number
  /** null: the call's path has no operation, or the caller may not use it. */
  readonly operation: Operation | null
}

export interface ParsedCall extends CallTarget {
  /** Estimated computing time in microseconds on one core. */
  readonly micros: number
  /** Returns the result as JSON. Throws DomainError or Failure. */
  run(): string
}

/** Checks calls that were parsed as JSON. @param allowed paths that the caller may call; null: all */
export function parsedCalls(
  operations: CompiledOperations,
  leastCost: number,
  calls: readonly { readonly path: string; readonly body: object }[],
  allowed: ReadonlySet<string> | null,
): readonly ParsedCall[] {
  const nowhere: CallTarget = { path: batch.path, cost: leastCost, operation: null }
  return calls.map(({ body, path }) => {
    const compiled = operations.get(path)
    if (compiled === undefined) return refusedCall(nowhere, noSuchComputation(path))
    if (allowed !== null && !allowed.has(path)) return refusedCall({ ...nowhere, path }, keyForbidden())
    return parsedCall(compiled, path, body)
  })
}

function parsedCall(compiled: CompiledOperation, path: string, body: object): ParsedCall {
  const { check, compute, operation, price, validate } = compiled
  const input = check(body)
  const micros = input === null ? REFUSED_MICROS : workOf(operation, input)
  const run = () => compute(input ?? validate(body))
  return { path, cost: price * startedSeconds(micros), operation, micros, run }
}

const refusedCall = (target: CallTarget, failure: Failure): ParsedCall => ({
  ...target,
  micros: REFUSED_MICROS,
  run() {
    throw failure
  },
})
