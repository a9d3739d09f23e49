/** A quantd node in its own process, which can be killed and started again on the same port and folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, globSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { compileCache } from '../../scripts/run-node.js'
import { REFUND_JOURNAL } from '../../src/ledger/metering/refund-journal.ts'
import { freePort } from './free-port.ts'

export interface NodeProcess {
  readonly url: string
  readonly dataDir: string
  /** The id of the running process; undefined while there is none. */
  readonly pid: number | undefined
  /** Resolves when the node is ready to serve. */
  start(): Promise<void>
  /** Kills it as a power cut would; resolves when it is dead. */
  kill9(): Promise<void>
  signal(name: NodeJS.Signals): void
  /** Resolves with true when the node answers /readyz with 200, with false if it does not in time. */
  isReadyAgain(): Promise<boolean>
  /** Starts a second service on the node's data folder; resolves with its exit code and output. */
  second(): Promise<{ code: number | null; output: string }>
  /** Sends SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
  /** Whether there are calls whose COMMIT outcome is still unknown. */
  hasOpenRefunds(): boolean
  /** Audit ids of calls whose refund was in the memory of a process that was killed, and not in its journal. */
  lostRefunds(): ReadonlySet<string>
}

export interface NodeProcessOptions {
  readonly dataDir: string
  /** Settings by their names in the environment; the node sees no others. */
  readonly settings: Readonly<Record<string, string>>
  /** The file for the node's output; by default `log` in the data folder. */
  readonly logFile?: string
  /** Options of Node itself. */
  readonly execArgv?: readonly string[]
  /** Called when the process ended by itself. */
  readonly onUnasked: (message: string) => void
}

/** The environment of a service in a process of its own, on ports that are free. */
export const environmentOf = (dataDir: string) => ({
  ...compileCache,
  PATH: process.env.PATH,
  PORT: '0',
  METRICS_PORT: '0',
  QUANTD_DATA_DIR: dataDir,
})

const READY_MS = 180_000
/** The time limit of a reply to /readyz. A service that sends none hangs, which is worse than not being ready. */
const REPLY_MS = 60_000
const CLI = join(import.meta.dirname, '../../src/app/quantd.ts')

export async function nodeProcess(options: NodeProcessOptions): Promise<NodeProcess> {
  const { dataDir, execArgv = [], onUnasked, settings } = options
  mkdirSync(dataDir, { recursive: true })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { logFile = join(dataDir, 'log') } = options
  let child: ChildProcess | null = null

  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> => {
    const ending = child
    child = null
    if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return null
    const exited = once(ending, 'exit')
    ending.kill(signal)
    const [code] = await exited
    return code
  }
  // A run that dies leaves no node behind.
  process.once('exit', () => child?.kill('SIGKILL'))

  return {
    url,
    dataDir,
    get pid() {
      return child?.pid
    },
    async start() {
      const log = openSync(logFile, 'a')
      const started = spawn(process.execPath, [...execArgv, CLI, 'serve'], {
        stdio: ['ignore', log, log],
        env: {
          ...compileCache,
          PORT: String(port),
          METRICS_PORT: '0',
          QUANTD_DATA_DIR: dataDir,
          ...settings,
        },
      })
      closeSync(log)
      child = started
      started.once('exit', (code, signal) => {
        if (child === started) onUnasked(`a node ended by itself (${signal ?? code}):\n${tail(logFile)}`)
      })
      const deadline = performance.now() + READY_MS
      while (!(await isReady(url))) {
        if (child !== started || started.exitCode !== null || performance.now() > deadline)
          throw new Error(`a node did not start:\n${tail(logFile)}`)
        await sleep(25)
      }
    },
    async kill9() {
      await end('SIGKILL')
    },
    signal(name) {
      child?.kill(name)
    },
    async isReadyAgain() {
      const deadline = performance.now() + READY_MS
      while (!(await isReady(url))) {
        if (performance.now() > deadline) return false
        await sleep(25)
      }
      return true
    },
    async second() {
      const env = { ...environmentOf(dataDir), ...settings }
      const other = spawn(process.execPath, [CLI, 'serve'], { stdio: ['ignore', 'pipe', 'pipe'], env })
      const timer = setTimeout(() => other.kill('SIGKILL'), READY_MS)
      const [out, err] = await Promise.all([text(other.stdout), text(other.stderr), once(other, 'close')])
      clearTimeout(timer)
      return { code: other.exitCode, output: out + err }
    },
    stop: () => end('SIGTERM'),
    hasOpenRefunds: () => globSync(`{,node-*/}${REFUND_JOURNAL}`, { cwd: dataDir }).length > 0,
    lostRefunds() {
      const log = readFileSync(logFile, 'utf8')
      const ofKilled = log.slice(0, log.lastIndexOf('quantd listens on')).matchAll(/"audit_ids":(\[.*?\])/g)
      return new Set([...ofKilled].flatMap(([, ids]) => JSON.parse(ids!)))
    },
  }
}

const isReady = async (url: string): Promise<boolean> =>
  await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(REPLY_MS) })
    .then(async (response) => {
      await response.arrayBuffer()
      return response.ok
    })
    .catch((error: Error) => {
      if (error.name === 'TimeoutError') throw new Error(`no reply to /readyz for ${REPLY_MS / 1_000} s`)
      return false
    })

const tail = (file: string): string => readFileSync(file, 'utf8').slice(-4_000)
