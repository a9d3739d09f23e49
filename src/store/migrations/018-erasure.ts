/** Accounts whose person was erased: the row stays, because movements and calls refer to it. */
import type { Migration } from './migration.ts'

export const erasure: Migration = {
  name: '018-erasure',
  statements: (type) => [
    `ALTER TABLE accounts ADD COLUMN deleted_at ${type.integer}`,
    // Null: nothing is left to erase.
    `ALTER TABLE accounts ADD COLUMN erased_until ${type.integer}`,
    'CREATE INDEX accounts_erased_until ON accounts (erased_until) WHERE erased_until IS NOT NULL',
    // What is kept about an account is found, and erased, by these.
    'CREATE INDEX failed_attempts_account ON failed_attempts (account_id) WHERE account_id IS NOT NULL',
    'CREATE INDEX webhook_events_account ON webhook_events (account_id, id)',
  ],
}
