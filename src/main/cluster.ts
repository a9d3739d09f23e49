/** Several processes that share a port: the first runs the background work and, on SQLite, the store; the others answer. */
import cluster, { type Worker } from 'node:cluster'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Entry, Verdict } from '../ledger/types.ts'
import type { Logger } from '../log.ts'
import { coalesce, LINGER_ITERATIONS } from '../metering/coalesce.ts'
import { workerRefundJournal } from '../metering/refund-journal.ts'
import { openClusterMetrics } from '../metrics.ts'
import { answerFor, type Channel, remoteStore } from '../store/remote.ts'
import type { Store } from '../store/store.ts'
import { openJournal, startBackground } from './background.ts'
import { openFoundation } from './foundation.ts'
import { shrinkHeap } from './heap.ts'
import { listenForMetrics } from './listeners.ts'
import { startServing } from './serving.ts'

/** Messages between the processes, besides calls of the store. */
type Message =
  | { readonly type: 'listening'; readonly url: string }
  | { readonly type: 'wake sender' | 'stop' }

const RESTART_MS = 1_000

/** Resolves once every process answers. */
export async function startCluster(
  config: Config,
  log: Logger,
): Promise<{ url: string; close(): Promise<void> }> {
  const foundation = await openFoundation(config, { log })
  const background = startBackground(foundation)
  const shared = withMergedGroups(foundation.store)
  const metricsServer = await listenForMetrics(config, openClusterMetrics())
  let stopping = false

  const start = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const worker = cluster.fork()
      if (config.databaseUrl === null) answerFor(shared, channelTo(worker))
      worker.on('message', (message: Message) => {
        if (message.type === 'listening') resolve(message.url)
        if (message.type === 'wake sender') background.wakeSender()
      })
      worker.once('exit', (code, signal) => {
        const journal = join(config.dataDir, workerRefundJournal(worker.id))
        if (existsSync(journal)) background.refundJournal.adopt(journal)
        if (stopping) return
        log.error({ code, signal }, 'a serving process ended; another is started')
        reject(new Error('A serving process ended before it answered.'))
        setTimeout(() => {
          if (!stopping) start().catch(() => undefined)
        }, RESTART_MS)
      })
    })

  shrinkHeap()
  cluster.setupPrimary({ serialization: 'advanced' })
  const [url] = await Promise.all(Array.from({ length: config.processes }, start))
  return {
    url: url!,
    async close() {
      stopping = true
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
      await Promise.all(workers.map(stop))
      metricsServer?.close()
      await background.close()
      await foundation.close()
    },
  }
}

/** A serving process; it ends with the first process, or when that one tells it to stop. */
export async function serveInCluster(config: Config, log: Logger): Promise<void> {
  // A terminal signals every process; only the first one reacts and stops the others.
  process.on('SIGTERM', () => undefined).on('SIGINT', () => undefined)
  process.on('disconnect', () => process.exit(1))
  const store = config.databaseUrl === null ? remoteStore(channelToFirst()) : undefined
  const foundation = await openFoundation(config, { log }, store)
  const refundJournal = openJournal(foundation, workerRefundJournal(cluster.worker!.id))
  const send = (message: Message) => process.send?.(message)
  const server = await startServing(foundation, {
    refundJournal,
    wakeSender: () => send({ type: 'wake sender' }),
  })
  process.on('message', async (message: Message) => {
    if (message.type !== 'stop') return
    await server.close()
    refundJournal.close()
    await foundation.close()
    process.exit(0)
  })
  send({ type: 'listening', url: server.url })
}

const stop = (worker: Worker): Promise<void> =>
  new Promise((resolve) => {
    worker.once('exit', () => resolve())
    worker.send({ type: 'stop' } satisfies Message)
  })

const channelTo = (worker: Worker): Channel => ({
  send: (message) => {
    if (worker.isConnected()) worker.send(message as object)
  },
  onMessage: (listener) => worker.on('message', listener),
  onEnd: (listener) => worker.once('exit', listener),
})

const channelToFirst = (): Channel => ({
  send: (message) => process.send?.(message),
  onMessage: (listener) => process.on('message', listener),
  onEnd: (listener) => process.once('disconnect', listener),
})

/** Groups of entries that several processes send at the same time share a transaction. */
function withMergedGroups(store: Store): Store {
  const run = async (groups: (readonly Entry[])[]): Promise<Verdict[][]> => {
    const verdicts = await store.commit(groups.flat(), false)
    let start = 0
    return groups.map(({ length }) => {
      const own = verdicts.slice(start, start + length)
      start += length
      return own
    })
  }
  const merged = coalesce(run, { lingerIterations: LINGER_ITERATIONS })
  return { ...store, commit: (entries, again) => (again ? store.commit(entries, true) : merged.add(entries)) }
}
