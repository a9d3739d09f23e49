/** Several processes that share a port: the first writes the ledger and runs the background work; the others answer. */
import cluster, { type Worker } from 'node:cluster'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Config } from '../config.ts'
import type { Logger } from '../log.ts'
import { openMeter } from '../metering/meter.ts'
import { answerEntries, remoteMeter } from '../metering/remote-meter.ts'
import { openClusterMetrics } from '../metrics.ts'
import { answerFor, type Channel, remoteStore } from '../store/remote.ts'
import { startBackground } from './background.ts'
import { openFoundation } from './foundation.ts'
import { shrinkHeap } from './heap.ts'
import { freePortOf, listenForMetrics } from './listeners.ts'
import { startServing } from './serving.ts'

/** Messages between the processes, besides calls of the store. */
type Message =
  | { readonly type: 'listening'; readonly url: string }
  | { readonly type: 'wake sender' | 'stop' }

const RESTART_MS = 1_000
/** File descriptor of the stream of entries in a serving process. */
const ENTRIES_FD = 4

/** Resolves once every process answers. */
export async function startCluster(
  config: Config,
  log: Logger,
): Promise<{ url: string; close(): Promise<void> }> {
  const foundation = await openFoundation(config, { log })
  const background = startBackground(foundation)
  const metrics = openClusterMetrics()
  const meter = openMeter(foundation.store, background.refundJournal, metrics.ledger())
  const metricsServer = await listenForMetrics(config, metrics.text)
  const port = await freePortOf(config)
  let stopping = false

  const start = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const worker = cluster.fork({ PORT: String(port) })
      if (config.databaseUrl === null) answerFor(foundation.store, channelTo(worker))
      answerEntries(meter, worker.process.stdio[ENTRIES_FD] as Duplex)
      worker.on('message', (message: Message) => {
        if (message.type === 'listening') resolve(message.url)
        if (message.type === 'wake sender') background.wakeSender()
      })
      worker.once('exit', (code, signal) => {
        if (stopping) return
        log.error({ code, signal }, 'a serving process ended; another is started')
        // One that was killed is replaced, also during the start; one that ends by itself cannot serve.
        if (signal === null) reject(new Error('A serving process ended before it answered.'))
        setTimeout(() => {
          if (!stopping) start().then(resolve, reject)
        }, RESTART_MS)
      })
    })

  shrinkHeap()
  cluster.setupPrimary({
    serialization: 'advanced',
    stdio: ['inherit', 'inherit', 'inherit', 'ipc', 'pipe'],
  })
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
  let close = async (): Promise<void> => undefined
  // Before any other listener: the message may arrive while this process starts.
  process.on('message', async (message: Message) => {
    if (message.type !== 'stop') return
    await close()
    process.exit(0)
  })
  process.on('disconnect', () => process.exit(1))
  const entries = new Socket({ fd: ENTRIES_FD })
  // Before the meter reacts: it would fail the entries with 503, which says that nothing is charged, but the first process
  // may have committed them.
  entries.once('close', () => process.exit(1))
  const store = config.databaseUrl === null ? remoteStore(channelToFirst()) : undefined
  const foundation = await openFoundation(config, { log }, store)
  const send = (message: Message) => process.send?.(message)
  const server = await startServing(foundation, {
    openMeter: () => remoteMeter(entries),
    wakeSender: () => send({ type: 'wake sender' }),
  })
  close = async () => {
    await server.close()
    await foundation.close()
  }
  send({ type: 'listening', url: server.url })
}

const stop = (worker: Worker): Promise<void> =>
  new Promise((resolve) => {
    if (worker.isDead()) return resolve()
    worker.once('exit', () => resolve())
    // The channel to a process that was killed may close before its exit is known.
    if (worker.isConnected()) worker.send({ type: 'stop' } satisfies Message)
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
