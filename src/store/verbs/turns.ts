/** A few transactions at once, the others in line: waiting for a connection is not taken for a database that is away. */
import type { Transaction } from '../sql.ts'
import { NotCommitted } from '../store.ts'

/** Runs a transaction to its end on one of the databases. */
export type Run = <Result>(transaction: () => Transaction<Result>) => Promise<Result>

interface Waiting {
  readonly go: () => void
  readonly fail: (error: unknown) => void
}

/** When a transaction finds the database away, those in line hear of it at once rather than one after the other. */
export function inTurns(run: Run, concurrent: number): Run {
  let line: Waiting[] = []
  let running = 0
  const enter = (): Promise<void> | void => {
    if (running >= concurrent) return new Promise((go, fail) => line.push({ go, fail }))
    running++
  }
  // A place is handed on rather than freed, so that no newcomer overtakes the line.
  const leave = (): void => {
    const next = line.shift()
    if (next === undefined) running--
    else next.go()
  }
  return async (transaction) => {
    await enter()
    try {
      return await run(transaction)
    } catch (error) {
      if (error instanceof NotCommitted) {
        const waiting = line
        line = []
        for (const { fail } of waiting) fail(error)
      }
      throw error
    } finally {
      leave()
    }
  }
}
