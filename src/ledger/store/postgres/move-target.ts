/**
 * The database that `quantd move` writes: one PostgreSQL, or the coordinator of a Citus cluster. All rows come in one transaction,
 * which also compares them with the source: a move that is interrupted leaves none. A mark says that they are still to come.
 */
import { isDeepStrictEqual } from 'node:util'
import { isoTime } from '../../../base/time.ts'
import type { Column } from '../ledger-rows.ts'
import { MOVE_LOCK, takeLock } from '../locks.ts'
import { migrate, migrations } from '../migrations/index.ts'
import {
  MIGRATIONS_TABLE,
  type MovedTable,
  type MovedType,
  type MovedValue,
  type MoveSource,
  type TableDigest,
  tableDigest,
} from '../moved-table.ts'
import { type Sql, sqlFor, statement, type Transaction, UnusableDatabase } from '../sql.ts'
import { arrayOf, rowsFrom } from './arrays.ts'
import { databaseNow, mergeAudit } from './audit-days.ts'
import { coordinatorOf, onCoordinator } from './citus/cluster.ts'
import { distribute, isDistributed } from './citus/distribute.ts'
import { readClock } from './clock.ts'
import { MOVE_MARK, refuseUnusable, starting } from './open.ts'
import { primaryOf } from './primary.ts'

export interface Move<Checks> {
  readonly source: MoveSource
  /** Checks a database; the move is undone if its result differs from that of the source. */
  readonly check: (sql: Sql) => Transaction<Checks>
  /** The result of the source. */
  readonly expected: Checks
  /** Called with the name of a table and the number of its rows so far. */
  readonly progress: (table: string, rows: number) => void
}

/** The number of rows, by table. */
export type MovedRows = Readonly<Record<string, number>>

/** What is sent at once, and the number of rows that are read at once to compare them. */
const BATCH = { rows: 1_000, bytes: 4 * 1024 * 1024, compared: 500 }
/** The longest pause between two statements. */
const PAUSE = '1h'
/** The number of rows after which progress is told. */
const TOLD_ROWS = 100_000

/** Rejects with UnusableDatabase if the database has rows or a row would be changed, and as a start of the service does. */
export async function moveInto<Checks>(url: string, move: Move<Checks>): Promise<MovedRows> {
  const named = primaryOf(url)
  const coordinatorUrl = await starting(named, async (run) => {
    await refuseUnusable(run)
    return await run(() => coordinatorOf(url))
  })
  const isCluster = coordinatorUrl !== null
  const primary = isCluster && coordinatorUrl !== url ? primaryOf(coordinatorUrl) : named
  const sql = sqlFor('postgres', readClock, undefined, isCluster ? onCoordinator : { isByDay: false })
  return await starting(primary, async (run) => {
    await run(() => begin(sql, move.source.tables, isCluster))
    return await run(() => copyAll(sql, move, isCluster))
  })
}

/** Makes the tables, undistributed and without partitions, and marks the database. */
function* begin(sql: Sql, tables: readonly MovedTable[], isCluster: boolean): Transaction<void> {
  yield* refuseSecondMove(sql)
  yield* refuseUsed(tables)
  if (isCluster && (yield* isDistributed()))
    throw new UnusableDatabase(
      'The tables of this Citus cluster are distributed already: make a new database on it, without tables.',
    )
  yield* migrate(sql)
  const applied = yield statement(`SELECT name FROM ${MIGRATIONS_TABLE}`)
  const newer = applied.find(({ name }) => !migrations.some((migration) => migration.name === name))
  if (newer !== undefined)
    throw new UnusableDatabase(
      `The database in DATABASE_URL has the tables of a newer version (${newer.name}): make a new database.`,
    )
  // Rows of past days would come to the default partition. The first start divides the table as it does that of an earlier version.
  yield* mergeAudit()
  yield statement('DELETE FROM facts')
  const mark = JSON.stringify({ begun: isoTime(yield* databaseNow()) })
  yield statement('INSERT INTO facts (name, value) VALUES ($1, $2)', MOVE_MARK, mark)
}

function* refuseSecondMove(sql: Sql): Transaction<void> {
  if (!(yield* takeLock(sql, MOVE_LOCK)))
    throw new UnusableDatabase('Another move into the database in DATABASE_URL is running: wait for its end.')
}

/** Facts do not count: the command that checks a ledger notes its result there, also in new tables. */
function* refuseUsed(tables: readonly MovedTable[]): Transaction<void> {
  for (const { name } of tables) {
    if (name === 'facts') continue
    const [table] = yield statement('SELECT to_regclass($1) IS NOT NULL AS exists', name)
    if (table!.exists === true && (yield statement(`SELECT 1 FROM ${name} LIMIT 1`)).length > 0)
      throw new UnusableDatabase(
        `The database in DATABASE_URL is in use: its table ${name} has rows. Make a new database.`,
      )
  }
}

function* copyAll<Checks>(sql: Sql, move: Move<Checks>, isCluster: boolean): Transaction<MovedRows> {
  // The command computes between the statements, on a busy machine for longer than a call may wait. No service waits for its locks.
  yield statement(`SET LOCAL idle_in_transaction_session_timeout = '${PAUSE}'`)
  yield* refuseSecondMove(sql)
  yield* refuseUsed(move.source.tables)
  // With the mark, which other sessions see until all rows are committed.
  yield statement('DELETE FROM facts')
  const moved: Record<string, number> = {}
  for (const table of move.source.tables) moved[table.name] = yield* copyTable(move, table)
  if (isCluster) yield* distribute()
  if (!isDeepStrictEqual(yield* move.check(sql), move.expected))
    throw new UnusableDatabase('The checks of the ledger and the audit differ between the two databases.')
  if (move.source.isChanged())
    throw new UnusableDatabase(
      'The database that is moved was changed meanwhile, perhaps by a command: run the move again.',
    )
  return moved
}

const TYPES: Readonly<Record<MovedType, Column<never>['type']>> = {
  integer: 'bigint',
  text: 'text',
  bytes: 'bytea',
}

type MovedRow = readonly MovedValue[]

const columnsOf = ({ columns }: MovedTable): Column<MovedRow>[] =>
  columns.map(({ name, type }, index) => ({
    name: `"${name}"`,
    type: TYPES[type],
    value: (row) => {
      const value = row[index]
      return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
    },
  }))

function* copyTable<Checks>({ progress, source }: Move<Checks>, table: MovedTable): Transaction<number> {
  const columns = columnsOf(table)
  const names = columns.map(({ name }) => name).join(', ')
  const insert = `INSERT INTO ${table.name} (${names}) SELECT * FROM ${rowsFrom(columns)}`
  const arrays = (batch: readonly MovedRow[]) => columns.map((column) => arrayOf(column, batch))
  const sent = tableDigest()
  let batch: MovedRow[] = []
  let bytes = 0
  for (const row of source.rowsOf(table)) {
    sent.add(row)
    batch.push(row)
    bytes += sizeOf(row)
    if (batch.length < BATCH.rows && bytes < BATCH.bytes) continue
    yield statement(insert, ...arrays(batch))
    batch = []
    bytes = 0
    if (sent.rows % TOLD_ROWS === 0) progress(table.name, sent.rows)
  }
  if (batch.length > 0) yield statement(insert, ...arrays(batch))
  if (table.lastId !== null)
    yield statement("SELECT setval(pg_get_serial_sequence($1, 'id'), $2)", table.name, table.lastId)
  // The checks read the rows by plans for as many as there are.
  yield statement(`ANALYZE ${table.name}`)
  const found = yield* digestOf(table, names)
  if (found.rows !== sent.rows || found.digest !== sent.digest)
    throw new UnusableDatabase(
      `The table ${table.name} differs after the move: ${found.rows} rows with the digest ${found.digest}, instead of ${sent.rows} with ${sent.digest}.`,
    )
  progress(table.name, sent.rows)
  return sent.rows
}

const sizeOf = (row: MovedRow): number =>
  row.reduce<number>(
    (sum, value) => sum + (typeof value === 'object' ? (value?.length ?? 0) : String(value).length),
    0,
  )

function* digestOf({ columns, name }: MovedTable, names: string): Transaction<TableDigest> {
  const digest = tableDigest()
  yield statement(`DECLARE moved NO SCROLL CURSOR FOR SELECT ${names} FROM ${name}`)
  for (;;) {
    const page = yield statement(`FETCH ${BATCH.compared} FROM moved`)
    for (const row of page) digest.add(columns.map((column) => row[column.name] as MovedValue))
    if (page.length < BATCH.compared) break
  }
  yield statement('CLOSE moved')
  return digest
}
