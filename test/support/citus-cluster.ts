/**
 * A Citus cluster for tests: one coordinator and two workers on loopback. The build lies outside the checkout, in a folder
 * with two programs: `start FOLDER PORT` starts the servers at PORT and the two ports after it and prints the
 * coordinator's URL as its last line, `stop FOLDER` ends them.
 */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { asAdmin } from './as-admin.ts'
import { TEMPLATE } from './citus-database.ts'
import { freePort } from './free-port.ts'
import { isAlive, killAllIn, killTree } from './processes.ts'
import { promoted } from './promotion.ts'
import { until } from './until.ts'

export interface CitusCluster {
  /** The URL of the coordinator. */
  readonly url: string
  readonly folder: string
  stop(): void
}

/** Names of the servers' data folders. */
export const COORDINATOR = 'n0'
export const WORKERS = ['n1', 'n2'] as const

/** Options of tests that need a cluster. */
export const citusOnly = { skip: process.env.QUANTD_TEST_CITUS === undefined ? 'Citus only' : false }

const BESIDE = '../shared/citus'

/** The folder with the programs, or the reason why there is none. */
export function citusBuild(): { readonly programs: string } | { readonly absent: string } {
  const named = process.env.QUANTD_CITUS
  const programs = resolve(named ?? join(import.meta.dirname, '../..', BESIDE))
  if (existsSync(join(programs, 'start'))) return { programs }
  return {
    absent:
      named === undefined
        ? `no build of Citus lies beside the checkout (${BESIDE}), and QUANTD_CITUS is not set`
        : `QUANTD_CITUS names ${named}, which has no program \`start\``,
  }
}

function programsOfBuild(): string {
  const build = citusBuild()
  if ('absent' in build) throw new Error(build.absent)
  return build.programs
}

/** Starts a cluster, which `stop` or the end of this process ends. @param programs the folder; absent: that of the build */
export async function startCitus(programs = programsOfBuild()): Promise<CitusCluster> {
  const parent = mkdtempSync(join(tmpdir(), 'quantd-citus-'))
  // The servers run as another user than root.
  chmodSync(parent, 0o755)
  const folder = join(parent, 'cluster')
  const stop = () => {
    process.off('exit', stop)
    spawnSync(join(programs, 'stop'), [folder])
    // `stop` does not know the standbys.
    killAllIn(parent)
    rmSync(parent, { recursive: true, force: true })
  }
  process.once('exit', stop)
  try {
    const started = await promisify(execFile)(join(programs, 'start'), [folder, String(await freePort(3))])
    for (const name of [COORDINATOR, ...WORKERS]) await adjust(serverOf(folder, name))
    return { url: started.stdout.trim().split('\n').at(-1)!, folder, stop }
  } catch (error) {
    stop()
    throw new Error('The Citus cluster did not start', { cause: error })
  }
}

/**
 * Without encryption, proxies can read the messages between the servers. A killed server with many databases starts sooner if it
 * forces its file system to disk instead of each file. Connections are many: Citus has a process with its own for every database,
 * and uses several for a move.
 */
const SETTINGS = [
  ...["citus.node_conninfo = 'sslmode=disable'", "recovery_init_sync_method = 'syncfs'"],
  ...['max_connections = 600', 'max_worker_processes = 400', 'max_logical_replication_workers = 40'],
]

async function adjust(server: KillableServer): Promise<void> {
  await asAdmin(`postgres://postgres@127.0.0.1:${server.port}/postgres`, async (admin) => {
    for (const setting of SETTINGS) await admin.query(`ALTER SYSTEM SET ${setting}`)
  })
  server.kill9()
  await server.start()
}

/** Finds the port of the worker that holds each of the first accounts, in the order of their ids. */
export const portsOfAccounts = (count: number): string => `SELECT nodeport AS port FROM accounts
  JOIN pg_dist_placement ON shardid = get_shard_id_for_distribution_column('accounts', id)
  JOIN pg_dist_node USING (groupid) ORDER BY id LIMIT ${count}`

export interface KillableServer {
  readonly port: number
  /** The folder of its programs. */
  readonly bin: string
  /** Of the postmaster, while it runs. */
  readonly pid: number
  /** Kills all its processes at once, as a power failure would. */
  kill9(): void
  /** Starts the server with the command by which it was started before. */
  start(): Promise<void>
}

/** @param name `COORDINATOR` or one of `WORKERS` */
export function serverOf(folder: string, name: string): KillableServer {
  const data = join(folder, name)
  const [program, option] = readFileSync(join(data, 'postmaster.opts'), 'utf8').match(/[^\s"]+/g)!
  assert.equal(option, '-D')
  const lines = () => readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n').map(Number)
  const port = lines()[3]
  const bin = dirname(program!)
  const start = `${bin}/pg_ctl -D ${data} -l ${data}.log -w -t 120 start`
  return {
    port,
    bin,
    get pid() {
      return lines()[0]
    },
    kill9: () => killTree(lines()[0]),
    async start() {
      // Until its killed postmaster is reaped, its process id exists and a new one refuses to start.
      await until(() => !isAlive(lines()[0]), 'the killed server was reaped')
      await promisify(execFile)('su', ['postgres', '-s', '/bin/bash', '-c', start])
    },
  }
}

export interface Standby {
  readonly port: number
  /** Kills the server that the standby copies, deletes its data, and makes the standby accept writes. */
  replace(): Promise<void>
}

/** Starts a standby of a server by streaming replication. Each COMMIT of the server waits for it. */
export async function addStandby(folder: string, name: string): Promise<Standby> {
  const server = serverOf(folder, name)
  const port = await freePort()
  const [data, copied] = [join(folder, `${name}-standby`), join(folder, name)]
  const asPostgres = runnerAs(server)
  const source = `-h 127.0.0.1 -p ${server.port} -U postgres`
  await asPostgres(`pg_basebackup ${source} -D ${data} -R -X stream -c fast`)
  await asPostgres(`sed -i 's/^port = .*/port = ${port}/' ${data}/postgresql.conf`)
  await asPostgres(`pg_ctl -D ${data} -l ${data}.log -w start`)
  const urlAt = (place: number) => `postgres://postgres@127.0.0.1:${place}/postgres`
  await asAdmin(urlAt(server.port), async (admin) => {
    await admin.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
    await admin.query('SELECT pg_reload_conf()')
  })
  return {
    port,
    async replace() {
      server.kill9()
      rmSync(copied, { recursive: true })
      await asAdmin(urlAt(port), (admin) => promoted(async (sql) => (await admin.query(sql)).rows))
    },
  }
}

/** Runs programs of the server's version as the user whose servers they are. */
export const runnerAs =
  ({ bin }: KillableServer) =>
  (command: string) =>
    promisify(execFile)('su', ['postgres', '-s', '/bin/bash', '-c', `PATH=${bin}:$PATH; ${command}`])

export interface AddedWorker {
  readonly port: number
  /** Of the postmaster. */
  readonly pid: number
  /** Ends it. */
  stop(): void
}

/** Starts a further server with the settings of the others, which `citus_add_node` can make a worker of a database's cluster. */
export async function addWorker(folder: string, databaseUrl: string): Promise<AddedWorker> {
  const asPostgres = runnerAs(serverOf(folder, COORDINATOR))
  const port = await freePort()
  const data = join(folder, `added-${port}`)
  await asPostgres(`initdb -D ${data} -A trust -U postgres`)
  const settings = `${join(folder, WORKERS[0])}/postgresql.conf`
  await asPostgres(`sed 's/^port = .*/port = ${port}/' ${settings} >${data}/postgresql.conf`)
  await asPostgres(`pg_ctl -D ${data} -l ${data}.log -w start`)
  const url = `postgres://postgres@127.0.0.1:${port}`
  const name = new URL(databaseUrl).pathname.slice(1)
  // Citus sends a new worker the owners of the databases that it knows: this database, and the template that it was copied from.
  for (const database of [name, TEMPLATE])
    await asAdmin(`${url}/postgres`, (admin) => admin.query(`CREATE DATABASE ${database}`))
  await asAdmin(`${url}/${name}`, (admin) => admin.query('CREATE EXTENSION citus'))
  const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  return { port, pid, stop: () => killTree(pid) }
}
