/** References of grants, each granted once per account. */
import type { Migration } from './migration.ts'

export const grantReferences: Migration = {
  name: '009-grant-references',
  statements: () => [
    'ALTER TABLE ledger ADD COLUMN reference TEXT',
    'CREATE UNIQUE INDEX ledger_reference ON ledger (account_id, reference) WHERE reference IS NOT NULL',
  ],
}
