/** Indexes for queries that scanned a growing table, or all audit rows of an account. */
import type { Migration } from './migration.ts'

export const growingTables: Migration = {
  name: '006-growing-tables',
  statements: () => [
    // Pages of usage skip the rows of account endpoints. Each audit row is in one of these two indexes, so that a write
    // costs as much as with the single index before.
    "CREATE INDEX audit_computations ON audit (account_id, at) WHERE kind = 'computation'",
    "CREATE INDEX audit_other_kinds ON audit (account_id, at) WHERE kind <> 'computation'",
    'DROP INDEX audit_account',
    'CREATE INDEX usage_days_day ON usage_days (day)',
    'CREATE INDEX password_resets_expires_at ON password_resets (code_expires_at)',
    'CREATE INDEX mails_recipient ON mails (recipient) WHERE recipient IS NOT NULL',
  ],
}
