/** The settings: the only reader of the environment, which it reads once into one frozen object. */

import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { isLoopback, PRIMARY, STANDBY } from '../../base/hosts.ts'
import {
  BODY_BYTES,
  CONNECTIONS_PER_ADDRESS,
  MAX_PROCESSES,
  MAX_THREADS,
  MIB,
} from '../../base/limits/callers.ts'
import {
  AUDIT_DAYS,
  MAX_STOP_DELAY_S,
  MIN_FREE_MIB,
  TOKEN_CHARACTERS,
  UNPAID_ROWS,
} from '../../base/limits/operation.ts'
import { SECOND_MS } from '../../base/time.ts'
import type { Plan } from '../../ledger/rules/plan.ts'
import type { AlertTargets } from '../../operators/alerts/notice.ts'
import { alerts, type OperatorSettings, operatorSettings, operatorWarnings } from './operators.ts'
import { planOf } from './plan.ts'
import {
  bounded,
  ConfigError,
  checkNames,
  choice,
  type Environment,
  integer,
  isOn,
  mailAddress,
  optionalInteger,
  origins,
  plaintextWarnings,
  postgresUrl,
  ranges,
  secret,
  smtpUrl,
} from './values.ts'

export { ConfigError }

const LOG_LEVELS = ['info', 'trace', 'debug', 'warn', 'error', 'fatal', 'silent'] as const

export interface Config extends OperatorSettings, MetricsListener {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  /** Null: SQLite in the data folder. */
  readonly databaseUrl: string | null
  /** A standby for history, summaries and exports; null: the database answers these too. */
  readonly replicaUrl: string | null
  readonly smtpUrl: string | null
  readonly mailFrom: string
  /** The keys; null: they are read from `masterKeyFile`. */
  readonly masterKey: string | null
  readonly masterKeyFile: string
  /** Whether the operator named the master key; with PostgreSQL that is required. */
  readonly masterKeyGiven: boolean
  readonly trustedProxies: readonly string[]
  readonly ipLimits: boolean
  /** Open connections of one client address; trusted proxies have no limit. */
  readonly connectionsPerAddress: number
  readonly bodyLimitBytes: number
  /** The threads of each node, and as many for guests. */
  readonly computeThreads: number
  /** The number of nodes that are started on the port. */
  readonly processes: number
  /** The time for which a service that is told to stop still takes connections, while /readyz fails. */
  readonly stopDelayMs: number
  readonly auditRetentionDays: number | null
  /** Free disk below which requests without a key are refused, and the number of their rows from which they are. */
  readonly minFreeBytes: number
  readonly unpaidRows: number
  /** Null: the service does not watch the causes of alerts by itself. */
  readonly alerts: AlertTargets | null
  readonly logLevel: string
  /** The requests that get a line in the log. */
  readonly logRequests: 'failures' | 'all' | 'off'
  /** Whether new accounts may be registered, and guest keys be created. */
  readonly registration: boolean
  readonly guests: boolean
  /** The plan of the settings. Values that operators set take the place of these. */
  readonly plan: Plan
  /** A file or pipe to which signed checkpoints of the audit are appended; null: none. */
  readonly checkpointFile: string | null
  /** Whether webhooks may go to private addresses, also without TLS. */
  readonly webhookPrivate: boolean
  /** Origins of web pages that may call the service from a browser. */
  readonly corsOrigins: readonly string[]
  /** Null: requests are not traced. */
  readonly tracing: {
    /** Null: the SDK reads the name from the environment, like all its other settings. */
    readonly serviceName: string | null
  } | null
  /** Whether npm waits for this process, as after `npm start` or `npx quantd`. */
  readonly startedByNpm: boolean
  /** Settings that may be mistakes: lines for the log. */
  readonly warnings: readonly string[]
}

export const sqliteFile = ({ dataDir }: Config): string => join(dataDir, 'quantd.db')

/** Whether the data folder has a database, for commands that may not make one. */
export function hasDatabase(config: Config): boolean {
  try {
    return statSync(sqliteFile(config), { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    // Usually the folder belongs to the user of the service, and another user runs the command.
    throw new ConfigError(
      `The data folder ${config.dataDir} cannot be read: ${(error as Error).message}. Run the command as root or as the user of the service.`,
    )
  }
}

export function readConfig(environment: Environment = process.env): Config {
  const nameWarnings = checkNames(environment)
  const dataDir = resolve(environment.QUANTD_DATA_DIR || './data')
  const databaseUrl = postgresUrl(environment, 'DATABASE_URL', 'DATABASE_URL_FILE', PRIMARY)
  const replicaUrl = postgresUrl(environment, 'DATABASE_REPLICA_URL', 'DATABASE_REPLICA_URL_FILE', STANDBY)
  if (replicaUrl !== null && databaseUrl === null)
    throw new ConfigError('DATABASE_REPLICA_URL needs DATABASE_URL: it names a standby of that database.')
  const operators = operatorSettings(environment)
  const config: Config = Object.freeze({
    host: environment.HOST || '127.0.0.1',
    port: integer(environment, 'PORT', 8080, 0, 65_535),
    dataDir,
    databaseUrl,
    replicaUrl,
    smtpUrl: smtpUrl(environment, 'SMTP_URL', 'SMTP_URL_FILE'),
    mailFrom: mailAddress(environment, 'MAIL_FROM', 'quantd <quantd@localhost>'),
    ...masterKeySource(environment, dataDir, databaseUrl),
    trustedProxies: ranges(environment, 'QUANTD_TRUSTED_PROXIES'),
    ipLimits: isOn(environment, 'QUANTD_IP_LIMITS'),
    connectionsPerAddress: bounded(environment, 'QUANTD_CONNECTIONS_PER_ADDRESS', CONNECTIONS_PER_ADDRESS),
    bodyLimitBytes: bounded(environment, 'QUANTD_BODY_LIMIT', BODY_BYTES),
    ...nodes(environment, databaseUrl),
    stopDelayMs: integer(environment, 'QUANTD_STOP_DELAY_SECONDS', 0, 0, MAX_STOP_DELAY_S) * SECOND_MS,
    auditRetentionDays: optionalInteger(
      environment,
      'QUANTD_AUDIT_RETENTION_DAYS',
      AUDIT_DAYS.least,
      AUDIT_DAYS.most,
    ),
    minFreeBytes: bounded(environment, 'QUANTD_MIN_FREE_MIB', MIN_FREE_MIB) * MIB,
    unpaidRows: bounded(environment, 'QUANTD_MAX_UNPAID_ROWS', UNPAID_ROWS),
    ...metricsListener(environment),
    ...operators,
    alerts: alerts(environment),
    logLevel: choice(environment, 'LOG_LEVEL', LOG_LEVELS),
    logRequests: choice(environment, 'LOG_REQUESTS', ['failures', 'all', 'off']),
    registration: isOn(environment, 'QUANTD_REGISTRATION'),
    guests: isOn(environment, 'QUANTD_GUESTS'),
    plan: planOf(environment),
    checkpointFile: environment.QUANTD_CHECKPOINT_FILE || null,
    webhookPrivate: choice(environment, 'QUANTD_WEBHOOK_PRIVATE', ['off', 'on']) === 'on',
    corsOrigins: origins(environment, 'QUANTD_CORS_ORIGINS'),
    tracing: tracing(environment),
    startedByNpm: Boolean(environment.npm_command),
    warnings: [
      ...operatorWarnings(operators),
      ...nameWarnings,
      ...plaintextWarnings(environment, { DATABASE_URL: databaseUrl, DATABASE_REPLICA_URL: replicaUrl }),
    ],
  })
  refuseSharedPort(config)
  return config
}

function masterKeySource(
  environment: Environment,
  dataDir: string,
  databaseUrl: string | null,
): Pick<Config, 'masterKey' | 'masterKeyFile' | 'masterKeyGiven'> {
  const masterKey = environment.QUANTD_MASTER_KEY || null
  const file = environment.QUANTD_MASTER_KEY_FILE || null
  if (masterKey !== null && file !== null)
    throw new ConfigError('Set QUANTD_MASTER_KEY or QUANTD_MASTER_KEY_FILE, not both.')
  const masterKeyGiven = masterKey !== null || file !== null
  if (databaseUrl !== null && !masterKeyGiven)
    throw new ConfigError(
      'DATABASE_URL needs QUANTD_MASTER_KEY or QUANTD_MASTER_KEY_FILE: every node must have the same master key (make one with: openssl rand -base64 32).',
    )
  return {
    masterKey,
    masterKeyFile: file === null ? join(dataDir, 'master.key') : resolve(file),
    masterKeyGiven,
  }
}

/** The nodes that share a port divide the cores; by default each leaves one to its event loop. */
function nodes(
  environment: Environment,
  databaseUrl: string | null,
): Pick<Config, 'computeThreads' | 'processes'> {
  const processes = integer(environment, 'QUANTD_PROCESSES', 1, 1, MAX_PROCESSES)
  if (processes > 1 && databaseUrl === null)
    throw new ConfigError(
      'QUANTD_PROCESSES above 1 needs PostgreSQL (DATABASE_URL), because one process writes to SQLite: set it to 1; threads use the other cores (QUANTD_COMPUTE_THREADS).',
    )
  const threads = Math.max(1, Math.floor(availableParallelism() / processes) - 1)
  return {
    computeThreads: integer(environment, 'QUANTD_COMPUTE_THREADS', threads, 1, MAX_THREADS),
    processes,
  }
}

/** The environment for a process that this one starts: its own, with some settings replaced. */
export const environmentWith = (settings: Environment): Environment => ({ ...process.env, ...settings })

/** The service that client commands, such as `quantd mcp`, call. */
export function readClientConfig(environment: Environment = process.env) {
  const apiKey = environment.QUANTD_API_KEY
  if (!apiKey)
    throw new ConfigError('Set QUANTD_API_KEY to a key of the service; POST /guest/create returns one.')
  const url = environment.QUANTD_URL || 'http://127.0.0.1:8080'
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new ConfigError(`QUANTD_URL is "${url}"; it takes an address that begins with http:// or https://.`)
  return { url, apiKey }
}

/** OpenTelemetry's own variables: an endpoint or an exporter switches tracing on. */
function tracing(environment: Environment): Config['tracing'] {
  const exporter = environment.OTEL_TRACES_EXPORTER
  const endpoint = environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || environment.OTEL_EXPORTER_OTLP_ENDPOINT
  if (
    environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true' ||
    exporter === 'none' ||
    !(exporter || endpoint)
  )
    return null
  const isNamed =
    environment.OTEL_SERVICE_NAME || /\bservice\.name=/.test(environment.OTEL_RESOURCE_ATTRIBUTES ?? '')
  return { serviceName: isNamed ? null : 'quantd' }
}

type MetricsListener = ReturnType<typeof metricsListener>

interface Listeners extends Omit<MetricsListener, 'metricsToken'> {
  readonly host: string
  readonly port: number
  readonly operatorHost: string
  readonly operatorPort: number | null
  /** Each further process has the metrics port after that of the one before it. */
  readonly processes: number
}

/** Of two listeners on one address, the second would find it in use without another program that uses it. */
export function refuseSharedPort(config: Listeners): void {
  const listeners = [
    { name: 'PORT', host: config.host, port: config.port },
    ...metricsListeners(config),
    { name: 'QUANTD_OPERATOR_PORT', host: config.operatorHost, port: config.operatorPort ?? 0 },
  ].filter(({ port }) => port !== 0)
  for (const [index, { host, name, port }] of listeners.entries()) {
    const other = listeners.slice(0, index).find((one) => one.port === port && one.host === host)
    if (other !== undefined)
      throw new ConfigError(`${name} is ${port}, as is ${other.name}: set one of them to another.`)
  }
}

function metricsListeners({ metricsHost, metricsPort, metricsPortGiven, processes }: Listeners) {
  const isFixed = metricsPort !== 0 && metricsPortGiven
  return Array.from({ length: processes }, (_, index) => ({
    name: index === 0 ? 'METRICS_PORT' : `METRICS_PORT + ${index}, the metrics port of process ${index + 1},`,
    host: metricsHost,
    port: isFixed ? metricsPort + index : 0,
  }))
}

/** Metrics show how much the service is used, so other machines may read them only with a token. */
export function metricsListener(environment: Environment) {
  const metricsHost = environment.METRICS_HOST || '127.0.0.1'
  const metricsPort = integer(environment, 'METRICS_PORT', 9_464, 0, 65_535)
  const metricsToken = secret(environment, 'METRICS_TOKEN', 'METRICS_TOKEN_FILE')
  if (metricsToken === null && metricsPort !== 0 && !isLoopback(metricsHost))
    throw new ConfigError(
      `METRICS_HOST is "${metricsHost}", which other machines can reach: set METRICS_TOKEN or METRICS_TOKEN_FILE too (make one with: openssl rand -hex 32).`,
    )
  if (metricsToken !== null && !/^[\x21-\x7e]+$/.test(metricsToken))
    throw new ConfigError('METRICS_TOKEN takes visible ASCII characters without spaces.')
  if (metricsToken !== null && metricsToken.length < TOKEN_CHARACTERS)
    throw new ConfigError(`METRICS_TOKEN is too short; it takes at least ${TOKEN_CHARACTERS} characters.`)
  return {
    metricsHost,
    /** 0: no metrics listener. */
    metricsPort,
    /** Whether METRICS_PORT is set; otherwise another port is taken if this one is in use. */
    metricsPortGiven: Boolean(environment.METRICS_PORT),
    /** The bearer token that a scrape must send; null: none. */
    metricsToken,
  }
}
