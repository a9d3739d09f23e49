/** All computations by path; compiled once in the main thread and once in each worker. */
import { operations } from '../catalogue/index.ts'
import { batchComputation } from './batch.ts'
import { type Computation, compileOperation } from './computation.ts'

/** Credits per call by path; absent: 1. */
export type Costs = Readonly<Record<string, number>>

export function computations(costs: Costs): ReadonlyMap<string, Computation> {
  const single = new Map(
    operations.map((operation) => [
      operation.path as string,
      compileOperation(operation, costs[operation.path] ?? 1),
    ]),
  )
  const batch = batchComputation(single)
  return new Map<string, Computation>([...single, [batch.path, batch]])
}
