/** A node: one process with all parts of the service; `main/supervisor.ts` starts several on one port. */

import type { Store } from '../../ledger/store/store.ts'
import type { Config } from '../config/read-config.ts'
import { openBackground } from './background.ts'
import { type FoundationOptions, openFoundation } from './foundation.ts'
import { type ServingOptions, startServing } from './serving.ts'

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
