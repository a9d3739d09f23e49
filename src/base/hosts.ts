/** Hosts: names of this machine and of a listener, ranges of addresses (CIDR), and the hosts of a PostgreSQL URL. */
import { BlockList, isIP } from 'node:net'

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)

/** Whether the pages of an origin come from this machine. */
export function isLoopbackOrigin(origin: string): boolean {
  const host = URL.parse(origin)?.hostname
  return host !== undefined && isLoopback(withoutBrackets(host))
}

/**
 * Whether a listener answers to a Host header: its name is loopback, the address at which the request arrived, or a known one. A page
 * whose own name was pointed to this machine (DNS rebinding) sends its own name. Clients without a Host are no browsers.
 */
export function answersTo(
  host: string | undefined,
  address: string | undefined,
  names: readonly string[],
): boolean {
  if (host === undefined) return true
  const name = withoutBrackets(host.replace(/:\d*$/, '')).toLowerCase()
  return isLoopback(name) || name === address?.replace(/^::ffff:/, '') || names.includes(name)
}

/** The host of a URL, where an IPv6 address stands in brackets. */
export const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '')

/** A range of addresses in CIDR notation (RFC 4632, RFC 4291 section 2.3); an address alone is a range of one. */
interface IpRange {
  readonly address: string
  readonly family: 'ipv4' | 'ipv6'
  /** The bits that all addresses of the range share. */
  readonly prefix: number
}

/** The range that a text names; null: none. */
export function ipRange(text: string): IpRange | null {
  const [address = '', prefix, ...more] = text.replace(/%[^/]*/, '').split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return null
  const bits = family === 6 ? 128 : 32
  if (prefix !== undefined && !(/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)) return null
  return { address, family: family === 6 ? 'ipv6' : 'ipv4', prefix: Number(prefix ?? bits) }
}

/**
 * The test whether an address lies in one of the ranges.
 * @param ranges each the text of a range
 */
export function withinRanges(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const text of ranges) {
    const { address, family, prefix } = ipRange(text)!
    list.addSubnet(address, prefix, family)
  }
  return (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** The values of `target_session_attrs` for a primary and for a standby. */
export const PRIMARY = ['read-write', 'primary']
export const STANDBY = ['standby', 'prefer-standby', 'read-only', 'any']

/** Parameters of libpq that also name several hosts, or choose between them. */
const OTHER_WAYS = ['host', 'hostaddr', 'port', 'load_balance_hosts']

/** The end of a message about a malformed URL: generated passwords often contain these characters. */
export const ESCAPES =
  'In the user and the password write / as %2F, @ as %40, # as %23, ? as %3F and % as %25.'

/**
 * A URL for each host, in their order. Throws RangeError, whose message continues the name of the setting.
 * @param targets the accepted values of `target_session_attrs`
 */
export function hostsOf(url: string, targets: readonly string[] = PRIMARY): string[] {
  const [, start = '', list = '', rest = ''] = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is.exec(url) ?? []
  const hosts = list.split(',')
  const urls = hosts.map((host) => start + host + rest)
  const parsed = urls.map((one) => URL.parse(one))
  if (parsed.some((one) => one === null || !/^postgres(ql)?:$/.test(one.protocol) || one.hostname === ''))
    throw new RangeError(
      `is not a URL of the form postgres://user:password@host:5432/database; several hosts are written as host1:5432,host2:5432. ${ESCAPES}`,
    )
  const { searchParams } = parsed[0] as URL
  const target = searchParams.get('target_session_attrs')
  if (target !== null && !targets.includes(target))
    throw new RangeError(
      `has target_session_attrs=${target}; leave it out, or set it to ${targets.join(' or ')}.`,
    )
  const other = OTHER_WAYS.find((name) => {
    const value = searchParams.get(name)
    return value !== null && (hosts.length > 1 || value.includes(',') || name === 'load_balance_hosts')
  })
  if (other !== undefined)
    throw new RangeError(
      `has the parameter ${other}; name several hosts before the database, as in postgres://user@host1:5432,host2:5432/database.`,
    )
  return urls
}
