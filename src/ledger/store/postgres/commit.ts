/**
 * The statements of a group commit on PostgreSQL, over all accounts of the group. The accounts, the audit rows and the proof of
 * nearly every group are written by one statement, the rows of any other table by one each.
 */
import { GROUP_AGE_MS } from '../../../base/limits/operation.ts'
import type { AddressSalt, ProvenGroup, ProvenRow, Salts } from '../../proofs/group.ts'
import type { Entry, EntryGroup, LedgerAccount, Writes } from '../../rules/types.ts'
import {
  accountColumns,
  accountNumbers,
  auditColumns,
  bindingColumns,
  type Column,
  eventColumns,
  expiringColumns,
  expiryColumns,
  groupColumns,
  lotColumns,
  lotFields,
  namesOf,
  onConflict,
  refusalColumns,
  saltColumns,
  teamKeyColumns,
  teamKeyFields,
} from '../ledger-rows.ts'
import { NotCommitted } from '../sql.ts'
import { arrayOf, rowsFrom } from './arrays.ts'
import { NOW } from './clock.ts'
import { EPOCH } from './primary.ts'

/** A statement without a name is parsed each time, one with a name once by each connection. */
export interface Query {
  readonly name?: string
  readonly text: string
  /** Arrays, or texts in the form of PostgreSQL's arrays. */
  readonly values?: readonly (string | readonly (string | number)[])[]
}

/** The statements of a group's two round trips, COMMIT excepted. */
export interface GroupStatements {
  /** @param known the salts that need not be read; null: the group needs no salts */
  reads(group: EntryGroup, known: Salts | null): Reads
  /** Reads the lots of accounts that have some; to be sent after the locks. */
  lots(accountIds: readonly number[]): Query[]
  writes(writes: ProvenWrites): Query[]
}

/** The changes of a group, with the proof of its audit rows. */
interface ProvenWrites extends Omit<Writes, 'audit'> {
  readonly audit: readonly ProvenRow[]
  readonly groups: readonly ProvenGroup[]
  readonly salts: readonly (readonly [accountId: number, salt: AddressSalt])[]
}

/** The statements in the order in which they are sent: after the locks of `accounts`, the others see what the locks protect. */
export interface Reads {
  readonly begin: readonly Query[]
  readonly accounts: readonly Query[]
  readonly keys: readonly Query[]
  readonly teamKeys: readonly Query[]
  readonly bindings: readonly Query[]
  readonly written: readonly Query[]
  readonly salts: readonly Query[]
}

/** The rows of the group have moved to another server. */
export class Moved extends NotCommitted {}

/** The tables of accounts, or the parts of them that hold some accounts. */
export interface AccountTables {
  /** Distinguishes prepared statements of one connection. */
  readonly label: string
  nameOf(table: string): string
  readonly isDivided: boolean
  /** A condition: they are on the server that runs the statement. */
  readonly isHere: string
}

export const WHOLE: AccountTables = {
  label: '',
  isDivided: false,
  isHere: 'true',
  nameOf: (table) => table,
}

/** The statements of a group in one part of the tables. */
export function groupStatements(tables: AccountTables): GroupStatements {
  const write = writesIn(tables)
  return {
    reads({ entries, isRepeated }, known) {
      const { accountIds, auditIds, hasTeamKeys, idempotency, keyIds } = askedOf(entries)
      const unsalted = known === null ? [] : accountIds.filter((id) => !known.has(id))
      return {
        begin: beginOf(entries),
        accounts: [lockAccounts(tables, accountIds)],
        keys: [readKeys(tables, keyIds)],
        teamKeys: hasTeamKeys ? [readTeamKeys(tables, keyIds)] : [],
        bindings: idempotency === null ? [] : [readBindings(tables, ...idempotency)],
        written: isRepeated ? [readWritten(tables, auditIds, Date.now() - GROUP_AGE_MS)] : [],
        salts: unsalted.length === 0 ? [] : [readSalts(tables, unsalted)],
      }
    },
    lots: (accountIds) => [readLots(tables, accountIds)],
    writes({ accounts, audit, bindings, events, expired, groups, lots, refusals, salts, teamKeys }) {
      const owners = new Set(lots.map(({ accountId }) => accountId))
      return [
        write.settled(accounts, groups, audit),
        write.remaining(lots),
        write.expired(expired),
        write.expiring(accounts.filter(({ id }) => owners.has(id))),
        write.teamKeys(teamKeys),
        write.salts(salts),
        write.bindings(bindings),
        write.refusals(refusals),
        write.events(events),
      ].filter((query) => query !== null)
    },
  }
}

/** An admission is not forced to disk: its settlement, later in the same log, makes it durable. */
export function beginOf(entries: readonly Entry[]): Query[] {
  const isDurable = entries.some(({ step }) => step === 'settle' || step === 'admitAndSettle')
  const begin = { name: 'begin', text: 'BEGIN' }
  return isDurable ? [begin] : [begin, { name: 'not durable', text: 'SET LOCAL synchronous_commit = off' }]
}

/** The parameters of the reads: what the entries refer to. */
function askedOf(entries: readonly Entry[]) {
  const calls = entries.flatMap((entry) => (entry.step === 'refusal' ? [] : [entry.call]))
  const keyed = calls.flatMap(({ accountId, idempotency }) =>
    idempotency === null ? [] : [{ accountId, key: idempotency.key }],
  )
  return {
    accountIds: distinct(entries.map(({ call }) => call.accountId)),
    keyIds: distinct(entries.map(({ call }) => call.keyId)),
    hasTeamKeys: entries.some(({ call }) => call.teamKeyId !== null),
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
 * Returns the rows as they are once the locks are held, as `FoundAccounts`. The locks exclude every other writer of these
 * rows; a new row that refers to an account, as the sums of dropped audit rows do, need not wait for them.
 */
const lockAccounts = ({ label, nameOf }: AccountTables, ids: readonly number[]): Query => ({
  name: `lock accounts${label}`,
  text: `SELECT json_agg(tier) AS tiers, json_agg(numbers) AS numbers
    FROM (SELECT tier, ARRAY[${accountNumbers}] AS numbers FROM ${nameOf('accounts')}
      WHERE id = ANY ($1::bigint[]) ORDER BY id FOR NO KEY UPDATE) AS locked`,
  values: [ids],
})

/** Must follow the locks, because it reads the clock. Returns one row, as `FoundKeys`. */
const readKeys = ({ isHere, label, nameOf }: AccountTables, ids: readonly number[]): Query => ({
  name: `read keys${label}`,
  text: `SELECT ${NOW} AS now, ${EPOCH} AS epoch, ${isHere} AS "isHere", json_agg(id) AS ids, json_agg(account_id) AS "accountIds",
    json_agg(status) AS statuses FROM ${nameOf('api_keys')} WHERE id = ANY ($1::bigint[])`,
  values: [ids],
})

/** The lineages of those keys that are team keys. */
const readTeamKeys = ({ label, nameOf }: AccountTables, ids: readonly number[]): Query => ({
  name: `read team keys${label}`,
  text: `SELECT ${teamKeyFields} FROM ${nameOf('api_keys')} k
    JOIN ${nameOf('team_keys')} t ON t.id = k.team_key_id WHERE k.id = ANY ($1::bigint[])`,
  values: [ids],
})

const readSalts = ({ label, nameOf }: AccountTables, accountIds: readonly number[]): Query => ({
  name: `read salts${label}`,
  text: `SELECT account_id AS "accountId", encode(salt, 'hex') AS salt FROM ${nameOf('audit_salts')}
    WHERE account_id = ANY ($1::bigint[])`,
  values: [accountIds],
})

const readLots = ({ label, nameOf }: AccountTables, accountIds: readonly number[]): Query => ({
  name: `read lots${label}`,
  text: `SELECT ${lotFields} FROM ${nameOf('lots')}
    WHERE account_id = ANY ($1::bigint[]) AND remaining > 0 ORDER BY expires_at, id`,
  values: [accountIds],
})

const readBindings = (
  { label, nameOf }: AccountTables,
  accountIds: readonly number[],
  keys: readonly string[],
): Query => ({
  name: `read bindings${label}`,
  text: `SELECT ${namesOf(bindingColumns)} FROM ${nameOf('bindings')}
    JOIN unnest($1::bigint[], $2::text[]) AS wanted (account_id, idempotency_key)
    USING (account_id, idempotency_key)`,
  values: [accountIds, keys],
})

/**
 * Audit rows that an earlier attempt at the same group has written. The statement is not prepared, because its generic plan
 * would lock all partitions of the audit instead of those since `since`.
 */
const readWritten = ({ nameOf }: AccountTables, ids: readonly string[], since: number): Query => ({
  text: `SELECT id, credits, replayed FROM ${nameOf('audit')} WHERE id = ANY ($1::text[]) AND at >= ${since}`,
  values: [ids],
})

/** A change of one table. */
interface Write<Item> {
  readonly name: string
  readonly columns: readonly Column<Item>[]
  /** @param rows the result of `rowsFrom` */
  readonly text: (rows: string) => string
}

const valuesOf = <Item>({ columns }: Write<Item>, items: readonly Item[]): string[] =>
  columns.map((column) => arrayOf(column, items))

function writesIn({ isDivided, label, nameOf }: AccountTables) {
  const existing = onConflict({ isDivided })
  /** A statement that makes a change; null if there are no rows. */
  const alone =
    <Item>(change: Write<Item>) =>
    (items: readonly Item[]): Query | null =>
      items.length === 0
        ? null
        : {
            name: change.name + label,
            text: change.text(rowsFrom(change.columns)),
            values: valuesOf(change, items),
          }
  /** Sets the other columns of the rows with these ids. */
  const update = <Item>(name: string, table: string, columns: readonly Column<Item>[]): Write<Item> => {
    const others = columns.map((column) => column.name).filter((column) => column !== 'id')
    const values = others.map((column) => `${column} = new.${column}`)
    return {
      name,
      columns,
      text: (rows) => `UPDATE ${nameOf(table)} AS old SET ${values} FROM ${rows} WHERE old.id = new.id`,
    }
  }
  const insert = <Item>(table: string, columns: readonly Column<Item>[], ifExisting = ''): Write<Item> => ({
    name: `write ${table}`,
    columns,
    text: (rows) =>
      `INSERT INTO ${nameOf(table)} AS ${table} (${namesOf(columns)}) SELECT * FROM ${rows} ${ifExisting}`,
  })
  // A shard has no sequence; that of the distributed table on the same server gives the numbers.
  const numbered = <Item>(table: string, columns: readonly Column<Item>[]): Write<Item> => ({
    name: `write numbered ${table}`,
    columns,
    text: (rows) =>
      `INSERT INTO ${nameOf(table)} (id, ${namesOf(columns)})
       SELECT nextval(pg_get_serial_sequence('${table}', 'id')), * FROM ${rows}`,
  })
  const accountsChange = update('write accounts', 'accounts', accountColumns)
  const auditChange = insert('audit', auditColumns)
  const groupsChange = insert('audit_groups', groupColumns)
  const settledText = `WITH changed AS (${accountsChange.text(rowsFrom(accountColumns))}),
    grouped AS (${groupsChange.text(rowsFrom(groupColumns, 1 + accountColumns.length))})
    ${auditChange.text(rowsFrom(auditColumns, 1 + accountColumns.length + groupColumns.length))}`
  const writeAccounts = alone(accountsChange)
  return {
    /** The changes of nearly every group in one statement, because each statement costs as much as the rows of some calls. */
    settled: (
      accounts: readonly LedgerAccount[],
      groups: readonly ProvenGroup[],
      audit: readonly ProvenRow[],
    ): Query | null =>
      audit.length === 0
        ? writeAccounts(accounts)
        : {
            name: `write settled${label}`,
            text: settledText,
            values: [
              ...valuesOf(accountsChange, accounts),
              ...valuesOf(groupsChange, groups),
              ...valuesOf(auditChange, audit),
            ],
          },
    teamKeys: alone(update('write team keys', 'team_keys', teamKeyColumns)),
    remaining: alone(update('write lots', 'lots', lotColumns)),
    expiring: alone(update('write expiries', 'accounts', expiringColumns)),
    expired: alone(numbered('ledger', expiryColumns)),
    events: alone(numbered('webhook_events', eventColumns)),
    salts: alone(insert('audit_salts', saltColumns)),
    bindings: alone(insert('bindings', bindingColumns, existing.bindings)),
    refusals: alone(insert('refusals', refusalColumns, existing.refusals)),
  }
}
