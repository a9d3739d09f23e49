/** Looks up API keys on the server that holds their bucket. */
import { type FoundKey, type KnownKey, knownKey, TEAM_FIELDS } from '../../known-key.ts'
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
  const keys = await ask<FoundHash>(lookups, findKeys(bucket, names))
  if (keys.length === 0) return new Map()
  const ids = keys.map(({ accountId }) => accountId)
  const accounts = new Map(
    (await ask<FoundAccount>(lookups, findAccounts(bucket, ids))).map((row) => [row.id, row]),
  )
  return new Map(
    keys.flatMap((key) => {
      const account = accounts.get(key.accountId)
      // It was deleted between the two statements.
      if (account === undefined) return []
      return [[key.hash, { ...knownKey({ ...key, ...account }), now: rules.timeOf(account.now) }]]
    }),
  )
}

type FoundHash = Omit<FoundKey, 'expiresAt' | 'verified'> & { readonly hash: string }

export const findKeys = (bucket: number, hashes: readonly string[]): Query => ({
  name: 'find keys',
  text: `SELECT k.hash::text, k.id AS "keyId", k.account_id AS "accountId", k.status, ${TEAM_FIELDS} FROM api_keys k
    LEFT JOIN team_keys t ON t.id = k.team_key_id AND t.bucket = k.bucket
    WHERE k.bucket = $1::smallint AND k.hash = ANY ($2::bytea[])`,
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
