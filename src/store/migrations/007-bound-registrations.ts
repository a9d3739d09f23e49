/** Columns that bind a pending registration to the client that made it. */
import type { Migration } from './migration.ts'

export const boundRegistrations: Migration = {
  name: '007-bound-registrations',
  statements: (type) => [
    // Keyed hash of the token in the reply of the registration; null on rows from before this migration.
    `ALTER TABLE registrations ADD COLUMN token_hash ${type.bytes}`,
    // The client address, as limits count it.
    "ALTER TABLE registrations ADD COLUMN client TEXT NOT NULL DEFAULT ''",
    // 1: the present code was mailed for the client that holds the token.
    `ALTER TABLE registrations ADD COLUMN code_is_own ${type.integer} NOT NULL DEFAULT 0`,
  ],
}
