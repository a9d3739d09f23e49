/** Work that depends on whether an address is known takes the same time either way. */

/** Longer than the work takes; short enough for nobody to mind. */
const LEAST_MS = 50

/** Settles as the work does, but no earlier than `leastMs` after its beginning. */
export async function evenTime<Result>(work: () => Promise<Result>, leastMs = LEAST_MS): Promise<Result> {
  const pause = new Promise<void>((resume) => setTimeout(resume, leastMs))
  const [outcome] = await Promise.allSettled([work(), pause])
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}
