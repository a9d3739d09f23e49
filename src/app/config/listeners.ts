/** The addresses of the listeners, and the settings of the listener of metrics. */

import { isLoopback } from '../../base/host-names.ts'
import { TOKEN_CHARACTERS } from '../../base/limits/operation.ts'
import { ConfigError, type Environment, integer, secret } from './values.ts'

export interface MetricsListener {
  readonly metricsHost: string
  /** 0: no metrics listener. */
  readonly metricsPort: number
  /** Whether METRICS_PORT is set; otherwise another port is taken if this one is in use. */
  readonly metricsPortGiven: boolean
  /** The bearer token that a scrape must send; null: none. */
  readonly metricsToken: string | null
}

interface Listeners extends Omit<MetricsListener, 'metricsToken'> {
  readonly host: string
  readonly port: number
  readonly operatorHost: string
  readonly operatorPort: number | null
  /** Each further process has the metrics port after that of the one before it. */
  readonly processes: number
}

/** Of two listeners on one address, the second would find it in use without another program that uses it. */
export function refuseSharedPort(config: Listeners): void {
  const listeners = [
    { name: 'PORT', host: config.host, port: config.port },
    ...metricsListeners(config),
    { name: 'QUANTD_OPERATOR_PORT', host: config.operatorHost, port: config.operatorPort ?? 0 },
  ].filter(({ port }) => port !== 0)
  for (const [index, { host, name, port }] of listeners.entries()) {
    const other = listeners.slice(0, index).find((one) => one.port === port && one.host === host)
    if (other !== undefined)
      throw new ConfigError(`${name} is ${port}, as is ${other.name}: set one of them to another.`)
  }
}

function metricsListeners({ metricsHost, metricsPort, metricsPortGiven, processes }: Listeners) {
  const isFixed = metricsPort !== 0 && metricsPortGiven
  return Array.from({ length: processes }, (_, index) => ({
    name: index === 0 ? 'METRICS_PORT' : `METRICS_PORT + ${index}, the metrics port of process ${index + 1},`,
    host: metricsHost,
    port: isFixed ? metricsPort + index : 0,
  }))
}

/** Metrics show how much the service is used, so other machines may read them only with a token. */
export function metricsListener(environment: Environment): MetricsListener {
  const metricsHost = environment.METRICS_HOST || '127.0.0.1'
  const metricsPort = integer(environment, 'METRICS_PORT', 9_464, 0, 65_535)
  const metricsToken = secret(environment, 'METRICS_TOKEN', 'METRICS_TOKEN_FILE')
  if (metricsToken === null && metricsPort !== 0 && !isLoopback(metricsHost))
    throw new ConfigError(
      `METRICS_HOST is "${metricsHost}", which other machines can reach: set METRICS_TOKEN or METRICS_TOKEN_FILE too (make one with: openssl rand -hex 32).`,
    )
  if (metricsToken !== null && !/^[\x21-\x7e]+$/.test(metricsToken))
    throw new ConfigError('METRICS_TOKEN takes visible ASCII characters without spaces.')
  if (metricsToken !== null && metricsToken.length < TOKEN_CHARACTERS)
    throw new ConfigError(`METRICS_TOKEN is too short; it takes at least ${TOKEN_CHARACTERS} characters.`)
  return { metricsHost, metricsPort, metricsPortGiven: Boolean(environment.METRICS_PORT), metricsToken }
}
