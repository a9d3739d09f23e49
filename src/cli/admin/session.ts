/** A session of an operator at the service's database: opened with its settings, beside the running service. */
import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { type Config, readConfig } from '../../config.ts'
import { uuidv7 } from '../../ids.ts'
import { openKeys, openStore, refuseForeignDatabase, sqliteFile } from '../../main.ts'
import type { MasterKeys } from '../../secrets/master-keys.ts'
import { openVault, type Vault } from '../../secrets/vault.ts'
import { readPostgres } from '../../store/postgres/admin-reader.ts'
import { readSqlite } from '../../store/sqlite/admin-reader.ts'
import {
  type AdminEvent,
  type AdminReader,
  NotCommitted,
  OutcomeUnknown,
  type Store,
} from '../../store/store.ts'
import type { Terminal } from '../terminal.ts'
import { CommandFailure } from './failure.ts'

export interface Session {
  readonly config: Config
  readonly reads: AdminReader
  /** One transaction; where the running service holds the file, it is tried again for a while. */
  write<Result>(work: (store: Store) => Promise<Result>): Promise<Result>
  /** The master keys, checked against the database. Throws ConfigError or MasterKeyError. */
  secrets(): Promise<{ vault: Vault; masterKeys: MasterKeys }>
  close(): Promise<void>
}

export interface SessionOptions {
  /** Whether a SQLite file and its master key may be made, as a first start would. */
  readonly mayCreate: boolean
}

export async function openSession(terminal: Terminal, { mayCreate }: SessionOptions): Promise<Session> {
  const config = readConfig(terminal.environment)
  const isNew = config.databaseUrl === null && !existsSync(sqliteFile(config))
  if (isNew && !mayCreate)
    throw new CommandFailure(
      `There is no database in ${config.dataDir}; name the service's data folder with QUANTD_DATA_DIR, or its DATABASE_URL.`,
    )
  let masterKeys: MasterKeys | null = null
  // Before the database is made: a key that cannot be read must not leave a database without one.
  const keys = () => {
    masterKeys ??= openKeys(config, isNew, { error: terminal.tell, info: () => undefined })
    return masterKeys
  }
  if (isNew) keys()
  const store = await patiently(() => openStore(config))
  const reads =
    config.databaseUrl === null ? readSqlite(sqliteFile(config)) : readPostgres(config.databaseUrl)
  return {
    config,
    reads,
    write: (work) => patiently(() => work(store)).catch(explain),
    async secrets() {
      const vault = openVault(keys())
      await refuseForeignDatabase({ keepOnce: (...fact) => patiently(() => store.keepOnce(...fact)) }, vault)
      return { vault, masterKeys: keys() }
    },
    async close() {
      masterKeys?.close()
      await reads.close()
      await store.close()
    },
  }
}

/** Whoever is logged in has done it, by this verb. */
export const eventBy = (verb: string): AdminEvent => ({
  auditId: uuidv7(),
  ip: 'cli',
  requestId: uuidv7(),
  method: 'CLI',
  path: `admin ${verb}`,
  actor: actor(),
})

function actor(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run under a number that has no name.
    return `uid ${process.getuid?.() ?? '?'}`
  }
}

const PATIENCE_MS = 15_000

/** The service takes the file again and again under load; SQLite's own waiting can lose against that. */
async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + PATIENCE_MS
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
  const cause = (error instanceof NotCommitted ? error.cause : error) as { code?: unknown } | undefined
  return typeof cause?.code === 'string' && cause.code.startsWith('SQLITE_BUSY')
}

function explain(error: unknown): never {
  if (error instanceof OutcomeUnknown)
    throw new CommandFailure(
      'The database went away at the last moment, so this may or may not have happened: look with `quantd admin show` before you repeat it.',
    )
  throw error
}
