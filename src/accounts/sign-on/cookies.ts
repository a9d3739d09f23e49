/** Cookies of the pages, those of a sign-on sealed, and the origin under which a browser knows the service. */
import { createHash } from 'node:crypto'
import { signOnExpired } from '../../base/errors/accounts.ts'
import { isLoopback, withoutBrackets } from '../../base/hosts.ts'
import { SIGN_ON_MS } from '../../base/limits/operation.ts'
import { SECOND_MS } from '../../base/time.ts'
import { countAttempt } from '../../ledger/store/attempts.ts'
import type { Runner } from '../../ledger/store/store.ts'
import type { Incoming, RequestHeaders } from '../../protocol/incoming.ts'
import { type Sealed, type Vault, VaultError } from '../../secrets/vault.ts'

export interface Cookie {
  readonly name: string
  /** An empty value with a life of 0 removes the cookie. */
  readonly value: string
  readonly path: string
  readonly sameSite: 'Strict' | 'Lax'
  readonly lifeMs: number
}

/**
 * With TLS, the name has the prefix `__Host-`, so that no other host of the domain can set the cookie; its path is then `/`. On this
 * machine there is no TLS, and not every browser accepts such a cookie without.
 */
export function setCookie(headers: RequestHeaders, { lifeMs, name, path, sameSite, value }: Cookie): string {
  const attributes = `HttpOnly; SameSite=${sameSite}; Max-Age=${lifeMs / SECOND_MS}`
  return isLocal(headers)
    ? `${name}=${value}; Path=${path}; ${attributes}`
    : `${HOST_PREFIX}${name}=${value}; Path=/; ${attributes}; Secure`
}

export function cookieOf(headers: RequestHeaders, name: string): string | null {
  const { cookie = '' } = headers
  const beginning = `${isLocal(headers) ? '' : HOST_PREFIX}${name}=`
  const found = cookie.split(/; */).find((text) => text.startsWith(beginning))
  return found === undefined ? null : found.slice(beginning.length)
}

const HOST_PREFIX = '__Host-'

/**
 * The origin by the Host header; null: it names no host. It may be forged: the provider redirects only to addresses it knows. Other
 * hosts than this machine have https also if no proxy says so, because the cookies need it.
 */
export function originOf({ headers, scheme }: Pick<Incoming, 'headers' | 'scheme'>): string | null {
  const { host = '' } = headers
  if (!/^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?$/.test(host)) return null
  return `${isLocal(headers) ? scheme : 'https'}://${host}`
}

const isLocal = ({ host = '' }: RequestHeaders): boolean =>
  isLoopback(withoutBrackets(host.replace(/:\d+$/, '')))

export interface SealedCookie<Value> {
  set(incoming: Incoming, value: Value): string
  /** Removes the cookie. */
  forget(incoming: Incoming): string
  /** Throws Failure `sign_on_failed` if there is no cookie, or its time is over; `use` throws it if it was used before. */
  read(incoming: Incoming): { readonly value: Value; use(): Promise<void> }
}

export interface CookieParts {
  readonly vault: Pick<Vault, 'open' | 'seal'>
  readonly store: Runner
}

interface Content<Value> {
  readonly value: Value
  readonly at: number
}

/** A cookie that only this service can read, valid for the time of a sign-on and for one use. */
export function sealedCookie<Value>(
  { store, vault }: CookieParts,
  { name, path, sameSite }: Pick<Cookie, 'name' | 'path' | 'sameSite'>,
): SealedCookie<Value> {
  const cookie = ({ headers }: Incoming, value: string, lifeMs: number) =>
    setCookie(headers, { name, path, sameSite, value, lifeMs })
  const bound = [name, path]
  const opened = (sealed: Sealed): Content<Value> => {
    try {
      return JSON.parse(vault.open('sign-on', sealed, bound))
    } catch (error) {
      throw error instanceof VaultError ? signOnExpired() : error
    }
  }
  return {
    set(incoming, value) {
      const content: Content<Value> = { value, at: Date.now() }
      const { masterKeyId, sealed } = vault.seal('sign-on', JSON.stringify(content), bound)
      return cookie(incoming, `${masterKeyId}.${Buffer.from(sealed).toString('base64url')}`, SIGN_ON_MS)
    },
    forget: (incoming) => cookie(incoming, '', 0),
    read({ headers }) {
      const [masterKeyId, text = ''] = (cookieOf(headers, name) ?? '').split('.')
      const sealed = Buffer.from(text, 'base64url')
      const { at, value } = opened({ masterKeyId, sealed })
      // A cookie from the time of a clock that was ahead would outlast the record of its use.
      if (Math.abs(Date.now() - at) > SIGN_ON_MS) throw signOnExpired()
      return {
        value,
        async use() {
          // The bytes are hashed, not the text: several texts decode to the same bytes.
          const subject = createHash('sha256').update(sealed).digest('hex')
          const once = { scope: 'sign-on', subject, limit: 1, windowMs: 2 * SIGN_ON_MS }
          if (!(await store.run(countAttempt, [once])).ok) throw signOnExpired()
        },
      }
    },
  }
}
