/**
 * The budget of a computation, from its estimate. It counts work instead of time, so that a computation that exceeds it does so
 * on every machine.
 */

/** A computation may spend this multiple of its estimate. */
export const MOST_OF_ESTIMATE = 4

/** What is left of the budget, in an array because V8 would make an object of each new value of a variable. */
const left = Float64Array.of(Number.POSITIVE_INFINITY)

/** A computation needs more work than MOST_OF_ESTIMATE times its estimate, which is therefore wrong. */
export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded'
}

/**
 * Computes with a budget from the estimate in microseconds on one core. Throws BudgetExceeded where a kernel spends more. Without
 * a budget, as in the tests of a kernel, it may spend any amount.
 */
export function withinBudget<Result>(estimate: number, compute: () => Result): Result {
  const [outer] = left
  openBudget(estimate)
  try {
    return compute()
  } finally {
    left[0] = outer
  }
}

/** Opens a budget in place of the present one, for loops of many computations within `withinBudget`. */
export function openBudget(estimate: number): void {
  left[0] = MOST_OF_ESTIMATE * estimate
}

/**
 * Takes a piece of work from the budget. Every kernel whose number of steps depends on more than the size of its input spends
 * each step, before it is done, at the time in microseconds that the step takes where the estimates were made.
 */
export function spend(micros: number): void {
  left[0] -= micros
  if (left[0] < 0)
    throw new BudgetExceeded(`The computation spends over ${MOST_OF_ESTIMATE} times its estimate.`)
}

/** The work that a computation spends, in microseconds, also where it throws: for the search of wrong estimates. */
export function workSpent(compute: () => unknown): number {
  const before = left[0]
  left[0] = MOST_WORK
  try {
    compute()
  } catch {}
  const spent = MOST_WORK - left[0]
  left[0] = before
  return spent
}

/** More work than any computation spends. */
const MOST_WORK = 1e12

/** Microseconds that the computation may still spend. A search leaves out its further starts where they are few. */
export const budgetLeft = (): number => left[0]
