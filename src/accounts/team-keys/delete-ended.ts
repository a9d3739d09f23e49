/** Deletes team keys that ended before all that is kept of the audit: no call that is still known was theirs. */
import { sql as raw } from 'kysely'
import { deletePiece, rows, type Sql, type Transaction } from '../../store/sql.ts'

const IS_REPLACED = raw<boolean>`team_key_id IS NOT NULL AND EXISTS (SELECT 1 FROM api_keys AS n
  WHERE n.account_id = api_keys.account_id AND n.team_key_id = api_keys.team_key_id AND n.id > api_keys.id)`

/**
 * Deletes keys that rotations replaced, and revoked lineages, at most about `piece` of each; returns the numbers. What a deleted
 * lineage has spent stays in the ledger, as debits of removed days under its number. A lineage whose spending differs from
 * these is kept, so that `verify-ledger` still finds the fault.
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
