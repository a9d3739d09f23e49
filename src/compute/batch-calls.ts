/** The calls of a batch, each checked and ready to run; a call that is refused has its failure as its outcome. */
import { batch } from '../catalogue/batch.ts'
import type { Operation } from '../catalogue/operation.ts'
import { Failure } from '../errors.ts'
import type { CompiledOperation } from './computation.ts'

export type CompiledOperations = ReadonlyMap<string, CompiledOperation>

/** The calls of one batch, by index. */
export interface BatchCalls {
  readonly length: number
  target(index: number): CallTarget
  /** Estimated computing time in microseconds on one core. */
  micros(index: number): number
  /** Returns the result as JSON. Throws DomainError or Failure. */
  run(index: number): string
}

/** The operation that a call names, with its price. */
export interface CallTarget {
  /** The path that the call counts for in the account's usage. */
  readonly path: string
  readonly cost: number
  /** null: there is none at that path. */
  readonly operation: Operation | null
}

/** The estimate for a call that is refused. */
export const REFUSED_MICROS = 1

interface ParsedCall extends CallTarget {
  readonly micros: number
  run(): string
}

/** Checks calls that were parsed as JSON. */
export function parsedCalls(
  operations: CompiledOperations,
  calls: readonly { readonly path: string; readonly body: object }[],
): BatchCalls {
  const parsed = calls.map(({ body, path }) => parsedCall(operations, path, body))
  return {
    length: parsed.length,
    target: (index) => parsed[index]!,
    micros: (index) => parsed[index]!.micros,
    run: (index) => parsed[index]!.run(),
  }
}

function parsedCall(operations: CompiledOperations, path: string, body: object): ParsedCall {
  const compiled = operations.get(path)
  if (compiled === undefined) return refusedCall(NOWHERE, noComputation(path))
  const { compute, cost, operation, validate } = compiled
  try {
    const input = validate(body)
    return { path, cost, operation, micros: operation.work(input), run: () => compute(input) }
  } catch (error) {
    return refusedCall({ path, cost, operation }, error)
  }
}

function refusedCall(target: CallTarget, failure: unknown): ParsedCall {
  if (!(failure instanceof Failure)) throw failure
  const run = () => {
    throw failure
  }
  return { ...target, micros: REFUSED_MICROS, run }
}

const NOWHERE: CallTarget = { path: batch.path, cost: 0, operation: null }

const noComputation = (path: string) => new Failure('route_not_found', `There is no computation at ${path}.`)
