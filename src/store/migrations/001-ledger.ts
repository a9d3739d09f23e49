/** Accounts, keys and the ledger. */
import type { Migration } from './migration.ts'

export const ledgerTables: Migration = {
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
}
