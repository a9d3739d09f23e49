/** Readers of single settings: each returns a value of the environment, or throws the one line that says what is wrong. */
import { isIP } from 'node:net'
import { hostsOf } from '../postgres-hosts.ts'
import { readSecretFile, secretFileProblem } from '../secrets/secret-file.ts'
import { wholeNumber } from '../whole-number.ts'

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

/** On unless it is set to off. */
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

/** A secret that is a URL with one of the protocols; errors do not show it, because it may contain a password. */
export function secretUrl(
  environment: Environment,
  name: string,
  fileName: string,
  protocols: readonly string[],
): string | null {
  const text = secret(environment, name, fileName)
  if (text === null) return null
  const parsed = URL.parse(text)
  if (parsed === null || parsed.hostname === '' || !protocols.includes(parsed.protocol))
    throw new ConfigError(
      `${environment[fileName] ? fileName : name} is not a URL that begins with ${protocols[0]}//.`,
    )
  return text
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
  try {
    hostsOf(text, targets)
    return text
  } catch (error) {
    throw new ConfigError(`${environment[fileName] ? fileName : name} ${(error as Error).message}`)
  }
}

export const list = (environment: Environment, name: string): string[] =>
  (environment[name] ?? '').split(/[\s,]+/).filter((item) => item !== '')

/** IP addresses or CIDR ranges. */
export function ranges(environment: Environment, name: string): string[] {
  const found = list(environment, name)
  for (const range of found) {
    const [address = '', prefix = '0', ...more] = range.split('/')
    const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
    if (more.length > 0 || !/^\d+$/.test(prefix) || Number(prefix) > bits)
      throw new ConfigError(`${name} holds "${range}", which is neither an IP address nor a CIDR range.`)
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
