/** The Store in one SQLite file: one connection, one writer, every transaction within one turn. */
import { closeSync, fdatasync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { migrations, migrationsTable } from '../migrations/index.ts'
import { type Row, type Statement, sqlFor, type Transaction } from '../sql.ts'
import { NotCommitted, OutcomeUnknown, type Store } from '../store.ts'
import { sharedVerbs } from '../verbs/index.ts'
import { ledgerOn } from './ledger.ts'

export interface SqliteOptions {
  readonly file: string
  /** Added to the clock; only tests move it. */
  readonly clockOffsetMs?: () => number
}

/** How long a transaction waits for another process (the command line) to let go of the file. */
const BUSY_TIMEOUT_MS = 1_500
/** A write, so that a full or read-only disk shows. */
const PING = "INSERT OR REPLACE INTO facts (name, value) VALUES ('pinged', ?)"
/** A longer log is carried over to the database less often: 16 MiB. */
const CHECKPOINT_PAGES = 4_096
const CACHE_KIB = 16_384
const MOST_PREPARED = 256

export function openSqlite({ file, clockOffsetMs = () => 0 }: SqliteOptions): Store {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // SQLite makes the log and the index beside it with the mode of the database.
  closeSync(openSync(file, 'a', 0o600))
  const db = new Database(file, { timeout: BUSY_TIMEOUT_MS })
  db.pragma('journal_mode = WAL')
  db.pragma('foreign_keys = ON')
  db.pragma('synchronous = NORMAL')
  db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  db.pragma(`cache_size = ${-CACHE_KIB}`)
  const now = () => Date.now() + clockOffsetMs()
  const writer = { db, begin: db.prepare('BEGIN IMMEDIATE'), commit: db.prepare('COMMIT') }
  migrate(writer)
  const log = openLog(file, () => checkpoint(db))

  const prepared = new Map<string, Database.Statement>()
  const execute = ({ sql, parameters }: Statement): Row[] => {
    let statement = prepared.get(sql)
    if (statement === undefined) {
      // Lists of many lengths make many texts.
      if (prepared.size >= MOST_PREPARED) prepared.clear()
      statement = db.prepare(sql)
      prepared.set(sql, statement)
    }
    if (statement.reader) return statement.all(parameters) as Row[]
    statement.run(parameters)
    return []
  }
  const inTransaction = <Result>(work: () => Result): Result => {
    try {
      return transaction(writer, work)
    } catch (error) {
      ledger.forget()
      throw error
    }
  }
  const durably = async <Result>(work: () => Result): Promise<Result> => {
    const result = inTransaction(work)
    await log.sync()
    return result
  }
  const sql = sqlFor('sqlite', () => ({ sql: 'SELECT ? AS now', parameters: [now()] }))
  const ledger = ledgerOn(db, now)

  return {
    ...sharedVerbs(sql, async (steps) => {
      ledger.forget()
      return await durably(() => runToEnd(steps(), execute))
    }),
    answersAtOnce: true,
    lookup: (hashes) => ledger.lookup(hashes),
    commit: async (entries, again) => {
      const work = () => ledger.commit(entries, again)
      // An admission need not wait for the disk: the settlement before its reply follows it in the same log.
      const isDurable = entries.some((entry) => entry.step === 'settle' || entry.step === 'admitAndSettle')
      return isDurable ? await durably(work) : inTransaction(work)
    },
    ping: async () => {
      inTransaction(() => execute({ sql: PING, parameters: [String(now())] }))
    },
    close: async () => {
      log.close()
      db.close()
    },
  }
}

/**
 * The write-ahead log as a file to be forced to disk. SQLite's own synchronous=FULL would do that within COMMIT and
 * hold the event loop up for as long; done here, other requests go on meanwhile, and nothing is answered before.
 * @param carryOver copies all of the log to the database file and forces that to disk, or throws
 */
function openLog(file: string, carryOver: () => void) {
  const [directory, handle] = [openSync(dirname(file), 'r'), openSync(`${file}-wal`, 'r+')]
  fsyncSync(directory)
  closeSync(directory)
  const flush = promisify(fdatasync)
  let isSuspect = false
  let underWay: Promise<void> | null = null
  let next: Promise<void> | null = null
  const force = async (): Promise<void> => {
    try {
      // After a failed flush the system may take the lost pages for written: the log is not to be trusted.
      if (isSuspect) carryOver()
      await flush(handle)
      isSuspect = false
    } catch (error) {
      isSuspect = true
      throw new OutcomeUnknown('The log could not be forced to disk', { cause: error })
    }
  }
  const start = (): Promise<void> => {
    next = null
    underWay = force().finally(() => {
      underWay = null
    })
    return underWay
  }
  return {
    /** One at a time: what was written while one is under way may have missed it, and shares the next. */
    sync: (): Promise<void> => {
      if (underWay === null) return start()
      next ??= underWay.catch(() => undefined).then(start)
      return next
    },
    close: () => closeSync(handle),
  }
}

function checkpoint(db: Database.Database): void {
  const [done] = db.pragma('wal_checkpoint(PASSIVE)') as { busy: number; log: number; checkpointed: number }[]
  if (done === undefined || done.busy !== 0 || done.checkpointed < done.log)
    throw new Error('The log could not be carried over: another connection is reading.')
}

function runToEnd<Result>(steps: Transaction<Result>, execute: (statement: Statement) => Row[]): Result {
  let step = steps.next()
  while (!step.done) step = steps.next(execute(step.value))
  return step.value
}

/** The connection, with the statements that begin and end a transaction. */
interface Writer {
  readonly db: Database.Database
  readonly begin: Database.Statement
  readonly commit: Database.Statement
}

function transaction<Result>({ db, begin, commit }: Writer, work: () => Result): Result {
  try {
    begin.run()
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
    commit.run()
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK')
    throw new OutcomeUnknown('SQLite failed to commit', { cause: error })
  }
  return result
}

function migrate(writer: Writer): void {
  const { db } = writer
  const type = {
    id: 'INTEGER PRIMARY KEY AUTOINCREMENT',
    integer: 'INTEGER',
    bytes: 'BLOB',
    updatedOften: '',
  }
  transaction(writer, () => {
    db.exec(migrationsTable)
    for (const migration of migrations) {
      if (db.prepare('SELECT 1 FROM migrations WHERE name = ?').get(migration.name) !== undefined) continue
      for (const statement of migration.statements(type)) db.exec(statement)
      db.prepare('INSERT INTO migrations (name) VALUES (?)').run(migration.name)
    }
  })
}
