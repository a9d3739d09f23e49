/** A node: one process with all parts of the service; `main/supervisor.ts` starts several on one port. */
import type { Config } from './config.ts'
import { openBackground } from './main/background.ts'
import { type FoundationOptions, openFoundation } from './main/foundation.ts'
import { type ServingOptions, startServing } from './main/serving.ts'
import type { Store } from './store/store.ts'

export interface Service {
  readonly url: string
  readonly store: Store
  /** Finishes the requests in progress, then releases everything that was opened. */
  close(drainMs?: number): Promise<void>
}

export interface ServiceOptions extends FoundationOptions, ServingOptions {}

export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const foundation = await openFoundation(config, options)
  const background = openBackground(foundation)
  const server = await startServing(foundation, background, options).catch(async (error) => {
    await background.close()
    await foundation.close()
    throw error
  })
  background.start()
  return {
    url: server.url,
    store: foundation.store,
    async close(drainMs) {
      await server.close(drainMs)
      await background.close()
      await foundation.close()
    },
  }
}
