/** Pads the response time of endpoints whose work depends on whether an e-mail address is known. */
import { PADDED_MS } from '../limits.ts'

/** Settles like `work`, but not before `minimumMs` after the start. */
export async function padResponseTime<Result>(
  work: () => Promise<Result>,
  minimumMs = PADDED_MS.reply,
): Promise<Result> {
  const minimum = new Promise<void>((resolve) => setTimeout(resolve, minimumMs))
  const [outcome] = await Promise.allSettled([work(), minimum])
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}
