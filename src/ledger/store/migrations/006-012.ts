/** Migrations 006 to 012: indexes for growing tables, registrations, failed attempts and request ids. */
import type { Migration } from './migration.ts'

export const from006: readonly Migration[] = [
  // Indexes for queries that scanned a growing table, or all audit rows of an account.
  {
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
  },
  // Columns that bind a pending registration to the client that made it.
  {
    name: '007-bound-registrations',
    statements: (type) => [
      // Keyed hash of the token in the reply of the registration; null on rows from before this migration.
      `ALTER TABLE registrations ADD COLUMN token_hash ${type.bytes}`,
      // The client address, as limits count it.
      "ALTER TABLE registrations ADD COLUMN client TEXT NOT NULL DEFAULT ''",
      // 1: the present code was mailed for the client that holds the token.
      `ALTER TABLE registrations ADD COLUMN code_is_own ${type.integer} NOT NULL DEFAULT 0`,
    ],
  },
  // Failed attempts at an address, counted for the audit.
  {
    name: '008-failed-attempts',
    statements: (type) => [
      `CREATE TABLE failed_attempts (
        subject TEXT NOT NULL,
        ip TEXT NOT NULL,
        path TEXT NOT NULL,
        code TEXT NOT NULL,
        minute ${type.integer} NOT NULL,
        account_id ${type.integer},
        count ${type.integer} NOT NULL,
        PRIMARY KEY (minute, subject, ip, path, code)
      )`,
    ],
  },
  // References of grants, each granted once per account.
  {
    name: '009-grant-references',
    statements: () => [
      'ALTER TABLE ledger ADD COLUMN reference TEXT',
      'CREATE UNIQUE INDEX ledger_reference ON ledger (account_id, reference) WHERE reference IS NOT NULL',
    ],
  },
  // The acts of operators, which the service copies to its log.
  {
    name: '010-operator-commands',
    statements: () => ["CREATE INDEX audit_commands ON audit (at) WHERE method = 'CLI'"],
  },
  // An index for looking up an account's computations by their request id.
  {
    name: '011-request-ids',
    // Request ids come first: they ascend unless callers set them, so that new rows of all accounts go to one page at the end.
    // With the account first, each account would have a page of its own, and a row would take four times as long.
    statements: () => [
      "CREATE INDEX audit_requests ON audit (request_id, account_id, at) WHERE kind = 'computation'",
    ],
  },
  // An index of the request ids that callers gave.
  {
    name: '012-given-request-ids',
    // A request id that the service makes is the id of the audit row, which has an index already. Most calls write no entry here.
    statements: () => [
      'DROP INDEX audit_requests',
      `CREATE INDEX audit_given_requests ON audit (request_id, account_id, at)
        WHERE kind = 'computation' AND request_id <> id`,
    ],
  },
]
