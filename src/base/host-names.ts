/** Host names: those of this machine itself, and those that a listener answers to. */

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
