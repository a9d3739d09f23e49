/** Copies the acts of operators from the audit to the log: the command line runs in processes of its own. */
import type { Logger } from '../log.ts'
import { operatorActs } from '../operator/acts.ts'
import type { Runner } from '../store/store.ts'

/** Longer than two intervals between readings: an act is visible only after its COMMIT. */
const WINDOW_MS = 180_000

/** Returns a function that logs the acts since the last reading, each once; those before the start are not logged. */
export function operatorActsReader(store: Runner, log: Pick<Logger, 'info' | 'warn'>): () => Promise<void> {
  let seen: ReadonlySet<string> | null = null
  return async () => {
    try {
      const acts = await store.run(operatorActs, WINDOW_MS)
      for (const { id, ...act } of acts) if (seen !== null && !seen.has(id)) log.info(act, 'operator act')
      seen = new Set(acts.map(({ id }) => id))
    } catch (error) {
      log.warn({ err: error }, 'the acts of operators were not read; the next attempt is in a minute')
    }
  }
}
