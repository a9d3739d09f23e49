/** `quantd backup FILE`: a consistent copy of the SQLite database while the service runs. */
import { chmodSync, closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { type Command, Option } from 'commander'
import { SQLITE_LOCK_MS } from '../../base/limits/operation.ts'
import { hasDatabase, readConfig, sqliteFile } from '../config/read-config.ts'
import { CommandFailure, guarded } from './admin/failure.ts'
import { eventBy, type Terminal } from './terminal.ts'

const examples = (program: string) => `
Examples:
  # a copy with today's date
  ${program} backup /var/backups/quantd-$(date +%F).db
  # compare a restored copy with the original
  QUANTD_DATA_DIR=/restored ${program} admin verify-ledger

To restore: stop the service, copy the file to quantd.db in the data folder, remove quantd.db-wal and quantd.db-shm
there, and configure the master key that belongs to it. For PostgreSQL use pg_dump.`

export function registerBackup(program: Command, terminal: Terminal): void {
  program
    .command('backup')
    .description(
      'Copy the SQLite database consistently while the service runs. The copy does not contain the master key: store that separately.',
    )
    .argument('<file>', 'the file to create; an existing one is never overwritten')
    .addOption(new Option('--json', 'print JSON, for scripts'))
    .addHelpText('after', examples(terminal.program))
    .action((file: string, { json = false }: { json?: boolean }) =>
      guarded(terminal, { json }, () => backup(terminal, resolve(file), json)),
    )
}

/** Notes the time in the database, where operators see it. A failure (no master key, read-only folder) leaves the copy valid. */
async function noteBackup(terminal: Terminal): Promise<void> {
  try {
    const { inSession } = await import('./admin/database-session.ts')
    await inSession(terminal, {}, async ({ secrets, store }) => {
      const { masterKeys } = await secrets()
      const masterKeyId = masterKeys.list()[0].id
      const { writeNote } = await import('../../operators/watched-state.ts')
      await store.run(writeNote, { what: 'backup', masterKeyId, event: eventBy('backup') })
    })
  } catch (error) {
    terminal.tell(
      `quantd: the copy was made, but could not be noted in the database: ${(error as Error).message}`,
    )
  }
}

async function backup(terminal: Terminal, file: string, json: boolean): Promise<void> {
  const config = readConfig(terminal.environment)
  if (config.databaseUrl !== null)
    throw new CommandFailure(
      `The database is PostgreSQL, which has its own tool: pg_dump --format=custom --no-owner --file='${file.replaceAll("'", "'\\''")}' "$DATABASE_URL". Nothing was copied. A dump does not contain the master key either.`,
    )
  if (!hasDatabase(config))
    throw new CommandFailure(
      `There is no database in ${config.dataDir}: set QUANTD_DATA_DIR to the service's data folder.`,
    )
  copy(sqliteFile(config), file)
  await noteBackup(terminal)
  const bytes = statSync(file).size
  const note = `The master key (${config.masterKey === null ? config.masterKeyFile : 'QUANTD_MASTER_KEY'}) is not in it; without that key nobody can use the copy's API keys.`
  const result = { file, bytes, contains_master_key: false }
  await terminal.write(json ? `${JSON.stringify(result)}\n` : `Copied ${bytes} bytes to ${file}.\n${note}\n`)
}

/**
 * Copies in one read transaction: the copy is one snapshot, and the service is not blocked. The file appears under its name
 * only when it is complete, forced to disk and readable by its owner alone.
 */
function copy(source: string, file: string): void {
  const folder = dirname(file)
  if (!isFolder(folder)) throw refusal(`There is no folder ${folder}: create it first.`)
  if (isFolder(file)) throw refusal(`${file} is a folder: name a new file in it.`)
  if (existsSync(file)) throw exists(file)
  const draft = `${file}.${process.pid}.part`
  try {
    // Created before SQLite writes to it, so that nobody else may ever read it.
    closeSync(openSync(draft, 'wx', 0o600))
    vacuumInto(source, draft)
    chmodSync(draft, 0o600)
    sync(draft)
    linkSync(draft, file)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw code === 'EEXIST' ? exists(file) : refusal(`${file} cannot be written: ${message}.`)
  } finally {
    rmSync(draft, { force: true })
  }
  sync(folder)
}

function vacuumInto(source: string, target: string): void {
  const db = new Database(source, { readonly: true, fileMustExist: true, timeout: SQLITE_LOCK_MS.reader })
  try {
    db.prepare('VACUUM INTO ?').run(target)
  } finally {
    db.close()
  }
}

function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

const refusal = (sentence: string) => new CommandFailure(`${sentence} Nothing was copied.`)

const exists = (file: string) => refusal(`${file} already exists: name a new file.`)
