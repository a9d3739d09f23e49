/** The thread of reads: executes their statements, each read on a connection of its own. */
import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { SQLITE_LOCK_MS } from '../../../base/limits/operation.ts'
import { yieldToEventLoop } from '../../../base/thread-priority.ts'
import type { Row, Statement } from '../sql.ts'
import { statementRunner } from './run.ts'

export interface Asked {
  /** The place of the read, which no other has until it ends. */
  readonly place: number
  /** Null: the read has ended. */
  readonly statement: Statement | null
}

export type Answered = { readonly place: number } & (
  | { readonly rows: Row[] }
  | { readonly error: { readonly code: unknown; readonly message: string } }
)

interface Connection {
  readonly db: Database.Database
  execute(statement: Statement): Row[]
}

const { file } = workerData as { readonly file: string }
const connections = new Map<number, Connection>()

function connectionAt(place: number): Connection {
  const known = connections.get(place)
  if (known !== undefined) return known
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: SQLITE_LOCK_MS.reader })
  const connection = { db, execute: statementRunner(db) }
  connections.set(place, connection)
  return connection
}

function answer({ place, statement }: Asked): Answered | null {
  try {
    if (statement === null) {
      const db = connections.get(place)?.db
      if (db?.inTransaction) db.exec('COMMIT')
      return null
    }
    const { db, execute } = connectionAt(place)
    if (!db.inTransaction) db.exec('BEGIN')
    return { place, rows: execute(statement) }
  } catch (error) {
    const { code, message } = error as Error & { code?: unknown }
    return { place, error: { code, message } }
  }
}

yieldToEventLoop()
parentPort!.on('message', (asked: Asked) => {
  const answered = answer(asked)
  if (answered !== null) parentPort!.postMessage(answered)
})
