/** The settings of a team key, as requests give them and as rows hold them. */

import { notAnIpRange, unknownTeamKeyPath } from '../../base/errors/accounts.ts'
import { endNotAhead } from '../../base/errors/requests.ts'
import { ipRange } from '../../base/ip-ranges.ts'
import {
  MAX_PATH_CHARACTERS,
  TEAM_KEY_IPS,
  TEAM_KEY_MOST,
  TEAM_KEY_NAME_CHARACTERS,
  TEAM_KEY_OVERLAP_SECONDS,
  TEAM_KEY_PATHS,
} from '../../base/limits/callers.ts'
import { Type } from '../../base/type.ts'
import type { Runner } from '../../ledger/store/store.ts'
import { givenInstant, mfaCode, nullable, PRINTABLE, rowNumber } from '../field-schemas.ts'

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
