/** Distributes the tables of a database over the servers of Citus, once. */
import { BUCKETS } from '../../../buckets.ts'
import type { Statement, Transaction } from '../../sql.ts'
import { mergeAudit } from '../partition-audit.ts'
import { ACCOUNT_TABLES, COORDINATOR_TABLES } from './tables.ts'

/** Also of tables with rows, which Citus moves to the shards. */
export function* distribute(): Transaction<void> {
  const [accounts] = yield statement(
    "SELECT 1 FROM pg_dist_partition WHERE logicalrelid = 'accounts'::regclass",
  )
  if (accounts !== undefined) return
  yield* mergeAudit()
  for (const sql of DISTRIBUTION) yield statement(sql)
}

const statement = (sql: string): Statement => ({ sql, parameters: [] })

const bucketed = ACCOUNT_TABLES.flatMap(({ name, owner, primaryKey }) => [
  `ALTER TABLE ${name} ADD COLUMN bucket SMALLINT`,
  `UPDATE ${name} SET bucket = coalesce(${owner}, 0) % ${BUCKETS}`,
  `ALTER TABLE ${name} ALTER COLUMN bucket SET NOT NULL`,
  ...(primaryKey === null ? [] : [`ALTER TABLE ${name} ADD PRIMARY KEY (${[...primaryKey, 'bucket']})`]),
])

const DISTRIBUTION = [
  // Statements on tables with foreign keys need one connection to each server.
  "SET LOCAL citus.multi_shard_modify_mode TO 'sequential'",
  ...ACCOUNT_TABLES.flatMap(({ isOwned, name }) =>
    isOwned ? [`ALTER TABLE ${name} DROP CONSTRAINT ${name}_account_id_fkey`] : [],
  ),
  ...ACCOUNT_TABLES.flatMap(({ name, primaryKey }) =>
    primaryKey === null ? [] : [`ALTER TABLE ${name} DROP CONSTRAINT ${name}_pkey`],
  ),
  // A unique index must contain the bucket: what must be unique among all accounts has a table of its own, or is random.
  'ALTER TABLE accounts DROP CONSTRAINT accounts_uid_key',
  'ALTER TABLE api_keys DROP CONSTRAINT api_keys_uid_key',
  'ALTER TABLE api_keys DROP CONSTRAINT api_keys_hash_key',
  'DROP INDEX accounts_address',
  'DROP INDEX ledger_refund',
  'DROP INDEX ledger_reference',
  'CREATE TABLE addresses (address TEXT PRIMARY KEY, account_id BIGINT NOT NULL)',
  'INSERT INTO addresses (address, account_id) SELECT address, id FROM accounts WHERE address IS NOT NULL',
  // Keys that were issued before do not tell the bucket of their account.
  'CREATE TABLE old_keys (hash BYTEA PRIMARY KEY, account_id BIGINT NOT NULL)',
  'INSERT INTO old_keys (hash, account_id) SELECT hash, account_id FROM api_keys',
  ...bucketed,
  'CREATE UNIQUE INDEX accounts_uid ON accounts (uid, bucket)',
  'CREATE UNIQUE INDEX api_keys_hash ON api_keys (hash, bucket)',
  "CREATE UNIQUE INDEX ledger_refund ON ledger (audit_id, bucket) WHERE kind = 'refund'",
  'CREATE UNIQUE INDEX ledger_reference ON ledger (account_id, reference, bucket) WHERE reference IS NOT NULL',
  "SELECT create_reference_table('old_keys')",
  ...ACCOUNT_TABLES.map(
    ({ name }) =>
      `SELECT create_distributed_table('${name}', 'bucket', colocate_with => '${name === 'accounts' ? 'none' : 'accounts'}')`,
  ),
  ...ACCOUNT_TABLES.flatMap(({ isOwned, name }) =>
    isOwned
      ? [
          `ALTER TABLE ${name} ADD CONSTRAINT ${name}_account_id_fkey FOREIGN KEY (account_id, bucket)
             REFERENCES accounts (id, bucket) ON DELETE CASCADE`,
        ]
      : [],
  ),
  // Known to Citus, so that a transaction over such a table and a shard is atomic.
  ...COORDINATOR_TABLES.map((name) => `SELECT citus_add_local_table_to_metadata('${name}')`),
]
