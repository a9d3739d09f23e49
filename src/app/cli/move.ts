/** `quantd move`: copies the whole SQLite database of a data folder into a new PostgreSQL database. */
import { type Command, Option } from 'commander'
import { plural } from '../../base/text.ts'
import type { FolderLock } from '../../ledger/store/sqlite/folder-lock.ts'
import { type Config, hasDatabase, readConfig, sqliteFile } from '../config/read-config.ts'
import { CommandFailure, EXIT, guarded } from './admin/failure.ts'
import type { Terminal } from './terminal.ts'

interface MoveOptions {
  readonly acceptFaults?: boolean
  readonly json?: boolean
}

const help = (program: string) => `
The service must be stopped. Give the settings with which it will start: DATABASE_URL of a new, empty PostgreSQL database, the data
folder (QUANTD_DATA_DIR) and the master key (QUANTD_MASTER_KEY_FILE; the first start made master.key in the data folder). The SQLite
database is only read. Every table is copied in one transaction, and compared by counts and digests. An interrupted move leaves no
rows and can be run again; until a move has ended, no service starts on the new database.

Example:
  QUANTD_DATA_DIR=/var/lib/quantd QUANTD_MASTER_KEY_FILE=/var/lib/quantd/master.key \\
    DATABASE_URL='postgres://quantd:…@db.example/quantd?sslmode=verify-full' ${program} move`

export function registerMove(program: Command, terminal: Terminal): void {
  program
    .command('move')
    .description(
      'Move the SQLite database of a stopped service to PostgreSQL: accounts, keys, balances, history, receipts and all else.',
    )
    .option('--accept-faults', 'move a ledger or an audit in which the checks find faults, with these faults')
    .addOption(new Option('--json', 'print JSON, for scripts'))
    .addHelpText('after', help(terminal.program))
    .action((options: MoveOptions) => guarded(terminal, options, () => move(terminal, options)))
}

async function move(terminal: Terminal, options: MoveOptions): Promise<void> {
  const config = readConfig(terminal.environment)
  if (config.databaseUrl === null)
    throw new CommandFailure(
      'DATABASE_URL must name the PostgreSQL database to move to. Nothing was moved.',
      EXIT.usage,
    )
  if (!hasDatabase(config))
    throw new CommandFailure(
      `There is no SQLite database in ${config.dataDir}: set QUANTD_DATA_DIR to the service's data folder.`,
    )
  const lock = await lockSource(config)
  try {
    await moveFrom(terminal, config, config.databaseUrl, options)
  } finally {
    lock.release()
  }
}

/** No service starts on the folder meanwhile. */
async function lockSource({ dataDir }: Config): Promise<FolderLock> {
  const { FolderInUse, lockFolder } = await import('../../ledger/store/sqlite/folder-lock.ts')
  try {
    return lockFolder(dataDir)
  } catch (error) {
    const { message } = error as Error
    throw new CommandFailure(
      error instanceof FolderInUse
        ? `The data folder ${dataDir} is ${message}: stop that service first. Nothing was moved.`
        : `The data folder ${dataDir} cannot be used: ${message}. Nothing was moved.`,
    )
  }
}

async function moveFrom(
  terminal: Terminal,
  config: Config,
  databaseUrl: string,
  { acceptFaults = false, json = false }: MoveOptions,
): Promise<void> {
  const { onServer } = await import('../main/foundation.ts')
  const { checkKey, checks, faultsIn, summary } = await import('./move-checks.ts')
  const { openMoveSource } = await import('../../ledger/store/sqlite/move-source.ts')
  const { moveInto } = await import('../../ledger/store/postgres/move-target.ts')
  const file = sqliteFile(config)
  const began = performance.now()
  await onServer(async () => {
    const source = openMoveSource(file)
    try {
      await checkKey(source, config, terminal)
      terminal.tell(`Checking the ledger and the audit of ${file} …`)
      const expected = await source.run(checks)
      const faults = faultsIn(expected)
      if (faults > 0 && !acceptFaults)
        throw new CommandFailure(
          `The checks found ${plural(faults, 'fault')} in ${file}: run \`${terminal.program} admin verify-ledger\` and \`${terminal.program} verify-audit\` without DATABASE_URL, which list them. --accept-faults moves the database with them. Nothing was moved.`,
        )
      const progress = (table: string, rows: number) =>
        rows > 0 && terminal.tell(`… ${table}: ${plural(rows, 'row')}`)
      const moved = await moveInto(databaseUrl, { source, check: checks, expected, progress })
      const seconds = Math.round((performance.now() - began) / 100) / 10
      await terminal.write(summary({ moved, expected, seconds, file }, json))
    } finally {
      source.close()
    }
  })
}
