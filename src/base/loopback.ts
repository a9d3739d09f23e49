/** Whether a host name or IP address is that of this machine itself. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\./.test(host)
