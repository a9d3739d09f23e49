/**
 * The statements of a group commit on Citus: all within one bucket. Each has one table and names the bucket as
 * `bucket = $1`, so that Citus plans it once as a query of one shard. Rows are written one a statement: Citus cannot push
 * an INSERT from arrays down to a shard.
 */
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
} from '../../ledger-rows.ts'
import { NOW } from '../clock.ts'
import { askedOf, type GroupStatements, type Query } from '../commit.ts'
import { EPOCH } from '../primary.ts'

/** @param bucket that of every entry's account */
export const inBucket = (bucket: number): GroupStatements => ({
  reads(entries, again) {
    const { accountIds, auditIds, begin, idempotency, keyIds, teamKeyIds } = askedOf(entries)
    const of = (name: string, text: string, ...values: unknown[]): Query => ({
      name,
      text,
      values: [bucket, ...values],
    })
    return {
      begin,
      accounts: of('lock accounts', LOCK_ACCOUNTS, accountIds),
      clock: { name: 'read clock', text: READ_CLOCK },
      keys: of('read keys', READ_KEYS, keyIds),
      teamKeys: teamKeyIds.length === 0 ? null : of('read team keys', READ_TEAM_KEYS, teamKeyIds),
      bindings: idempotency && of('read bindings', READ_BINDINGS, ...idempotency),
      written: again ? of('read written', READ_WRITTEN, auditIds) : null,
    }
  },
  lots: (accountIds) => ({ name: 'read lots', text: READ_LOTS, values: [bucket, accountIds] }),
  writes: ({ accounts, audit, bindings, expired, lots, refusals, teamKeys }) => [
    ...accounts.map((row) => writeAccount(bucket, row)),
    ...(lots.length === 0 ? [] : accounts.map((row) => writeExpiring(bucket, row))),
    ...lots.map((row) => writeLot(bucket, row)),
    ...expired.map((row) => writeExpired(bucket, row)),
    ...teamKeys.map((row) => writeTeamKey(bucket, row)),
    ...audit.map((row) => writeAudit(bucket, row)),
    ...bindings.map((row) => writeBinding(bucket, row)),
    ...refusals.map((row) => writeRefusal(bucket, row)),
  ],
})

const LOCK_ACCOUNTS = `SELECT ${accountFields} FROM accounts
  WHERE bucket = $1::smallint AND id = ANY ($2::bigint[]) ORDER BY id FOR UPDATE`

/** On the server that holds the bucket. */
const READ_CLOCK = `SELECT ${NOW} AS now, ${EPOCH} AS epoch`

const READ_KEYS =
  'SELECT id, account_id AS "accountId", status FROM api_keys WHERE bucket = $1::smallint AND id = ANY ($2::bigint[])'

const READ_TEAM_KEYS = `SELECT ${teamKeyFields} FROM api_keys k
  JOIN team_keys t ON t.id = k.team_key_id AND t.bucket = k.bucket
  WHERE k.bucket = $1::smallint AND k.id = ANY ($2::bigint[])`

const READ_LOTS = `SELECT id, account_id, remaining, expires_at FROM lots
  WHERE bucket = $1::smallint AND account_id = ANY ($2::bigint[]) AND remaining > 0 ORDER BY expires_at, id`

/** Also returns rows of one account under another's idempotency key, which the snapshot does not use. */
const READ_BINDINGS = `SELECT ${namesOf(bindingColumns)} FROM bindings WHERE bucket = $1::smallint
  AND account_id = ANY ($2::bigint[]) AND idempotency_key = ANY ($3::text[])`

const READ_WRITTEN =
  'SELECT id, credits, replayed FROM audit WHERE bucket = $1::smallint AND id = ANY ($2::text[])'

/** `$1` is the bucket. */
const parameters = (columns: readonly Column<never>[]) =>
  columns.map(({ type }, index) => `$${index + 2}::${type}`)

/** A statement that writes one row. */
const write =
  <Item>(name: string, text: string, columns: readonly Column<Item>[]) =>
  (bucket: number, item: Item): Query => ({
    name,
    text,
    values: [bucket, ...columns.map(({ value }) => value(item))],
  })

/** Sets the other columns of the row with the id, which is the first column. */
function update<Item>(name: string, table: string, columns: readonly Column<Item>[]) {
  const [id, ...others] = columns.map((column, index) => `${column.name} = ${parameters(columns)[index]}`)
  return write(name, `UPDATE ${table} SET ${others} WHERE bucket = $1::smallint AND ${id}`, columns)
}

const writeAccount = update('write accounts', 'accounts', accountColumns)
const writeExpiring = update('write expiries', 'accounts', expiringColumns)
const writeLot = update('write lots', 'lots', lotColumns)
const writeTeamKey = update('write team keys', 'team_keys', teamKeyColumns)

const inserted = (columns: readonly Column<never>[]) =>
  `(bucket, ${namesOf(columns)}) VALUES ($1::smallint, ${parameters(columns)})`

/** The debits: a row for each call, with its credits. */
const writeAudit = write('write audit', `INSERT INTO audit ${inserted(auditColumns)}`, auditColumns)

const writeExpired = write('write expired', `INSERT INTO ledger ${inserted(expiryColumns)}`, expiryColumns)

/** Every unique index has the bucket. */
const withBucket = (onConflict: string): string => onConflict.replace(')', ', bucket)')

const writeBinding = write(
  'write bindings',
  `INSERT INTO bindings ${inserted(bindingColumns)} ${withBucket(ON_CONFLICT.bindings)}`,
  bindingColumns,
)

const writeRefusal = write(
  'write refusals',
  `INSERT INTO refusals ${inserted(refusalColumns)} ${withBucket(ON_CONFLICT.refusals)}`,
  refusalColumns,
)
