/** Acts that wait for a second person, and the person behind a token. */
import type { Migration } from './migration.ts'

export const approvals: Migration = {
  name: '020-approvals',
  statements: (type) => [
    'ALTER TABLE operator_tokens ADD COLUMN person TEXT',
    `CREATE TABLE approvals (
      id ${type.id},
      act TEXT NOT NULL,
      path TEXT NOT NULL,
      input TEXT NOT NULL,
      account_id ${type.integer},
      asked_by TEXT NOT NULL,
      person TEXT NOT NULL,
      reason TEXT,
      asked_at ${type.integer} NOT NULL,
      expires_at ${type.integer} NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('waiting', 'confirmed', 'rejected')),
      decided_by TEXT,
      decided_at ${type.integer}
    )`,
    "CREATE INDEX approvals_waiting ON approvals (expires_at) WHERE state = 'waiting'",
    'CREATE INDEX approvals_asked ON approvals (asked_at)',
    'CREATE INDEX approvals_account ON approvals (account_id) WHERE account_id IS NOT NULL',
  ],
}
