/** The clean-up of a service that a test makes. */
import { type Tidied, tidy } from '../../src/app/main/clean-up.ts'
import { NotCommitted } from '../../src/ledger/store/store.ts'
import type { TestService } from './service.ts'
import { until } from './until.ts'

/**
 * Cleans up as the service does each minute; repeats it where another clean-up was running, or where a busy machine did not free a
 * lock in time.
 */
export async function tidied(
  { store }: Pick<TestService, 'store'>,
  auditRetentionMs: number | null = null,
): Promise<Tidied> {
  let done: Tidied | null = null
  await until(async () => {
    done = await tidy(store, auditRetentionMs).catch((error) => {
      if (error instanceof NotCommitted) return null
      throw error
    })
    return done !== null
  }, 'the service was cleaned up')
  return done!
}
