/** The listener of the metrics, and the message for an address that cannot be had. */
import { createServer } from 'node:http'
import { type Config, ConfigError } from '../config.ts'

/** The reason why an address cannot be listened on, in one line. */
export function cannotListen(error: NodeJS.ErrnoException, address: string, setting: string): ConfigError {
  const why = error.code === 'EADDRINUSE' ? 'it is in use' : error.message
  return new ConfigError(`quantd cannot listen on ${address}: ${why}; set ${setting} to another.`)
}

/** The listener of the metrics; null if they are switched off. */
export async function listenForMetrics(config: Config, text: () => Promise<string>) {
  if (config.metricsPort === 0) return null
  const server = createServer(async (_request, response) => {
    const body = await text().catch(() => null)
    response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8')
    if (body === null) response.writeHead(503).end('Not all processes answered; try again.\n')
    else response.end(body)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(config.metricsPort, '127.0.0.1', resolve)
  }).catch((error) => {
    throw cannotListen(error, `127.0.0.1:${config.metricsPort}`, 'METRICS_PORT (0: no metrics)')
  })
  return server
}
