/** The background work of a node: mail, deletion of expired rows, refunds, and the acts of operators that the log shows. */
import { join } from 'node:path'
import { type Sender, startSender } from '../../accounts/mail/sender.ts'
import {
  fileTransport,
  type MailTransport,
  removeOldMails,
  smtpTransport,
} from '../../accounts/mail/transport.ts'
import { sendNotices } from '../../accounts/notices.ts'
import { isLoopback } from '../../base/hosts.ts'
import { NOTICES_EVERY_MS, OPERATOR_ACTS_MS, TIDY_EVERY_MS } from '../../base/limits/operation.ts'
import { polling } from '../../base/polling.ts'
import { DAY_MS, MINUTE_MS } from '../../base/time.ts'
import {
  FORMER_JOURNAL,
  openRefundJournal,
  REFUND_JOURNAL,
  type RefundJournal,
} from '../../ledger/metering/refund-journal.ts'
import { refundCalls } from '../../ledger/metering/refunds.ts'
import { type Checkpoints, openCheckpoints } from '../../ledger/receipts/checkpoint-schedule.ts'
import { keptFrom } from '../../ledger/receipts/make-checkpoint.ts'
import { ACT_METHODS, type AuditLine } from '../../ledger/store/audit-pages.ts'
import { rows, type Sql, type Transaction } from '../../ledger/store/sql.ts'
import type { Runner, Store } from '../../ledger/store/store.ts'
import { startWebhooks } from '../../operators/webhooks/sender.ts'
import { type Config, ConfigError } from '../config/read-config.ts'
import type { Logger } from '../log.ts'
import { tidy } from './clean-up.ts'
import type { Foundation } from './foundation.ts'
import { followPlan } from './plan-in-force.ts'
import { adoptJournals } from './supervisor.ts'

export interface Background {
  readonly refundJournal: RefundJournal
  readonly checkpoints: Pick<Checkpoints, 'make'>
  wakeSender(): void
  /** Called once the service listens: until then, the start blocks the event loop too long for a connection to a mail server. */
  start(): void
  close(): Promise<void>
}

export function openBackground(foundation: Foundation): Background {
  const { config, log, store, vault } = foundation
  const refundJournal = openJournal(foundation)
  const checkpoints = openCheckpoints({
    store,
    vault,
    retentionMs: retentionOf(config),
    file: config.checkpointFile,
    onUnwritten: (err) =>
      log.warn(
        { err },
        'QUANTD_CHECKPOINT_FILE could not be written; the next checkpoint appends what it lacks',
      ),
  })
  const transport = transportOf(config, log)
  let sender: Sender | null = null
  let stop = async () => transport.close()
  return {
    refundJournal,
    checkpoints,
    wakeSender: () => sender?.wake(),
    start() {
      const started = startSender({ store, vault, transport, log })
      const stopOthers = startOthers(foundation, checkpoints)
      const notices = startNotices(foundation, started.wake)
      sender = started
      stop = async () => {
        await Promise.all([notices.stop(), stopOthers()])
        await started.stop()
      }
    },
    async close() {
      await stop()
      refundJournal.close()
      await checkpoints.close().catch((err) => log.warn({ err }, 'no checkpoint was made at the stop'))
    },
  }
}

/** Opens the refund journal, and adopts those of nodes that have ended. */
function openJournal({ config: { dataDir }, log, store }: Foundation): RefundJournal {
  const journal = openRefundJournal(
    join(dataDir, REFUND_JOURNAL),
    (calls) => refundCalls(store, calls),
    (message, facts) => log.warn(facts, message),
  )
  journal.adopt(join(dataDir, FORMER_JOURNAL))
  adoptJournals(dataDir, journal)
  return journal
}

/**
 * Starts reading the plan, sending webhooks, making checkpoints, deleting expired rows, and logging acts of operators.
 * Returns the function that stops them.
 */
function startOthers(
  { config, log, plan, store, vault }: Foundation,
  checkpoints: Pick<Checkpoints, 'make'>,
): () => Promise<void> {
  const stopPlan = followPlan(plan, store, log)
  const stopWebhooks = startWebhooks({ store, vault, log, post: { allowPrivate: config.webhookPrivate } })
  const makeCheckpoint = () =>
    checkpoints
      .make()
      .catch((err) => log.warn({ err }, 'no checkpoint was made; the next attempt is in a minute'))
  const logOperatorActs = operatorActsReader(store, log)
  const minutely = setInterval(() => {
    void makeCheckpoint().then(() => cleanUp(store, retentionOf(config), log))
    void logOperatorActs()
    void removeOldMails(mailFolder(config)).catch((err) =>
      log.warn({ err }, 'old mails were not removed; the next attempt is in a minute'),
    )
  }, TIDY_EVERY_MS)
  return async () => {
    clearInterval(minutely)
    stopPlan()
    await stopWebhooks()
  }
}

/** Looks for balances that have crossed a threshold of their owners. */
function startNotices({ log, store, vault }: Foundation, wakeSender: () => void) {
  const looking = polling(async () => {
    try {
      if ((await sendNotices(store, vault)) > 0) wakeSender()
    } catch (err) {
      log.warn(
        { err },
        'balances were not compared with the thresholds of their owners; the next look follows',
      )
    }
    return NOTICES_EVERY_MS
  })
  looking.wake()
  return looking
}

/** The retention of the audit in milliseconds; null: rows are kept for ever. */
const retentionOf = ({ auditRetentionDays }: Config): number | null =>
  auditRetentionDays === null ? null : auditRetentionDays * DAY_MS

/** Sends mails; without an SMTP server it writes files, and logs the codes only if no other machine can reach the service. */
function transportOf(config: Config, log: Logger): MailTransport {
  const { host, mailFrom: from, smtpUrl } = config
  if (smtpUrl !== null) return throughSmtp(smtpUrl, from)
  return fileTransport({ folder: mailFolder(config), from, log, logCodes: isLoopback(host) })
}

const mailFolder = ({ dataDir }: Config): string => join(dataDir, 'outbox')

function throughSmtp(url: string, from: string): MailTransport {
  try {
    return smtpTransport({ url, from })
  } catch (error) {
    throw new ConfigError((error as Error).message)
  }
}

async function cleanUp(store: Store, retentionMs: number | null, log: Logger): Promise<void> {
  try {
    let done = await tidy(store, await announced(store, retentionMs))
    if (done !== null && (done.guests > 0 || done.auditRows > 0)) log.info(done, 'expired rows deleted')
    while (done?.more) done = await tidy(store, await announced(store, retentionMs))
  } catch (error) {
    log.warn({ err: error }, 'expired rows were not deleted; the next attempt is in a minute')
  }
}

/** The retention, extended so that no row is deleted before a checkpoint has announced it. */
export async function announced(store: Store, retentionMs: number | null): Promise<number | null> {
  if (retentionMs === null) return null
  const { from, now } = await store.run(keptFrom)
  return Math.max(retentionMs, now - from + MINUTE_MS)
}

/** Returns a function that logs the acts since its last call, each once; its first call logs the acts since it was made. */
export function operatorActsReader(store: Runner, log: Pick<Logger, 'info' | 'warn'>): () => Promise<void> {
  const startedAt = performance.now()
  let seen: ReadonlySet<string> = new Set()
  return async () => {
    try {
      const acts = await store.run(
        operatorActs,
        Math.min(OPERATOR_ACTS_MS, Math.ceil(performance.now() - startedAt)),
      )
      for (const { id, ...act } of acts) if (!seen.has(id)) log.info(act, 'operator act')
      seen = new Set(acts.map(({ id }) => id))
    } catch (error) {
      log.warn({ err: error }, 'the acts of operators were not read; the next attempt is in a minute')
    }
  }
}

/** An act of an operator; `detail` is JSON and names the operator. */
type OperatorAct = Pick<AuditLine, 'at' | 'accountId' | 'requestId'> & {
  readonly id: string
  readonly act: string
  readonly detail: string | null
}

/** The acts of operators within the last `windowMs` by the database's clock, the oldest first. */
export function* operatorActs(sql: Sql, windowMs: number): Transaction<OperatorAct[]> {
  const now = yield* sql.clock()
  const acts = yield* rows(
    sql.db
      .selectFrom('audit')
      .select(['id', 'at', 'account_id as accountId', 'code as act', 'request_id as requestId', 'detail'])
      .where('method', 'in', ACT_METHODS)
      .where('at', '>=', now - windowMs)
      .orderBy('at'),
  )
  return acts.map((one) => ({ ...one, act: one.act ?? '' }))
}
