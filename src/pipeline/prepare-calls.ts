/** The calls of a batch, each checked and ready to run: one that cannot be made has its failure for a result. */
import { batch } from '../catalogue/batch.ts'
import type { Operation } from '../catalogue/operation.ts'
import { Failure } from '../errors.ts'
import type { Performers } from './call-pattern.ts'
import type { Input, OperationPerformer } from './perform.ts'
import type { AlikeCalls } from './read-alike.ts'

export interface PreparedCall {
  /** Where it counts. */
  readonly path: string
  readonly cost: number
  readonly operation: Operation | null
  readonly micros: number
  /** The result as JSON. Throws DomainError or Failure. */
  run(): string
}

export function prepare(performers: Performers, path: string, body: object): PreparedCall {
  const performer = performers.get(path)
  if (performer === undefined) return nowhere(path)
  try {
    const input = performer.validate(body)
    return ready(performer, input, () => performer.run(input))
  } catch (error) {
    return failing(performer, error)
  }
}

/** Calls of one pattern share a body, which holds the numbers of each in turn. */
export function prepareAlike({ calls, numbers }: AlikeCalls): PreparedCall[] {
  return calls.map(({ from, pattern: { input, performer } }) => {
    const { admits, numberFields, run, validate } = performer
    numberFields.set(input, numbers, from)
    try {
      if (!admits(input)) validate(input)
      return ready(performer, input, () => {
        numberFields.set(input, numbers, from)
        return run(input)
      })
    } catch (error) {
      return failing(performer, error)
    }
  })
}

const ready = ({ cost, operation }: OperationPerformer, input: Input, run: () => string): PreparedCall => ({
  path: operation.path,
  cost,
  operation,
  micros: operation.work(input),
  run,
})

function failing({ cost, path }: Pick<OperationPerformer, 'cost' | 'path'>, failure: unknown): PreparedCall {
  if (!(failure instanceof Failure)) throw failure
  const run = () => {
    throw failure
  }
  return { path, cost, operation: null, micros: 1, run }
}

const nowhere = (path: string): PreparedCall =>
  failing(
    { path: batch.path, cost: 0 },
    new Failure('route_not_found', `There is no computation at ${path}.`),
  )
