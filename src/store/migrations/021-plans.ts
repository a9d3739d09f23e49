/** The versions of the plan; the newest is in force, and none is changed. */
import type { Migration } from './migration.ts'

export const plans: Migration = {
  name: '021-plans',
  statements: (type) => [
    `CREATE TABLE plans (
      version ${type.integer} PRIMARY KEY,
      at ${type.integer} NOT NULL,
      actor TEXT NOT NULL,
      note TEXT,
      items TEXT NOT NULL
    )`,
  ],
}
