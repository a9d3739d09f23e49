/** `quantd serve`: runs until it is told to stop. */
import { readConfig } from '../config.ts'
import { openLog } from '../log.ts'
import { startService } from '../main.ts'

export async function serve(): Promise<void> {
  const config = readConfig()
  const log = openLog(config.logLevel)
  const service = await startService(config, { log })
  const place = config.databaseUrl === null ? `SQLite in ${config.dataDir}` : 'PostgreSQL'
  console.log(greeting(service.url, place))

  const stop = async (signal: string): Promise<void> => {
    log.info({ signal }, 'stopping: requests under way are finished first')
    await service.close()
    process.exit(0)
  }
  process.once('SIGTERM', stop).once('SIGINT', stop)
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
