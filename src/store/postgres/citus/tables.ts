/** The tables that Citus distributes: every row belongs to an account and has the account's bucket. */
export interface AccountTable {
  readonly name: string
  /** The column with the account's id. Rows without an account are in bucket 0. */
  readonly owner: 'id' | 'account_id'
  readonly primaryKey: readonly string[] | null
  /** Whether a row is deleted with its account. */
  readonly isOwned: boolean
}

const owned = (name: string, ...primaryKey: string[]): AccountTable => ({
  name,
  owner: 'account_id',
  primaryKey,
  isOwned: true,
})

/** The primary key of each also contains the bucket, as Citus demands. */
export const ACCOUNT_TABLES: readonly AccountTable[] = [
  { name: 'accounts', owner: 'id', primaryKey: ['id'], isOwned: false },
  owned('api_keys', 'id'),
  owned('team_keys', 'id'),
  owned('lots', 'id'),
  { name: 'audit', owner: 'account_id', primaryKey: null, isOwned: false },
  { ...owned('refusals', 'key_id', 'ip', 'code', 'minute'), isOwned: false },
  owned('ledger', 'id'),
  owned('bindings', 'account_id', 'idempotency_key'),
  owned('password_resets', 'account_id'),
  owned('recovery_codes', 'id'),
  owned('usage_days', 'account_id', 'day', 'path', 'team_key_id'),
  owned('usage_closed', 'account_id'),
]

/** Tables whose rows belong to no account. They stay on the coordinator, which the account endpoints need anyway. */
export const COORDINATOR_TABLES: readonly string[] = [
  ...['addresses', 'registrations', 'mails', 'attempts', 'failed_attempts', 'facts', 'hash_keys'],
]
