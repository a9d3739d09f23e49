/** Changes the settings of a team key. */
import { setTimeout as sleep } from 'node:timers/promises'
import { noSuchTeamKey, teamKeyEnded, tooManyTeamKeys } from '../../base/errors/accounts.ts'
import { type Failure, succeeded } from '../../base/failure.ts'
import { KEY_FRESH_MS, TEAM_KEYS } from '../../base/limits/callers.ts'
import { Type } from '../../base/type.ts'
import { periodStart } from '../../ledger/rules/team-keys.ts'
import type { CapPeriod } from '../../ledger/rules/types.ts'
import { writeEvent } from '../../ledger/store/events.ts'
import { rows, type Sql, type Transaction } from '../../ledger/store/sql.ts'
import { registeredAccount } from '../account.ts'
import { accountEndpoint, eventOf, type OwnAct } from '../account-endpoint.ts'
import { checkSecondFactor } from '../second-factor.ts'
import { spentSince } from '../usage-sums.ts'
import type { TeamKeySettings } from './create.ts'
import { liveTeamKeys, type TeamKeyRecord, teamKey } from './lineages.ts'
import { EXAMPLE_SHOWN, shown, shownKey, storedEnd, storedPaths, storedRanges, updateInput } from './list.ts'

export const updateTeamKey = accountEndpoint({
  path: '/user/keys/update',
  area: 'Team keys',
  title: 'Change a team key',
  summary:
    'Changes the settings that are sent and keeps the others; null lifts a limit. The credits that the key has spent in the present period stay counted.',
  key: 'registered',
  input: updateInput,
  output: Type.Object(shownKey),
  failures: ['mfa_required', 'mfa_invalid', 'too_many_attempts', 'not_found', 'conflict'],
  example: { input: { id: 7, credit_cap: 2_000 }, output: { ...EXAMPLE_SHOWN, credit_cap: 2_000 } },
  async handle(context, { caller, input, origin }) {
    const { accountId } = caller
    const { allowed_ips, cap_period, credit_cap, expires_at, hourly_limit, id, mfa_code, name, paths } = input
    const settings: Partial<TeamKeySettings> = {
      ...(name !== undefined && { name }),
      ...(paths !== undefined && { paths: storedPaths(context.paths, paths) }),
      ...(allowed_ips !== undefined && { allowedIps: storedRanges(allowed_ips) }),
      ...(credit_cap !== undefined && { creditCap: credit_cap }),
      ...(cap_period !== undefined && { capPeriod: cap_period ?? 'total' }),
      ...(hourly_limit !== undefined && { hourlyLimit: hourly_limit }),
      ...(expires_at !== undefined && { expiresAt: await storedEnd(context.store, expires_at) }),
    }
    await checkSecondFactor(context, await registeredAccount(context, accountId), mfa_code, origin)
    const event = eventOf(origin)
    const changed = succeeded(await context.store.run(changeTeamKey, { accountId, id, settings, event }))
    // Until a node looks the key up again, it allows the former paths and addresses.
    if (paths !== undefined || allowed_ips !== undefined) await sleep(2 * KEY_FRESH_MS)
    return shown(changed)
  },
})

/** Changes a team key. An expired key may get a new end, unless the account has the most live keys that it may have. */
export function* changeTeamKey(
  sql: Sql,
  { accountId, event, id, settings }: OwnAct & Readonly<{ id: number; settings: Partial<TeamKeySettings> }>,
): Transaction<TeamKeyRecord | Failure> {
  yield* sql.lock([accountId])
  const key = yield* teamKey(sql, accountId, id)
  if (key === undefined) return noSuchTeamKey()
  if (key.state === 'revoked') return teamKeyEnded()
  const now = yield* sql.clock()
  const { allowedIps, capPeriod, creditCap, expiresAt, hourlyLimit, name, paths } = settings
  const isRevived = key.state === 'expired' && expiresAt !== undefined
  if (isRevived && (yield* liveTeamKeys(sql, accountId, id)).length > TEAM_KEYS)
    return tooManyTeamKeys(TEAM_KEYS)
  const changed = {
    ...(name !== undefined && { name }),
    ...(paths !== undefined && { paths }),
    ...(allowedIps !== undefined && { allowed_ips: allowedIps }),
    ...(creditCap !== undefined && { credit_cap: creditCap }),
    ...(capPeriod !== undefined &&
      capPeriod !== key.capPeriod &&
      (yield* inPeriod(sql, accountId, key, capPeriod))),
    ...(hourlyLimit !== undefined && { hourly_limit: hourlyLimit }),
    ...(expiresAt !== undefined && { expires_at: expiresAt, told_end: null }),
  }
  if (Object.keys(changed).length > 0)
    yield* rows(
      sql.db.updateTable('team_keys').set(changed).where('id', '=', id).where('account_id', '=', accountId),
    )
  const facts = { team_key: id, changed: Object.keys(changed) }
  yield* writeEvent(sql, event, {
    at: now,
    accountId,
    keyId: key.newestKeyId,
    name: 'team_key_updated',
    facts,
  })
  return (yield* teamKey(sql, accountId, id))!
}

/** The columns of a lineage whose cap gets another period, with the credits that the lineage has spent in that period. */
function* inPeriod(sql: Sql, accountId: number, { id, spentTotal }: TeamKeyRecord, period: CapPeriod) {
  const from = periodStart(period, yield* sql.clock())
  const spent = period === 'total' ? spentTotal : yield* spentSince(sql, { accountId, teamKeyId: id, from })
  return { cap_period: period, spent, spent_from: from }
}
