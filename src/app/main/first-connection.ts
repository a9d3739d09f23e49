/** Makes the first connection to the database, which may be starting too, or be slow under load. */
import { setTimeout as sleep } from 'node:timers/promises'
import { START_MS, START_RETRY_MS } from '../../base/limits/operation.ts'
import { NotCommitted, OutcomeUnknown } from '../../ledger/store/store.ts'
import { ConfigError } from '../config/read-config.ts'
import type { Logger } from '../log.ts'

/**
 * Repeats `open` with backoff while the database cannot be reached; after `patienceMs` it rejects with a ConfigError that names
 * the remedy. Rejects with other errors at once.
 */
export async function patiently<Result>(
  open: () => Promise<Result>,
  log: Pick<Logger, 'warn'>,
  remedy: string,
  patienceMs = START_MS,
): Promise<Result> {
  const deadline = performance.now() + patienceMs
  for (let pauseMs = START_RETRY_MS.least; ; pauseMs = Math.min(2 * pauseMs, START_RETRY_MS.most)) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof NotCommitted || error instanceof OutcomeUnknown)) throw error
      const leftMs = deadline - performance.now()
      if (leftMs < pauseMs) throw new ConfigError(`${error.message}; ${remedy}.`)
      log.warn(
        { reason: error.message, seconds: Math.round(leftMs / 1_000) },
        'the database cannot be used yet; the start tries again',
      )
      await sleep(pauseMs)
    }
  }
}
