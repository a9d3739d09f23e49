/** The statements of the ledger and of key lookups on PostgreSQL, each prepared once a connection under its name. */
import type { QueryConfig } from 'pg'
import {
  ACCOUNT_FIELDS,
  accountColumns,
  auditColumns,
  bindingColumns,
  type Column,
  namesOf,
  ON_CONFLICT,
  refusalColumns,
} from '../ledger-rows.ts'

/** The database's clock in epoch milliseconds. */
export const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

/**
 * Changes whenever unforced writes may be lost: with every start of the server and, if only one of its processes was
 * killed and the postmaster recovers by itself, with the statistics, which a crash discards.
 */
const EPOCH = "concat_ws(' ', pg_postmaster_start_time(), pg_stat_get_bgwriter_stat_reset_time())"

const statement =
  (name: string, text: string) =>
  (values: unknown[]): QueryConfig => ({ name, text, values })

export const begin: QueryConfig = { name: 'begin', text: 'BEGIN' }
export const beginUnforced: QueryConfig = { text: 'BEGIN; SET LOCAL synchronous_commit = off' }
export const commit: QueryConfig = { name: 'commit', text: 'COMMIT' }

export const findKeys = statement(
  'find keys',
  `SELECT k.hash, k.id AS "keyId", k.account_id AS "accountId", k.status, a.verified_at IS NOT NULL AS verified,
     a.expires_at AS "expiresAt", ${NOW} AS now
   FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.hash = ANY ($1::bytea[])`,
)

/** Returns the rows as they are once the locks are held. */
export const lockAccounts = statement(
  'lock accounts',
  `SELECT ${ACCOUNT_FIELDS} FROM accounts WHERE id = ANY ($1::bigint[]) ORDER BY id FOR UPDATE`,
)

/** Must follow the locks, because it reads the clock. Returns one row, without a key, if none of the keys exists. */
export const readKeys = statement(
  'read keys',
  `SELECT ${NOW} AS now, ${EPOCH} AS epoch, k.id, k.account_id AS "accountId", k.status
   FROM (SELECT) AS once LEFT JOIN api_keys k ON k.id = ANY ($1::bigint[])`,
)

export const readBindings = statement(
  'read bindings',
  `SELECT ${namesOf(bindingColumns)} FROM bindings
   JOIN unnest($1::bigint[], $2::text[]) AS wanted (account_id, idempotency_key)
   USING (account_id, idempotency_key)`,
)

export const readWritten = statement(
  'read written',
  'SELECT id, credits, replayed FROM audit WHERE id = ANY ($1::text[])',
)

/** Items as a table: one array parameter for each column. */
const unnested = (columns: readonly Column<never>[]) =>
  `unnest(${columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ')})`

function writer<Item>(name: string, columns: readonly Column<Item>[], text: string) {
  const write = statement(name, text)
  return (items: readonly Item[]): QueryConfig[] =>
    items.length === 0 ? [] : [write(columns.map(({ value }) => items.map(value)))]
}

const inserter = <Item>(table: string, columns: readonly Column<Item>[], onConflict = '') =>
  writer(
    `write ${table}`,
    columns,
    `INSERT INTO ${table} (${namesOf(columns)}) SELECT * FROM ${unnested(columns)} ${onConflict}`,
  )

export const writeAccounts = writer(
  'write accounts',
  accountColumns,
  `UPDATE accounts SET ${accountColumns.map(({ name }) => `${name} = new.${name}`).join(', ')}
   FROM ${unnested(accountColumns)} AS new (${namesOf(accountColumns)}) WHERE accounts.id = new.id`,
)
export const writeAudit = inserter('audit', auditColumns)
export const writeBindings = inserter('bindings', bindingColumns, ON_CONFLICT.bindings)
export const writeRefusals = inserter('refusals', refusalColumns, ON_CONFLICT.refusals)
