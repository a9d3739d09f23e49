/** Credits that expire: a grant with an end is a lot of the account's balance. */
import type { Migration } from './migration.ts'

export const creditLots: Migration = {
  name: '014-credit-lots',
  statements: (type) => [
    `CREATE TABLE lots (
      id ${type.id},
      account_id ${type.integer} NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      reference TEXT,
      granted ${type.integer} NOT NULL,
      remaining ${type.integer} NOT NULL CHECK (remaining >= 0),
      expires_at ${type.integer} NOT NULL
    )${type.updatedOften}`,
    'CREATE INDEX lots_account ON lots (account_id, expires_at)',
    `ALTER TABLE accounts ADD COLUMN lots_expire_at ${type.integer}`,
    'CREATE INDEX accounts_lots_expire_at ON accounts (lots_expire_at) WHERE lots_expire_at IS NOT NULL',
    `ALTER TABLE accounts ADD COLUMN debt ${type.integer} NOT NULL DEFAULT 0 CHECK (debt >= 0)`,
  ],
}
