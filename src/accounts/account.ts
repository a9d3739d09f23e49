/** Looks up the account of a caller. */
import type { InferResult } from 'kysely'
import { keyInvalid } from '../base/errors/requests.ts'
import { NO_ACCOUNT } from '../ledger/store/audit.ts'
import { first, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { Runner } from '../ledger/store/store.ts'
import type { Owner } from './open-account.ts'

/** An account with a verified address and a password. */
export type RegisteredAccount = AccountRecord & Owner

export const isRegistered = (account: AccountRecord | null): account is RegisteredAccount =>
  account !== null && account.passwordHash !== null && account.verified

interface Reads {
  readonly store: Runner
}

/** The account of a caller, with its key. Throws Failure `api_key_invalid`. */
export async function callersAccount({ store }: Reads, accountId: number) {
  const account = await store.run(findAccount, { accountId })
  // The account was deleted, or its key revoked, after the key was looked up.
  if (account === null || account.key === null) throw keyInvalid()
  return { ...account, key: account.key }
}

/** The account of a caller with a registered key. Throws Failure `api_key_invalid`. */
export async function registeredAccount({ store }: Reads, accountId: number): Promise<RegisteredAccount> {
  const account = await store.run(findAccount, { accountId })
  // The account was deleted after the key was looked up.
  if (!isRegistered(account)) throw keyInvalid()
  return account
}

/** The id of an account in a text. */
export const ACCOUNT_NUMBER = /^[1-9]\d{0,14}$/

/** An account by its id or by its e-mail address. */
export type AccountReference = { readonly accountId: number } | { readonly address: string }

/**
 * An account with its present key: its own one that is not revoked. Guests have no address, names or password. `address`: in the form in
 * which addresses are compared; `totp`: not `enabled` until its first code is entered.
 */
export type AccountRecord = Readonly<ReturnType<typeof recordOf>>

/** Finds an account. The statements are the same whether or not it exists, so that both cases take the same time. */
export function* findAccount(sql: Sql, who: AccountReference): Transaction<AccountRecord | null> {
  const row = yield* first(query(sql, yield* located(sql, who)))
  return row === undefined ? null : recordOf(row)
}

function recordOf(row: InferResult<ReturnType<typeof query>>[number]) {
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

/** The id of an account; `NO_ACCOUNT` if the address has none. */
export function* located(sql: Sql, who: AccountReference): Transaction<number> {
  return 'accountId' in who ? who.accountId : ((yield* sql.addresses.accountIdOf(who.address)) ?? NO_ACCOUNT)
}

const query = ({ db }: Sql, accountId: number) =>
  db
    .selectFrom('accounts as a')
    .leftJoin('api_keys as k', (join) =>
      join.onRef('k.account_id', '=', 'a.id').on('k.status', '<>', 'revoked').on('k.team_key_id', 'is', null),
    )
    .select([
      'a.id as accountId',
      'a.uid',
      'a.tier',
      'a.balance as credits',
      'a.address',
      'a.email',
      'a.username',
      'a.full_name as fullName',
      'a.password_hash as passwordHash',
      'a.created_at as createdAt',
      'a.verified_at as verifiedAt',
      'a.expires_at as expiresAt',
      'a.totp_sealed as totpSealed',
      'a.totp_master_key_id as totpMasterKeyId',
      'a.totp_enabled_at as totpEnabledAt',
      'k.id as keyId',
      'k.uid as keyUid',
      'k.status as keyStatus',
      'k.created_at as keyCreatedAt',
      'k.master_key_id as keyMasterKeyId',
      'k.sealed as keySealed',
    ])
    .orderBy('k.id', 'desc')
    .limit(1)
    .where('a.id', '=', accountId)
