/** Everything that can be performed, by path; made once in the main thread and once in each worker. */
import { operations } from '../catalogue/index.ts'
import { batchPerformer } from './batch.ts'
import { type Performer, performer } from './perform.ts'

/** Credits per call by path; absent: 1. */
export type Costs = Readonly<Record<string, number>>

export function performers(costs: Costs): ReadonlyMap<string, Performer> {
  const single = new Map(
    operations.map((operation) => [
      operation.path as string,
      performer(operation, costs[operation.path] ?? 1),
    ]),
  )
  const all = batchPerformer(single)
  return new Map<string, Performer>([...single, [all.path, all]])
}
