/**
 * Team keys as requests give them, as rows hold them and as replies show them, and the endpoint that lists those of the account.
 */
import { notAnIpRange, unknownTeamKeyPath } from '../../base/errors/accounts.ts'
import { endNotAhead } from '../../base/errors/requests.ts'
import { ipRange } from '../../base/hosts.ts'
import {
  MAX_PATH_CHARACTERS,
  TEAM_KEY_IPS,
  TEAM_KEY_MOST,
  TEAM_KEY_NAME_CHARACTERS,
  TEAM_KEY_OVERLAP_SECONDS,
  TEAM_KEY_PATHS,
} from '../../base/limits/callers.ts'
import { isoTime } from '../../base/time.ts'
import { Type } from '../../base/type.ts'
import type { Runner } from '../../ledger/store/store.ts'
import { accountEndpoint } from '../account-endpoint.ts'
import {
  amount,
  givenInstant,
  instant,
  listOf,
  mfaCode,
  nullable,
  PRINTABLE,
  rowNumber,
  text,
} from '../field-schemas.ts'
import { type TeamKeyRecord, teamKeys } from './lineages.ts'

const name = Type.String({
  description: `name of the key, 1 to ${TEAM_KEY_NAME_CHARACTERS} printable characters`,
  minLength: 1,
  maxLength: TEAM_KEY_NAME_CHARACTERS,
  pattern: PRINTABLE,
})

/** The longest IPv6 address with a prefix. */
const MAX_RANGE_CHARACTERS = 49

export const settings = {
  paths: nullable(
    Type.Array(Type.String({ maxLength: MAX_PATH_CHARACTERS }), { minItems: 1, maxItems: TEAM_KEY_PATHS }),
    'paths of the operations that the key may call, also in a batch, as columns and as MCP tools; null: all',
  ),
  allowed_ips: nullable(
    Type.Array(Type.String({ maxLength: MAX_RANGE_CHARACTERS }), { minItems: 1, maxItems: TEAM_KEY_IPS }),
    'IP addresses, and ranges such as 192.0.2.0/24, from which the key may be used; null: all',
  ),
  credit_cap: nullable(
    Type.Integer({ minimum: 1, maximum: TEAM_KEY_MOST }),
    'credits that the key may spend in a period; null: as many as the account has',
  ),
  cap_period: nullable(
    Type.Enum(['total', 'day', 'month']),
    'when the cap renews: `total` never, `day` at midnight UTC, `month` at midnight UTC of the first of the month; null: `total`',
  ),
  hourly_limit: nullable(
    Type.Integer({ minimum: 1, maximum: TEAM_KEY_MOST }),
    'requests to computations an hour, within the limits of the account; null: only those',
  ),
  expires_at: nullable(givenInstant('when'), 'when the key ends; null: never'),
}

export const overlapSeconds = Type.Integer({
  description: 'seconds for which the old key is accepted beside the new one',
  minimum: 0,
  maximum: TEAM_KEY_OVERLAP_SECONDS,
  default: 0,
})

export const keyId = rowNumber('number of the key; a rotation keeps it')

const optional = {
  paths: Type.Optional(settings.paths),
  allowed_ips: Type.Optional(settings.allowed_ips),
  credit_cap: Type.Optional(settings.credit_cap),
  cap_period: Type.Optional(settings.cap_period),
  hourly_limit: Type.Optional(settings.hourly_limit),
  expires_at: Type.Optional(settings.expires_at),
  mfa_code: Type.Optional(mfaCode),
}

export const createInput = Type.Object({ name, ...optional })
export const updateInput = Type.Object({ id: keyId, name: Type.Optional(name), ...optional })

/** The JSON text of paths as a row holds it. Throws Failure `invalid_input` for a path that is no operation's. */
export function storedPaths(paths: ReadonlySet<string>, given: readonly string[] | null): string | null {
  if (given === null) return null
  const index = given.findIndex((path) => !paths.has(path))
  if (index >= 0) throw unknownTeamKeyPath(index)
  return JSON.stringify([...new Set(given)].sort())
}

/** The JSON text of ranges as a row holds it. Throws Failure `invalid_input` for a text that is none. */
export function storedRanges(given: readonly string[] | null): string | null {
  if (given === null) return null
  const index = given.findIndex((text) => ipRange(text) === null)
  if (index >= 0) throw notAnIpRange(index)
  return JSON.stringify([...new Set(given)])
}

/** The end of a key as a row holds it. Throws Failure `invalid_input` for a time that is not ahead of the database's clock. */
export async function storedEnd({ run }: Runner, given: string | null): Promise<number | null> {
  if (given === null) return null
  const at = Date.parse(given)
  if (!(at > (await run((sql) => sql.clock())))) throw endNotAhead()
  return at
}

export const shownKey = {
  id: keyId,
  name: text('name of the key'),
  prefix: text('first characters of the newest key'),
  last4: text('last four characters of the newest key'),
  state: Type.Enum(['active', 'expired', 'revoked'], { description: 'whether the key is accepted' }),
  paths: settings.paths,
  allowed_ips: settings.allowed_ips,
  credit_cap: settings.credit_cap,
  cap_period: nullable(Type.Enum(['total', 'day', 'month']), 'when the cap renews; null: there is no cap'),
  cap_resets_at: nullable(instant('when'), 'when the cap renews next; null: never'),
  spent: amount('credits spent in the present period of the cap'),
  spent_total: amount('credits spent by the key and those that it replaced'),
  hourly_limit: settings.hourly_limit,
  created_at: instant('when the key was created'),
  expires_at: nullable(instant('when'), 'when the key ends; null: never'),
  last_used_at: nullable(instant('when'), 'when the key was last used, to the minute; null: never'),
}

export const EXAMPLE_SHOWN = {
  id: 7,
  name: 'pricing notebook',
  prefix: 'qd_team_Vw2L',
  last4: '3DiQ',
  state: 'active' as const,
  paths: ['/quantlib/pricing/bs/price'],
  allowed_ips: null,
  credit_cap: 1_000,
  cap_period: 'month' as const,
  cap_resets_at: '2026-02-01T00:00:00.000Z',
  spent: 0,
  spent_total: 0,
  hourly_limit: null,
  created_at: '2026-01-01T12:00:00.000Z',
  expires_at: null,
  last_used_at: null,
}

export const shown = (key: TeamKeyRecord) => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  last4: key.last4,
  state: key.state,
  paths: key.paths === null ? null : [...key.paths],
  allowed_ips: key.allowedIps === null ? null : [...key.allowedIps],
  credit_cap: key.creditCap,
  cap_period: key.creditCap === null ? null : key.capPeriod,
  cap_resets_at: isoTime(key.capResetsAt),
  spent: key.spent,
  spent_total: key.spentTotal,
  hourly_limit: key.hourlyLimit,
  created_at: isoTime(key.createdAt),
  expires_at: isoTime(key.expiresAt),
  last_used_at: isoTime(key.lastUsedAt),
})

export const listTeamKeys = accountEndpoint({
  path: '/user/keys',
  area: 'Team keys',
  title: 'Team keys',
  summary:
    'Lists the team keys of the account, the newest first and revoked ones last, with what each may call, has spent and when it was last used.',
  key: 'registered',
  output: Type.Object({ items: listOf(Type.Object(shownKey), 'team keys, newest first') }),
  example: { output: { items: [EXAMPLE_SHOWN] } },
  async handle({ store }, { caller }) {
    return { items: (await store.run(teamKeys, caller.accountId)).map(shown) }
  },
})
