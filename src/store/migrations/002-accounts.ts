/** Registered accounts: their owners, pending registrations, second factors and mails. */
import type { Migration } from './migration.ts'

export const accountTables: Migration = {
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
    // Of a guest that was taken over: the account with whose history its own is shown.
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
}
