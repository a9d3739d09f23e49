/** One salt for the client addresses of an account, in the place of one for each row. It stays with the rows where an account goes. */
import type { Migration } from './migration.ts'

export const auditSalts: Migration = {
  name: '022-audit-salts',
  statements: (type) => [
    `CREATE TABLE audit_salts (account_id ${type.integer} PRIMARY KEY, salt ${type.bytes} NOT NULL)`,
  ],
}
