/** Cookies of the pages, and the origin that a browser knows the service by. */
import { isLoopback } from '../loopback.ts'
import type { RequestHeaders } from '../pipeline/incoming.ts'
import { SECOND_MS } from '../time.ts'

export interface Cookie {
  readonly name: string
  /** Empty, with a life of 0: the browser forgets it. */
  readonly value: string
  readonly path: string
  readonly sameSite: 'Strict' | 'Lax'
  readonly lifeMs: number
}

/** `Secure` but on this machine, where there is no TLS and not every browser makes an exception. */
export function setCookie(headers: RequestHeaders, { lifeMs, name, path, sameSite, value }: Cookie): string {
  const attributes = `Path=${path}; HttpOnly; SameSite=${sameSite}; Max-Age=${lifeMs / SECOND_MS}`
  return `${name}=${value}; ${attributes}${isLocal(headers) ? '' : '; Secure'}`
}

export function cookieOf({ cookie = '' }: RequestHeaders, name: string): string | null {
  const found = cookie.split(/; */).find((one) => one.startsWith(`${name}=`))
  return found === undefined ? null : found.slice(name.length + 1)
}

/** By the host that the browser asked; null: it names none. The provider knows the addresses that it may send people to. */
export function originOf(headers: RequestHeaders): string | null {
  const { host = '' } = headers
  if (!/^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?$/.test(host)) return null
  return `${isLocal(headers) ? 'http' : 'https'}://${host}`
}

const isLocal = ({ host = '' }: RequestHeaders): boolean =>
  isLoopback(host.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''))
