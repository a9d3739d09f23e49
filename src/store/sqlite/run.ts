/** Runs transactions on SQLite: synchronously, so that nothing else runs on the connection in between. */
import Database from 'better-sqlite3'
import { SQLITE_LOCK_MS } from '../../limits/operation.ts'
import { NotCommitted, OutcomeUnknown } from '../outcomes.ts'
import type { Row, Statement, Transaction } from '../sql.ts'

/** Statements kept prepared. Lists of many lengths make many texts. */
const MAX_PREPARED = 256

/** Runs the steps of a transaction within the transaction that the caller has begun. */
export function stepRunner(db: Database.Database): <Result>(steps: Transaction<Result>) => Result {
  const prepared = new Map<string, Database.Statement>()
  const execute = ({ parameters, sql }: Statement): Row[] => {
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
      throw new NotCommitted('SQLite could not begin a transaction', { cause: error })
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
      if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) note(true)
      throw error
    }
  }
}
