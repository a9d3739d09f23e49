/** All computations by path; compiled once in the main thread and once in each worker. */
import { hasColumns } from '../catalogue/columns.ts'
import { operations } from '../catalogue/index.ts'
import { batchComputation } from './batch.ts'
import { columnsComputation } from './columns/columns.ts'
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
  const columns = [...single.values()]
    .filter(({ operation }) => hasColumns(operation))
    .map((compiled) => columnsComputation(compiled))
  const others = [...columns, batchComputation(single)]
  return new Map<string, Computation>([...single, ...others.map((one) => [one.path, one] as const)])
}
