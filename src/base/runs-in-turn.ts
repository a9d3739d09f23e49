/**
 * Returns a function that runs `work`, one run at a time. A run that has begun may miss what a caller has just done, so calls
 * during a run share the next one.
 */
export function runsInTurn<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let begun: Promise<unknown> = Promise.resolve()
  let next: Promise<Result> | null = null
  return () => {
    next ??= begun
      .catch(() => undefined)
      .then(() => {
        next = null
        const run = work()
        begun = run
        return run
      })
    return next
  }
}
