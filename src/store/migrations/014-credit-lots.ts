/** Credits that expire or are taken back: lots, debts, and references that are unique in the whole ledger. */
import { REPEATED_REFERENCES } from '../facts.ts'
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
      expired ${type.integer} NOT NULL DEFAULT 0 CHECK (expired >= 0),
      expires_at ${type.integer} NOT NULL
    )${type.updatedOften}`,
    'CREATE INDEX lots_account ON lots (account_id, expires_at)',
    // Without a foreign key: a reference stays used when its account is deleted.
    `CREATE TABLE ledger_references (
      reference TEXT PRIMARY KEY,
      account_id ${type.integer} NOT NULL,
      credits ${type.integer} NOT NULL,
      grant_reference TEXT,
      reversed ${type.integer} NOT NULL DEFAULT 0,
      CHECK (reversed BETWEEN 0 AND credits)
    )`,
    'CREATE INDEX ledger_references_grant ON ledger_references (grant_reference) WHERE grant_reference IS NOT NULL',
    `INSERT INTO ledger_references (reference, account_id, credits)
      SELECT reference, account_id, amount
      FROM (SELECT reference, account_id, amount, row_number() OVER (PARTITION BY reference ORDER BY id) AS place
        FROM ledger WHERE reference IS NOT NULL) AS placed
      WHERE place = 1`,
    // Grants of a reference that another account had been given before; they stay.
    `INSERT INTO facts (name, value)
      SELECT '${REPEATED_REFERENCES}', cast(count(*) AS TEXT)
      FROM (SELECT account_id, first_value(account_id) OVER (PARTITION BY reference ORDER BY id) AS owner
        FROM ledger WHERE reference IS NOT NULL) AS placed
      WHERE account_id <> owner HAVING count(*) > 0`,
    `ALTER TABLE accounts ADD COLUMN lots_expire_at ${type.integer}`,
    'CREATE INDEX accounts_lots_expire_at ON accounts (lots_expire_at) WHERE lots_expire_at IS NOT NULL',
    `ALTER TABLE accounts ADD COLUMN debt ${type.integer} NOT NULL DEFAULT 0 CHECK (debt >= 0)`,
  ],
}
