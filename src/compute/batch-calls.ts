/** The calls of a batch, each checked and ready to run; a refused call throws its failure when it is run. */

import { keyForbidden, noSuchComputation } from '../base/errors/requests.ts'
import type { Failure } from '../base/failure.ts'
import { batch } from './catalogue/batch.ts'
import { type Operation, workOf } from './catalogue/operation.ts'
import { type CompiledOperation, REFUSED_MICROS, startedSeconds } from './computation.ts'

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
