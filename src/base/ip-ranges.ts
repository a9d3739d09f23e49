/** Ranges of IP addresses, in CIDR notation (RFC 4632, RFC 4291 section 2.3); an address alone is a range of one. */
import { BlockList, isIP } from 'node:net'

export interface IpRange {
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
