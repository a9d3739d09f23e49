/**
 * Runs work for all who ask, once at a time: a run that has begun may miss what a caller has just done, so those who ask
 * meanwhile share the next one.
 */
export function runsInTurn(work: () => Promise<void>): () => Promise<void> {
  let begun: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  return () => {
    next ??= begun
      .catch(() => undefined)
      .then(() => {
        next = null
        begun = work()
        return begun
      })
    return next
  }
}
