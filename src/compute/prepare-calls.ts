/** The calls of a batch, each checked and ready to run: one that cannot be made has its failure for a result. */
import { batch } from '../catalogue/batch.ts'
import type { Operation } from '../catalogue/operation.ts'
import { Failure } from '../errors.ts'
import type { CallPattern, Performers } from './alike/call-pattern.ts'
import type { AlikeCalls } from './alike/read-alike.ts'
import type { OperationPerformer } from './perform.ts'

/** One for each call, or for all that look alike: these tell apart by where in the batch their numbers begin. */
export interface PreparedCall {
  /** Where it counts. */
  readonly path: string
  readonly cost: number
  readonly operation: Operation | null
  /** How many numbers are a call's own. */
  readonly width: number
  micros(from: number): number
  /** The result as JSON. Throws DomainError or Failure. */
  run(from: number): string
}

export function prepare(performers: Performers, path: string, body: object): PreparedCall {
  const performer = performers.get(path)
  if (performer === undefined) return nowhere(path)
  const { cost, operation, run, validate } = performer
  try {
    const input = validate(body)
    const micros = operation.work(input)
    return { path, cost, operation, width: 0, micros: () => micros, run: () => run(input) }
  } catch (error) {
    return failing(performer, error)
  }
}

export function prepareAlike({ calls, numbers }: AlikeCalls): PreparedCall[] {
  const prepared = new Map<CallPattern, PreparedCall>()
  let pattern: CallPattern | null = null
  let call: PreparedCall | undefined
  return calls.map((own) => {
    if (own !== pattern) {
      pattern = own
      call = prepared.get(own) ?? alike(own, numbers)
      prepared.set(own, call)
    }
    return call!
  })
}

/** Calls of one pattern share a body, which holds the numbers of each in turn. */
function alike({ input, performer, width }: CallPattern, numbers: Float64Array): PreparedCall {
  const { admits, cost, numberFields, operation, run, validate } = performer
  return {
    path: operation.path,
    cost,
    operation,
    width,
    micros(from) {
      numberFields.set(input, numbers, from)
      return admits(input) ? operation.work(input) : REFUSED_MICROS
    },
    run(from) {
      numberFields.set(input, numbers, from)
      return run(admits(input) ? input : validate(input))
    },
  }
}

const REFUSED_MICROS = 1

function failing({ cost, path }: Pick<OperationPerformer, 'cost' | 'path'>, failure: unknown): PreparedCall {
  if (!(failure instanceof Failure)) throw failure
  const run = () => {
    throw failure
  }
  return { path, cost, operation: null, width: 0, micros: () => REFUSED_MICROS, run }
}

const nowhere = (path: string): PreparedCall =>
  failing(
    { path: batch.path, cost: 0 },
    new Failure('route_not_found', `There is no computation at ${path}.`),
  )
