/** The prepared statements of group commits and of key lookups on PostgreSQL. */
import type { KeyStatus } from '../../ledger/types.ts'
import {
  type AccountRow,
  accountColumns,
  accountFields,
  auditColumns,
  type BindingRow,
  bindingColumns,
  type Column,
  namesOf,
  ON_CONFLICT,
  refusalColumns,
} from '../ledger-rows.ts'
import type { Statement } from '../sql.ts'
import type { PreparedStatement, Step } from './exchange.ts'
import { TIMELINE } from './primary.ts'

/** The database's clock in epoch milliseconds. */
export const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

/** Reads it as `now`. */
export const readClock = (): Statement => ({ sql: `SELECT ${NOW} AS now`, parameters: [] })

/**
 * Changes whenever unforced writes may be lost: with a promotion of a standby, which counts up the timeline; with every
 * start of the server; and, if only one of its processes was killed and the postmaster recovers by itself, with the
 * statistics, which a crash discards. The timeline also tells servers apart that started at the same moment.
 */
export const EPOCH = `concat_ws(' ', ${TIMELINE}, pg_postmaster_start_time(), pg_stat_get_bgwriter_stat_reset_time())`

/** The timeline of the server, which its epoch begins with. */
export const timelineOf = (epoch: string): string => epoch.slice(0, 8)

const command = (name: string, text: string): PreparedStatement<unknown> => ({ name, text, columns: {} })

export const begin = command('begin', 'BEGIN')
export const unforced = command('unforced', 'SET LOCAL synchronous_commit = off')
/** Not prepared, so that the text is on the wire, where the crash test cuts connections at it. */
export const commit = command('', 'COMMIT')

/**
 * Returns the rows as they are once the locks are held. The locks exclude every other writer of these rows; a new row that
 * refers to an account, as the sums of dropped audit rows do, need not wait for them.
 */
export const lockAccounts: PreparedStatement<AccountRow> = {
  name: 'lock accounts',
  text: `SELECT ${Object.keys(accountFields)} FROM accounts WHERE id = ANY ($1::bigint[]) ORDER BY id FOR NO KEY UPDATE`,
  columns: accountFields,
}

/** Must follow the locks, because it reads the clock. Returns one row, without a key, if none of the keys exists. */
export const readKeys: PreparedStatement<
  { now: number; epoch: string } & (
    | { id: number; accountId: number; status: KeyStatus }
    | { id: null; accountId: null; status: null }
  )
> = {
  name: 'read keys',
  text: `SELECT ${NOW}, ${EPOCH}, k.id, k.account_id, k.status
    FROM (SELECT) AS once LEFT JOIN api_keys k ON k.id = ANY ($1::bigint[])`,
  columns: { now: 'bigint', epoch: 'text', id: 'bigint', accountId: 'bigint', status: 'text' },
}

export const readBindings: PreparedStatement<BindingRow> = {
  name: 'read bindings',
  text: `SELECT ${namesOf(bindingColumns)} FROM bindings
    JOIN unnest($1::bigint[], $2::text[]) AS wanted (account_id, idempotency_key)
    USING (account_id, idempotency_key)`,
  columns: Object.fromEntries(bindingColumns.map(({ name, type }) => [name, type])) as never,
}

interface Written {
  readonly id: string
  readonly credits: number
  readonly replayed: number
}

export const writtenColumns: PreparedStatement<Written>['columns'] = {
  id: 'text',
  credits: 'bigint',
  replayed: 'bigint',
}

/**
 * Audit rows that an earlier attempt at the same group has written. Not prepared: a plan for any time would lock all
 * partitions of the audit, this one has those since a time.
 */
export const readWritten = (since: number): PreparedStatement<Written> => ({
  name: '',
  text: `SELECT id, credits, replayed FROM audit WHERE id = ANY ($1::text[]) AND at >= ${since}`,
  columns: writtenColumns,
})

export const findKeys: PreparedStatement<{
  hash: string
  keyId: number
  accountId: number
  status: KeyStatus
  verifiedAt: number | null
  expiresAt: number | null
  now: number
}> = {
  name: 'find keys',
  text: `SELECT k.hash, k.id, k.account_id, k.status, a.verified_at, a.expires_at, ${NOW}
    FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.hash = ANY ($1::bytea[])`,
  columns: {
    hash: 'text',
    keyId: 'bigint',
    accountId: 'bigint',
    status: 'text',
    verifiedAt: 'bigint',
    expiresAt: 'bigint',
    now: 'bigint',
  },
}

/** A statement that takes its rows as one array for each column. */
interface Write<Item> {
  readonly statement: PreparedStatement<unknown>
  readonly columns: readonly Column<Item>[]
}

const unnested = (columns: readonly Column<never>[]) =>
  `unnest(${columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ')})`

const insert = <Item>(table: string, columns: readonly Column<Item>[], onConflict = ''): Write<Item> => ({
  statement: command(
    `write ${table}`,
    `INSERT INTO ${table} (${namesOf(columns)}) SELECT * FROM ${unnested(columns)} ${onConflict}`,
  ),
  columns,
})

export const writeAccounts = {
  statement: command(
    'write accounts',
    `UPDATE accounts SET ${accountColumns.map(({ name }) => `${name} = new.${name}`).join(', ')}
     FROM ${unnested(accountColumns)} AS new (${namesOf(accountColumns)}) WHERE accounts.id = new.id`,
  ),
  columns: accountColumns,
}
export const writeAudit = insert('audit', auditColumns)
export const writeBindings = insert('bindings', bindingColumns, ON_CONFLICT.bindings)
export const writeRefusals = insert('refusals', refusalColumns, ON_CONFLICT.refusals)

/** No step if there is nothing to write. */
export const stepsOf = <Item>({ columns, statement }: Write<Item>, items: readonly Item[]): Step[] =>
  items.length === 0 ? [] : [{ statement, values: columns.map(({ value }) => arrayOf(items.map(value))) }]

/** An array literal. */
export const arrayOf = (values: readonly (string | number | null)[]): string =>
  `{${values.map((value) => (typeof value === 'string' ? quoted(value) : (value ?? 'NULL')))}}`

const SPECIAL = /["\\]/
const SPECIALS = /["\\]/g

const quoted = (text: string): string => `"${SPECIAL.test(text) ? text.replace(SPECIALS, '\\$&') : text}"`

/** The statements that a connection for group commits prepares. */
export const GROUP_STATEMENTS = [
  ...[begin, unforced, lockAccounts, readKeys, readBindings],
  ...[writeAccounts, writeAudit, writeBindings, writeRefusals].map(({ statement }) => statement),
]
export const LOOKUP_STATEMENTS = [findKeys]
