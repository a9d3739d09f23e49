/** Tokens of operators, the sessions of their page, and the index of their acts. */
import type { Migration } from './migration.ts'

export const operatorTokens: Migration = {
  name: '016-operator-tokens',
  statements: (type) => [
    `CREATE TABLE operator_tokens (
      id ${type.id},
      name TEXT NOT NULL,
      role TEXT NOT NULL CHECK (role IN ('viewer', 'support', 'billing', 'admin')),
      hash ${type.bytes} NOT NULL UNIQUE,
      created_at ${type.integer} NOT NULL,
      expires_at ${type.integer},
      revoked_at ${type.integer},
      last_used_at ${type.integer},
      session_of ${type.integer}
    )`,
    'CREATE UNIQUE INDEX operator_tokens_name ON operator_tokens (name) WHERE revoked_at IS NULL AND session_of IS NULL',
    'CREATE INDEX operator_sessions ON operator_tokens (expires_at) WHERE session_of IS NOT NULL',
    `CREATE INDEX accounts_address_start ON accounts (address ${type.byteOrder}) WHERE address IS NOT NULL`,
    'DROP INDEX audit_commands',
    "CREATE INDEX audit_acts ON audit (at) WHERE method IN ('CLI', 'OPERATOR')",
  ],
}
