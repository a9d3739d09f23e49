/** Failed attempts at an address, counted for the audit. */
import type { Migration } from './migration.ts'

export const failedAttempts: Migration = {
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
}
