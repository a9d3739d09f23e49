/**
 * Transactions on SQLite: they run synchronously, so that nothing else runs on the connection in between; their log is forced
 * to disk outside the event loop.
 */

import { closeSync, fdatasync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { runsInTurn } from '../../../base/coalesce.ts'
import { EMPTY_LOG_MS, SQLITE_LOCK_MS } from '../../../base/limits/operation.ts'
import { Locked, NotCommitted, OutcomeUnknown, type Row, type Statement, type Transaction } from '../sql.ts'

/** Statements kept prepared. Lists of many lengths make many texts. */
const MAX_PREPARED = 256

/** Executes statements, which it keeps prepared. */
export function statementRunner(db: Database.Database): (statement: Statement) => Row[] {
  const prepared = new Map<string, Database.Statement>()
  return ({ parameters, sql }) => {
    let statement = prepared.get(sql)
    if (statement === undefined) {
      if (prepared.size >= MAX_PREPARED) prepared.clear()
      statement = db.prepare(sql)
      prepared.set(sql, statement)
    }
    if (statement.reader) return statement.all(parameters) as Row[]
    statement.run(parameters)
    return []
  }
}

/** Runs the steps of a transaction within the transaction that the caller has begun. */
export function stepRunner(db: Database.Database): <Result>(steps: Transaction<Result>) => Result {
  const execute = statementRunner(db)
  return (steps) => {
    let step = steps.next()
    while (!step.done) step = steps.next(execute(step.value))
    return step.value
  }
}

/** Runs work that writes in a transaction, on a connection with the time-out above. Throws NotCommitted or OutcomeUnknown. */
export function writeRunner(db: Database.Database): <Result>(work: () => Result) => Result {
  const begin = beginner(db)
  const commit = db.prepare('COMMIT')
  const rollBack = () => {
    if (db.inTransaction) db.exec('ROLLBACK')
  }
  return (work) => {
    try {
      begin()
    } catch (error) {
      const Reason = isBusy(error) ? Locked : NotCommitted
      throw new Reason('SQLite could not begin a transaction', { cause: error })
    }
    let result: ReturnType<typeof work>
    try {
      result = work()
    } catch (error) {
      rollBack()
      throw error instanceof Database.SqliteError
        ? new NotCommitted('SQLite rolled back a transaction', { cause: error })
        : error
    }
    try {
      commit.run()
    } catch (error) {
      rollBack()
      throw new OutcomeUnknown('SQLite failed to commit', { cause: error })
    }
    return result
  }
}

/**
 * Begins a write transaction. Waiting for another process blocks the event loop, so only the first transaction that
 * finds the file locked waits; until the lock is free again, later ones fail at once.
 */
function beginner(db: Database.Database): () => void {
  const begin = db.prepare('BEGIN IMMEDIATE')
  let isLocked = false
  const note = (locked: boolean) => {
    if (locked === isLocked) return
    isLocked = locked
    db.pragma(`busy_timeout = ${locked ? 0 : SQLITE_LOCK_MS.service}`)
  }
  return () => {
    try {
      begin.run()
      note(false)
    } catch (error) {
      if (isBusy(error)) note(true)
      throw error
    }
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')

const flush = promisify(fdatasync)

/**
 * Opens the write-ahead log as a file. SQLite's synchronous=FULL would force it within COMMIT and block the event loop
 * for as long; here other requests go on meanwhile, and replies wait for `sync`.
 */
export function openLog(file: string, db: Database.Database) {
  const [directory, handle] = [openSync(dirname(file), 'r'), openSync(`${file}-wal`, 'r+')]
  fsyncSync(directory)
  closeSync(directory)
  let isSuspect = false
  const force = async (): Promise<void> => {
    try {
      // After a failed flush the kernel may mark the lost pages as clean, so the log can no longer be trusted.
      if (isSuspect) checkpoint(db)
      await flush(handle)
      isSuspect = false
    } catch (error) {
      isSuspect = true
      throw new OutcomeUnknown('Cannot force the write-ahead log to disk', { cause: error })
    }
  }
  let emptying: NodeJS.Timeout | null = null
  const emptyIn = (ms: number): void => {
    emptying ??= setTimeout(() => {
      emptying = null
      if (!isEmptied(db)) emptyIn(EMPTY_LOG_MS.retry)
    }, ms).unref()
  }
  return {
    /** Resolves when all that is written is on disk. */
    sync: runsInTurn(force),
    /** Empties the log once the present transaction has ended: the log holds the pages as they were before an erasure, too. */
    emptySoon: () => emptyIn(EMPTY_LOG_MS.delay),
    close() {
      if (emptying !== null) {
        clearTimeout(emptying)
        isEmptied(db)
      }
      closeSync(handle)
    },
  }
}

/** Empties the log without waiting for other connections. False: one of them reads, or the disk refuses. */
function isEmptied(db: Database.Database): boolean {
  const timeout = db.pragma('busy_timeout', { simple: true })
  db.pragma('busy_timeout = 0')
  try {
    checkpoint(db)
    return true
  } catch {
    return false
  } finally {
    db.pragma(`busy_timeout = ${timeout}`)
  }
}

/**
 * Copies the whole log to the database file, forces that to disk, and empties the log: what followed a piece that the disk has
 * lost would be lost with it in a power failure. Throws if it cannot.
 */
function checkpoint(db: Database.Database): void {
  const [done] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
  if (done?.busy !== 0)
    throw new Error('The write-ahead log could not be checkpointed: another connection is reading.')
}
