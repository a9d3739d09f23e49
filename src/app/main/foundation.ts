/** Opens the data folder, the master keys, the vault and the store, and checks that they belong together. */
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type History, historyOf, replicatedHistory } from '../../accounts/history.ts'
import { START_MS, START_RETRY_MS } from '../../base/limits/operation.ts'
import { makeFirstKey } from '../../ledger/receipts/make-checkpoint.ts'
import type { LedgerPlan } from '../../ledger/rules/plan.ts'
import { keepHashKey, keepOnce } from '../../ledger/store/facts.ts'
import type { PostgresOptions } from '../../ledger/store/postgres/open.ts'
import { FolderInUse, type FolderLock, lockFolder } from '../../ledger/store/sqlite/folder-lock.ts'
import { openSqlite, type SqliteOptions } from '../../ledger/store/sqlite/open.ts'
import {
  NotCommitted,
  OutcomeUnknown,
  type Runner,
  type Store,
  UnusableDatabase,
} from '../../ledger/store/store.ts'
import { sealHashKey, TEAM_HASH_PURPOSE, type TeamKeyHash, teamKeyHash } from '../../secrets/keys.ts'
import { MASTER_KEY_CHECK, type MasterKeys, openMasterKeys } from '../../secrets/master-keys.ts'
import { openVault, type Vault } from '../../secrets/vault.ts'
import { type Config, ConfigError, sqliteFile } from '../config/read-config.ts'
import { type Logger, openLog } from '../log.ts'
import { planInForce } from './plan-in-force.ts'
import { checkClock, checkDatabase, checkDataFolder } from './start-checks.ts'

export type Foundation = Awaited<ReturnType<typeof openFoundation>>

export interface FoundationOptions {
  /** Added to the database's clock; set by tests only. */
  readonly clockOffsetMs?: () => number
  /** Interval between reads of the master key file; set by tests only. */
  readonly masterKeyRereadMs?: number
  readonly log?: Logger
}

export async function openFoundation(config: Config, options: FoundationOptions) {
  const log = options.log ?? openLog(config.logLevel)
  const lock = lockDataFolder(config, log)
  try {
    const isNewDatabase = config.databaseUrl === null && !existsSync(sqliteFile(config))
    const masterKeys = openKeys(config, log, { isNewDatabase, rereadMs: options.masterKeyRereadMs })
    const vault = openVault(masterKeys)
    const plan = planInForce(config.plan)
    const { hashTeamKey, store } = await patiently(
      async () => {
        const opened = await openStore(config, plan.current, options)
        try {
          await refuseForeignDatabase(opened, vault)
          await checkDatabase(opened, log)
          await plan.read(opened)
          // Before the service listens, so that callers can keep the key of receipts before their first call.
          await opened.run(makeFirstKey, vault)
          return { store: opened, hashTeamKey: await openTeamKeyHash(opened, vault) }
        } catch (error) {
          await opened.close()
          throw error
        }
      },
      log,
      REMEDIES[config.databaseUrl === null ? 'file' : 'server'],
    )
    const history = await openHistory(config, store)
    return {
      config,
      log,
      vault,
      masterKeys,
      hashTeamKey,
      plan,
      store,
      history,
      async close() {
        masterKeys.close()
        await history.close()
        await store.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** The remedy that a start names if the database stays unreachable. */
const REMEDIES = {
  file: 'end the process that has locked it',
  server: 'start the database, or correct DATABASE_URL',
}

/** The refund journal and SQLite's cache of rows rely on one service per folder. Throws ConfigError. */
function lockDataFolder({ dataDir }: Config, log: Logger): FolderLock {
  checkClock(Date.now())
  checkDataFolder(dataDir, log)
  try {
    return lockFolder(dataDir)
  } catch (error) {
    const { message } = error as Error
    throw new ConfigError(
      error instanceof FolderInUse
        ? `The data folder ${dataDir} is ${message}: stop that service, or set QUANTD_DATA_DIR to a folder of its own.`
        : `The data folder ${dataDir} cannot be used: ${message}.`,
    )
  }
}

/** @param plan the plan by which calls are decided and events written */
export const openStore = async (
  config: Config,
  plan: () => LedgerPlan,
  { clockOffsetMs }: FoundationOptions = {},
): Promise<Store> => {
  const { databaseUrl } = config
  const options = { plan, ...(clockOffsetMs !== undefined && { clockOffsetMs }) }
  return databaseUrl === null
    ? openFile({ file: sqliteFile(config), ...options })
    : await openServer({ url: databaseUrl, ...options })
}

/** SQLSTATE codes of a server that is starting, stopping, or short of resources. */
const MAY_PASS = /^(08|40|53|55P03|57|58)/

async function openServer(options: PostgresOptions): Promise<Store> {
  const { openPostgres } = await import('../../ledger/store/postgres/open.ts')
  return await onServer(() => openPostgres(options))
}

/**
 * Works on PostgreSQL. Throws ConfigError for a wrong address, password or privilege, and NotCommitted for a state that may pass
 * by itself.
 */
export const onServer = <Result>(work: () => Promise<Result>): Promise<Result> =>
  work().catch((error) => {
    if (error instanceof UnusableDatabase) throw new ConfigError(error.message)
    const cause = error instanceof NotCommitted ? (error.cause ?? error) : error
    const { code, message, syscall } = cause as { code?: unknown; message: string; syscall?: string }
    // A file is one that the URL names, such as sslrootcert.
    const isFile = syscall === 'open'
    const isPlain = isFile || code === 'ENOTFOUND' || (isSqlState(code) && !MAY_PASS.test(code))
    if (!isPlain) throw error
    throw new ConfigError(`The PostgreSQL database cannot be used: ${message} (${code}); see DATABASE_URL.`)
  })

const isSqlState = (code: unknown): code is string =>
  typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)

async function openHistory({ replicaUrl }: Config, store: Store): Promise<History> {
  if (replicaUrl === null) return historyOf(store)
  const { openReplica } = await import('../../ledger/store/postgres/reader.ts')
  return replicatedHistory(openReplica(replicaUrl, store), store)
}

function openFile(options: SqliteOptions): Store {
  try {
    return openSqlite(options)
  } catch (error) {
    if (error instanceof UnusableDatabase) throw new ConfigError(error.message)
    const cause = ((error as Error).cause ?? error) as Error & { code?: unknown }
    const text = `The database ${options.file} cannot be opened: ${cause.message}`
    // Another process has locked the file, and may unlock it soon.
    if (String(cause.code).startsWith('SQLITE_BUSY')) throw new NotCommitted(text, { cause })
    throw new ConfigError(`${text}.`)
  }
}

export function openKeys(
  config: Config,
  log: Pick<Logger, 'error' | 'info'>,
  { isNewDatabase, rereadMs }: { readonly isNewDatabase: boolean; readonly rereadMs?: number | undefined },
): MasterKeys {
  return openMasterKeys({
    text: config.masterKey,
    file: config.masterKeyFile,
    create: isNewDatabase && !config.masterKeyGiven,
    ...(rereadMs !== undefined && { rereadMs }),
    onProblem: (problem) => log.error(problem),
    onChange: (ids) => log.info({ ids }, 'master keys changed'),
  })
}

/**
 * The hash by which team keys and operators' tokens are found. The first call on a database makes the HMAC key. Throws
 * VaultError.
 */
export const openTeamKeyHash = async (store: Runner, vault: Vault): Promise<TeamKeyHash> =>
  teamKeyHash(vault, await store.run(keepHashKey, TEAM_HASH_PURPOSE, sealHashKey(vault)))

/** Refuses a database whose secrets the master key cannot decrypt, because every API key would be rejected. */
export async function refuseForeignDatabase(store: Runner, vault: Vault): Promise<void> {
  refuseOtherKey(await store.run(keepOnce, MASTER_KEY_CHECK, vault.fingerprint()), vault)
}

/** @param stored the fingerprint in the database. Throws ConfigError */
export function refuseOtherKey(stored: string, vault: Vault): void {
  if (!vault.check(stored))
    throw new ConfigError(
      'The database was written under another master key: set QUANTD_MASTER_KEY or QUANTD_MASTER_KEY_FILE to that key.',
    )
}

/**
 * Repeats `open` with backoff while the database cannot be reached; after `patienceMs` it rejects with a ConfigError that names
 * the remedy. Rejects with other errors at once.
 */
export async function patiently<Result>(
  open: () => Promise<Result>,
  log: Pick<Logger, 'warn'>,
  remedy: string,
  patienceMs = START_MS,
): Promise<Result> {
  const deadline = performance.now() + patienceMs
  for (let pauseMs = START_RETRY_MS.least; ; pauseMs = Math.min(2 * pauseMs, START_RETRY_MS.most)) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof NotCommitted || error instanceof OutcomeUnknown)) throw error
      const leftMs = deadline - performance.now()
      if (leftMs < pauseMs) throw new ConfigError(`${error.message}; ${remedy}.`)
      log.warn(
        { reason: error.message, seconds: Math.round(leftMs / 1_000) },
        'the database cannot be used yet; the start tries again',
      )
      await sleep(pauseMs)
    }
  }
}
