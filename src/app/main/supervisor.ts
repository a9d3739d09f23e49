/**
 * Several nodes on one port, each a process with a data folder of its own: starts them, replaces one that ends, and stops them all.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NODE_RESTART_MS } from '../../base/limits/operation.ts'
import { REFUND_JOURNAL, type RefundJournal } from '../../ledger/metering/refund-journal.ts'
import { FolderInUse, type FolderLock, lockFolder } from '../../ledger/store/sqlite/folder-lock.ts'
import { type Config, ConfigError, environmentWith } from '../config/read-config.ts'
import type { Logger } from '../log.ts'
import { freePortOf } from './listeners.ts'

export interface Nodes {
  /** Resolves to the URL once every node listens. */
  readonly listening: Promise<string>
  /** Stops every node gracefully, even one that is starting. */
  stop(): Promise<void>
}

/**
 * Starts the nodes by this program's command `node`. They end with this process, even after SIGKILL, because their channel to it
 * closes. If the first node ends before it listens, it has logged the reason, and this process ends too. Once it listens, the
 * settings are known to allow a start, and a node that ends is replaced.
 */
export function startNodes(config: Config, log: Logger): Nodes {
  const running = new Set<ChildProcess>()
  let firstListens = false
  let stopping = false

  const keepRunning = async (node: number, port: number, onListening: (url: string) => void) => {
    for (
      let pauseMs = NODE_RESTART_MS.least;
      !stopping;
      pauseMs = Math.min(2 * pauseMs, NODE_RESTART_MS.most)
    ) {
      const startedAt = performance.now()
      const child = fork(process.argv[1], ['node', String(node)], {
        env: environmentWith({ PORT: String(port) }),
      })
      running.add(child)
      child.once('message', (url) => onListening(url as string))
      const [code, signal] = await endOf(child)
      running.delete(child)
      if (stopping) return
      if (!firstListens && signal === null) await giveUp(code)
      if (performance.now() - startedAt > NODE_RESTART_MS.lasting) pauseMs = NODE_RESTART_MS.least
      log.error({ node, code, signal, seconds: pauseMs / 1_000 }, 'a node ended; another is started')
      await sleep(pauseMs)
    }
  }
  const start = (node: number, port: number) =>
    new Promise<string>((resolve, reject) => {
      keepRunning(node, port, resolve).catch(reject)
    })
  const stop = async () => {
    stopping = true
    await Promise.all(
      [...running].map(async (child) => {
        if (child.kill('SIGTERM')) await endOf(child)
      }),
    )
  }
  const giveUp = async (code: number | null) => {
    await stop()
    process.exit(code)
  }
  const startAll = async (): Promise<string> => {
    refuseUnsupported(process.platform)
    const port = await freePortOf(config)
    // The first node starts alone, so that a setting with which no node can start is reported once.
    const url = await start(1, port)
    firstListens = true
    await Promise.all(Array.from({ length: config.processes - 1 }, (_, index) => start(index + 2, port)))
    shrinkHeap()
    return url
  }
  return { listening: startAll(), stop }
}

/** Each node has a data folder of its own, and a port of its own for metrics. */
export const configOfNode = (config: Config, node: number): Config => ({
  ...config,
  dataDir: nodeFolder(config.dataDir, node),
  // One node has the listener for operators; every node sees what is done there.
  operatorPort: node === 1 ? config.operatorPort : null,
  metricsPort: config.metricsPort === 0 ? 0 : config.metricsPort + node - 1,
})

/** The exit code, and the signal or, if no process could be started, the error. */
const endOf = (child: ChildProcess): Promise<[number | null, string | null]> =>
  once(child, 'exit').catch((error: Error) => [null, error.message]) as Promise<
    [number | null, string | null]
  >

/** Throws ConfigError where sockets cannot share a port, or one process would get every connection. */
export function refuseUnsupported(platform: NodeJS.Platform): void {
  if (platform === 'linux') return
  throw new ConfigError(
    'QUANTD_PROCESSES above 1 needs Linux, which divides the connections of a port among processes: set it to 1, or start nodes on ports of their own behind a proxy.',
  )
}

/**
 * Loading a thousand modules grows V8's young generation to its full size and fills the old one with garbage. An idle
 * service would keep both, a quarter of its resident set, because V8 collects only on allocation. Takes about 60 ms.
 * Does nothing without Node's --expose-gc, which scripts/run-node.js sets.
 */
export function shrinkHeap(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** The first node uses the configured folder, each other one a folder in it. */
export const nodeFolder = (dataDir: string, node: number): string =>
  node === 1 ? dataDir : join(dataDir, `node-${node}`)

/** Adopts the journals of nodes that do not run; after QUANTD_PROCESSES was lowered, nobody else would open them. */
export function adoptJournals(dataDir: string, { adopt }: Pick<RefundJournal, 'adopt'>): void {
  for (const name of globSync(join('node-*', REFUND_JOURNAL), { cwd: dataDir })) {
    const journal = join(dataDir, name)
    const lock = lockUnlessInUse(dirname(journal))
    // The node may have finished its journal and ended meanwhile.
    if (lock !== null && existsSync(journal)) adopt(journal)
    lock?.release()
  }
}

function lockUnlessInUse(folder: string): FolderLock | null {
  try {
    return lockFolder(folder)
  } catch (error) {
    if (error instanceof FolderInUse) return null
    throw error
  }
}
