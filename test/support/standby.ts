/** A PostgreSQL of Debian 12 with a streaming standby, without Patroni: tests promote and kill them by hand. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from './free-port.ts'
import { killTree } from './processes.ts'
import { ownedFolder, POSTGRES_BIN, PROGRAMS, type Program, refuseMissing, run, start } from './programs.ts'
import { promoted } from './promotion.ts'
import { until } from './until.ts'

export interface Server {
  /** The address of the server's own database, as superuser. */
  readonly url: string
  readonly host: string
  /** The process id of the postmaster. */
  readonly pid: number
  query<Row = Record<string, unknown>>(sql: string): Promise<Row[]>
  kill9(): Promise<void>
  /** Makes a standby the primary. */
  promote(): Promise<void>
  /** Starts the server after kill9. @param env the environment of its process, for a clock of its own */
  start(env?: Readonly<Record<string, string>>): Promise<void>
}

export interface Pair {
  readonly primary: Server
  readonly standby: Server
  /** The address with both hosts, the primary first. */
  readonly hostsUrl: string
  readonly folder: string
  /** Resolves when the standby shows whatever the primary has forced to disk. */
  caughtUp(): Promise<void>
  stop(): Promise<void>
}

export interface PairOptions {
  /** Of the processes of each server. */
  readonly env?: {
    readonly primary?: Readonly<Record<string, string>>
    readonly standby?: Readonly<Record<string, string>>
  }
}

const USER = 'quantd'
const READY_MS = 120_000
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '64MB',
  max_connections: '60',
}

export async function startPair({ env = {} }: PairOptions = {}): Promise<Pair> {
  refuseMissing(['postgres'])
  const folder = ownedFolder(mkdtempSync(join(tmpdir(), 'quantd-standby-')))
  chmodSync(folder, 0o755)
  const options = ['--encoding=UTF8', '--locale=C', '--auth=trust', `--username=${USER}`, '--no-sync']
  run(`${POSTGRES_BIN}/initdb`, ['-D', join(folder, 'primary'), ...options], folder)
  const primary = await serverIn(folder, 'primary')
  const servers = [primary]
  const stop = async () => {
    for (const server of servers) await server.kill9()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await primary.start(env.primary)
    const source = ['-d', primary.url, '-D', join(folder, 'standby')]
    run(`${POSTGRES_BIN}/pg_basebackup`, [...source, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'], folder)
    const standby = await serverIn(folder, 'standby')
    servers.push(standby)
    await standby.start(env.standby)
    const hosts = `${primary.host},${standby.host}`
    const caughtUp = async () => {
      const [row] = await primary.query<{ lsn: string }>('SELECT pg_current_wal_flush_lsn() AS lsn')
      const shown = `SELECT 1 WHERE pg_last_wal_replay_lsn() >= '${row!.lsn}'`
      await until(async () => (await standby.query(shown)).length > 0, 'the standby has caught up')
    }
    return { primary, standby, hostsUrl: primary.url.replace(primary.host, hosts), folder, caughtUp, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function serverIn(folder: string, name: string): Promise<Server> {
  const port = await freePort()
  const host = `127.0.0.1:${port}`
  const url = `postgres://${USER}@${host}/postgres`
  const settings = Object.entries({ ...SETTINGS, port }).flatMap(([key, value]) => ['-c', `${key}=${value}`])
  let program: Program | null = null
  const query = async <Row>(sql: string): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return (await client.query(sql)).rows
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  return {
    url,
    host,
    query,
    get pid() {
      return program!.child.pid!
    },
    async kill9() {
      const pid = program?.child.pid
      if (pid === undefined || program!.child.exitCode !== null) return
      killTree(pid)
      await program!.end('SIGKILL')
      program = null
    },
    promote: () => promoted(query),
    async start(env) {
      program = start(folder, name, PROGRAMS.postgres.file, ['-D', join(folder, name), ...settings], env)
      const deadline = performance.now() + READY_MS
      while (
        !(await query('SELECT 1').then(
          () => true,
          () => false,
        ))
      ) {
        if (program.child.exitCode !== null || performance.now() > deadline)
          throw new Error(`PostgreSQL did not start:\n${program.log()}`)
        await sleep(50)
      }
    },
  }
}
