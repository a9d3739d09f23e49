/** Migrations 001 to 005: those of version 0.1.0. */
import type { Migration } from './migration.ts'

export const firstRelease: readonly Migration[] = [
  // Accounts, keys and the ledger.
  {
    name: '001-ledger',
    statements: (type) => [
      `CREATE TABLE accounts (
        id ${type.id},
        uid TEXT NOT NULL UNIQUE,
        tier TEXT NOT NULL,
        balance ${type.integer} NOT NULL CHECK (balance >= 0),
        created_at ${type.integer} NOT NULL,
        verified_at ${type.integer},
        expires_at ${type.integer},
        hour_limit ${type.integer},
        day_limit ${type.integer},
        minute_started_at ${type.integer} NOT NULL DEFAULT 0,
        minute_count ${type.integer} NOT NULL DEFAULT 0,
        hour_started_at ${type.integer} NOT NULL DEFAULT 0,
        hour_count ${type.integer} NOT NULL DEFAULT 0,
        day_started_at ${type.integer} NOT NULL DEFAULT 0,
        day_count ${type.integer} NOT NULL DEFAULT 0,
        device_id TEXT,
        device_name TEXT,
        platform TEXT
      )${type.updatedOften}`,
      `CREATE INDEX accounts_expires_at ON accounts (expires_at) WHERE expires_at IS NOT NULL`,
      `CREATE TABLE api_keys (
        id ${type.id},
        uid TEXT NOT NULL UNIQUE,
        account_id ${type.integer} NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        hash ${type.bytes} NOT NULL UNIQUE,
        master_key_id TEXT NOT NULL,
        sealed ${type.bytes} NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('active', 'suspended', 'revoked')),
        created_at ${type.integer} NOT NULL
      )`,
      `CREATE INDEX api_keys_account ON api_keys (account_id)`,
      `CREATE TABLE audit (
        id TEXT NOT NULL,
        at ${type.integer} NOT NULL,
        account_id ${type.integer},
        key_id ${type.integer},
        kind TEXT NOT NULL,
        method TEXT NOT NULL,
        path TEXT NOT NULL,
        status ${type.integer} NOT NULL,
        code TEXT,
        credits ${type.integer} NOT NULL,
        calls ${type.integer} NOT NULL,
        ip TEXT NOT NULL,
        request_id TEXT NOT NULL,
        duration_ms ${type.integer} NOT NULL,
        replayed ${type.integer} NOT NULL,
        detail TEXT
      )`,
      `CREATE INDEX audit_account ON audit (account_id, at)`,
      `CREATE INDEX audit_id ON audit (id)`,
      `CREATE INDEX audit_at ON audit (at)`,
      `CREATE TABLE refusals (
        key_id ${type.integer} NOT NULL,
        account_id ${type.integer} NOT NULL,
        ip TEXT NOT NULL,
        code TEXT NOT NULL,
        minute ${type.integer} NOT NULL,
        count ${type.integer} NOT NULL,
        PRIMARY KEY (key_id, ip, code, minute)
      )`,
      `CREATE TABLE ledger (
        id ${type.id},
        at ${type.integer} NOT NULL,
        account_id ${type.integer} NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        kind TEXT NOT NULL,
        amount ${type.integer} NOT NULL,
        audit_id TEXT,
        note TEXT
      )`,
      `CREATE INDEX ledger_account ON ledger (account_id)`,
      `CREATE UNIQUE INDEX ledger_refund ON ledger (audit_id) WHERE kind = 'refund'`,
      `CREATE TABLE bindings (
        account_id ${type.integer} NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        idempotency_key TEXT NOT NULL,
        request_hash TEXT NOT NULL,
        audit_id TEXT NOT NULL,
        expires_at ${type.integer} NOT NULL,
        replayed ${type.integer} NOT NULL,
        PRIMARY KEY (account_id, idempotency_key)
      )`,
      `CREATE INDEX bindings_expires_at ON bindings (expires_at)`,
      `CREATE TABLE attempts (
        scope TEXT NOT NULL,
        subject TEXT NOT NULL,
        started_at ${type.integer} NOT NULL,
        count ${type.integer} NOT NULL,
        expires_at ${type.integer} NOT NULL,
        PRIMARY KEY (scope, subject)
      )`,
      `CREATE INDEX attempts_expires_at ON attempts (expires_at)`,
      `CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL)`,
    ],
  },
  // Registered accounts: their owners, pending registrations, second factors and mails.
  {
    name: '002-accounts',
    statements: (type) => [
      // In the form in which addresses are compared; null for guests.
      'ALTER TABLE accounts ADD COLUMN address TEXT',
      'ALTER TABLE accounts ADD COLUMN email TEXT',
      'ALTER TABLE accounts ADD COLUMN username TEXT',
      'ALTER TABLE accounts ADD COLUMN full_name TEXT',
      'ALTER TABLE accounts ADD COLUMN password_hash TEXT',
      // Without `totp_enabled_at` the secret still awaits its first code.
      `ALTER TABLE accounts ADD COLUMN totp_sealed ${type.bytes}`,
      'ALTER TABLE accounts ADD COLUMN totp_master_key_id TEXT',
      `ALTER TABLE accounts ADD COLUMN totp_enabled_at ${type.integer}`,
      `ALTER TABLE accounts ADD COLUMN totp_last_step ${type.integer}`,
      // The account that took a guest over, and whose history includes that of the guest.
      `ALTER TABLE accounts ADD COLUMN linked_to ${type.integer}`,
      'CREATE UNIQUE INDEX accounts_address ON accounts (address)',
      'CREATE INDEX accounts_linked_to ON accounts (linked_to) WHERE linked_to IS NOT NULL',
      `CREATE TABLE registrations (
        id ${type.id},
        uid TEXT NOT NULL UNIQUE,
        address TEXT NOT NULL,
        email TEXT NOT NULL,
        username TEXT NOT NULL,
        full_name TEXT NOT NULL,
        password_hash TEXT NOT NULL,
        guest_key_id ${type.integer},
        code_hash ${type.bytes} NOT NULL,
        code_master_key_id TEXT NOT NULL,
        code_sent_at ${type.integer} NOT NULL,
        code_expires_at ${type.integer} NOT NULL,
        code_attempts ${type.integer} NOT NULL,
        created_at ${type.integer} NOT NULL
      )`,
      'CREATE INDEX registrations_address ON registrations (address)',
      'CREATE INDEX registrations_created_at ON registrations (created_at)',
      `CREATE TABLE password_resets (
        account_id ${type.integer} PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
        uid TEXT NOT NULL,
        code_hash ${type.bytes} NOT NULL,
        code_master_key_id TEXT NOT NULL,
        code_sent_at ${type.integer} NOT NULL,
        code_expires_at ${type.integer} NOT NULL,
        code_attempts ${type.integer} NOT NULL
      )`,
      `CREATE TABLE recovery_codes (
        id ${type.id},
        account_id ${type.integer} NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        master_key_id TEXT NOT NULL,
        sealed ${type.bytes} NOT NULL
      )`,
      'CREATE INDEX recovery_codes_account ON recovery_codes (account_id)',
      `CREATE TABLE mails (
        id TEXT PRIMARY KEY,
        master_key_id TEXT NOT NULL,
        sealed ${type.bytes},
        created_at ${type.integer} NOT NULL,
        attempts ${type.integer} NOT NULL,
        next_at ${type.integer} NOT NULL,
        sent_at ${type.integer},
        last_error TEXT
      )`,
      'CREATE INDEX mails_next_at ON mails (next_at) WHERE sealed IS NOT NULL',
    ],
  },
  // The recipient of a mail, to which its sealed text is bound.
  {
    name: '003-mail-recipients',
    statements: () => [
      // Null once the text is erased.
      'ALTER TABLE mails ADD COLUMN recipient TEXT',
      'CREATE INDEX mails_done ON mails (created_at) WHERE sealed IS NULL',
    ],
  },
  // An index of refusals by time, for the export of the audit and for the clean-up.
  {
    name: '004-refusals-by-time',
    statements: () => ['CREATE INDEX refusals_minute ON refusals (minute, key_id, ip, code)'],
  },
  // Sums of usage for past days.
  {
    name: '005-usage-days',
    statements: (type) => [
      `CREATE TABLE usage_days (
        account_id ${type.integer} NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        day ${type.integer} NOT NULL,
        path TEXT NOT NULL,
        calls ${type.integer} NOT NULL,
        credits ${type.integer} NOT NULL,
        PRIMARY KEY (account_id, day, path)
      )`,
      // The days before this one are in usage_days.
      `CREATE TABLE usage_closed (
        account_id ${type.integer} PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
        until_day ${type.integer} NOT NULL
      )`,
    ],
  },
]
