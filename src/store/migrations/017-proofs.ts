/** Proofs of the audit: its groups, their streams, and the checkpoints that sign them. */
import { AUDIT_PROVEN_FROM } from '../facts.ts'
import type { Migration } from './migration.ts'

export const proofs: Migration = {
  name: '017-proofs',
  statements: (type) => [
    // Numbers of four bytes: each row has them.
    'ALTER TABLE audit ADD COLUMN stream INTEGER',
    'ALTER TABLE audit ADD COLUMN group_number INTEGER',
    `ALTER TABLE audit ADD COLUMN content ${type.bytes}`,
    `ALTER TABLE audit ADD COLUMN address ${type.bytes}`,
    // Events that wait for the next checkpoint.
    "CREATE INDEX audit_unproven ON audit (at) WHERE stream IS NULL AND kind = 'event'",
    `CREATE TABLE audit_streams (
      id ${type.id},
      opened_at ${type.integer} NOT NULL,
      version TEXT NOT NULL,
      signed INTEGER NOT NULL DEFAULT 0,
      signed_at ${type.integer} NOT NULL
    )`,
    'CREATE INDEX audit_streams_signed_at ON audit_streams (signed_at)',
    `CREATE TABLE audit_groups (
      account_id ${type.integer} NOT NULL,
      at ${type.integer} NOT NULL,
      stream INTEGER NOT NULL,
      number INTEGER NOT NULL,
      leaves INTEGER NOT NULL,
      link ${type.bytes} NOT NULL,
      PRIMARY KEY (stream, number)
    )${type.byKey}`,
    `CREATE TABLE checkpoints (
      number ${type.integer} PRIMARY KEY,
      at ${type.integer} NOT NULL,
      body TEXT NOT NULL,
      signatures TEXT NOT NULL
    )`,
    'CREATE INDEX checkpoints_at ON checkpoints (at, number)',
    `CREATE TABLE signing_keys (
      id ${type.id},
      uid TEXT NOT NULL UNIQUE,
      public_key TEXT NOT NULL,
      created_at ${type.integer} NOT NULL,
      retired_at ${type.integer},
      master_key_id TEXT NOT NULL,
      sealed ${type.bytes} NOT NULL
    )`,
    // Rows from before have no proof.
    `INSERT INTO facts (name, value)
      SELECT '${AUDIT_PROVEN_FROM}', cast(max(at) + 1 AS TEXT) FROM audit HAVING count(*) > 0`,
  ],
}
