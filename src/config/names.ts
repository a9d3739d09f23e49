/** The names of the settings: unknown ones and misspelt ones would otherwise be ignored in silence. */
import { ConfigError, type Environment } from './values.ts'

const PREFIX = 'QUANTD_'
/** Used by the test suite; the service ignores them. */
const TEST_PREFIX = 'QUANTD_TEST_'

/** Settings whose prefix is ours: each name that has it and is not listed is a mistake. */
const PREFIXED = [
  'QUANTD_DATA_DIR',
  'QUANTD_MASTER_KEY',
  'QUANTD_MASTER_KEY_FILE',
  'QUANTD_TRUSTED_PROXIES',
  'QUANTD_IP_LIMITS',
  'QUANTD_CONNECTIONS_PER_ADDRESS',
  'QUANTD_BODY_LIMIT',
  'QUANTD_COMPUTE_THREADS',
  'QUANTD_PROCESSES',
  'QUANTD_STOP_DELAY_SECONDS',
  'QUANTD_AUDIT_RETENTION_DAYS',
  'QUANTD_COSTS',
  'QUANTD_REGISTRATION',
  'QUANTD_GUESTS',
  'QUANTD_TIERS',
  'QUANTD_INITIAL_CREDITS',
  'QUANTD_LOW_CREDITS',
  'QUANTD_WEBHOOK_PRIVATE',
  'QUANTD_CHECKPOINT_FILE',
  'QUANTD_CORS_ORIGINS',
  'QUANTD_ALERTS',
  'QUANTD_OPERATOR_HOST',
  'QUANTD_OPERATOR_PORT',
  'QUANTD_TWO_PERSONS',
]
/** Settings of the clients; the service ignores them. */
const OF_CLIENTS = ['QUANTD_URL', 'QUANTD_API_KEY']
const COMMON = [
  ...['HOST', 'PORT', 'METRICS_HOST', 'METRICS_PORT', 'METRICS_TOKEN', 'METRICS_TOKEN_FILE'],
  ...['DATABASE_URL', 'DATABASE_URL_FILE', 'DATABASE_REPLICA_URL', 'DATABASE_REPLICA_URL_FILE'],
  ...['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_CLIENT_SECRET_FILE', 'OIDC_ROLES'],
  'OIDC_ACCOUNTS',
  ...['SMTP_URL', 'SMTP_URL_FILE', 'MAIL_FROM', 'LOG_LEVEL', 'LOG_REQUESTS'],
]
/** Every setting but those of OpenTelemetry, which its SDK reads. */
export const SETTINGS: readonly string[] = [...PREFIXED, ...OF_CLIENTS, ...COMMON]

/**
 * Refuses unknown names with the prefix, and names that are one slip away from a setting that is not set. Such a name
 * may belong to another program; setting the right name too, if only to nothing, says so.
 * @returns a line for the log for each name that lacks the prefix, because other programs use the same words
 */
export function checkNames(environment: Environment): string[] {
  const names = Object.keys(environment).filter((name) => !SETTINGS.includes(name))
  for (const name of names) refuseMistake(name, environment)
  return names.flatMap((name) => {
    const meant = PREFIXED.find((known) => known === PREFIX + name && name.includes('_'))
    return meant === undefined || meant in environment
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

/** One letter is missing, added or another one, or two neighbours are swapped. */
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
