/** Team keys as replies show them, and the endpoint that lists those of the account. */

import { isoTime } from '../../base/time.ts'
import { Type } from '../../base/type.ts'
import { accountEndpoint } from '../account-endpoint.ts'
import { amount, instant, listOf, nullable, text } from '../field-schemas.ts'
import { type TeamKeyRecord, teamKeys } from './lineages.ts'
import { keyId, settings } from './settings.ts'

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
