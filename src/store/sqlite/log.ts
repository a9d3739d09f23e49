/** Forces SQLite's write-ahead log to disk, outside the event loop. */
import { closeSync, fdatasync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import type { Database } from 'better-sqlite3'
import { OutcomeUnknown } from '../outcomes.ts'

const flush = promisify(fdatasync)

/**
 * Opens the write-ahead log as a file. SQLite's synchronous=FULL would force it within COMMIT and block the event loop
 * for as long; here other requests go on meanwhile, and replies wait for `sync`.
 */
export function openLog(file: string, db: Database) {
  const [directory, handle] = [openSync(dirname(file), 'r'), openSync(`${file}-wal`, 'r+')]
  fsyncSync(directory)
  closeSync(directory)
  let isSuspect = false
  let current: Promise<void> | null = null
  let next: Promise<void> | null = null
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
  const start = (): Promise<void> => {
    next = null
    current = force().finally(() => {
      current = null
    })
    return current
  }
  return {
    /** Resolves when all that is written is on disk. A flush under way may miss it: callers share the next one. */
    sync: (): Promise<void> => {
      if (current === null) return start()
      next ??= current.catch(() => undefined).then(start)
      return next
    },
    close: () => closeSync(handle),
  }
}

/** Copies the whole log to the database file and forces that to disk, or throws. */
function checkpoint(db: Database): void {
  const [done] = db.pragma('wal_checkpoint(PASSIVE)') as { busy: number; log: number; checkpointed: number }[]
  if (done === undefined || done.busy !== 0 || done.checkpointed < done.log)
    throw new Error('The write-ahead log could not be checkpointed: another connection is reading.')
}
