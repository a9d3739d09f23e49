/** Starts the service, in one process or in several. */
import type { Config } from './config.ts'
import { sources } from './derive/sources.ts'
import type { ServerLimits } from './http/guarded-server.ts'
import { startBackground } from './main/background.ts'
import { startOthers } from './main/cluster.ts'
import { type FoundationOptions, openFoundation } from './main/foundation.ts'
import { listenForMetrics } from './main/listeners.ts'
import { ownPort, sharedPort } from './main/ports.ts'
import { startServing } from './main/serving.ts'
import { openMeter } from './metering/meter.ts'
import { openMetrics, textOf } from './metrics.ts'
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
  const opened = new AsyncDisposableStack()
  try {
    const foundation = await openFoundation(config, options)
    opened.defer(foundation.close)
    const background = startBackground(foundation)
    opened.defer(background.close)
    const { store } = foundation
    const { refundJournal, wakeSender } = background
    const metrics = openMetrics(sources.version)
    const meter = openMeter(store, refundJournal, metrics.ledger())
    const support = { meter, metrics, wakeSender }
    const others = config.processes > 1 ? await startOthers(foundation, meter, wakeSender) : null
    const metricsServer = await listenForMetrics(config, async () =>
      textOf([await metrics.counts(), ...((await others?.counts()) ?? [])]),
    )
    opened.defer(async () => {
      metricsServer?.close()
    })
    const port = others === null ? ownPort(config) : sharedPort(config, others.serving)
    const server = await startServing(foundation, support, port, options.limits)
    return {
      url: port.url(),
      store,
      async close(drainMs) {
        await Promise.all([others?.stop(), server.close(drainMs)])
        await opened.disposeAsync()
      },
    }
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}
