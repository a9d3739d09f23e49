/** The names of the settings: unknown ones and misspelt ones would otherwise be ignored in silence. */
import { readFileSync } from 'node:fs'
import { ConfigError, type Environment } from './values.ts'

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
