/** `quantd serve`: runs until it is told to stop, or until the process that would pass the signal on is killed. */

import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { version } from '../../base/version.ts'
import { type Config, readConfig } from '../config/read-config.ts'
import { type Logger, logForPeople, openLog } from '../log.ts'
import type { Nodes } from '../main/supervisor.ts'

/** The time that a start still has to complete after SIGTERM. */
const START_ENDS_MS = 1_000

export async function serve(): Promise<void> {
  const { config, log } = await begin()
  if (!process.stdout.isTTY) log.info({ version }, 'starting')
  for (const warning of config.warnings) log.warn(warning)
  const nodes =
    config.processes > 1
      ? (await import('../main/supervisor.ts')).startNodes(config, log)
      : startNode(config, log, false)
  const stop = stopAtSignals(nodes, log)
  if (config.startedByNpm || process.connected)
    whenOrphaned(() => void stop('the process that waits for this one ended'))
  const url = await nodes.listening

  // Printed last, because a supervisor that reads it may stop the service at once.
  const place = config.databaseUrl === null ? `SQLite in ${config.dataDir}` : 'PostgreSQL'
  console.log(greeting(url, place))
}

/**
 * `quantd node N`: node N of those that `serve` has started, to which it sends its URL. It ends with that process, even a killed
 * one.
 */
export async function serveAsNode(number: number): Promise<void> {
  const end = () => process.exit(1)
  process.once('disconnect', end)
  if (!process.connected) end()
  const { config, log } = await begin()
  const { configOfNode } = await import('../main/supervisor.ts')
  const node = startNode(configOfNode(config, number), log, true)
  stopAtSignals(node, log)
  process.send!(await node.listening)
}

async function begin(): Promise<{ config: Config; log: Logger }> {
  const config = readConfig()
  if (process.stdout.isTTY) await logForPeople()
  return { config, log: openLog(config.logLevel) }
}

function startNode(config: Config, log: Logger, sharesPort: boolean): Nodes {
  const starting = import('../main/service.ts').then(({ startService }) =>
    startService(config, { log, sharesPort }),
  )
  return {
    listening: starting.then(({ url }) => url),
    async stop() {
      // A start that waits for the database is given up.
      const service = await Promise.race([starting, sleep(START_ENDS_MS)]).catch(() => undefined)
      await service?.close()
    },
  }
}

/** Called before the start has completed, because signals have no default action for process 1 of a container. */
function stopAtSignals({ stop }: Nodes, log: Logger): (reason: string) => Promise<void> {
  let stopping = false
  const onEnd = async (reason: string): Promise<void> => {
    // A Ctrl-C may arrive twice, from the terminal and from npm.
    if (stopping) return
    stopping = true
    log.info({ reason }, 'stopping: requests under way are finished first')
    await stop()
    process.exit(0)
  }
  process.on('SIGTERM', onEnd).on('SIGINT', onEnd)
  return onEnd
}

const greeting = (url: string, place: string): string => `
quantd listens on ${url} (${place}).

Your first price, from another terminal:

  KEY=$(curl -s ${url}/guest/create -H 'Content-Type: application/json' \\
    -d '{"device_id":"1","device_name":"laptop","platform":"curl"}' | grep -o 'qd_guest_[A-Za-z0-9]*')
  curl -s ${url}/quantlib/models/variance-gamma/price -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
    -d '{"S":100,"K":90,"T":0.1,"r":0.1,"sigma":0.12,"theta_vg":-0.14,"nu":0.2}'

Console: ${url}/   Reference: ${url}/docs
`

/** The interval between checks of these processes. */
const LOOK_MS = 500
/** The most processes that wait for this one: the launcher, the shell that started it, and npm. */
const MOST_WAITING = 3

/** @param end is called, perhaps repeatedly, once one of them has ended: nobody else would stop the service and free its port */
export function whenOrphaned(end: () => void): void {
  const own = process.pid
  const waiting = waitingFor(own)
  setInterval(() => {
    if (waiting.some((pid, index) => parentOf(waiting[index - 1] ?? own)?.pid !== pid)) end()
  }, LOOK_MS).unref()
}

/** The ids of the processes from the parent up to npm; only that of the parent if npm is not among them. */
function waitingFor(own: number): number[] {
  const pids: number[] = []
  for (let pid = own; pids.length < MOST_WAITING; ) {
    const parent = parentOf(pid)
    if (parent === null) break
    pids.push(parent.pid)
    if (parent.name.startsWith('npm ')) return pids
    pid = parent.pid
  }
  return pids.slice(0, 1)
}

/** Null: the process has ended, or its parent is not known; without /proc, only the parent of this process is known. */
function parentOf(pid: number): { readonly pid: number; readonly name: string } | null {
  const parent = pid === process.pid ? process.ppid : Number(/^PPid:\s*(\d+)/m.exec(statusOf(pid))?.[1] ?? 0)
  if (parent === 0) return null
  return { pid: parent, name: /^Name:\s*(.*)/m.exec(statusOf(parent))?.[1] ?? '' }
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}
