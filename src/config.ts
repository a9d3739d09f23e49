/** The settings: the only reader of the environment, which it reads once into one frozen object. */
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { wholeNumber } from './whole-number.ts'

export interface Config {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  /** Null: SQLite in the data folder. */
  readonly databaseUrl: string | null
  readonly smtpUrl: string | null
  readonly mailFrom: string
  /** The keys themselves, or null where they are read from `masterKeyFile`. */
  readonly masterKey: string | null
  readonly masterKeyFile: string
  /** Whether the operator named the master key; with PostgreSQL that is required. */
  readonly masterKeyGiven: boolean
  readonly trustedProxies: readonly string[]
  readonly ipLimits: boolean
  /** Open connections of one client address; trusted proxies have no limit. */
  readonly connectionsPerAddress: number
  readonly bodyLimitBytes: number
  readonly computeThreads: number
  readonly processes: number
  readonly auditRetentionDays: number | null
  /** 0: no metrics listener. */
  readonly metricsPort: number
  readonly logLevel: string
  /** Credits per call by operation path; absent: 1. */
  readonly costs: Readonly<Record<string, number>>
}

/** A setting with which the service does not start; the message is one line for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

type Environment = Readonly<Record<string, string | undefined>>

const OWN_NAMES = [
  'QUANTD_DATA_DIR',
  'QUANTD_MASTER_KEY',
  'QUANTD_MASTER_KEY_FILE',
  'QUANTD_TRUSTED_PROXIES',
  'QUANTD_IP_LIMITS',
  'QUANTD_CONNECTIONS_PER_ADDRESS',
  'QUANTD_BODY_LIMIT',
  'QUANTD_COMPUTE_THREADS',
  'QUANTD_PROCESSES',
  'QUANTD_AUDIT_RETENTION_DAYS',
  'QUANTD_COSTS',
]
/** Settings of the clients; the service ignores them. */
const CLIENT_NAMES = ['QUANTD_URL', 'QUANTD_API_KEY']
/** Used by the test suite; the service ignores them. */
const TEST_PREFIX = 'QUANTD_TEST_'

const KNOWN_NAMES = new Set([...OWN_NAMES, ...CLIENT_NAMES])

const MOST_CREDITS_A_CALL = 999_999

export function readConfig(environment: Environment = process.env): Config {
  refuseUnknownNames(environment)
  const dataDir = resolve(environment.QUANTD_DATA_DIR || './data')
  const databaseUrl = url(environment, 'DATABASE_URL', ['postgres:', 'postgresql:'])
  const masterKey = environment.QUANTD_MASTER_KEY || null
  const masterKeyFile = environment.QUANTD_MASTER_KEY_FILE || null
  if (masterKey !== null && masterKeyFile !== null)
    throw new ConfigError('Set QUANTD_MASTER_KEY or QUANTD_MASTER_KEY_FILE, not both.')
  const masterKeyGiven = masterKey !== null || masterKeyFile !== null
  if (databaseUrl !== null && !masterKeyGiven)
    throw new ConfigError(
      'DATABASE_URL needs QUANTD_MASTER_KEY or QUANTD_MASTER_KEY_FILE: every node must have the same master key (make one with: openssl rand -base64 32).',
    )
  return Object.freeze({
    host: environment.HOST || '127.0.0.1',
    port: integer(environment, 'PORT', 8080, 0, 65_535),
    dataDir,
    databaseUrl,
    smtpUrl: url(environment, 'SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: environment.MAIL_FROM || 'quantd <quantd@localhost>',
    masterKey,
    masterKeyFile: masterKeyFile === null ? join(dataDir, 'master.key') : resolve(masterKeyFile),
    masterKeyGiven,
    trustedProxies: ranges(environment, 'QUANTD_TRUSTED_PROXIES'),
    ipLimits: choice(environment, 'QUANTD_IP_LIMITS', ['on', 'off']) === 'on',
    connectionsPerAddress: integer(environment, 'QUANTD_CONNECTIONS_PER_ADDRESS', 1_000, 1, 1_000_000),
    bodyLimitBytes: integer(environment, 'QUANTD_BODY_LIMIT', 16_777_216, 1_024, 1_073_741_824),
    computeThreads: integer(
      environment,
      'QUANTD_COMPUTE_THREADS',
      Math.max(1, availableParallelism() - 1),
      1,
      256,
    ),
    processes: integer(environment, 'QUANTD_PROCESSES', 1, 1, 256),
    auditRetentionDays: optionalInteger(environment, 'QUANTD_AUDIT_RETENTION_DAYS', 1, 36_500),
    metricsPort: integer(environment, 'METRICS_PORT', 9_464, 0, 65_535),
    logLevel: choice(environment, 'LOG_LEVEL', [
      'info',
      'trace',
      'debug',
      'warn',
      'error',
      'fatal',
      'silent',
    ]),
    costs: costs(environment),
  })
}

/** The service that the commands which are clients speak to. */
export interface ClientConfig {
  readonly url: string
  readonly apiKey: string
}

export function readClientConfig(environment: Environment = process.env): ClientConfig {
  const apiKey = environment.QUANTD_API_KEY
  if (!apiKey)
    throw new ConfigError('Set QUANTD_API_KEY to a key of the service; POST /guest/create returns one.')
  return {
    url: url(environment, 'QUANTD_URL', ['http:', 'https:']) ?? 'http://127.0.0.1:8080',
    apiKey,
  }
}

function refuseUnknownNames(environment: Environment): void {
  for (const name of Object.keys(environment))
    if (name.startsWith('QUANTD_') && !name.startsWith(TEST_PREFIX) && !KNOWN_NAMES.has(name))
      throw new ConfigError(`${name} is not a setting of quantd; the settings are listed in .env.example.`)
}

function integer(environment: Environment, name: string, absent: number, low: number, high: number): number {
  const text = environment[name]
  if (text === undefined || text === '') return absent
  const value = wholeNumber(text, low, high)
  if (value === null)
    throw new ConfigError(`${name} is "${text}"; it takes a whole number from ${low} to ${high}.`)
  return value
}

const optionalInteger = (environment: Environment, name: string, low: number, high: number) =>
  environment[name] ? integer(environment, name, low, low, high) : null

function choice(environment: Environment, name: string, words: readonly [string, ...string[]]): string {
  const text = environment[name] || words[0]
  if (!words.includes(text))
    throw new ConfigError(`${name} is "${text}"; it takes one of: ${words.join(', ')}.`)
  return text
}

function url(environment: Environment, name: string, protocols: readonly string[]): string | null {
  const text = environment[name]
  if (!text) return null
  const parsed = URL.parse(text)
  if (parsed === null || parsed.hostname === '' || !protocols.includes(parsed.protocol))
    throw new ConfigError(`${name} is not a URL that begins with ${protocols[0]}//.`)
  return text
}

const list = (environment: Environment, name: string): string[] =>
  (environment[name] ?? '').split(/[\s,]+/).filter((item) => item !== '')

/** IP addresses or CIDR ranges. */
function ranges(environment: Environment, name: string): string[] {
  const found = list(environment, name)
  for (const range of found) {
    const [address = '', prefix = '0', ...more] = range.split('/')
    const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
    if (more.length > 0 || !/^\d+$/.test(prefix) || Number(prefix) > bits)
      throw new ConfigError(`${name} holds "${range}", which is neither an IP address nor a CIDR range.`)
  }
  return found
}

/** `QUANTD_COSTS=/quantlib/ml/clustering/isolation-forest=5,…` */
function costs(environment: Environment): Record<string, number> {
  const entries = list(environment, 'QUANTD_COSTS').map((item) => {
    const [path = '', credits = ''] = item.split('=')
    const cost = wholeNumber(credits, 0, MOST_CREDITS_A_CALL)
    if (!path.startsWith('/quantlib/') || cost === null)
      throw new ConfigError(
        `QUANTD_COSTS holds "${item}"; write /quantlib/…=credits, separated by commas; credits is a whole number from 0 to ${MOST_CREDITS_A_CALL}.`,
      )
    return [path, cost] as const
  })
  return Object.freeze(Object.fromEntries(entries))
}
