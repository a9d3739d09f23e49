/** The rows of team keys: a lineage, and the keys that rotations made of it, of which the newest is shown. */
import { sql as raw } from 'kysely'
import { TEAM_KEYS_LISTED } from '../../base/limits/callers.ts'
import { capResetsAt, spentAt } from '../../ledger/rules/team-keys.ts'
import type { KeyStatus } from '../../ledger/rules/types.ts'
import { first, rows, type Sql, type Transaction } from '../../ledger/store/sql.ts'

/** The key of an account's programs, which send access tokens, has no characters of its own to be shown. */
export const PROGRAMS_PREFIX = 'access token'

/** A lineage with its newest key. Times are epoch milliseconds. */
export type TeamKeyRecord = Readonly<ReturnType<typeof recordOf>>

/** The account's team keys, revoked ones after the others, each newest first; at most TEAM_KEYS_LISTED. */
export function* teamKeys(sql: Sql, accountId: number): Transaction<TeamKeyRecord[]> {
  const now = yield* sql.clock()
  return (yield* rows(lineages(sql, accountId).limit(TEAM_KEYS_LISTED))).map((row) => recordOf(row, now))
}

/** One of the account's team keys; undefined: it has no such key. */
export function* teamKey(sql: Sql, accountId: number, id: number): Transaction<TeamKeyRecord | undefined> {
  const now = yield* sql.clock()
  const row = yield* first(lineages(sql, accountId).where('t.id', '=', id))
  return row === undefined ? undefined : recordOf(row, now)
}

/**
 * The numbers of the account's team keys, for each key that is accepted: several for one in the overlap of a rotation.
 * @param revived the number of a key whose end is being removed
 */
export function* liveTeamKeys(sql: Sql, accountId: number, revived = 0): Transaction<number[]> {
  const now = yield* sql.clock()
  const live = sql.db
    .selectFrom('team_keys as t')
    .innerJoin('api_keys as k', 'k.team_key_id', 't.id')
    .select('t.id')
    .where('t.account_id', '=', accountId)
    .where('k.account_id', '=', accountId)
    .where('k.status', '<>', 'revoked')
    .where(({ eb, or }) => or([eb('k.ends_at', 'is', null), eb('k.ends_at', '>', now)]))
    .where(({ eb, or }) =>
      or([eb('t.id', '=', revived), eb('t.expires_at', 'is', null), eb('t.expires_at', '>', now)]),
    )
  return (yield* rows(live)).map(({ id }) => id)
}

/** The status of the account's own key, which holds for its team keys, too; null: the account was deleted. */
export function* ownKeyStatus({ db }: Sql, accountId: number): Transaction<KeyStatus | null> {
  const own = db.selectFrom('api_keys').select('status').where('account_id', '=', accountId)
  const present = own.where('team_key_id', 'is', null).where('status', '<>', 'revoked')
  return (yield* first(present))?.status ?? null
}

const lineages = ({ db }: Sql, accountId: number) =>
  db
    .selectFrom('team_keys as t')
    .innerJoin('api_keys as k', 'k.team_key_id', 't.id')
    .selectAll('t')
    .select(['k.id as key_id', 'k.prefix', 'k.last4', 'k.status', 'k.ends_at'])
    .where('t.account_id', '=', accountId)
    .where('k.account_id', '=', accountId)
    .where(({ eb, selectFrom }) =>
      eb(
        'k.id',
        '=',
        selectFrom('api_keys as n')
          .select(({ fn }) => fn.max<number>('n.id').as('id'))
          .whereRef('n.team_key_id', '=', 't.id')
          .where('n.account_id', '=', accountId),
      ),
    )
    .orderBy(raw`case when k.status = 'revoked' then 1 else 0 end`)
    .orderBy('t.id', 'desc')

type LineageRow = Awaited<ReturnType<ReturnType<typeof lineages>['executeTakeFirstOrThrow']>>

function recordOf(row: LineageRow, now: number) {
  const cap = {
    creditCap: row.credit_cap,
    capPeriod: row.cap_period,
    spent: row.spent,
    spentFrom: row.spent_from,
  }
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix!,
    last4: row.last4!,
    state: stateOf(row, now),
    paths: row.paths === null ? null : (JSON.parse(row.paths) as string[]),
    allowedIps: row.allowed_ips === null ? null : (JSON.parse(row.allowed_ips) as string[]),
    creditCap: row.credit_cap,
    capPeriod: row.cap_period,
    capResetsAt: capResetsAt(cap, now),
    /** In the present period of the cap. */
    spent: spentAt(cap, now),
    spentTotal: row.spent_total,
    hourlyLimit: row.hourly_limit,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    newestKeyId: row.key_id,
  }
}

function stateOf(
  { expires_at, status }: { readonly expires_at: number | null; readonly status: KeyStatus },
  now: number,
): 'active' | 'expired' | 'revoked' {
  if (status === 'revoked') return 'revoked'
  return expires_at !== null && expires_at <= now ? 'expired' : 'active'
}
