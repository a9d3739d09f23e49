/** Starts the processes of a measurement, pinned to cores; they end with the run. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { compileCache, nodeFlags } from '../scripts/run-node.js'
import { freePort } from '../test/support/free-port.ts'
import { type PlainSql, postgresSql, sqliteSql } from '../test/support/plain-sql.ts'
import { createDatabase, startPostgres } from '../test/support/postgres.ts'
import { processTree } from '../test/support/processes.ts'
import type { Load, LoadResult } from './load.ts'

/** The server's core, and the core of all other processes; they are the same where only one core can be used. */
export const SERVER_CORE = '0'
export const OTHER_CORE = cpus().length > 1 ? '1' : '0'
export const BOTH_CORES = `${SERVER_CORE},${OTHER_CORE}`

export interface Server {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

export interface Quantd extends Server {
  /** Key of an account whose limits are above the load. */
  readonly apiKey: string
  readonly headers: Readonly<Record<string, string>>
  /** The settings with which the server was started. */
  readonly environment: Readonly<Record<string, string>>
  readonly sql: PlainSql
  /** The credits that the account has spent. */
  spent(): Promise<number>
}

export interface QuantdOptions {
  readonly cores?: string
  readonly databaseUrl?: string
  readonly settings?: Readonly<Record<string, string>>
  /** Options of Node itself. */
  readonly execArgv?: readonly string[]
  /** The folder of the source; absent: this one. */
  readonly root?: string
}

const ROOT = join(import.meta.dirname, '..')
const READY_MS = 30_000
const FUNDS = 1_000_000_000
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts a service on a fresh database, with one account of high limits. */
export async function startQuantd(options: QuantdOptions = {}): Promise<Quantd> {
  const { cores = SERVER_CORE, databaseUrl, execArgv = [], root = ROOT, settings = {} } = options
  const folder = mkdtempSync(join(tmpdir(), 'quantd-bench-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const environment = {
    PORT: String(port),
    METRICS_PORT: '0',
    LOG_LEVEL: 'error',
    QUANTD_DATA_DIR: folder,
    QUANTD_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    QUANTD_IP_LIMITS: 'off',
    ...compileCache,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    ...settings,
  }
  const argv = [...nodeFlags, ...execArgv, join(root, 'src/app/quantd.ts'), 'serve']
  const child = launchPinned(cores, process.execPath, argv, environment, folder)
  await ready(child, url, folder)
  const sql = databaseUrl === undefined ? sqliteSql(join(folder, 'quantd.db')) : postgresSql(databaseUrl)
  const apiKey = await account(url, sql)
  return {
    url,
    apiKey,
    environment,
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    sql,
    pid: child.pid!,
    spent: async () => {
      const [row] = await sql.query<{ balance: number }>('SELECT balance FROM accounts')
      return FUNDS - row!.balance
    },
    async stop() {
      await sql.close()
      await end(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Starts another program as a server; throws if it does not start. */
async function startPeer(
  file: string,
  argv: (port: number) => readonly string[],
  environment: Readonly<Record<string, string>> = {},
  cores = SERVER_CORE,
): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'quantd-bench-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const database = { DATABASE: join(folder, 'bench.db') }
  const child = launchPinned(cores, file, argv(port), { ...database, ...environment }, folder)
  const stop = async () => {
    await end(child)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await ready(child, url, folder)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, stop, pid: child.pid! }
}

const PEERS = join(import.meta.dirname, 'peers')

export const startEcho = (): Promise<Server> =>
  startPeer(process.execPath, (port) => [join(PEERS, 'fastify-echo.ts'), String(port)])

export type FastApi = Server & { readonly versions: Readonly<Record<string, string>> }

/**
 * Starts FastAPI with one uvicorn worker; null if it, or what the application imports, is not installed.
 * @param app a file of peers/
 */
export async function startFastApi(
  app: string,
  environment: Readonly<Record<string, string>> = {},
  cores = SERVER_CORE,
): Promise<FastApi | null> {
  const argv = (port: number) => [
    ...['-m', 'uvicorn', '--app-dir', PEERS, `${app}:app`, '--port', String(port)],
    ...['--no-access-log', '--log-level', 'warning', '--workers', '1'],
  ]
  const own = { PYTHONDONTWRITEBYTECODE: '1', ...environment }
  try {
    const server = await startPeer('/usr/bin/python3', argv, own, cores)
    return {
      ...server,
      versions: (await (await fetch(`${server.url}/readyz`)).json()) as FastApi['versions'],
    }
  } catch (error) {
    console.log(String(error).split('\n').slice(-3).join('\n'))
    return null
  }
}

/** Starts a PostgreSQL server on the other core. */
export async function startPinnedPostgres() {
  const postgres = await startPostgres()
  for (const pid of processTree(postgres.pid!)) pin(pid, OTHER_CORE)
  return { ...postgres, database: () => createDatabase(postgres.url) }
}

/** Runs the load generator as a separate process. */
export async function generate(load: Load, cores = OTHER_CORE): Promise<LoadResult> {
  const file = join(import.meta.dirname, 'load.ts')
  const child = spawn('taskset', ['-c', cores, process.execPath, file, JSON.stringify(load)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  let text = ''
  child.stdout!.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
  })
  const [code] = await once(child, 'close')
  running.delete(child)
  if (code !== 0) throw new Error(`the load generator ended with ${code}`)
  return JSON.parse(text) as LoadResult
}

/** Throws unless every reply was a success. */
export async function generateSuccesses(load: Load, cores = OTHER_CORE): Promise<LoadResult> {
  const result = await generate(load, cores)
  const others = Object.entries(result.statuses).filter(([status]) => status !== '200')
  if (others.length > 0) throw new Error(`not every reply was a success: ${JSON.stringify(result.statuses)}`)
  return result
}

/** Pins this process to the other core. */
export const pinSelf = (): void => pin(process.pid, OTHER_CORE)

/** Lets this process, and those that it starts, use both cores. */
export const unpinSelf = (): void => pin(process.pid, BOTH_CORES)

function pin(pid: number, cores: string): void {
  execFileSync('taskset', ['-a', '-p', '-c', cores, String(pid)], { stdio: 'ignore' })
}

function launchPinned(
  cores: string,
  file: string,
  argv: readonly string[],
  environment: Readonly<Record<string, string>>,
  folder: string,
): ChildProcess {
  const log = openSync(join(folder, 'log'), 'a')
  const child = spawn('taskset', ['-c', cores, file, ...argv], {
    stdio: ['ignore', log, log],
    env: { PATH: process.env.PATH, ...environment },
  })
  closeSync(log)
  running.add(child)
  return child
}

async function ready(child: ChildProcess, url: string, folder: string): Promise<void> {
  const deadline = performance.now() + READY_MS
  for (;;) {
    const isReady = await fetch(`${url}/readyz`)
      .then(async (response) => {
        await response.arrayBuffer()
        return response.ok
      })
      .catch(() => false)
    if (isReady) return
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`a server did not start:\n${readFileSync(join(folder, 'log'), 'utf8')}`)
    await sleep(25)
  }
}

/** Makes a guest account, with its 50 credits. */
export async function guestKey(url: string): Promise<string> {
  const response = await fetch(`${url}/guest/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ device_id: 'bench', device_name: 'bench', platform: 'bench' }),
  })
  const { data } = (await response.json()) as { data: { api_key: string } }
  return data.api_key
}

async function account(url: string, sql: PlainSql): Promise<string> {
  const apiKey = await guestKey(url)
  await sql.query(
    `INSERT INTO ledger (at, account_id, kind, amount, note) SELECT 0, id, 'grant', $1 - balance, 'bench' FROM accounts`,
    [FUNDS],
  )
  await sql.query(
    `UPDATE accounts SET tier = 'pro', expires_at = NULL, hour_limit = 1000000000, balance = $1`,
    [FUNDS],
  )
  return apiKey
}

async function end(child: ChildProcess): Promise<void> {
  running.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await exited
  clearTimeout(timer)
}
