/** The addresses of the listeners. */
import { ConfigError } from './values.ts'

interface Listeners {
  readonly host: string
  readonly port: number
  readonly metricsHost: string
  readonly metricsPort: number
  /** Otherwise the metrics take another port if theirs is in use. */
  readonly metricsPortGiven: boolean
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
