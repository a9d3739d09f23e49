/** A key as a look-up finds it: its columns, and what authentication needs of its account. */
import type { Tier } from '../rules/tiers.ts'
import type { KeyStatus } from '../rules/types.ts'

/** Times are epoch milliseconds on the database's clock. */
export interface KnownKey {
  readonly keyId: number
  readonly accountId: number
  readonly status: KeyStatus
  readonly tier: Tier
  readonly verified: boolean
  /** When the guest account expires; null: the account is registered. */
  readonly expiresAt: number | null
  /** Null: the account's own key. */
  readonly team: KnownTeamKey | null
  readonly now: number
}

interface KnownTeamKey {
  /** The id of the lineage. */
  readonly id: number
  /** The sooner of the ends of the key and of its lineage; null: neither ends. */
  readonly endsAt: number | null
  /** The paths of the computations that the key may call; null: all. */
  readonly paths: ReadonlySet<string> | null
  /** The ranges of the client addresses from which the key may be used; null: all. */
  readonly allowedIps: readonly string[] | null
}

export interface FoundKey {
  readonly keyId: number
  readonly accountId: number
  readonly status: KeyStatus
  readonly tier: Tier
  readonly verified: number | boolean
  readonly expiresAt: number | null
  readonly teamKeyId: number | null
  readonly keyEndsAt: number | null
  readonly teamEndsAt: number | null
  readonly paths: string | null
  readonly allowedIps: string | null
}

/** The columns of a FoundKey; `fromKeys` joins their tables. */
export const KEY_FIELDS = `k.id AS "keyId", k.account_id AS "accountId", k.status, a.tier,
  a.verified_at IS NOT NULL AS verified, a.expires_at AS "expiresAt",
  k.team_key_id AS "teamKeyId", k.ends_at AS "keyEndsAt", t.expires_at AS "teamEndsAt", t.paths,
  t.allowed_ips AS "allowedIps"`

export const fromKeys = (nameOf: (table: string) => string): string =>
  `FROM ${nameOf('api_keys')} k JOIN ${nameOf('accounts')} a ON a.id = k.account_id
  LEFT JOIN ${nameOf('team_keys')} t ON t.id = k.team_key_id`

export const knownKey = (row: FoundKey): Omit<KnownKey, 'now'> => ({
  keyId: row.keyId,
  accountId: row.accountId,
  status: row.status,
  tier: row.tier,
  verified: Boolean(row.verified),
  expiresAt: row.expiresAt,
  team:
    row.teamKeyId === null
      ? null
      : {
          id: row.teamKeyId,
          endsAt: soonest(row.keyEndsAt, row.teamEndsAt),
          paths: setOf(row.paths),
          allowedIps: row.allowedIps === null ? null : JSON.parse(row.allowedIps),
        },
})

const soonest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b)

const setOf = (paths: string | null): ReadonlySet<string> | null =>
  paths === null ? null : new Set<string>(JSON.parse(paths))
