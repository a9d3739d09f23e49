/** Copies the acts of operators from the audit to the log: the command line runs in processes of its own. */
import { OPERATOR_ACTS_MS } from '../limits/operation.ts'
import type { Logger } from '../log.ts'
import { operatorActs } from '../operator/acts.ts'
import type { Runner } from '../store/store.ts'

/** Returns a function that logs the acts since the last reading, each once; the first logs those since this call. */
export function operatorActsReader(store: Runner, log: Pick<Logger, 'info' | 'warn'>): () => Promise<void> {
  const startedAt = performance.now()
  let seen: ReadonlySet<string> = new Set()
  return async () => {
    try {
      const acts = await store.run(
        operatorActs,
        Math.min(OPERATOR_ACTS_MS, Math.ceil(performance.now() - startedAt)),
      )
      for (const { id, ...act } of acts) if (!seen.has(id)) log.info(act, 'operator act')
      seen = new Set(acts.map(({ id }) => id))
    } catch (error) {
      log.warn({ err: error }, 'the acts of operators were not read; the next attempt is in a minute')
    }
  }
}
