/**
 * Posts one message to an endpoint at a public address, so that an endpoint cannot reach what only this machine can. Only the status
 * of the reply is read; redirections are not followed.
 */
import { lookup as resolve } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { withinRanges, withoutBrackets } from '../../base/hosts.ts'
import {
  WEBHOOK_MS,
  WEBHOOK_REPLY_HEADER_BYTES,
  WEBHOOK_URL_CHARACTERS,
} from '../../base/limits/operation.ts'

export interface PostOptions {
  readonly allowPrivate: boolean
  /** Only tests replace it. */
  readonly resolve?: typeof resolve
  readonly deadlineMs?: number
}

/** Resolves a name once per connection, to its allowed addresses only, so that no later answer of DNS can replace them. */
export const checkedLookup =
  ({ allowPrivate, resolve: find = resolve }: PostOptions, isPlain: boolean): LookupFunction =>
  (hostname, options, done) => {
    find(hostname, { all: true, family: options.family as 0 }, (error, addresses) => {
      const allowed = (addresses ?? []).filter(({ address }) => (isPublic(address) ? !isPlain : allowPrivate))
      const [one] = allowed
      if (error !== null || one === undefined)
        return done(error ?? new Error('the address is not allowed'), '', 0)
      if (options.all) done(null, allowed)
      else done(null, one.address, one.family)
    })
  }

/** The HTTP status of the reply; null: none came within the deadline, or the address is not allowed. Never rejects. */
export async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  options: PostOptions,
): Promise<number | null> {
  // The setting may have changed since the endpoint was created.
  if (faultOf(url, options) !== null) return null
  const to = new URL(url)
  const isPlain = to.protocol === 'http:'
  // A command that sends nothing starts a tenth quicker without this module.
  const { request: send } = isPlain ? await import('node:http') : await import('node:https')
  return await new Promise((done) => {
    const request = send(to, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      agent: false,
      maxHeaderSize: WEBHOOK_REPLY_HEADER_BYTES,
      lookup: checkedLookup(options, isPlain),
      signal: AbortSignal.timeout(options.deadlineMs ?? WEBHOOK_MS),
    })
    request.on('response', (response) => {
      done(response.statusCode ?? null)
      request.destroy()
    })
    request.on('error', () => done(null))
    request.on('close', () => done(null))
    request.end(body)
  })
}

/** Ranges that are not global unicast (IANA's registries of special-purpose addresses), and those that embed other addresses. */
const isSpecial = withinRanges([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
])
const isGlobalUnicast = withinRanges(['2000::/3'])

/** IPv4-mapped addresses, NAT64, unique local and link-local ones lie outside of 2000::/3. */
export function isPublic(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !isSpecial(address)
  return family === 6 && isGlobalUnicast(address) && !isSpecial(address)
}

/** The IP address in a URL; null: its host is a name. */
function literalOf({ hostname }: URL): string | null {
  const bare = withoutBrackets(hostname)
  return isIP(bare) === 0 ? null : bare
}

/** Names of this machine: localhost and every name below it (RFC 6761). */
const LOCALHOST = /(^|\.)localhost\.?$/

/** Why a URL cannot be an endpoint; null: it can. Names are checked when they are resolved, at each sending. */
export function faultOf(text: string, { allowPrivate }: { readonly allowPrivate: boolean }): string | null {
  const url = URL.parse(text)
  if (url === null || text.length > WEBHOOK_URL_CHARACTERS) return 'it is not a URL'
  if (url.username !== '' || url.password !== '') return 'it contains a user or a password'
  const literal = literalOf(url)
  const isLocal = LOCALHOST.test(url.hostname) || (literal !== null && !isPublic(literal))
  if (isLocal && !allowPrivate) return 'its address is not public (see QUANTD_WEBHOOK_PRIVATE)'
  if (url.protocol === 'https:') return null
  if (url.protocol !== 'http:' || !allowPrivate) return 'it does not begin with https://'
  return literal === null || !isPublic(literal) ? null : 'http:// is for private addresses only'
}
