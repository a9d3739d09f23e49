/** Ends a team key. */
import { noSuchTeamKey } from '../../base/errors/accounts.ts'
import { type Failure, succeeded } from '../../base/failure.ts'
import { Type } from '../../base/type.ts'
import { writeEvent, writeWebhookEvent } from '../../ledger/store/events.ts'
import { rows, type Sql, type Transaction } from '../../ledger/store/sql.ts'
import { registeredAccount } from '../account.ts'
import { accountEndpoint } from '../account-endpoint.ts'
import { eventOf, type OwnAct } from '../context.ts'
import { mfaCode } from '../field-schemas.ts'
import { checkSecondFactor } from '../second-factor.ts'
import { type TeamKeyRecord, teamKey } from './lineages.ts'
import { EXAMPLE_SHOWN, shown, shownKey } from './list.ts'
import { keyId } from './settings.ts'

export const revokeTeamKey = accountEndpoint({
  path: '/user/keys/revoke',
  area: 'Team keys',
  title: 'Revoke a team key',
  summary:
    'Ends every key with this id, those of overlapping rotations too: they are refused from the next request on. It cannot be undone.',
  key: 'registered',
  input: Type.Object({ id: keyId, mfa_code: Type.Optional(mfaCode) }),
  output: Type.Object(shownKey),
  failures: ['mfa_required', 'mfa_invalid', 'too_many_attempts', 'not_found'],
  example: { input: { id: 7 }, output: { ...EXAMPLE_SHOWN, state: 'revoked' as const } },
  async handle(context, { caller, input, origin }) {
    const { accountId } = caller
    await checkSecondFactor(context, await registeredAccount(context, accountId), input.mfa_code, origin)
    const event = eventOf(origin)
    return shown(succeeded(await context.store.run(endTeamKey, { accountId, id: input.id, event })))
  },
})

/** Revokes a team key. A key that was revoked before stays unchanged. */
export function* endTeamKey(
  sql: Sql,
  { accountId, event, id }: OwnAct & { readonly id: number },
): Transaction<TeamKeyRecord | Failure> {
  yield* sql.lock([accountId])
  const lineage = yield* teamKey(sql, accountId, id)
  if (lineage === undefined) return noSuchTeamKey()
  if (lineage.state === 'revoked') return lineage
  const now = yield* sql.clock()
  yield* rows(
    sql.db
      .updateTable('api_keys')
      .set({ status: 'revoked', ends_at: now })
      .where('account_id', '=', accountId)
      .where('team_key_id', '=', id)
      .where('status', '<>', 'revoked'),
  )
  const facts = { team_key: id }
  yield* writeEvent(sql, event, {
    at: now,
    accountId,
    keyId: lineage.newestKeyId,
    name: 'team_key_revoked',
    facts,
  })
  yield* writeWebhookEvent(sql, {
    type: 'key.revoked',
    accountId,
    at: now,
    data: { key_id: id, name: lineage.name },
  })
  return (yield* teamKey(sql, accountId, id))!
}
