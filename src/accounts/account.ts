/** Looks up the account of a caller. */
import { Failure, INVALID_KEY } from '../errors.ts'
import type { AccountRecord, Store } from '../store/store.ts'

/** An account with a verified address and a password. */
export interface RegisteredAccount extends AccountRecord {
  readonly address: string
  readonly email: string
  readonly username: string
  readonly fullName: string
  readonly passwordHash: string
}

export const isRegistered = (account: AccountRecord | null): account is RegisteredAccount =>
  account !== null && account.passwordHash !== null && account.verified

interface Reads {
  readonly store: Pick<Store, 'findAccount'>
}

/** The account of a caller, with its key. Throws Failure `api_key_invalid`. */
export async function callersAccount({ store }: Reads, accountId: number) {
  const account = await store.findAccount({ accountId })
  // The account was deleted, or its key revoked, after the key was looked up.
  if (account === null || account.key === null) throw new Failure('api_key_invalid', INVALID_KEY)
  return { ...account, key: account.key }
}

/** The account of a caller with a registered key. Throws Failure `api_key_invalid`. */
export async function registeredAccount({ store }: Reads, accountId: number): Promise<RegisteredAccount> {
  const account = await store.findAccount({ accountId })
  // The account was deleted after the key was looked up.
  if (!isRegistered(account)) throw new Failure('api_key_invalid', INVALID_KEY)
  return account
}
