/** The composition root: settings → store → vault → pipeline → HTTP; the only file that names concrete parts. */
import cluster from 'node:cluster'
import { existsSync, readdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { accountHandlers } from './accounts/handlers.ts'
import { openTurns } from './accounts/turns.ts'
import { receiver } from './body/receive.ts'
import { performers } from './compute/performers.ts'
import { openPool } from './compute/pool.ts'
import { type Config, ConfigError } from './config.ts'
import { consoleAssets } from './console/assets.ts'
import { sources } from './derive/sources.ts'
import { drain } from './http/drain.ts'
import { routes } from './http/routes.ts'
import { createServer, type ServerLimits } from './http/server.ts'
import { type Logger, openLog } from './log.ts'
import { fileTransport } from './mail/files.ts'
import { type Sender, startSender } from './mail/outbox.ts'
import { smtpTransport } from './mail/smtp.ts'
import type { MailTransport } from './mail/transport.ts'
import { shrinkHeap } from './main/heap.ts'
import { cannotListen, listenForMetrics, refuseUnknownCosts } from './main/start-checks.ts'
import { openMeter } from './metering/meter.ts'
import { openRefundJournal, type RefundJournal } from './metering/refund-journal.ts'
import { openMetrics } from './metrics.ts'
import { authenticator } from './pipeline/authenticate.ts'
import { apiKeyKind } from './secrets/api-keys.ts'
import { type MasterKeys, openMasterKeys } from './secrets/master-keys.ts'
import { createPasswords } from './secrets/passwords.ts'
import { openMail } from './secrets/sealed-mail.ts'
import { openVault, type Vault } from './secrets/vault.ts'
import { openSqlite } from './store/sqlite/open.ts'
import type { Store } from './store/store.ts'

/** How long clients may take to notice that their connections end. */
const DRAIN_MS = 1_000

export interface Service {
  readonly url: string
  readonly store: Store
  /** Finishes what is under way, then lets go of everything. */
  close(drainMs?: number): Promise<void>
}

export interface ServiceOptions {
  /** Added to the database's clock; only tests move it. */
  readonly clockOffsetMs?: () => number
  /** Between looks at the master key file; only tests shorten it. */
  readonly masterKeyRereadMs?: number
  /** Of connections and replies; only tests lower them. */
  readonly limits?: Partial<ServerLimits>
  readonly log?: Logger
}

/** The fact by which a start sees that database and master key belong together. */
export const MASTER_KEY_CHECK = 'master key check'

const TIDY_EVERY_MS = 60_000
const DAY_MS = 24 * 3_600_000

/** One process that does everything. */
export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const foundation = await openFoundation(config, options)
  const background = startBackground(foundation)
  for (const journal of orphanedJournals(config)) background.refundJournal.adopt(journal)
  const server = await startServing(foundation, background, options.limits).catch(async (error) => {
    await background.close()
    await foundation.close()
    throw error
  })
  return {
    url: server.url,
    store: foundation.store,
    async close(drainMs) {
      await server.close(drainMs)
      await background.close()
      await foundation.close()
    },
  }
}

/** What every process stands on. */
export interface Foundation {
  readonly config: Config
  readonly log: Logger
  readonly vault: Vault
  readonly store: Store
  close(): Promise<void>
}

/** @param given the store of another process; else one is opened */
export async function openFoundation(
  config: Config,
  options: ServiceOptions = {},
  given?: Store,
): Promise<Foundation> {
  const log = options.log ?? openLog(config.logLevel)
  const isNewDatabase = config.databaseUrl === null && !existsSync(sqliteFile(config))
  const masterKeys = openKeys(config, isNewDatabase, log, options.masterKeyRereadMs)
  const vault = openVault(masterKeys)
  const store = given ?? (await openStore(config, options))
  await refuseForeignDatabase(store, vault)
  return {
    config,
    log,
    vault,
    store,
    async close() {
      masterKeys.close()
      await store.close()
    },
  }
}

/** What one process does for all: mail, clean-up, and the refunds of doubtful debits. */
export interface Background {
  readonly refundJournal: RefundJournal
  wakeSender(): void
  close(): Promise<void>
}

export function startBackground(foundation: Foundation): Background {
  const { config, log, store, vault } = foundation
  const refundJournal = openJournal(foundation, 'doubts.ndjson')
  const sender = openSender(config, store, vault, log)
  const tidying = setInterval(() => tidy(store, config, log), TIDY_EVERY_MS)
  return {
    refundJournal,
    wakeSender: sender.wake,
    async close() {
      clearInterval(tidying)
      await sender.stop()
      refundJournal.close()
    },
  }
}

export const openJournal = ({ config, log, store }: Foundation, name: string): RefundJournal =>
  openRefundJournal(join(config.dataDir, name), store, (message, facts) => log.warn(facts, message))

/** Journals of serving processes that ended before their refunds were made. */
export const orphanedJournals = ({ dataDir }: Config): string[] =>
  existsSync(dataDir)
    ? readdirSync(dataDir)
        .filter((name) => /^refundJournal-.+\.ndjson$/.test(name))
        .map((name) => join(dataDir, name))
    : []

/** What a process that answers requests needs of the one that works in the background. */
export type Support = Pick<Background, 'refundJournal' | 'wakeSender'>

/** Answers requests until it is closed. */
export async function startServing(
  { config, log, store, vault }: Foundation,
  { refundJournal, wakeSender }: Support,
  limits: Partial<ServerLimits> = {},
): Promise<{ url: string; close(drainMs?: number): Promise<void> }> {
  refuseUnknownCosts(config)
  const metrics = openMetrics()
  const meter = openMeter(store, refundJournal)
  const pool = openPool({ threads: config.computeThreads, costs: config.costs })
  const onInternalError = (error: unknown, requestId: string) =>
    log.error({ err: error, requestId }, 'internal error')
  let stopping = false
  const app = createServer({
    routes: routes({
      authenticate: authenticator(store, meter, {
        kind: apiKeyKind,
        hashes: (apiKey) => vault.lookupHashes(apiKey).map(({ hash }) => hash),
      }),
      receiver: receiver(config.bodyLimitBytes),
      meter,
      pool,
      onInternalError,
      store,
      performers: performers(config.costs),
      handlers: accountHandlers({
        store,
        vault,
        passwords: createPasswords(),
        turns: openTurns(),
        wakeSender,
        issuer: 'quantd',
      }),
      assets: consoleAssets(sources),
      ipLimits: config.ipLimits,
      version: sources.version,
      isStopping: () => stopping,
    }),
    trustedProxies: config.trustedProxies,
    limits: { perAddress: config.connectionsPerAddress, ...limits },
    onInternalError,
    repliesOf: metrics.replies,
  })
  shrinkHeap()
  // In a cluster the first process answers for all.
  const metricsServer = cluster.isPrimary ? await listenForMetrics(config, metrics.text) : null
  await app.listen({ host: config.host, port: config.port }).catch((error) => {
    throw cannotListen(error, `${config.host}:${config.port}`, 'HOST or PORT')
  })
  const { port } = app.server.address() as AddressInfo
  return {
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    async close(drainMs = DRAIN_MS) {
      stopping = true
      await drain(app.server, drainMs)
      await app.close()
      metricsServer?.close()
      await pool.close()
    },
  }
}

export const sqliteFile = (config: Config): string => join(config.dataDir, 'quantd.db')

export const openStore = async (config: Config, { clockOffsetMs }: ServiceOptions = {}): Promise<Store> => {
  const clock = clockOffsetMs === undefined ? {} : { clockOffsetMs }
  return config.databaseUrl === null
    ? openFile(sqliteFile(config), clock)
    : await (await import('./store/postgres/open.ts')).openPostgres({ url: config.databaseUrl, ...clock })
}

function openFile(file: string, clock: Pick<ServiceOptions, 'clockOffsetMs'>): Store {
  try {
    return openSqlite({ file, ...clock })
  } catch (error) {
    throw new ConfigError(`The database ${file} cannot be opened: ${(error as Error).message}.`)
  }
}

export function openKeys(
  config: Config,
  isNewDatabase: boolean,
  log: Pick<Logger, 'error' | 'info'>,
  rereadMs?: number,
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

/** A database whose secrets this master key cannot open stops the start; going on would lock everybody out. */
export async function refuseForeignDatabase(store: Pick<Store, 'keepOnce'>, vault: Vault): Promise<void> {
  const kept = await store.keepOnce(MASTER_KEY_CHECK, vault.fingerprint())
  if (!vault.check(kept))
    throw new ConfigError(
      'The database was written under another master key: set QUANTD_MASTER_KEY or QUANTD_MASTER_KEY_FILE to the one it belongs to.',
    )
}

/** Without an SMTP server mails are files, and their codes in the log where only this machine can reach the service. */
function openSender(config: Config, store: Store, vault: Vault, log: Logger): Sender {
  const { host, mailFrom: from, smtpUrl } = config
  const logCodes = host === 'localhost' || host === '::1' || /^127\./.test(host)
  const transport =
    smtpUrl === null
      ? fileTransport({ folder: join(config.dataDir, 'outbox'), from, log, logCodes })
      : throughSmtp(smtpUrl, from)
  return startSender({
    outbox: {
      claim: store.claimMails,
      sent: store.mailSent,
      failed: store.mailFailed,
      abandoned: store.mailAbandoned,
    },
    transport,
    open: (mail) => openMail(vault, mail),
    log,
  })
}

function throughSmtp(url: string, from: string): MailTransport {
  try {
    return smtpTransport({ url, from })
  } catch (error) {
    throw new ConfigError((error as Error).message)
  }
}

async function tidy(store: Store, config: Config, log: Logger): Promise<void> {
  const { auditRetentionDays } = config
  const auditRetentionMs = auditRetentionDays === null ? null : auditRetentionDays * DAY_MS
  try {
    let done = await store.tidy({ auditRetentionMs })
    if (done !== null && (done.guests > 0 || done.auditRows > 0)) log.info(done, 'tidied')
    while (done?.more) done = await store.tidy({ auditRetentionMs })
  } catch (error) {
    log.warn({ err: error }, 'could not tidy; it is tried again')
  }
}
