/** Which addresses webhooks may go to: public ones, so that an endpoint cannot reach what only this machine can. */
import { isIP } from 'node:net'
import { withoutBrackets } from '../../base/host-names.ts'
import { withinRanges } from '../../base/ip-ranges.ts'
import { WEBHOOK_URL_CHARACTERS } from '../../base/limits/operation.ts'

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
