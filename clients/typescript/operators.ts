/** The client of the operators' interface: one method per endpoint, with the token of a program or a person. */

import { exchange, type OutgoingRequest } from './exchange.ts'
import { type ActOptions, type Acts, acts } from './operator-acts.ts'
import type { ClientOptions } from './options.ts'
import { repeatable } from './repeat.ts'
import { settingsOf } from './settings.ts'

export * from './errors.ts'
export type * from './operator-acts.ts'

export interface OperatorOptions
  extends Pick<ClientOptions, 'fetch' | 'retries' | 'maxWaitMs' | 'timeoutMs' | 'debug'> {
  /** Address of the operators' listener, for example `http://127.0.0.1:9465`. */
  readonly baseUrl: string
  /** `qd_op_…`, made by `quantd admin token create`. */
  readonly token: string
}

/**
 * Reads, grants and reversals are repeated after failures that may be temporary; other acts are sent once. Methods reject with
 * QuantdError. Throws TypeError if the address or the token cannot be used.
 */
export function operatorClient(options: OperatorOptions): Acts {
  const { baseUrl, apiKey: token } = settingsOf({ baseUrl: options.baseUrl, apiKey: options.token })
  const { debug, maxWaitMs = 30_000, retries = 3, timeoutMs = 60_000 } = options
  const send = async (name: keyof Acts, fields: object | undefined, { signal }: ActOptions = {}) => {
    const { method, path, repeatable: isRepeatable } = acts[name]
    const url = new URL(baseUrl + path)
    if (method === 'GET')
      for (const [field, value] of Object.entries(fields ?? {}))
        if (value !== undefined) url.searchParams.set(field, String(value))
    const outgoing: OutgoingRequest = {
      fetch: options.fetch ?? globalThis.fetch,
      method,
      url,
      timeoutMs,
      signal,
      debug,
      headers: new Headers({
        authorization: `Bearer ${token}`,
        ...(method === 'POST' && { 'content-type': 'application/json' }),
      }),
      body: method === 'POST' ? JSON.stringify(fields ?? {}) : null,
    }
    const onRetry = ({ code }: { code: string }, waitMs: number) =>
      debug?.({ type: 'retry', url: url.href, code, waitMs })
    const patience = { retries: isRepeatable ? retries : 0, maxWaitMs, signal, onRetry }
    return (await repeatable((number) => exchange(outgoing, number), patience)).data
  }
  const methods = Object.entries(acts).map(([name, { input }]) => [
    name,
    input
      ? (fields?: object, options?: ActOptions) => send(name as keyof Acts, fields, options)
      : (options?: ActOptions) => send(name as keyof Acts, undefined, options),
  ])
  return Object.fromEntries(methods) as unknown as Acts
}
