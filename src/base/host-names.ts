/** Host names and addresses of this machine itself. */

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\./.test(host)

/** Whether the pages of an origin come from this machine. */
export function isLoopbackOrigin(origin: string): boolean {
  const host = URL.parse(origin)?.hostname.replace(/^\[|\]$/g, '')
  return host !== undefined && isLoopback(host)
}
