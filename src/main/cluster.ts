/** Several processes that share a port: the first one writes the ledger and runs the background work; all of them serve. */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Config } from '../config.ts'
import { sources } from '../derive/sources.ts'
import type { Logger } from '../log.ts'
import type { LedgerMeter } from '../metering/meter.ts'
import { answerEntries, remoteMeter } from '../metering/remote-meter.ts'
import { type Counts, openMetrics } from '../metrics.ts'
import { answerFor, type Channel, remoteStore } from '../store/remote.ts'
import { type Foundation, openFoundation } from './foundation.ts'
import { receivedConnections } from './ports.ts'
import { startServing } from './serving.ts'

/** Messages between the processes, besides calls of the store and connections. */
type Message =
  | { readonly type: 'serving' | 'wake sender' }
  | { readonly type: 'counts'; readonly counts: Counts }
  | { readonly type: 'stop' | 'count' }

/** The processes besides the first one. */
export interface OtherProcesses {
  /** Those that serve at present. */
  serving(): readonly Worker[]
  counts(): Promise<Counts[]>
  /** Resolves when all of them have ended. */
  stop(): Promise<void>
}

const RESTART_MS = 1_000
const COUNTS_MS = 5_000
/** File descriptor of the stream of entries in a process besides the first. */
const ENTRIES_FD = 4

/** Resolves once every process serves. A process that ends is replaced. */
export async function startOthers(
  { config, log, store }: Foundation,
  meter: LedgerMeter,
  wakeSender: () => void,
): Promise<OtherProcesses> {
  const serving = new Set<Worker>()
  let stopping = false
  const start = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = cluster.fork()
      if (config.databaseUrl === null) answerFor(store, channelTo(worker))
      answerEntries(meter, worker.process.stdio[ENTRIES_FD] as Duplex)
      worker.on('message', ({ type }: Message) => {
        if (type === 'wake sender') wakeSender()
        if (type !== 'serving') return
        serving.add(worker)
        resolve()
      })
      worker.once('disconnect', () => serving.delete(worker))
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
  cluster.setupPrimary({
    serialization: 'advanced',
    stdio: ['inherit', 'inherit', 'inherit', 'ipc', 'pipe'],
  })
  await Promise.all(Array.from({ length: config.processes - 1 }, start))
  return {
    serving: () => [...serving],
    counts: () => Promise.all([...serving].map(countsOf)),
    async stop() {
      stopping = true
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
      await Promise.all(workers.map(stop))
    },
  }
}

/** Serves in a process besides the first; it ends with the first process, or when that one tells it to stop. */
export async function serveInCluster(config: Config, log: Logger): Promise<void> {
  // A terminal signals every process; only the first one reacts and stops the others.
  process.on('SIGTERM', () => undefined).on('SIGINT', () => undefined)
  process.on('disconnect', () => process.exit(1))
  const entries = new Socket({ fd: ENTRIES_FD })
  // Before the meter reacts: it would fail the entries with 503, which says that nothing is charged, but the first process
  // may have committed them.
  entries.once('close', () => process.exit(1))
  const store = config.databaseUrl === null ? remoteStore(channelToFirst()) : undefined
  const foundation = await openFoundation(config, { log }, store)
  const send = (message: Message) => process.send?.(message)
  const metrics = openMetrics(sources.version)
  const support = {
    meter: remoteMeter(entries),
    metrics,
    wakeSender: () => send({ type: 'wake sender' }),
  }
  const server = await startServing(foundation, support, receivedConnections())
  process.on('message', async ({ type }: Message) => {
    if (type === 'count') send({ type: 'counts', counts: await metrics.counts() })
    if (type !== 'stop') return
    await server.close()
    await foundation.close()
    process.exit(0)
  })
  send({ type: 'serving' })
}

const stop = (worker: Worker): Promise<unknown> => {
  const ended = once(worker, 'exit')
  worker.send({ type: 'stop' } satisfies Message)
  return ended
}

const countsOf = (worker: Worker): Promise<Counts> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('A process did not tell its counts.')), COUNTS_MS)
    const listener = (message: Message): void => {
      if (message.type !== 'counts') return
      clearTimeout(timer)
      worker.off('message', listener)
      resolve(message.counts)
    }
    worker.on('message', listener)
    worker.send({ type: 'count' } satisfies Message)
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
