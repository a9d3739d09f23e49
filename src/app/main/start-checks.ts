/** Conditions of the machine that stop a start, or cause one line of the log. */

import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  statfsSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { CLOCK_WARNING_MS, NEWEST_ROW_MS } from '../../base/limits/operation.ts'
import { DAY_MS, isoTime } from '../../base/time.ts'
import { edgeRow } from '../../ledger/store/audit.ts'
import { migrations } from '../../ledger/store/migrations/index.ts'
import type { Sql, Transaction } from '../../ledger/store/sql.ts'
import { type Replication, type Runner, replication } from '../../ledger/store/store.ts'
import { ConfigError } from '../config/read-config.ts'
import type { Logger } from '../log.ts'

type Warn = Pick<Logger, 'warn'>

/**
 * Checks the data folder, which is needed with PostgreSQL, too: refunds depend on the journal in it.
 * @throws ConfigError if no file can be written and forced to disk there
 */
export function checkDataFolder(folder: string, log: Warn): void {
  const probe = join(folder, `.start-${process.pid}`)
  try {
    makeFolder(folder)
    const file = openSync(probe, 'w', 0o600)
    try {
      writeSync(file, 'probe')
      fsyncSync(file)
    } finally {
      closeSync(file)
      unlinkSync(probe)
    }
  } catch (error) {
    const { code, message, syscall } = error as NodeJS.ErrnoException
    if (syscall === 'fsync')
      throw new ConfigError(
        `The disk of the data folder ${folder} cannot force files to disk (fsync: ${code}): set QUANTD_DATA_DIR to a folder on a local disk.`,
      )
    if (code === 'ENOTDIR')
      throw new ConfigError(`The data folder ${folder} is a file or in one: set QUANTD_DATA_DIR to a folder.`)
    throw new ConfigError(
      `The data folder ${folder} is not writable by user ${process.getuid?.() ?? '?'} (${code ?? message}): change its owner, free space, or set QUANTD_DATA_DIR to another.`,
    )
  }
  const kind = FILE_SYSTEMS.get(statfsSync(folder).type)
  if (kind !== undefined) log.warn({ folder, fileSystem: kind.name }, kind.warning)
}

const IN_MEMORY = 'the data folder is in memory: it is lost when the machine stops'
const ON_NETWORK =
  'the data folder is on a network file system, whose locks and fsync cannot be relied on: use a local disk'

/** Node's recursive mkdir never returns in a file system that reports ENOENT for a new folder, as /proc does. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/** File systems by their magic numbers (statfs(2)). */
const FILE_SYSTEMS = new Map<number, { readonly name: string; readonly warning: string }>([
  [0x01021994, { name: 'tmpfs', warning: IN_MEMORY }],
  [0x858458f6, { name: 'ramfs', warning: IN_MEMORY }],
  [0x6969, { name: 'nfs', warning: ON_NETWORK }],
  [0x517b, { name: 'smb', warning: ON_NETWORK }],
  [0xfe534d42, { name: 'smb2', warning: ON_NETWORK }],
  [0xff534d42, { name: 'cifs', warning: ON_NETWORK }],
])

/** The first release is later than this time. */
const EARLIEST = Date.UTC(2026, 0, 1)

/** Throws ConfigError. */
export function checkClock(now: number): void {
  if (now < EARLIEST)
    throw new ConfigError(
      `The clock of this machine says ${isoTime(now)}, before this version was made: set it (NTP) and start again. Keys, codes and rate limits depend on it.`,
    )
}

/** Warns of clocks that disagree, a newer schema, and a PostgreSQL that may lose what it confirmed. */
export async function checkDatabase(store: Runner, log: Warn): Promise<void> {
  const { newerMigrations, newestAt, now, replication, unsafeSettings } = await store.run(startState)
  const aheadMs = Date.now() - now
  if (Math.abs(aheadMs) > CLOCK_WARNING_MS)
    log.warn(
      { seconds: Math.round(Math.abs(aheadMs) / 1_000) },
      `the clock of this machine is ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's: set both by NTP`,
    )
  if (newestAt !== null && newestAt - now > CLOCK_WARNING_MS)
    log.warn(
      { newest: isoTime(newestAt) },
      "the newest audit row is in the future: the database's clock was set back; check it, rate limits and expiries wait for it",
    )
  if (newestAt !== null && now - newestAt > NEWEST_ROW_MS)
    log.warn(
      { newest: isoTime(newestAt), days: Math.round((now - newestAt) / DAY_MS) },
      "the newest audit row is over 30 days old: if the service was in use since, the database's clock is ahead; stop within a minute and set it, or rows that seem expired are deleted",
    )
  if (newerMigrations.length > 0)
    log.warn(
      { migrations: newerMigrations },
      'a newer version of quantd has migrated this database: start that version if its changelog asks for it',
    )
  for (const setting of unsafeSettings)
    log.warn({ setting }, 'PostgreSQL may lose confirmed calls in a crash: switch this setting on')
  if (replication === 'asynchronous')
    log.warn(
      { replication },
      'PostgreSQL may lose confirmed calls at a failover: set synchronous_standby_names',
    )
}

interface StartState {
  /** The database's clock. */
  readonly now: number
  /** Time of the newest audit row; null if there is none. */
  readonly newestAt: number | null
  /** Migrations that this version does not have: a newer one has used the database. */
  readonly newerMigrations: readonly string[]
  /** Settings of PostgreSQL with which it may lose what it has confirmed. */
  readonly unsafeSettings: readonly string[]
  readonly replication: Replication
}

export function* startState(sql: Sql): Transaction<StartState> {
  const now = yield* sql.clock()
  const newestAt = yield* edgeRow(sql, 'desc')
  const applied = (yield { sql: 'SELECT name FROM migrations ORDER BY name', parameters: [] }).map(
    ({ name }) => String(name),
  )
  const unsafe = sql.dialect === 'postgres' ? yield { sql: UNSAFE, parameters: [] } : []
  return {
    now,
    newestAt,
    newerMigrations: applied.filter((name) => !migrations.some((migration) => migration.name === name)),
    unsafeSettings: unsafe.map(({ name }) => String(name)),
    replication: yield* replication(sql),
  }
}

const UNSAFE = "SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off'"
