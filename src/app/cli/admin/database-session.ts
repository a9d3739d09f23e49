/** An operator's session on the service's database, opened with its settings while the service may run. */

import { setTimeout as pause } from 'node:timers/promises'
import { COMMAND_LOCK_MS } from '../../../base/limits/operation.ts'
import { newestAudit } from '../../../ledger/store/audit-pages.ts'
import { CannotConnect } from '../../../ledger/store/sql.ts'
import { readSqlite } from '../../../ledger/store/sqlite/open.ts'
import { NotCommitted, OutcomeUnknown, type Reader, type Runner } from '../../../ledger/store/store.ts'
import type { TeamKeyHash } from '../../../secrets/keys.ts'
import type { MasterKeys } from '../../../secrets/master-keys.ts'
import { openVault, type Vault } from '../../../secrets/vault.ts'
import { type Config, hasDatabase, readConfig, sqliteFile } from '../../config/read-config.ts'
import { openKeys, openStore, openTeamKeyHash, refuseForeignDatabase } from '../../main/foundation.ts'
import { type PlanInForce, planInForce } from '../../main/plan-in-force.ts'
import type { Terminal } from '../terminal.ts'
import { CommandFailure } from './failure.ts'

export interface Session {
  readonly config: Config
  /** The plan of the database, as it was when the session began. */
  readonly plan: PlanInForce
  readonly reads: Reader
  /** Opens the reads of an export: on the replica, if there is one that does not lag too far. The caller closes them. */
  openExport(): Promise<Export>
  /** Each transaction is tried again for a while if the running service holds the file's lock. */
  readonly store: Runner
  /** The master keys, checked against the database. Throws ConfigError or MasterKeyError. */
  secrets(): Promise<{ vault: Vault; masterKeys: MasterKeys }>
  /** The hash by which tokens are found. Throws as `secrets`. */
  hashToken(): Promise<TeamKeyHash>
}

/** The reads of an export, and the time of the newest audit row when it begins, at which it ends. */
interface Export {
  readonly reads: Runner
  readonly newestAt: number
  close(): Promise<void>
}

interface SessionOptions {
  /** Whether a SQLite file and its master key may be created, as at a first start. */
  readonly mayCreate?: boolean
}

export async function inSession(
  terminal: Terminal,
  options: SessionOptions,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const session = await openSession(terminal, options)
  try {
    await work(session)
  } finally {
    await session.close()
  }
}

async function openSession(
  terminal: Terminal,
  { mayCreate = false }: SessionOptions,
): Promise<Session & { close(): Promise<void> }> {
  const config = readConfig(terminal.environment)
  const isNew = config.databaseUrl === null && !hasDatabase(config)
  if (isNew && !mayCreate)
    throw new CommandFailure(
      `There is no database in ${config.dataDir}: set QUANTD_DATA_DIR to the service's data folder, or DATABASE_URL.`,
    )
  let masterKeys: MasterKeys | null = null
  // Keys are read before the database is created: a key that cannot be read must not leave a database without a key.
  const keys = () => {
    masterKeys ??= openKeys(config, { error: terminal.tell, info: () => undefined }, { isNewDatabase: isNew })
    return masterKeys
  }
  if (isNew) keys()
  const plan = planInForce(config.plan)
  const opened = await patiently(() => openStore(config, plan.current))
  const store: Runner = { run: (...verb) => patiently(() => opened.run(...verb)) }
  const url = config.databaseUrl
  const reader =
    url === null
      ? readSqlite(sqliteFile(config))
      : await patiently(async () => (await postgresReads()).readPostgres(url))
  const reads: Reader = { ...reader, run: (...verb) => patiently(() => reader.run(...verb)) }
  await plan.read(reads)
  return {
    config,
    plan,
    reads,
    async openExport() {
      const { replicaUrl } = config
      const replica =
        replicaUrl === null ? null : await (await postgresReads()).readReplica(replicaUrl, reads, newestAudit)
      if (replica === null) {
        if (replicaUrl !== null)
          terminal.tell(
            `${terminal.program}: the replica cannot be used or lags too far; the database is read instead`,
          )
        return { reads, newestAt: await reads.run(newestAudit), close: async () => undefined }
      }
      terminal.tell(
        `${terminal.program}: read from the replica, which lags by at most ${Math.ceil(replica.lagMs)} ms`,
      )
      return { reads: replica.reads, newestAt: replica.first, close: replica.reads.close }
    },
    store: {
      run: (...verb) => store.run(...verb).catch((error) => explain(error, terminal.program)),
    },
    async secrets() {
      const vault = openVault(keys())
      await refuseForeignDatabase(store, vault)
      return { vault, masterKeys: keys() }
    },
    hashToken: async () => await openTeamKeyHash(store, openVault(keys())),
    async close() {
      masterKeys?.close()
      await reads.close()
      await opened.close()
    },
  }
}

/** Loads the driver of PostgreSQL, which a session on SQLite does not need. */
const postgresReads = () => import('../../../ledger/store/postgres/reader.ts')

/**
 * Repeats work while the database is busy. Under load the service locks the SQLite file again and again, and SQLite's own busy
 * timeout, which is not fair, can expire. A busy PostgreSQL takes longer for a connection than a call may wait.
 */
async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + COMMAND_LOCK_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await pause(20 + 60 * Math.random())
    }
  }
}

const isBusy = (error: unknown): boolean => {
  // A server that is busy does not accept a connection in time; an unreachable one refuses at once.
  if (error instanceof CannotConnect) return /timeout/i.test((error.cause as Error).message)
  const cause = (error instanceof NotCommitted ? error.cause : error) as { code?: unknown } | undefined
  return typeof cause?.code === 'string' && cause.code.startsWith('SQLITE_BUSY')
}

function explain(error: unknown, program: string): never {
  if (!(error instanceof OutcomeUnknown)) throw error
  const { cause, message } = error
  const reason = cause instanceof Error ? `${message} (${cause.message})` : message
  throw new CommandFailure(
    `${reason}, so the change may or may not have been made: check with \`${program} admin show\` before you repeat it.`,
  )
}
