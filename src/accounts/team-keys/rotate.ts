/** Replaces a team key by a new one of the same lineage. */
import {
  noSuchTeamKey,
  programsHaveNoKey,
  teamKeyEnded,
  tooManyTeamKeys,
} from '../../base/errors/accounts.ts'
import { type Failure, succeeded } from '../../base/failure.ts'
import { TEAM_KEYS } from '../../base/limits/callers.ts'
import { Type } from '../../base/type.ts'
import { writeEvent, writeWebhookEvent } from '../../ledger/store/events.ts'
import { rows, type Sql, type Transaction } from '../../ledger/store/sql.ts'
import { type HashedKey, hashedTeamKey } from '../../secrets/keys.ts'
import { registeredAccount } from '../account.ts'
import { accountEndpoint, eventOf, type OwnAct } from '../account-endpoint.ts'
import { apiKey, mfaCode } from '../field-schemas.ts'
import { checkSecondFactor } from '../second-factor.ts'
import { EXAMPLE_TEAM_KEY, insertTeamKey } from './create.ts'
import { liveTeamKeys, ownKeyStatus, PROGRAMS_PREFIX, type TeamKeyRecord, teamKey } from './lineages.ts'
import { EXAMPLE_SHOWN, keyId, overlapSeconds, shown, shownKey } from './list.ts'

export const rotateTeamKey = accountEndpoint({
  path: '/user/keys/rotate',
  area: 'Team keys',
  title: 'Rotate a team key',
  summary:
    'Returns a new key with the same id, settings and spending. All older ones are refused at the end of the overlap, by default from the next request on, or at the end of their own if that is sooner.',
  key: 'registered',
  input: Type.Object({
    id: keyId,
    overlap_seconds: Type.Optional(overlapSeconds),
    mfa_code: Type.Optional(mfaCode),
  }),
  output: Type.Object({ key: apiKey, ...shownKey }),
  failures: ['mfa_required', 'mfa_invalid', 'too_many_attempts', 'not_found', 'conflict'],
  example: {
    input: { id: 7, overlap_seconds: 3_600 },
    output: { key: EXAMPLE_TEAM_KEY, ...EXAMPLE_SHOWN },
  },
  async handle(context, { caller, input, origin }) {
    const { accountId } = caller
    const { id, mfa_code, overlap_seconds = 0 } = input
    await checkSecondFactor(context, await registeredAccount(context, accountId), mfa_code, origin)
    const { apiKey, stored } = hashedTeamKey(context.hashTeamKey)
    const rotated = await context.store.run(replaceTeamKey, {
      accountId,
      id,
      key: stored,
      event: eventOf(origin),
      overlapMs: overlap_seconds * 1_000,
    })
    return { key: apiKey, ...shown(succeeded(rotated)) }
  },
})

export function* replaceTeamKey(
  sql: Sql,
  {
    accountId,
    event,
    id,
    key,
    overlapMs,
  }: OwnAct & Readonly<{ id: number; key: HashedKey; overlapMs: number }>,
): Transaction<TeamKeyRecord | Failure> {
  yield* sql.lock([accountId])
  const lineage = yield* teamKey(sql, accountId, id)
  if (lineage === undefined) return noSuchTeamKey()
  if (lineage.prefix === PROGRAMS_PREFIX) return programsHaveNoKey()
  const status = yield* ownKeyStatus(sql, accountId)
  if (lineage.state !== 'active' || status === null) return teamKeyEnded()
  const live = yield* liveTeamKeys(sql, accountId)
  const others = overlapMs > 0 ? live : live.filter((one) => one !== id)
  if (others.length >= TEAM_KEYS) return tooManyTeamKeys(TEAM_KEYS)
  const now = yield* sql.clock()
  const end = now + overlapMs
  const old = sql.db
    .updateTable('api_keys')
    .where('account_id', '=', accountId)
    .where('team_key_id', '=', id)
    // Suspended keys are ended, too: they would be accepted again once the suspension is lifted.
    .where('status', '<>', 'revoked')
    // An earlier rotation may end a key sooner.
    .where((where) => where.or([where('ends_at', 'is', null), where('ends_at', '>', end)]))
  yield* rows(overlapMs === 0 ? old.set({ status: 'revoked', ends_at: now }) : old.set({ ends_at: end }))
  const keyId = yield* insertTeamKey(sql, { accountId, teamKeyId: id, key, status }, now)
  const facts = { team_key: id, overlap_seconds: overlapMs / 1_000 }
  yield* writeEvent(sql, event, { at: now, accountId, keyId, name: 'team_key_rotated', facts })
  yield* writeWebhookEvent(sql, {
    type: 'key.rotated',
    accountId,
    at: now,
    data: { key_id: id, name: lineage.name, overlap_seconds: overlapMs / 1_000 },
  })
  return (yield* teamKey(sql, accountId, id))!
}
