/** Sums of usage for past days. */
import type { Migration } from './migration.ts'

export const usageDays: Migration = {
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
}
