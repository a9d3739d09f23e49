/** An account by its number or address, with its present key. */
import { first, type Sql, type Transaction } from '../sql.ts'
import type { AccountRecord } from '../store.ts'

/** One statement whether or not there is such an account, so that both take the same time. */
export function* findAccount(
  sql: Sql,
  who: { readonly accountId: number } | { readonly address: string },
): Transaction<AccountRecord | null> {
  const row = yield* first(query(sql, who))
  if (row === undefined) return null
  const { keyId, keyUid, keyStatus, keyCreatedAt, keyMasterKeyId, keySealed } = row
  const { totpSealed, totpMasterKeyId, totpEnabledAt, verifiedAt, ...account } = row
  return {
    ...account,
    verified: verifiedAt !== null,
    totp:
      totpSealed === null
        ? null
        : { sealed: totpSealed, masterKeyId: totpMasterKeyId!, enabled: totpEnabledAt !== null },
    key:
      keyId === null
        ? null
        : {
            keyId,
            uid: keyUid!,
            status: keyStatus!,
            createdAt: keyCreatedAt!,
            masterKeyId: keyMasterKeyId!,
            sealed: keySealed!,
          },
  }
}

function query({ db }: Sql, who: { readonly accountId: number } | { readonly address: string }) {
  const found = db
    .selectFrom('accounts as a')
    .leftJoin('api_keys as k', (join) =>
      join.onRef('k.account_id', '=', 'a.id').on('k.status', '<>', 'revoked'),
    )
    .select([
      ...(['a.id as accountId', 'a.uid', 'a.tier', 'a.balance as credits', 'a.address', 'a.email'] as const),
      ...(['a.username', 'a.full_name as fullName', 'a.password_hash as passwordHash'] as const),
      ...(['a.created_at as createdAt', 'a.verified_at as verifiedAt', 'a.expires_at as expiresAt'] as const),
      ...(['a.totp_sealed as totpSealed', 'a.totp_master_key_id as totpMasterKeyId'] as const),
      ...(['a.totp_enabled_at as totpEnabledAt', 'k.id as keyId', 'k.uid as keyUid'] as const),
      ...(['k.status as keyStatus', 'k.created_at as keyCreatedAt'] as const),
      ...(['k.master_key_id as keyMasterKeyId', 'k.sealed as keySealed'] as const),
    ])
    .orderBy('k.id', 'desc')
    .limit(1)
  return 'accountId' in who
    ? found.where('a.id', '=', who.accountId)
    : found.where('a.address', '=', who.address)
}
