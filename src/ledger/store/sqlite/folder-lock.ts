/** The lock by which only one service at a time uses a data folder. */
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'

export interface FolderLock {
  release(): void
}

/** Another process holds the lock; `pid` is null if it cannot be seen from here, as in another container. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
  readonly pid: number | null

  constructor(pid: number | null) {
    super(`in use by ${pid === null ? 'another process' : `process ${pid}`}`)
    this.pid = pid
  }
}

/**
 * An exclusive transaction on an empty database that is never written. The kernel releases the lock when the process ends, even
 * by SIGKILL. The command line does not take it. Throws FolderInUse, or SQLite's error if the folder cannot be written.
 */
export function lockFolder(folder: string): FolderLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'service.lock')
  const db = new Database(file, { timeout: 0 })
  try {
    db.pragma('journal_mode = MEMORY')
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    throw (error as { code?: string }).code === 'SQLITE_BUSY' ? new FolderInUse(holderOf(file)) : error
  }
  return { release: () => db.close() }
}

/** A line of /proc/locks: `1: POSIX  ADVISORY  WRITE 4711 fe:00:131074 1073741824 1073742335`. */
function holderOf(file: string): number | null {
  const { ino } = statSync(file)
  try {
    const held = new RegExp(`POSIX +ADVISORY +WRITE +(\\d+) \\S+:${ino} `).exec(
      readFileSync('/proc/locks', 'utf8'),
    )
    return held === null ? null : Number(held[1])
  } catch {
    return null
  }
}
