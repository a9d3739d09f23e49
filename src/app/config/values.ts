/**
 * Readers of single settings: each returns a value of the environment, or throws the one line that says what is wrong. And the check
 * of their names.
 */
import { readFileSync } from 'node:fs'
import { ESCAPES, hostsOf, ipRange, isLoopback, PRIMARY, STANDBY, withoutBrackets } from '../../base/hosts.ts'
import { wholeNumber } from '../../base/text.ts'
import { readSecretFile, secretFileProblem } from '../../secrets/secret-file.ts'

/** A setting with which the service does not start; the message is one line for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export type Environment = Readonly<Record<string, string | undefined>>

export function integer(
  environment: Environment,
  name: string,
  absent: number,
  low: number,
  high: number,
): number {
  const text = environment[name]
  if (text === undefined || text === '') return absent
  const value = wholeNumber(text, low, high)
  if (value === null)
    throw new ConfigError(`${name} is "${text}"; it takes a whole number from ${low} to ${high}.`)
  return value
}

/** @param bounds the least and most, and the usual value, which an absent setting has */
export const bounded = (
  environment: Environment,
  name: string,
  { least, most, usual }: { readonly least: number; readonly usual: number; readonly most: number },
) => integer(environment, name, usual, least, most)

export const optionalInteger = (environment: Environment, name: string, low: number, high: number) =>
  environment[name] ? integer(environment, name, low, low, high) : null

/** @param words the first is the default */
export function choice<Word extends string>(
  environment: Environment,
  name: string,
  words: readonly [Word, ...Word[]],
): Word {
  const text = environment[name] || words[0]
  const word = words.find((one) => one === text)
  if (word === undefined) throw new ConfigError(`${name} is "${text}"; it takes one of: ${words.join(', ')}.`)
  return word
}

/** Whether a setting is on, which is its default. */
export const isOn = (environment: Environment, name: string): boolean =>
  choice(environment, name, ['on', 'off']) === 'on'

/** A secret, given directly or as the path of a file that holds it; white space around it is dropped. */
export function secret(environment: Environment, name: string, fileName: string): string | null {
  const text = environment[name]
  const file = environment[fileName]
  if (!file) return text || null
  if (text) throw new ConfigError(`Set ${name} or ${fileName}, not both.`)
  const content = read(file, fileName).trim()
  if (content === '') throw new ConfigError(`${fileName} names ${file}, which is empty.`)
  return content
}

function read(file: string, name: string): string {
  try {
    return readSecretFile(file)
  } catch (error) {
    throw new ConfigError(`${name} names ${file}, which ${secretFileProblem(error)}`)
  }
}

/** The URL of the SMTP server; errors do not show it, because it may contain a password. */
export function smtpUrl(environment: Environment, name: string, fileName: string): string | null {
  const text = secret(environment, name, fileName)
  if (text === null) return null
  const parsed = URL.parse(text)
  if (parsed?.hostname && /^smtps?:$/.test(parsed.protocol)) return text
  throw new ConfigError(
    `${environment[fileName] ? fileName : name} is not a URL of the form smtp://user:password@host:587 or smtps://…. ${ESCAPES}`,
  )
}

/** The URL of a PostgreSQL database; it may name several hosts. @param targets accepted values of target_session_attrs */
export function postgresUrl(
  environment: Environment,
  name: string,
  fileName: string,
  targets: readonly string[],
): string | null {
  const text = secret(environment, name, fileName)
  if (text === null) return null
  const setting = environment[fileName] ? fileName : name
  try {
    const [first] = hostsOf(text, targets)
    const mode = new URL(first).searchParams.get('sslmode')
    if (mode !== null && !SSL_MODES.includes(mode))
      throw new RangeError(`has sslmode=${mode}; it takes one of: ${SSL_MODES.join(', ')}.`)
    return text
  } catch (error) {
    throw new ConfigError(`${setting} ${(error as Error).message}`)
  }
}

/** The values of libpq except `allow`, and `no-verify` of node-postgres. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']
/** Parameters of a URL by which node-postgres encrypts. With `sslmode=disable` the operator has decided against it. */
const ABOUT_TLS = ['sslmode', 'ssl', 'sslcert', 'sslkey', 'sslrootcert', 'sslnegotiation']

/** A line for each database on another host whose URL says nothing of TLS: node-postgres then does not encrypt. */
export const plaintextWarnings = (
  environment: Environment,
  urls: Readonly<Record<string, string | null>>,
): string[] =>
  Object.entries(urls).flatMap(([name, url]) => {
    if (url === null || environment.PGSSLMODE) return []
    const isPlain = hostsOf(url, [...PRIMARY, ...STANDBY]).some((one) => {
      const { hostname, searchParams } = new URL(one)
      const host = searchParams.get('host') ?? withoutBrackets(decodeURIComponent(hostname))
      return !host.startsWith('/') && !isLoopback(host) && !ABOUT_TLS.some((key) => searchParams.has(key))
    })
    return isPlain
      ? [
          `${name} does not ask for TLS, so passwords and data reach PostgreSQL unencrypted: add sslmode=verify-full&sslrootcert=FILE, or sslmode=disable on a network that you trust`,
        ]
      : []
  })

export const list = (environment: Environment, name: string): string[] =>
  (environment[name] ?? '').split(/[\s,]+/).filter((item) => item !== '')

/** The sender of mails: an address, or a name and an address in angle brackets. */
export function mailAddress(environment: Environment, name: string, absent: string): string {
  const text = environment[name] || absent
  if (!/^(?:[^<>@\r\n]*<([^\s<>@,]+@[^\s<>@,]+)>|[^\s<>@,]+@[^\s<>@,]+)$/.test(text))
    throw new ConfigError(
      `${name} is "${text}"; it takes an address as quantd@example.org, or a name with it as quantd <quantd@example.org>.`,
    )
  return text
}

/** The shortest prefixes of a range: the widest that somebody uses are 10.0.0.0/8 and the private IPv6 addresses, fc00::/7. */
const LEAST_PREFIX = { ipv4: 8, ipv6: 7 }

/** IP addresses or CIDR ranges of the operator's machines. */
export function ranges(environment: Environment, name: string): string[] {
  const found = list(environment, name)
  for (const text of found) {
    const range = ipRange(text)
    if (range === null)
      throw new ConfigError(`${name} holds "${text}", which is neither an IP address nor a CIDR range.`)
    if (range.prefix < LEAST_PREFIX[range.family])
      throw new ConfigError(
        `${name} holds "${text}", which is much of the internet: everybody there could pretend another address; name the addresses of your proxies.`,
      )
  }
  return found
}

/** Origins of web pages (RFC 6454): scheme, host and, unless it is the scheme's own, port. */
export function origins(environment: Environment, name: string): string[] {
  const found = list(environment, name)
  for (const origin of found)
    if (!/^https?:$/.test(URL.parse(origin)?.protocol ?? '') || URL.parse(origin)?.origin !== origin)
      throw new ConfigError(
        `${name} holds "${origin}", which is not the origin of a web page; write it as https://app.example.org, without a path.`,
      )
  return found
}

const PREFIX = 'QUANTD_'
/** Used by the test suite; the service ignores them. */
const TEST_PREFIX = 'QUANTD_TEST_'

/** Every setting, as .env.example lists them; OpenTelemetry's SDK reads its own. */
const SETTINGS = [
  ...readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8').matchAll(/^#?([A-Z][A-Z_]+)=/gm),
]
  .map(([, name]) => name!)
  .filter((name) => !name.startsWith('OTEL_'))

/**
 * Refuses unknown names with the prefix, and names that are one slip away from a setting that is not set. If such a name
 * belongs to another program, the operator also sets the right name, for example to an empty value.
 * @returns a line for the log for each name that lacks the prefix, because other programs use the same words
 */
export function checkNames(environment: Environment): string[] {
  const names = Object.keys(environment).filter((name) => !SETTINGS.includes(name))
  for (const name of names) refuseMistake(name, environment)
  return names.flatMap((name) => {
    const meant = SETTINGS.find((known) => known === PREFIX + name && name.includes('_'))
    return meant === undefined || meant in environment || name === 'API_KEY'
      ? []
      : [`${name} is set and is no setting of quantd: if it is meant for quantd, name it ${meant}`]
  })
}

function refuseMistake(name: string, environment: Environment): void {
  if (name.startsWith(TEST_PREFIX)) return
  const hasPrefix = name.startsWith(PREFIX)
  const bare = hasPrefix ? name.slice(PREFIX.length) : name
  // HOST and PORT have too many neighbours (POST, HOSTS) to be recognised.
  const meant = SETTINGS.find(
    (known) => isSlip(name, known) || (hasPrefix && (bare === known || isSlip(bare, known))),
  )
  const isOurs = hasPrefix || (meant?.includes('_') && !(meant in environment))
  if (isOurs)
    throw new ConfigError(
      `${name} is not a setting of quantd${meant === undefined ? '' : `; ${meant} is`}; the command "serve --help" lists the settings.`,
    )
}

/** Whether a name differs from a setting by one letter that is missing, added or wrong, or by two swapped neighbours. */
function isSlip(name: string, known: string): boolean {
  let same = 0
  while (same < name.length && name[same] === known[same]) same++
  const [is, meant] = [name.slice(same), known.slice(same)]
  const isSwapped = is[0] === meant[1] && is[1] === meant[0] && is.slice(2) === meant.slice(2)
  return (
    isSwapped ||
    is.slice(1) === meant ||
    is === meant.slice(1) ||
    (is !== '' && is.slice(1) === meant.slice(1))
  )
}
