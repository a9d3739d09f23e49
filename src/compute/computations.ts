/** All computations by path; compiled once for the event loop and once in each thread. */

import { batchComputation, compileBatch } from './batch.ts'
import { hasColumns } from './catalogue/columns.ts'
import { operations } from './catalogue/index.ts'
import { columnsComputation, compileColumns } from './columns/columns.ts'
import { type Computation, type Costs, compileOperation, compileSchemas } from './computation.ts'

export type Computations = ReadonlyMap<string, Computation>

/** Compiles all operations. The function that it returns applies costs to them, which is quick, and caches its last result. */
export function compileComputations(): (costs: Costs) => Computations {
  const compiled = operations.map((operation) => ({
    operation,
    schemas: compileSchemas(operation),
    columns: hasColumns(operation) ? compileColumns(operation) : null,
  }))
  const batch = compileBatch()
  let last: { readonly text: string; readonly all: Computations } | null = null
  return (costs) => {
    const text = JSON.stringify(costs)
    if (last?.text === text) return last.all
    const all = new Map<string, Computation>()
    const single = new Map(
      compiled.map(({ operation, schemas }) => [
        operation.path as string,
        compileOperation(operation, costs, schemas),
      ]),
    )
    for (const one of single.values()) all.set(one.path, one)
    for (const { columns, operation } of compiled) {
      if (columns === null) continue
      const one = columnsComputation(single.get(operation.path)!, columns)
      all.set(one.path, one)
    }
    all.set(batch.path, batchComputation(single, costs, batch))
    last = { text, all }
    return all
  }
}
