/** Team keys: a lineage has the settings and the spending of all keys that rotations made of one. */
import type { Migration } from './migration.ts'

export const teamKeys: Migration = {
  name: '013-team-keys',
  statements: (type) => [
    `CREATE TABLE hash_keys (
      id ${type.id},
      name TEXT NOT NULL UNIQUE,
      master_key_id TEXT NOT NULL,
      sealed ${type.bytes} NOT NULL
    )`,
    `CREATE TABLE team_keys (
      id ${type.id},
      account_id ${type.integer} NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      paths TEXT,
      credit_cap ${type.integer},
      cap_period TEXT NOT NULL CHECK (cap_period IN ('total', 'day', 'month')),
      spent ${type.integer} NOT NULL DEFAULT 0,
      spent_from ${type.integer} NOT NULL DEFAULT 0,
      spent_total ${type.integer} NOT NULL DEFAULT 0,
      hourly_limit ${type.integer},
      hour_started_at ${type.integer} NOT NULL DEFAULT 0,
      hour_count ${type.integer} NOT NULL DEFAULT 0,
      created_at ${type.integer} NOT NULL,
      expires_at ${type.integer},
      last_used_at ${type.integer},
      told_end ${type.integer}
    )${type.updatedOften}`,
    'CREATE INDEX team_keys_account ON team_keys (account_id)',
    // Of those whose end is to be told as an event.
    'CREATE INDEX team_keys_end ON team_keys (expires_at) WHERE expires_at IS NOT NULL AND told_end IS NULL',
    `ALTER TABLE api_keys ADD COLUMN team_key_id ${type.integer}`,
    'ALTER TABLE api_keys ADD COLUMN prefix TEXT',
    'ALTER TABLE api_keys ADD COLUMN last4 TEXT',
    `ALTER TABLE api_keys ADD COLUMN ends_at ${type.integer}`,
    'CREATE INDEX api_keys_prefix ON api_keys (prefix) WHERE prefix IS NOT NULL',
    'CREATE INDEX api_keys_team_key ON api_keys (team_key_id) WHERE team_key_id IS NOT NULL',
    // The sums are made again from the audit, whose rows go back as far.
    'DROP TABLE usage_days',
    'DELETE FROM usage_closed',
    `CREATE TABLE usage_days (
      account_id ${type.integer} NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      day ${type.integer} NOT NULL,
      path TEXT NOT NULL,
      team_key_id ${type.integer} NOT NULL,
      calls ${type.integer} NOT NULL,
      credits ${type.integer} NOT NULL,
      PRIMARY KEY (account_id, day, path, team_key_id)
    )`,
    'CREATE INDEX usage_days_day ON usage_days (day)',
    // Refunds, and the sums of days that were removed from the audit, belong to the lineage whose calls they concern.
    `ALTER TABLE ledger ADD COLUMN team_key_id ${type.integer}`,
  ],
}
