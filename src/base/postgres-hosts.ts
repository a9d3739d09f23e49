/** The hosts of a PostgreSQL URL: libpq accepts several, node-postgres one. */

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
