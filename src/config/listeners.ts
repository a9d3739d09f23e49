/** The ports of the listeners. */
import { ConfigError, type Environment } from './values.ts'

/** Of two listeners on one address, the second would find it in use without another program that uses it. */
export function refuseSharedPort(environment: Environment): void {
  const listeners = [
    { port: 'PORT', host: 'HOST', usual: '8080' },
    { port: 'METRICS_PORT', host: 'METRICS_HOST', usual: '0' },
    { port: 'QUANTD_OPERATOR_PORT', host: 'QUANTD_OPERATOR_HOST', usual: '0' },
  ].map(({ host, port, usual }) => ({
    name: port,
    at: environment[port] || usual,
    host: environment[host] || '127.0.0.1',
  }))
  for (const [index, { at, host, name }] of listeners.entries()) {
    const other = listeners.slice(0, index).find((one) => one.at === at && one.host === host)
    if (other !== undefined && at !== '0')
      throw new ConfigError(`${name} is ${at}, as is ${other.name}: set one of them to another.`)
  }
}
