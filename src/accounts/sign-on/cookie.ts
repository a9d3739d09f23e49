/** Cookies of the pages, and the origin under which a browser knows the service. */
import { isLoopback } from '../../base/loopback.ts'
import { SECOND_MS } from '../../base/time.ts'
import type { RequestHeaders } from '../../protocol/incoming.ts'

export interface Cookie {
  readonly name: string
  /** An empty value with a life of 0 removes the cookie. */
  readonly value: string
  readonly path: string
  readonly sameSite: 'Strict' | 'Lax'
  readonly lifeMs: number
}

/** Sets `Secure`, except on this machine: there is no TLS, and not every browser accepts such a cookie without. */
export function setCookie(headers: RequestHeaders, { lifeMs, name, path, sameSite, value }: Cookie): string {
  const attributes = `Path=${path}; HttpOnly; SameSite=${sameSite}; Max-Age=${lifeMs / SECOND_MS}`
  return `${name}=${value}; ${attributes}${isLocal(headers) ? '' : '; Secure'}`
}

export function cookieOf({ cookie = '' }: RequestHeaders, name: string): string | null {
  const found = cookie.split(/; */).find((one) => one.startsWith(`${name}=`))
  return found === undefined ? null : found.slice(name.length + 1)
}

/** The origin by the Host header; null: it names no host. It may be forged: the provider redirects only to addresses it knows. */
export function originOf(headers: RequestHeaders): string | null {
  const { host = '' } = headers
  if (!/^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?$/.test(host)) return null
  return `${isLocal(headers) ? 'http' : 'https'}://${host}`
}

const isLocal = ({ host = '' }: RequestHeaders): boolean =>
  isLoopback(host.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''))
