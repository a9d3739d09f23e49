/** `quantd serve`: runs until it is told to stop. */
import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../config.ts'
import { openLog } from '../log.ts'
import { serveInCluster, startCluster } from '../main/cluster.ts'
import { startService } from '../main.ts'

/** At SIGTERM a start that has nearly ended may take so long to end. */
const START_ENDS_MS = 1_000

export async function serve(): Promise<void> {
  const config = readConfig()
  const log = openLog(config.logLevel)
  if (cluster.isWorker) return await serveInCluster(config, log)
  const starting = config.processes > 1 ? startCluster(config, log) : startService(config, { log })
  let stopping = false
  const stop = async (signal: string): Promise<void> => {
    // A Ctrl-C may arrive twice, from the terminal and from npm.
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping: requests under way are finished first')
    // A start that waits for the database is given up.
    const service = await Promise.race([starting, sleep(START_ENDS_MS)]).catch(() => undefined)
    await service?.close()
    process.exit(0)
  }
  // Before the start ends: signals have no default action for process 1 of a container.
  process.on('SIGTERM', stop).on('SIGINT', stop)
  const service = await starting

  // Only now: a supervisor that reads it may stop the service at once.
  const place = config.databaseUrl === null ? `SQLite in ${config.dataDir}` : 'PostgreSQL'
  console.log(greeting(service.url, place))
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
