/**
 * Runs work for all who ask, once at a time: a run that has begun may miss what a caller has just done, so those who ask
 * meanwhile share the next one.
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
