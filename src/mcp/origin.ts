/** The check that the protocol requires against DNS rebinding: which web pages may send messages. */
import { header, type Incoming } from '../pipeline/incoming.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The origin of a page that may not send messages; null: it may. Browsers send an Origin, other clients send none. */
export function foreignOrigin(incoming: Incoming, allowed: readonly string[]): string | null {
  const origin = header(incoming, 'origin')
  if (origin === undefined || allowed.includes(origin)) return null
  const host = URL.parse(origin)?.hostname
  return host !== undefined && LOOPBACK.has(host) ? null : origin
}
