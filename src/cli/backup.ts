/** `quantd backup FILE`: a consistent copy of the database while the service runs. */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  statSync,
  unlinkSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { type Command, Option } from 'commander'
import { readConfig } from '../config.ts'
import { sqliteFile } from '../main/foundation.ts'
import { CommandFailure, EXIT, lineOf } from './admin/failure.ts'
import type { Terminal } from './terminal.ts'

const EXAMPLES = `
Examples:
  # a copy with today's date
  quantd backup /var/backups/quantd-$(date +%F).db
  # to compare it with the original once it is restored elsewhere
  QUANTD_DATA_DIR=/restored quantd admin verify-ledger

To restore: stop the service, put the copy into the data folder as quantd.db, remove quantd.db-wal and
quantd.db-shm there, and give the service the master key that belongs to it. PostgreSQL has pg_dump.`

export function registerBackup(program: Command, terminal: Terminal): void {
  program
    .command('backup')
    .description(
      'Copy the SQLite database consistently while the service runs. The master key is not in the copy: keep it apart.',
    )
    .argument('<file>', 'the copy; an existing file is never overwritten')
    .addOption(new Option('--json', 'print JSON, for machines'))
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, { json = false }: { json?: boolean }) => {
      try {
        await backup(terminal, resolve(file), json)
      } catch (error) {
        const line = lineOf(error)
        if (line === null) throw error
        terminal.tell(json ? JSON.stringify({ error: line }) : `quantd: ${line}`)
        terminal.exitWith(error instanceof CommandFailure ? error.exitCode : EXIT.failed)
      }
    })
}

async function backup(terminal: Terminal, file: string, json: boolean): Promise<void> {
  const config = readConfig(terminal.environment)
  if (config.databaseUrl !== null)
    throw new CommandFailure(
      `The database is PostgreSQL, which brings its own tool: pg_dump --format=custom --no-owner --file='${file.replaceAll("'", "'\\''")}' "$DATABASE_URL". Nothing was copied. The master key is not in such a dump either.`,
    )
  const source = sqliteFile(config)
  if (!existsSync(source))
    throw new CommandFailure(`There is no database in ${config.dataDir}; name it with QUANTD_DATA_DIR.`)
  copy(source, file)
  const bytes = statSync(file).size
  const note = `The master key (${config.masterKey === null ? config.masterKeyFile : 'QUANTD_MASTER_KEY'}) is not in it: without that key the copy opens no API key.`
  const result = { file, bytes, contains_master_key: false }
  await terminal.write(json ? `${JSON.stringify(result)}\n` : `Copied ${bytes} bytes to ${file}.\n${note}\n`)
}

/**
 * One read transaction: the copy is the database of one moment, and nobody is held up. It appears under its name whole,
 * on the disk and readable by its owner alone, or not at all.
 */
function copy(source: string, file: string): void {
  if (existsSync(file)) throw exists(file)
  const draft = `${file}.${process.pid}.part`
  // SQLite fills an empty file as it finds it; made here, its mode is ours.
  closeSync(openSync(draft, 'wx', 0o600))
  try {
    vacuumInto(source, draft)
    chmodSync(draft, 0o600)
    sync(draft)
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw exists(file)
    throw error
  } finally {
    unlinkSync(draft)
  }
  sync(dirname(file))
}

function vacuumInto(source: string, target: string): void {
  const db = new Database(source, { readonly: true, fileMustExist: true, timeout: 5_000 })
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

const exists = (file: string) =>
  new CommandFailure(`${file} exists already; name a file that does not. Nothing was copied.`)
