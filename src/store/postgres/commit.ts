/** The statements of a group commit on one PostgreSQL server: one for each table, over all accounts of the group. */
import type { QueryConfig } from 'pg'
import type { Entry, Writes } from '../../ledger/types.ts'
import { GROUP_AGE_MS } from '../../limits/operation.ts'
import {
  accountColumns,
  accountFields,
  auditColumns,
  bindingColumns,
  type Column,
  expiringColumns,
  expiryColumns,
  lotColumns,
  namesOf,
  ON_CONFLICT,
  refusalColumns,
  teamKeyColumns,
  teamKeyFields,
} from '../ledger-rows.ts'
import { NOW } from './clock.ts'
import { EPOCH } from './primary.ts'

/** A statement without a name is parsed each time, one with a name once by each connection. */
export type Query = QueryConfig<unknown[]>

/** The statements of a group's two round trips, COMMIT excepted; null: none is needed. */
export interface GroupStatements {
  reads(entries: readonly Entry[], again: boolean): Reads
  /** For accounts that have lots, after the locks. */
  lots(accountIds: readonly number[]): Query
  writes(writes: Writes): Query[]
}

export interface Reads {
  readonly begin: Query
  readonly accounts: Query
  /** Must follow the locks; null: the rows of the keys tell the time and the epoch. */
  readonly clock: Query | null
  readonly keys: Query
  /** The lineages of team keys; null: no entry has one. */
  readonly teamKeys: Query | null
  readonly bindings: Query | null
  readonly written: Query | null
}

export const ofOneServer: GroupStatements = {
  reads(entries, again) {
    const { accountIds, auditIds, begin, idempotency, keyIds, teamKeyIds } = askedOf(entries)
    return {
      begin,
      accounts: lockAccounts(accountIds),
      clock: null,
      keys: readKeys(keyIds),
      teamKeys: teamKeyIds.length === 0 ? null : readTeamKeys(teamKeyIds),
      bindings: idempotency && readBindings(...idempotency),
      written: again ? readWritten(auditIds, Date.now() - GROUP_AGE_MS) : null,
    }
  },
  lots: readLots,
  writes: (writes) =>
    [
      writeAccounts(writes.accounts),
      ...writeLots(writes),
      writeTeamKeys(writes.teamKeys),
      writeAudit(writes.audit),
      writeBindings(writes.bindings),
      writeRefusals(writes.refusals),
    ].filter((write) => write !== null),
}

/** The entries as the statements of the reads ask for them. */
export function askedOf(entries: readonly Entry[]) {
  const calls = entries.flatMap((entry) => (entry.step === 'refusal' ? [] : [entry.call]))
  const keyed = calls.flatMap(({ accountId, idempotency }) =>
    idempotency === null ? [] : [{ accountId, key: idempotency.key }],
  )
  const isDurable = entries.some(({ step }) => step === 'settle' || step === 'admitAndSettle')
  return {
    begin: { text: isDurable ? 'BEGIN' : 'BEGIN; SET LOCAL synchronous_commit = off' },
    accountIds: distinct(entries.map(({ call }) => call.accountId)),
    keyIds: distinct(entries.map(({ call }) => call.keyId)),
    /** Those of the keys that are team keys. */
    teamKeyIds: distinct(entries.filter(({ call }) => call.teamKeyId !== null).map(({ call }) => call.keyId)),
    /** Account ids and idempotency keys, in the same order; null: no entry has one. */
    idempotency:
      keyed.length === 0
        ? null
        : ([keyed.map(({ accountId }) => accountId), keyed.map(({ key }) => key)] as const),
    auditIds: distinct(calls.map(({ id }) => id)),
  }
}

const distinct = <Id>(ids: readonly Id[]): Id[] => [...new Set(ids)]

/**
 * Returns the rows as they are once the locks are held. The locks exclude every other writer of these rows; a new row that
 * refers to an account, as the sums of dropped audit rows do, need not wait for them.
 */
const lockAccounts = (ids: readonly number[]): Query => ({
  name: 'lock accounts',
  text: `SELECT ${accountFields} FROM accounts WHERE id = ANY ($1::bigint[]) ORDER BY id FOR NO KEY UPDATE`,
  values: [ids],
})

/** Must follow the locks, because it reads the clock. Returns one row, without a key, if none of the keys exists. */
const readKeys = (ids: readonly number[]): Query => ({
  name: 'read keys',
  text: `SELECT ${NOW} AS now, ${EPOCH} AS epoch, k.id, k.account_id AS "accountId", k.status
    FROM (SELECT) AS once LEFT JOIN api_keys k ON k.id = ANY ($1::bigint[])`,
  values: [ids],
})

const readTeamKeys = (keyIds: readonly number[]): Query => ({
  name: 'read team keys',
  text: `SELECT ${teamKeyFields} FROM api_keys k JOIN team_keys t ON t.id = k.team_key_id
    WHERE k.id = ANY ($1::bigint[])`,
  values: [keyIds],
})

function readLots(accountIds: readonly number[]): Query {
  return {
    name: 'read lots',
    text: `SELECT id, account_id, remaining, expires_at FROM lots
      WHERE account_id = ANY ($1::bigint[]) AND remaining > 0 ORDER BY expires_at, id`,
    values: [accountIds],
  }
}

const readBindings = (accountIds: readonly number[], keys: readonly string[]): Query => ({
  name: 'read bindings',
  text: `SELECT ${namesOf(bindingColumns)} FROM bindings
    JOIN unnest($1::bigint[], $2::text[]) AS wanted (account_id, idempotency_key)
    USING (account_id, idempotency_key)`,
  values: [accountIds, keys],
})

/**
 * Audit rows that an earlier attempt at the same group has written. Not prepared: a plan for any time would lock all
 * partitions of the audit, this one has those since a time.
 */
const readWritten = (ids: readonly string[], since: number): Query => ({
  text: `SELECT id, credits, replayed FROM audit WHERE id = ANY ($1::text[]) AND at >= ${since}`,
  values: [ids],
})

/** Rows of a table as `new`, from one array for each column. */
const rowsFrom = (columns: readonly Column<never>[]): string =>
  `unnest(${columns.map(({ type }, index) => `$${index + 1}::${type}[]`)}) AS new (${namesOf(columns)})`

/** A statement that takes its rows as `rowsFrom` does; null if there are none. */
const write =
  <Item>(name: string, text: string, columns: readonly Column<Item>[]) =>
  (items: readonly Item[]): Query | null =>
    items.length === 0 ? null : { name, text, values: columns.map((column) => arrayOf(column, items)) }

/** An array as PostgreSQL reads it. The driver's own conversion takes five times as long. */
const arrayOf = <Item>({ value }: Column<Item>, items: readonly Item[]): string =>
  `{${items.map((item) => elementOf(value(item))).join()}}`

const elementOf = (value: string | number | null): string | number => {
  if (typeof value !== 'string') return value ?? 'NULL'
  return `"${/["\\]/.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`
}

/** Sets the other columns of the rows with these ids. */
const update = <Item>(name: string, table: string, columns: readonly Column<Item>[]) =>
  write(
    name,
    `UPDATE ${table} SET ${columns.filter(({ name: own }) => own !== 'id').map(({ name: own }) => `${own} = new.${own}`)}
     FROM ${rowsFrom(columns)} WHERE ${table}.id = new.id`,
    columns,
  )

const writeAccounts = update('write accounts', 'accounts', accountColumns)
const writeTeamKeys = update('write team keys', 'team_keys', teamKeyColumns)
const writeRemaining = update('write lots', 'lots', lotColumns)
const writeExpiring = update('write expiries', 'accounts', expiringColumns)
const writeExpired = write(
  'write expired',
  `INSERT INTO ledger (${namesOf(expiryColumns)}) SELECT * FROM ${rowsFrom(expiryColumns)}`,
  expiryColumns,
)

function writeLots({ accounts, expired, lots }: Writes): (Query | null)[] {
  if (lots.length === 0) return []
  const owners = new Set(lots.map(({ accountId }) => accountId))
  return [
    writeRemaining(lots),
    writeExpired(expired),
    writeExpiring(accounts.filter(({ id }) => owners.has(id))),
  ]
}

/** The debits: a row for each call, with its credits. */
const writeAudit = write(
  'write audit',
  `INSERT INTO audit (${namesOf(auditColumns)}) SELECT * FROM ${rowsFrom(auditColumns)}`,
  auditColumns,
)

const writeBindings = write(
  'write bindings',
  `INSERT INTO bindings (${namesOf(bindingColumns)}) SELECT * FROM ${rowsFrom(bindingColumns)} ${ON_CONFLICT.bindings}`,
  bindingColumns,
)

const writeRefusals = write(
  'write refusals',
  `INSERT INTO refusals (${namesOf(refusalColumns)}) SELECT * FROM ${rowsFrom(refusalColumns)} ${ON_CONFLICT.refusals}`,
  refusalColumns,
)
