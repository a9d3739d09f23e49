/** Listens on the addresses of the service. If an address is taken, the error names the setting to change. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createNetServer, type ListenOptions, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { answersTo } from '../../base/hosts.ts'
import { METRICS_CONNECTIONS } from '../../base/limits/operation.ts'
import { type Config, ConfigError } from '../config/read-config.ts'
import type { Logger } from '../log.ts'

/** The settings of the address for calls. */
const SERVICE = 'HOST or PORT'
const PATIENCE_MS = 5_000
const PAUSE_MS = 100

/** Resolves to the port. Throws ConfigError, which names the settings, if the address is taken or not allowed. */
async function listenOn(server: Server, options: ListenOptions, settings: string): Promise<number> {
  server.listen(options)
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const why = isInUse(error) ? 'it is in use' : error.message
    const address = `${options.host}:${options.port}`
    throw new ConfigError(`quantd cannot listen on ${address}: ${why}; set ${settings} to another.`, {
      cause: error,
    })
  })
  return (server.address() as AddressInfo).port
}

/** @param sharesPort whether other nodes listen on the port with sockets of their own, among which Linux divides new connections */
export const listenForCalls = (
  server: Server,
  { host, port }: Config,
  { sharesPort }: { readonly sharesPort: boolean },
): Promise<number> => listenOn(server, { host, port, reusePort: sharesPort }, SERVICE)

export const listenForOperators = (
  server: Server,
  { operatorHost: host, operatorPort }: Config,
): Promise<number> =>
  listenOn(server, { host, port: operatorPort! }, 'QUANTD_OPERATOR_HOST or QUANTD_OPERATOR_PORT')

/**
 * The port that several nodes will share. It must be free, because they could share it with another service without an error. It
 * is tried for a while: nodes of a service that was just killed may not have ended yet.
 */
export async function freePortOf({ host, port }: Config): Promise<number> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const server = createNetServer()
    try {
      const free = await listenOn(server, { host, port }, SERVICE)
      server.close()
      await once(server, 'close')
      return free
    } catch (error) {
      if (!isInUse((error as Error).cause) || performance.now() > deadline) throw error
      await sleep(PAUSE_MS)
    }
  }
}

const isInUse = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EADDRINUSE'

/**
 * The listener of the metrics; null: they are switched off. Without METRICS_PORT, a second service on a machine takes any free
 * port for its metrics.
 */
export async function listenForMetrics(
  config: Config,
  text: () => Promise<string>,
  log: Pick<Logger, 'warn'>,
) {
  const { metricsHost: host, metricsPort: port, metricsPortGiven, metricsToken } = config
  if (port === 0) return null
  const isAllowed = bearerCheck(metricsToken)
  const server = createServer(async (request, response) => {
    // Without a token, a page whose name was pointed to this machine (DNS rebinding) could read the metrics.
    if (metricsToken === null && !answersTo(request.headers.host, request.socket.localAddress, [])) {
      response.writeHead(421).end('The metrics do not answer to this name; use an address.\n')
      return
    }
    if (!isAllowed(request.headers.authorization)) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end('Send METRICS_TOKEN as a bearer token.\n')
      return
    }
    const body = await text().catch(() => null)
    response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8')
    if (body === null) response.writeHead(503).end('The metrics cannot be read; try again.\n')
    else response.end(body)
  })
  server.maxConnections = METRICS_CONNECTIONS
  const listen = (wanted: number) =>
    listenOn(server, { host, port: wanted }, 'METRICS_HOST or METRICS_PORT (0: no metrics)')
  const stepAside = async () => {
    const metrics = await listen(0)
    log.warn(
      { host, port: metrics },
      `the metrics are on another port, because ${port} is in use: set METRICS_PORT`,
    )
  }
  // The listener for calls takes its port later.
  if (!metricsPortGiven && port === config.port) await stepAside()
  else
    await listen(port).catch(async (error) => {
      if (metricsPortGiven || !isInUse(error.cause)) throw error
      await stepAside()
    })
  return server
}

/** Checks the bearer token. Hashes are compared, so that the time of a comparison reveals nothing about the token. */
function bearerCheck(token: string | null): (authorization: string | undefined) => boolean {
  if (token === null) return () => true
  const hashOf = (text: string) => createHash('sha256').update(text).digest()
  const wanted = hashOf(token)
  return (authorization) => {
    const [, given] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
    return given !== undefined && timingSafeEqual(hashOf(given), wanted)
  }
}
