/** The client address of a request: the peer of its socket, or the address that a trusted proxy reports. */
import { isIP } from 'node:net'
import { withinRanges } from '../../base/hosts.ts'

export interface Address {
  /** The address in its canonical spelling. */
  readonly ip: string
  /** The unit that limits per client address count. */
  readonly subject: string
}

export function addressOf(peer: string | undefined): Address {
  const ip = normalized(peer ?? '')
  return { ip, subject: countingSubject(ip) }
}

/** Whether an address is that of a proxy that is trusted. */
export type IsProxy = (address: string) => boolean

/** @param proxies IP addresses or CIDR ranges */
export function trustedProxies(proxies: readonly string[]): IsProxy {
  const isTrusted = withinRanges(proxies)
  return (address) => isTrusted(normalized(address))
}

/**
 * The address of the client that a proxy reports. Each proxy appends the address of its peer: read from the end, the first address
 * that is no trusted proxy is the client.
 */
export function reportedClient(proxy: string, forwardedFor: string, isProxy: IsProxy): string {
  let client = proxy
  for (const text of forwardedFor.split(',').reverse()) {
    const hop = normalized(withoutPort(text.trim()))
    if (isIP(hop) === 0) break
    client = hop
    if (!isProxy(hop)) break
  }
  return client
}

/** Some proxies write the port of their peer behind its address. */
function withoutPort(hop: string): string {
  const [, v6, v4] = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/.exec(hop) ?? []
  return v6 ?? v4 ?? hop
}

/**
 * The unit that limits per client address count: an IPv4 address, or the /64 of an IPv6 address, because one subscriber
 * is assigned at least that many addresses (RFC 6177).
 * @param ip in its canonical spelling
 */
export function countingSubject(ip: string): string {
  if (!ip.includes(':') || isIP(ip) === 0) return ip
  const [left = '', right] = ip.split('::')
  const before = left === '' ? [] : left.split(':')
  const after = right === undefined || right === '' ? [] : right.split(':')
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
  return `${canonical(`${groups.slice(0, 4).join(':')}::`)}/64`
}

/**
 * The canonical spelling of an address: IPv6 as in RFC 5952, without a zone, and an IPv4-mapped IPv6 address as IPv4.
 * Text that is no IPv6 address is returned unchanged.
 */
function normalized(text: string): string {
  if (!text.includes(':')) return text
  const ip = text.replace(/%.*$/, '')
  return isIP(ip) === 6 ? canonical(ip) : text
}

const MAPPED = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/

function canonical(ip: string): string {
  const host = new URL(`http://[${ip}]`).hostname.slice(1, -1)
  const mapped = MAPPED.exec(host)
  if (mapped === null) return host
  const [high, low] = [Number.parseInt(mapped[1], 16), Number.parseInt(mapped[2], 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
