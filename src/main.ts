/** One process that does everything; `main/cluster.ts` does the same with several. */
import type { Config } from './config.ts'
import type { ServerLimits } from './http/guarded-server.ts'
import { startBackground } from './main/background.ts'
import { type FoundationOptions, openFoundation } from './main/foundation.ts'
import { startServing } from './main/serving.ts'
import { openMeter } from './metering/meter.ts'
import type { Metrics } from './metrics.ts'
import type { Store } from './store/store.ts'

export interface Service {
  readonly url: string
  readonly store: Store
  /** Finishes the requests under way, then releases everything that was opened. */
  close(drainMs?: number): Promise<void>
}

export interface ServiceOptions extends FoundationOptions {
  /** Limits on connections and replies; only tests lower them. */
  readonly limits?: Partial<ServerLimits>
}

export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const foundation = await openFoundation(config, options)
  const background = startBackground(foundation)
  const { store } = foundation
  const { refundJournal, wakeSender } = background
  const support = {
    openMeter: (metrics: Metrics) => openMeter(store, refundJournal, metrics.ledger()),
    wakeSender,
  }
  const server = await startServing(foundation, support, options.limits).catch(async (error) => {
    await background.close()
    await foundation.close()
    throw error
  })
  return {
    url: server.url,
    store,
    async close(drainMs) {
      await server.close(drainMs)
      await background.close()
      await foundation.close()
    },
  }
}
