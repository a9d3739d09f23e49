/** Distributes the tables of a database over the servers of Citus, once. */
import { migrations } from '../../migrations/index.ts'
import { type Run, statement, type Transaction } from '../../sql.ts'
import { mergeAudit } from '../partition-audit.ts'
import { UnusableDatabase } from '../unusable.ts'

/** Migrates the database of a cluster, and distributes its tables. Throws UnusableDatabase. */
export async function prepareCluster(run: Run, migrate: () => Transaction<void>): Promise<void> {
  if (await run(isOlder))
    throw new UnusableDatabase(
      'The tables of this Citus cluster were distributed by an earlier version, which this one cannot migrate: start that version, or move a PostgreSQL database to a new one of the cluster (docs/how-to/move-to-citus.md).',
    )
  // One transaction, so that it can be repeated.
  await run(function* () {
    yield* migrate()
    yield* distribute()
  })
}

function* isDistributed(): Transaction<boolean> {
  const [accounts] = yield statement(
    "SELECT 1 FROM pg_dist_partition WHERE logicalrelid = to_regclass('accounts')",
  )
  return accounts !== undefined
}

/** A new table would not be distributed as those that refer to it. */
function* isOlder(): Transaction<boolean> {
  if (!(yield* isDistributed())) return false
  const done = new Set((yield statement('SELECT name FROM migrations')).map(({ name }) => name))
  return migrations.some(({ name }) => !done.has(name))
}

/** Also of tables with rows, which Citus moves to the shards. */
function* distribute(): Transaction<void> {
  if (yield* isDistributed()) return
  yield* mergeAudit()
  for (const sql of DISTRIBUTION) yield statement(sql)
}

/** A row is deleted with its account. */
const OWNED = [
  'api_keys',
  'team_keys',
  'lots',
  'ledger',
  'bindings',
  'password_resets',
  'recovery_codes',
  'usage_days',
  'usage_closed',
]
/** Rows with an id, which Citus lets be unique together with the account only. */
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
  'ledger_references',
  'audit_streams',
  'checkpoints',
  'signing_keys',
  // With its deliveries, which refer to it.
  'webhook_endpoints',
]

const distributed = (table: string) =>
  `SELECT create_distributed_table('${table}', 'account_id', colocate_with => 'accounts')`

const DISTRIBUTION = [
  // Statements on tables with foreign keys need one connection to each server.
  "SET LOCAL citus.multi_shard_modify_mode TO 'sequential'",
  // Group commits write the rows of an account in one place.
  'SET LOCAL citus.shard_replication_factor TO 1',
  ...OWNED.map((table) => `ALTER TABLE ${table} DROP CONSTRAINT ${table}_account_id_fkey`),
  ...NUMBERED.flatMap((table) => [
    `ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey`,
    `ALTER TABLE ${table} ADD PRIMARY KEY (id, account_id)`,
  ]),
  // Unique among all accounts are only the numbers that the coordinator draws; these values are random.
  'ALTER TABLE accounts DROP CONSTRAINT accounts_uid_key',
  'ALTER TABLE api_keys DROP CONSTRAINT api_keys_uid_key',
  'ALTER TABLE api_keys DROP CONSTRAINT api_keys_hash_key',
  'DROP INDEX accounts_address',
  'DROP INDEX ledger_refund',
  'CREATE UNIQUE INDEX api_keys_hash ON api_keys (hash, account_id)',
  "CREATE UNIQUE INDEX ledger_refund ON ledger (audit_id, account_id) WHERE kind = 'refund'",
  // Groups are beside the rows of one of their accounts, so that both are written in one place.
  'ALTER TABLE audit_groups DROP CONSTRAINT audit_groups_pkey',
  'ALTER TABLE audit_groups ADD PRIMARY KEY (stream, number, account_id)',
  'ALTER TABLE refusals DROP CONSTRAINT refusals_pkey',
  'ALTER TABLE refusals ADD PRIMARY KEY (key_id, ip, code, minute, account_id)',
  // Rows on the coordinator are not found by the rows of a shard that name them: those of the account are read.
  'CREATE INDEX ledger_references_account ON ledger_references (account_id)',
  'CREATE TABLE addresses (address TEXT PRIMARY KEY, account_id BIGINT NOT NULL)',
  'INSERT INTO addresses (address, account_id) SELECT address, id FROM accounts WHERE address IS NOT NULL',
  // Events without an account, from before each row had one.
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
  // Known to Citus, so that a transaction over such a table and a shard is atomic.
  ...ON_COORDINATOR.map(
    (table) => `SELECT citus_add_local_table_to_metadata('${table}', cascade_via_foreign_keys => true)`,
  ),
]
