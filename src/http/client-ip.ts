/** The client's address: the socket's, or the one that a trusted proxy reports. */
import { BlockList, isIP } from 'node:net'

export type ClientIp = (peer: string | undefined, forwardedFor: string | undefined) => string

/** @param proxies addresses or CIDR ranges whose X-Forwarded-For is trusted. Throws on a malformed one. */
export function clientIpReader(proxies: readonly string[]): ClientIp {
  const trusted = new BlockList()
  for (const proxy of proxies) addRange(trusted, proxy)
  const isTrusted = (ip: string): boolean => trusted.check(ip, family(ip))
  return (peer, forwardedFor) => {
    const socketIp = normalized(peer ?? '')
    if (proxies.length === 0 || forwardedFor === undefined || !isTrusted(socketIp)) return socketIp
    // Each proxy appends its peer's address: from the end, the first that is not a trusted proxy is the client.
    const hops = forwardedFor.split(',').map((hop) => normalized(hop.trim()))
    let client = socketIp
    for (const hop of hops.reverse()) {
      if (isIP(hop) === 0) break
      client = hop
      if (!isTrusted(hop)) break
    }
    return client
  }
}

function addRange(list: BlockList, text: string): void {
  const [address = '', prefix] = text.split('/')
  const ip = normalized(address)
  const bits = isIP(ip) === 6 ? 128 : 32
  const length = prefix === undefined ? bits : Number(prefix)
  if (isIP(ip) === 0 || !Number.isInteger(length) || length < 0 || length > bits)
    throw new Error(`QUANTD_TRUSTED_PROXIES holds "${text}", which is no IP address or CIDR range.`)
  list.addSubnet(ip, length, family(ip))
}

const family = (ip: string) => (isIP(ip) === 6 ? 'ipv6' : 'ipv4')

/** Converts an IPv4-mapped IPv6 address to its IPv4 form. */
const normalized = (ip: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  return mapped === null ? ip : mapped[1]!
}
