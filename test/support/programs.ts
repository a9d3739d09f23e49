/** Programs of Debian's packages that a failover run starts: each in a group of the run's folder, ended with the run. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, chownSync, closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The programs, with the packages that hold them. */
export const PROGRAMS = {
  etcd: { file: '/usr/bin/etcd', package: 'etcd-server' },
  patroni: { file: '/usr/bin/patroni', package: 'patroni' },
  haproxy: { file: '/usr/sbin/haproxy', package: 'haproxy' },
  pgbouncer: { file: '/usr/sbin/pgbouncer', package: 'pgbouncer' },
  postgres: { file: '/usr/lib/postgresql/15/bin/postgres', package: 'postgresql-15' },
} as const

export const POSTGRES_BIN = '/usr/lib/postgresql/15/bin'

/** PostgreSQL refuses to run as root; if the run does, its servers run as nobody. */
export const AS = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/** Throws an Error that names the packages that are missing. */
export function refuseMissing(names: readonly (keyof typeof PROGRAMS)[]): void {
  const missing = names.filter((name) => !exists(PROGRAMS[name].file))
  if (missing.length > 0)
    throw new Error(`install Debian's ${missing.map((name) => PROGRAMS[name].package).join(', ')} first`)
}

function exists(file: string): boolean {
  try {
    accessSync(file)
    return true
  } catch {
    return false
  }
}

/** Creates a folder that the programs own. */
export function ownedFolder(...path: string[]): string {
  const folder = join(...path)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (AS.uid !== undefined) chownSync(folder, AS.uid, AS.gid)
  return folder
}

export interface Program {
  readonly child: ChildProcess
  /** The last lines of its output. */
  log(): string
  /** Sends a signal and resolves when it has ended. */
  end(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): Promise<void>
}

/** Starts a program, whose output is added to `FOLDER/NAME.log`. */
export function start(
  folder: string,
  name: string,
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Program {
  const logFile = join(folder, `${name}.log`)
  const log = openSync(logFile, 'a')
  const child = spawn(file, args, {
    ...AS,
    cwd: folder,
    stdio: ['ignore', log, log],
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', HOME: folder, ...env },
  })
  closeSync(log)
  child.on('error', () => undefined)
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  return {
    child,
    log: () => readFileSync(logFile, 'utf8').slice(-4_000),
    async end(signal) {
      process.off('exit', kill)
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
  }
}

/** Runs a program to its end as the user of the servers. Throws with its output if it fails. */
export function run(file: string, args: readonly string[], cwd: string): void {
  const { error, status, stderr, stdout } = spawnSync(file, args, {
    ...AS,
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' },
  })
  if (error || status !== 0) throw error ?? new Error(`${file} failed:\n${stdout}${stderr}`)
}
