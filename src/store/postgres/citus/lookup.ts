/** Looks up API keys on the server that holds their bucket. */
import type { KeyStatus } from '../../../ledger/types.ts'
import type { KnownKey } from '../../store.ts'
import { NOW } from '../clock.ts'
import type { Query } from '../commit.ts'
import type { DatabaseConnection } from '../connection.ts'
import type { Rules } from '../group.ts'
import { ask } from '../lookup.ts'

interface Holder {
  readonly lookups: DatabaseConnection
  readonly rules: Pick<Rules, 'timeOf'>
}

/** Keys of one bucket by their hashes, as PostgreSQL writes bytes. */
export async function findIn(
  { lookups, rules }: Holder,
  bucket: number,
  names: readonly string[],
): Promise<Map<string, KnownKey>> {
  const keys = await ask<FoundKey>(lookups, findKeys(bucket, names))
  if (keys.length === 0) return new Map()
  const ids = keys.map(({ accountId }) => accountId)
  const accounts = new Map(
    (await ask<FoundAccount>(lookups, findAccounts(bucket, ids))).map((row) => [row.id, row]),
  )
  return new Map(
    keys.flatMap(({ hash, ...key }) => {
      const account = accounts.get(key.accountId)
      // It was deleted between the two statements.
      if (account === undefined) return []
      const { expiresAt, now, verified } = account
      return [[hash, { ...key, verified, expiresAt, now: rules.timeOf(now) }]]
    }),
  )
}

interface FoundKey {
  readonly hash: string
  readonly keyId: number
  readonly accountId: number
  readonly status: KeyStatus
}

export const findKeys = (bucket: number, hashes: readonly string[]): Query => ({
  name: 'find keys',
  text: `SELECT hash::text, id AS "keyId", account_id AS "accountId", status FROM api_keys
    WHERE bucket = $1::smallint AND hash = ANY ($2::bytea[])`,
  values: [bucket, hashes],
})

interface FoundAccount {
  readonly id: number
  readonly verified: boolean
  readonly expiresAt: number | null
  readonly now: number
}

/** The account's columns by a second statement: a join would be planned anew each time. */
export const findAccounts = (bucket: number, ids: readonly number[]): Query => ({
  name: 'find accounts',
  text: `SELECT id, verified_at IS NOT NULL AS verified, expires_at AS "expiresAt", ${NOW} AS now FROM accounts
    WHERE bucket = $1::smallint AND id = ANY ($2::bigint[])`,
  values: [bucket, ids],
})

/** The accounts of keys from before the database was distributed, which do not tell the bucket. Every server has them. */
export const findOldKeys = (hashes: readonly string[]): Query => ({
  name: 'find old keys',
  text: 'SELECT account_id AS "accountId" FROM old_keys WHERE hash = ANY ($1::bytea[])',
  values: [hashes],
})
