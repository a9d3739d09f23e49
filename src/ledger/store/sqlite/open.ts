/** The Store in one SQLite file: one connection, which runs each transaction synchronously, and a thread for long reads. */

import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { SPECIFIED_PLAN } from '../../../base/limits/callers.ts'
import { SQLITE_LOCK_MS } from '../../../base/limits/operation.ts'
import type { LedgerPlan } from '../../rules/plan.ts'
import { migrate } from '../migrations/index.ts'
import { Locked, queued, runnerOf, sqlFor } from '../sql.ts'
import type { Reader, Store } from '../store.ts'
import { openStream } from '../streams.ts'
import { ledgerOn } from './commit.ts'
import { readingThread } from './reading-thread.ts'
import { openLog, stepRunner, writeRunner } from './run.ts'

export interface SqliteOptions {
  readonly file: string
  /** The plan, read once for each group; default: that of the specification. */
  readonly plan?: () => LedgerPlan
  /** Added to the clock; only tests set it. */
  readonly clockOffsetMs?: () => number
}

/** A write that is forced to disk, so that a full, read-only or failing disk is noticed. */
const PING = "INSERT OR REPLACE INTO facts (name, value) VALUES ('pinged', ?)"
/** Pages of the log (16 MiB) after which it is copied to the database; SQLite's default, 1,000, copies more often. */
const CHECKPOINT_PAGES = 4_096
const CACHE_KIB = 16_384
const CONCURRENT = 7

export function openSqlite(options: SqliteOptions): Store {
  const { file } = options
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // SQLite creates the log and its index with the mode of the database file.
  closeSync(openSync(file, 'a', 0o600))
  const db = new Database(file, { timeout: SQLITE_LOCK_MS.service })
  try {
    return storeOn(db, options)
  } catch (error) {
    db.close()
    throw error
  }
}

function storeOn(
  db: Database.Database,
  { file, plan = () => SPECIFIED_PLAN, clockOffsetMs = () => 0 }: SqliteOptions,
): Store {
  db.pragma('journal_mode = WAL')
  db.pragma('foreign_keys = ON')
  db.pragma('synchronous = NORMAL')
  // What is deleted is overwritten with zeros, also in pages that become free.
  db.pragma('secure_delete = ON')
  db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  db.pragma(`cache_size = ${-CACHE_KIB}`)
  const [runSteps, runWrite] = [stepRunner(db), writeRunner(db)]
  runWrite(() => runSteps(migrate({ dialect: 'sqlite' })))
  const log = openLog(file, db)
  const reading = readingThread(file)
  const now = () => Date.now() + clockOffsetMs()
  const sql = sqlFor('sqlite', () => ({ sql: 'SELECT ? AS now', parameters: [now()] }), undefined, {
    lowCredits: () => plan().lowCredits,
    erases: log.emptySoon,
  })
  const ledger = ledgerOn(db, now, plan, () => runSteps(openStream(sql)))
  const ping = db.prepare(PING)

  const write = <Result>(work: () => Result): Result => {
    try {
      return runWrite(work)
    } catch (error) {
      ledger.failed()
      throw error
    }
  }
  const writeDurably = async <Result>(work: () => Result): Promise<Result> => {
    const result = write(work)
    await log.sync()
    return result
  }
  const { run } = runnerOf(
    sql,
    queued(async (transaction) => {
      ledger.forget()
      try {
        return await writeDurably(() => runSteps(transaction()))
      } catch (error) {
        if (!(error instanceof Locked)) throw error
        // A transaction that only reads needs no lock.
        return await reading.run(transaction).catch(() => Promise.reject(error))
      }
    }, CONCURRENT),
  )
  return {
    run,
    reads: runnerOf(sql, reading.run),
    answersAtOnce: true,
    together: () => '',
    isByDay: false,
    keepDays: async () => 0,
    lookup: (hashes) => ledger.lookup(hashes),
    commit: async (group) => {
      const work = () => ledger.commit(group)
      // An admission is not forced to disk: the settlement that precedes its reply follows it in the same log.
      const isDurable = group.entries.some(({ step }) => step === 'settle' || step === 'admitAndSettle')
      return isDurable ? await writeDurably(work) : write(work)
    },
    ping: async () => {
      await writeDurably(() => ping.run(String(now())))
      return 'none'
    },
    close: async () => {
      await reading.close()
      log.close()
      db.close()
    },
  }
}

export function readSqlite(file: string): Reader {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: SQLITE_LOCK_MS.reader })
  const sql = sqlFor('sqlite', () => ({ sql: 'SELECT ? AS now', parameters: [Date.now()] }))
  const runSteps = stepRunner(db)
  return {
    ...runnerOf(sql, async (transaction) => db.transaction(() => runSteps(transaction()))()),
    close: async () => {
      db.close()
    },
  }
}
