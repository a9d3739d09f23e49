/**
 * The statements of the hot path on Citus. Each has one table and names the bucket as `bucket = $1`, so that Citus plans
 * it once as a query of one shard. Rows are written one a statement: Citus cannot push an INSERT from arrays down to a
 * shard.
 */
import type { KeyStatus } from '../../../ledger/types.ts'
import {
  accountColumns,
  accountFields,
  auditColumns,
  type BindingRow,
  bindingColumns,
  type Column,
  namesOf,
  refusalColumns,
} from '../../ledger-rows.ts'
import type { PreparedStatement, Step } from '../exchange.ts'
import * as plain from '../statements.ts'

/** On the server that holds the bucket; must follow the locks. */
export const readClock: PreparedStatement<{ now: number; epoch: string }> = {
  name: 'read clock',
  text: `SELECT ${plain.NOW}, ${plain.EPOCH}`,
  columns: { now: 'bigint', epoch: 'text' },
}

export const lockAccounts: typeof plain.lockAccounts = {
  ...plain.lockAccounts,
  text: `SELECT ${Object.keys(accountFields)} FROM accounts
    WHERE bucket = $1::smallint AND id = ANY ($2::bigint[]) ORDER BY id FOR UPDATE`,
}

export const readKeys: PreparedStatement<{ id: number; accountId: number; status: KeyStatus }> = {
  name: 'read keys of a bucket',
  text: 'SELECT id, account_id, status FROM api_keys WHERE bucket = $1::smallint AND id = ANY ($2::bigint[])',
  columns: { id: 'bigint', accountId: 'bigint', status: 'text' },
}

/** Also returns rows of one account under another's idempotency key, which the snapshot does not use. */
export const readBindings: PreparedStatement<BindingRow> = {
  ...plain.readBindings,
  text: `SELECT ${namesOf(bindingColumns)} FROM bindings WHERE bucket = $1::smallint
    AND account_id = ANY ($2::bigint[]) AND idempotency_key = ANY ($3::text[])`,
}

export const readWritten: ReturnType<typeof plain.readWritten> = {
  name: 'read written',
  columns: plain.writtenColumns,
  text: 'SELECT id, credits, replayed FROM audit WHERE bucket = $1::smallint AND id = ANY ($2::text[])',
}

/** A statement that writes one row. */
interface Write<Item> {
  readonly statement: PreparedStatement<unknown>
  readonly columns: readonly Column<Item>[]
}

/** `$1` is the bucket. */
const parameters = (columns: readonly Column<never>[]) =>
  columns.map(({ type }, index) => `$${index + 2}::${type}`)

const insert = <Item>(table: string, columns: readonly Column<Item>[], onConflict = ''): Write<Item> => ({
  statement: {
    name: `write ${table}`,
    text: `INSERT INTO ${table} (bucket, ${namesOf(columns)})
      VALUES ($1::smallint, ${parameters(columns)}) ${onConflict}`,
    columns: {},
  },
  columns,
})

const updates = accountColumns.map(({ name }, index) => `${name} = ${parameters(accountColumns)[index]}`)

const writeAccount = {
  statement: {
    name: 'write accounts',
    text: `UPDATE accounts SET ${updates.slice(1)} WHERE bucket = $1::smallint AND ${updates[0]}`,
    columns: {},
  },
  columns: accountColumns,
}
const writeAudit = insert('audit', auditColumns)
const writeBinding = insert(
  'bindings',
  bindingColumns,
  `ON CONFLICT (account_id, idempotency_key, bucket) DO UPDATE SET request_hash = excluded.request_hash,
    audit_id = excluded.audit_id, expires_at = excluded.expires_at, replayed = excluded.replayed`,
)
const writeRefusal = insert(
  'refusals',
  refusalColumns,
  'ON CONFLICT (key_id, ip, code, minute, bucket) DO UPDATE SET count = refusals.count + excluded.count',
)

/** One step for each row. */
export const stepsOf = <Item>(
  { columns, statement }: Write<Item>,
  bucket: number,
  items: readonly Item[],
): Step[] =>
  items.map((item) => ({
    statement,
    values: [bucket, ...columns.map(({ value }) => value(item))].map((value) =>
      value === null ? null : String(value),
    ),
  }))

export const writes = { writeAccount, writeAudit, writeBinding, writeRefusal }

/** The account's columns by a second statement: a join would be planned anew each time. */
export const findKeys: PreparedStatement<{
  hash: string
  keyId: number
  accountId: number
  status: KeyStatus
}> = {
  name: 'find keys',
  text: 'SELECT hash, id, account_id, status FROM api_keys WHERE bucket = $1::smallint AND hash = ANY ($2::bytea[])',
  columns: { hash: 'text', keyId: 'bigint', accountId: 'bigint', status: 'text' },
}

export const findAccounts: PreparedStatement<{
  id: number
  verifiedAt: number | null
  expiresAt: number | null
  now: number
}> = {
  name: 'find accounts',
  text: `SELECT id, verified_at, expires_at, ${plain.NOW} FROM accounts
    WHERE bucket = $1::smallint AND id = ANY ($2::bigint[])`,
  columns: { id: 'bigint', verifiedAt: 'bigint', expiresAt: 'bigint', now: 'bigint' },
}

/** The accounts of keys from before the database was distributed, which do not tell the bucket. Every server has them. */
export const findOldKeys: PreparedStatement<{ accountId: number }> = {
  name: 'find old keys',
  text: 'SELECT account_id FROM old_keys WHERE hash = ANY ($1::bytea[])',
  columns: { accountId: 'bigint' },
}

export const GROUP_STATEMENTS = [
  ...[plain.begin, plain.unforced, lockAccounts, readClock, readKeys, readBindings, readWritten],
  ...Object.values(writes).map(({ statement }) => statement),
]
export const LOOKUP_STATEMENTS = [findKeys, findAccounts, findOldKeys]
