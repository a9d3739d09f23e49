/** Distributes the tables of a database over the servers of Citus, once. */
import { migrate, missingMigrations } from '../../migrations/index.ts'
import { type Run, statement, type Transaction, UnusableDatabase } from '../../sql.ts'
import { mergeAudit } from '../audit-days.ts'

/** Migrates the database of a cluster, and distributes its tables. Throws UnusableDatabase. */
export async function prepareCluster(run: Run): Promise<void> {
  if (await run(isOlder))
    throw new UnusableDatabase(
      'The tables of this Citus cluster were distributed by an earlier version, which this one cannot migrate: start that version, or move a PostgreSQL database to a new one of the cluster (docs/how-to/move-to-citus.md).',
    )
  // In one transaction, so that a start that fails can be repeated.
  await run(function* () {
    yield* migrate({ dialect: 'postgres' })
    yield* distribute()
  })
}

export function* isDistributed(): Transaction<boolean> {
  const [accounts] = yield statement(
    "SELECT 1 FROM pg_dist_partition WHERE logicalrelid = to_regclass('accounts')",
  )
  return accounts !== undefined
}

/** Whether the database has migrations to come: a table that they make could not be distributed with those that refer to it. */
function* isOlder(): Transaction<boolean> {
  return (yield* isDistributed()) && (yield* missingMigrations()).length > 0
}

/** Distributes the tables. Citus moves rows that they already have to the shards. */
export function* distribute(): Transaction<void> {
  if (yield* isDistributed()) return
  yield* mergeAudit()
  const ids = yield statement(LAST_IDS)
  for (const sql of DISTRIBUTION) yield statement(sql)
  // Citus makes new sequences for tables that stay on the coordinator, which would assign the ids of rows again.
  for (const { last, name } of ids)
    yield statement("SELECT setval(pg_get_serial_sequence($1, 'id'), $2)", name, last)
}

/** The last id that each table has assigned, if any. */
const LAST_IDS = `SELECT name, last FROM (
    SELECT table_name AS name, pg_sequence_last_value(pg_get_serial_sequence(quote_ident(table_name), 'id')::regclass) AS last
    FROM information_schema.columns
    WHERE table_schema = current_schema() AND column_name = 'id' AND is_identity = 'YES') AS ids
  WHERE last IS NOT NULL`

/** Tables whose rows are deleted with their account. */
const OWNED = [
  'api_keys',
  'team_keys',
  'lots',
  'ledger',
  'bindings',
  'password_resets',
  'recovery_codes',
  'notices',
  'usage_days',
  'usage_closed',
]
/** Tables whose primary key is an id; Citus requires the account in each unique index. */
const NUMBERED = ['api_keys', 'team_keys', 'lots', 'ledger', 'recovery_codes', 'webhook_events']
/** Tables whose rows belong to no account. They stay on the coordinator, which the account endpoints need anyway. */
const ON_COORDINATOR = [
  'addresses',
  'registrations',
  'mails',
  'attempts',
  'failed_attempts',
  'facts',
  'hash_keys',
  'plans',
  'operator_tokens',
  'approvals',
  'lone_acts',
  'ledger_references',
  'audit_streams',
  'checkpoints',
  'signing_keys',
  // Like its deliveries, which refer to it.
  'webhook_endpoints',
]

const distributed = (table: string) =>
  `SELECT create_distributed_table('${table}', 'account_id', colocate_with => 'accounts')`

const DISTRIBUTION = [
  // Statements on tables with foreign keys need one connection to each server.
  "SET LOCAL citus.multi_shard_modify_mode TO 'sequential'",
  // Group commits write each row to one server.
  'SET LOCAL citus.shard_replication_factor TO 1',
  ...OWNED.map((table) => `ALTER TABLE ${table} DROP CONSTRAINT ${table}_account_id_fkey`),
  ...NUMBERED.flatMap((table) => [
    `ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey`,
    `ALTER TABLE ${table} ADD PRIMARY KEY (id, account_id)`,
  ]),
  // No index can be unique over all shards. Account numbers come from the coordinator's sequence, and uids are random.
  'ALTER TABLE accounts DROP CONSTRAINT accounts_uid_key',
  'ALTER TABLE api_keys DROP CONSTRAINT api_keys_uid_key',
  'ALTER TABLE api_keys DROP CONSTRAINT api_keys_hash_key',
  'DROP INDEX accounts_address',
  'DROP INDEX accounts_sign_on',
  'CREATE INDEX accounts_sign_on ON accounts (sign_on) WHERE sign_on IS NOT NULL',
  'DROP INDEX ledger_refund',
  'CREATE UNIQUE INDEX api_keys_hash ON api_keys (hash, account_id)',
  "CREATE UNIQUE INDEX ledger_refund ON ledger (audit_id, account_id) WHERE kind = 'refund'",
  // A group is stored in the shard of one of its accounts, so that a commit writes to one server.
  'ALTER TABLE audit_groups DROP CONSTRAINT audit_groups_pkey',
  'ALTER TABLE audit_groups ADD PRIMARY KEY (stream, number, account_id)',
  'ALTER TABLE refusals DROP CONSTRAINT refusals_pkey',
  'ALTER TABLE refusals ADD PRIMARY KEY (key_id, ip, code, minute, account_id)',
  // A shard cannot be joined with a table on the coordinator, so all references of the account are read.
  'CREATE INDEX ledger_references_account ON ledger_references (account_id)',
  'CREATE TABLE addresses (address TEXT PRIMARY KEY, account_id BIGINT NOT NULL)',
  'INSERT INTO addresses (address, account_id) SELECT address, id FROM accounts WHERE address IS NOT NULL',
  // Older events may have no account.
  'UPDATE audit SET account_id = 0 WHERE account_id IS NULL',
  // Citus moves a shard while it is written only if its rows have an identity. Without an index, each row that is changed
  // meanwhile would be searched in the whole copy.
  'ALTER TABLE audit ALTER COLUMN account_id SET NOT NULL',
  'DROP INDEX audit_id',
  'CREATE UNIQUE INDEX audit_id ON audit (id, account_id)',
  'ALTER TABLE audit REPLICA IDENTITY USING INDEX audit_id',
  "SELECT create_distributed_table('accounts', 'id', colocate_with => 'none')",
  ...[...OWNED, 'audit', 'audit_groups', 'audit_salts', 'refusals', 'webhook_events'].map(distributed),
  ...OWNED.map(
    (table) => `ALTER TABLE ${table} ADD CONSTRAINT ${table}_account_id_fkey
      FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE`,
  ),
  // Citus must know these tables, so that a transaction over one of them and a shard is atomic.
  ...ON_COORDINATOR.map(
    (table) => `SELECT citus_add_local_table_to_metadata('${table}', cascade_via_foreign_keys => true)`,
  ),
]
