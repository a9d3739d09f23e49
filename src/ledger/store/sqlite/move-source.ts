/** The database that `quantd move` reads: a SQLite file, opened for reading, in one snapshot. */
import Database from 'better-sqlite3'
import { SQLITE_LOCK_MS } from '../../../base/limits/operation.ts'
import { migrations, missingMigrations } from '../migrations/index.ts'
import { COLUMN_TYPES } from '../migrations/migration.ts'
import {
  checkRow,
  MIGRATIONS_TABLE,
  type MovedColumn,
  type MovedTable,
  type MovedType,
  type MovedValue,
  type MoveSource,
} from '../moved-table.ts'
import { runnerOf, sqlFor, UnusableDatabase } from '../sql.ts'
import { stepRunner } from './run.ts'

/** @returns the snapshot, which lasts until the source is closed. Throws UnusableDatabase for tables of another version. */
export function openMoveSource(file: string): MoveSource {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: SQLITE_LOCK_MS.reader })
  try {
    return sourceOn(db, file)
  } catch (error) {
    db.close()
    throw error
  }
}

function sourceOn(db: Database.Database, file: string): MoveSource {
  const version = () => db.pragma('data_version', { simple: true })
  const opened = version()
  db.exec('BEGIN')
  refuseOtherVersion(db, file)
  const tables = tablesOf(db)
  const runSteps = stepRunner(db)
  const sql = sqlFor('sqlite', () => ({ sql: 'SELECT ? AS now', parameters: [Date.now()] }))
  let reading: IterableIterator<unknown> | null = null
  // A connection reads one table at a time, and does not close while it reads; a move that failed has left its rows unread.
  const endReading = () => {
    reading?.return?.()
    reading = null
  }
  return {
    ...runnerOf(sql, async (transaction) => runSteps(transaction())),
    tables,
    *rowsOf(table) {
      endReading()
      const columns = table.columns.map(({ name }) => `"${name}"`).join(', ')
      const rows = db.prepare(`SELECT ${columns} FROM "${table.name}"`).raw().iterate()
      reading = rows
      for (const row of rows as IterableIterator<readonly MovedValue[]>) {
        checkRow(table, row)
        yield row
      }
    },
    isChanged() {
      endReading()
      if (db.inTransaction) db.exec('COMMIT')
      return version() !== opened
    },
    close() {
      endReading()
      db.close()
    },
  }
}

function refuseOtherVersion(db: Database.Database, file: string): void {
  const isNew = !tableNames(db).includes(MIGRATIONS_TABLE)
  if (isNew || stepRunner(db)(missingMigrations()).length > 0)
    throw new UnusableDatabase(
      `The database ${file} has the tables of an earlier version: run \`quantd admin verify-ledger\` without DATABASE_URL, which migrates it, and then move it.`,
    )
  const applied = db.prepare<[], string>(`SELECT name FROM ${MIGRATIONS_TABLE}`).pluck().all()
  const newer = applied.find((name) => !migrations.some((migration) => migration.name === name))
  if (newer !== undefined)
    throw new UnusableDatabase(
      `The database ${file} has the tables of a newer version (${newer}): move it with that version.`,
    )
}

/** In the order in which the tables were made: each after those that it refers to. */
const tableNames = (db: Database.Database): string[] =>
  db
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY rowid",
    )
    .pluck()
    .all()

function tablesOf(db: Database.Database): MovedTable[] {
  const ids = new Map(db.prepare<[], [string, number]>('SELECT name, seq FROM sqlite_sequence').raw().all())
  return tableNames(db)
    .filter((name) => name !== MIGRATIONS_TABLE)
    .map((name) => ({ name, columns: columnsOf(db, name), lastId: ids.get(name) ?? null }))
}

const TYPES: Readonly<Record<string, MovedType>> = {
  [COLUMN_TYPES.sqlite.integer]: 'integer',
  [COLUMN_TYPES.sqlite.bytes]: 'bytes',
  TEXT: 'text',
}

function columnsOf(db: Database.Database, table: string): MovedColumn[] {
  const columns = db.pragma(`table_info("${table}")`) as readonly { name: string; type: string }[]
  return columns.map(({ name, type }) => {
    const moved = TYPES[type]
    if (moved === undefined) throw new Error(`quantd move does not know the type ${type} of ${table}.${name}`)
    return { name, type: moved }
  })
}
