/** The Store in one SQLite file: one connection, one writer, every transaction within one turn. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { migrations, migrationsTable } from './migrations/index.ts'
import { type Row, type Statement, sqlFor, type Transaction } from './sql.ts'
import { ledgerOn } from './sqlite-ledger.ts'
import { NotCommitted, OutcomeUnknown, type Store } from './store.ts'
import { sharedVerbs } from './verbs/index.ts'

export interface SqliteOptions {
  readonly file: string
  /** Added to the clock; only tests move it. */
  readonly clockOffsetMs?: () => number
}

/** How long a transaction waits for another process (the command line) to let go of the file. */
const BUSY_TIMEOUT_MS = 1_500

export function openSqlite({ file, clockOffsetMs = () => 0 }: SqliteOptions): Store {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const db = new Database(file, { timeout: BUSY_TIMEOUT_MS })
  db.pragma('journal_mode = WAL')
  db.pragma('foreign_keys = ON')
  db.pragma('synchronous = FULL')
  const now = () => Date.now() + clockOffsetMs()
  const durability = durabilitySwitch(db)
  migrate(db)

  const prepared = new Map<string, Database.Statement>()
  const execute = ({ sql, parameters }: Statement): Row[] => {
    let statement = prepared.get(sql)
    if (statement === undefined) {
      statement = db.prepare(sql)
      prepared.set(sql, statement)
    }
    if (statement.reader) return statement.all(parameters) as Row[]
    statement.run(parameters)
    return []
  }
  const inTransaction = <Result>(durable: boolean, work: () => Result): Result => {
    durability(durable)
    try {
      return transaction(db, work)
    } catch (error) {
      ledger.forget()
      throw error
    }
  }
  const sql = sqlFor('sqlite', () => ({ sql: 'SELECT ? AS now', parameters: [now()] }))
  const ledger = ledgerOn(db, now)

  return {
    ...sharedVerbs(sql, async (steps) => {
      ledger.forget()
      return inTransaction(true, () => runToEnd(steps(), execute))
    }),
    answersAtOnce: true,
    lookup: async (hashes) => ledger.lookup(hashes),
    commit: async (entries, again) => {
      const durable = entries.some((entry) => entry.step === 'settle' || entry.step === 'whole')
      return inTransaction(durable, () => ledger.commit(entries, again))
    },
    ping: async () => inTransaction(false, () => undefined),
    close: async () => {
      db.close()
    },
  }
}

function runToEnd<Result>(steps: Transaction<Result>, execute: (statement: Statement) => Row[]): Result {
  let step = steps.next()
  while (!step.done) step = steps.next(execute(step.value))
  return step.value
}

function transaction<Result>(db: Database.Database, work: () => Result): Result {
  try {
    db.exec('BEGIN IMMEDIATE')
  } catch (error) {
    throw new NotCommitted('SQLite would not begin a transaction', { cause: error })
  }
  let result: Result
  try {
    result = work()
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK')
    throw error instanceof Database.SqliteError
      ? new NotCommitted('SQLite rolled a transaction back', { cause: error })
      : error
  }
  try {
    db.exec('COMMIT')
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK')
    throw new OutcomeUnknown('SQLite failed to commit', { cause: error })
  }
  return result
}

/**
 * An admission need not wait for the disk: the settlement that precedes its reply follows it in the same log.
 * SQLite's setting can only be changed outside of transactions.
 */
function durabilitySwitch(db: Database.Database): (durable: boolean) => void {
  const full = db.prepare('PRAGMA synchronous = FULL')
  const normal = db.prepare('PRAGMA synchronous = NORMAL')
  let isDurable = true
  return (durable) => {
    if (durable === isDurable) return
    const pragma = durable ? full : normal
    pragma.run()
    isDurable = durable
  }
}

function migrate(db: Database.Database): void {
  const type = {
    id: 'INTEGER PRIMARY KEY AUTOINCREMENT',
    integer: 'INTEGER',
    bytes: 'BLOB',
    updatedOften: '',
  }
  transaction(db, () => {
    db.exec(migrationsTable)
    for (const migration of migrations) {
      if (db.prepare('SELECT 1 FROM migrations WHERE name = ?').get(migration.name) !== undefined) continue
      for (const statement of migration.statements(type)) db.exec(statement)
      db.prepare('INSERT INTO migrations (name) VALUES (?)').run(migration.name)
    }
  })
}
