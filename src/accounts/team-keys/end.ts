/**
 * The ends of team keys: their revocation, the event `key.expired`, and the deletion once the audit has no call of them any more.
 */

import { sql as raw } from 'kysely'
import { noSuchTeamKey } from '../../base/errors/accounts.ts'
import { type Failure, succeeded } from '../../base/failure.ts'
import { isoTime } from '../../base/time.ts'
import { Type } from '../../base/type.ts'
import { writeEvent, writeWebhookEvent } from '../../ledger/store/events.ts'
import { deletePiece, rows, type Sql, type Transaction } from '../../ledger/store/sql.ts'
import { registeredAccount } from '../account.ts'
import { accountEndpoint, eventOf, type OwnAct } from '../account-endpoint.ts'
import { mfaCode } from '../field-schemas.ts'
import { checkSecondFactor } from '../second-factor.ts'
import { PROGRAMS_PREFIX, type TeamKeyRecord, teamKey } from './lineages.ts'
import { EXAMPLE_SHOWN, keyId, shown, shownKey } from './list.ts'

/** Writes the events of up to `most` keys that have expired, the oldest first; returns their number. */
export function* tellExpiredKeys(sql: Sql, most: number): Transaction<number> {
  const ended = sql.db
    .selectFrom('team_keys')
    .select(['id', 'account_id as accountId'])
    .where('expires_at', '<=', yield* sql.clock())
    .where('told_end', 'is', null)
  const waiting = yield* rows(ended.orderBy('expires_at').limit(most))
  yield* sql.lock(waiting.map(({ accountId }) => accountId))
  const at = yield* sql.clock()
  for (const { accountId, id } of waiting) {
    // Read again under the lock, because the owner may have given the key a later end.
    const [key] = yield* rows(
      sql.db
        .updateTable('team_keys')
        .set({ told_end: at })
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('expires_at', '<=', at)
        .where('told_end', 'is', null)
        .returning(['name', 'expires_at']),
    )
    const live = sql.db.selectFrom('api_keys').select('id').where('account_id', '=', accountId)
    const present = yield* rows(live.where('team_key_id', '=', id).where('status', '<>', 'revoked').limit(1))
    if (key === undefined || present.length === 0) continue
    yield* writeWebhookEvent(sql, {
      type: 'key.expired',
      accountId,
      at,
      data: { key_id: id, name: key.name, expired_at: isoTime(key.expires_at!) },
    })
  }
  return waiting.length
}

const IS_REPLACED = raw<boolean>`team_key_id IS NOT NULL AND EXISTS (SELECT 1 FROM api_keys AS n
  WHERE n.account_id = api_keys.account_id AND n.team_key_id = api_keys.team_key_id AND n.id > api_keys.id)`

/**
 * Deletes keys that rotations replaced, and revoked lineages, at most about `piece` of each; returns the numbers. The credits
 * that a deleted lineage has spent stay in the ledger, as debits of removed days under its number. A lineage whose spending
 * differs from these is kept, so that `verify-ledger` still finds the fault.
 * @param until the audit has no rows of keys that ended before
 */
export function* deleteEndedKeys(sql: Sql, until: number, piece: number): Transaction<number[]> {
  const replaced = yield* deletePiece(sql, 'api_keys', 'ends_at', until, piece, IS_REPLACED)
  const ended = yield* rows(
    sql.db
      .selectFrom('api_keys as k')
      .innerJoin('team_keys as t', (join) =>
        join.onRef('t.id', '=', 'k.team_key_id').onRef('t.account_id', '=', 'k.account_id'),
      )
      .select(['t.id', 't.account_id as accountId'])
      .where('k.team_key_id', 'is not', null)
      .where('k.ends_at', '<=', until)
      .where('k.status', '=', 'revoked')
      // Without this key the next token would make another one, as if the owner had not revoked it.
      .where('k.prefix', '<>', PROGRAMS_PREFIX)
      .where(
        raw<boolean>`NOT EXISTS (SELECT 1 FROM api_keys AS n
          WHERE n.account_id = k.account_id AND n.team_key_id = k.team_key_id AND n.id <> k.id)`,
      )
      .where(
        raw<boolean>`t.spent_total = (SELECT coalesce(-sum(l.amount), 0) FROM ledger AS l
          WHERE l.account_id = k.account_id AND l.team_key_id = t.id)`,
      )
      .limit(piece),
  )
  if (ended.length === 0) return [replaced]
  const ids = ended.map(({ id }) => id)
  const owners = [...new Set(ended.map(({ accountId }) => accountId))]
  for (const [table, column] of [
    ['api_keys', 'team_key_id'],
    ['team_keys', 'id'],
  ] as const)
    yield* rows(sql.db.deleteFrom(table).where('account_id', 'in', owners).where(column, 'in', ids))
  return [replaced, ended.length]
}

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
