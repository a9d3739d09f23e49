/** The background work of a node: mail, deletion of expired rows, and refunds. */

import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { TIDY_EVERY_MS } from '../limits/operation.ts'
import type { Logger } from '../log.ts'
import { isLoopback } from '../loopback.ts'
import { fileTransport } from '../mail/files.ts'
import { openMail, outboxOf } from '../mail/outbox.ts'
import { type Sender, startSender } from '../mail/sender.ts'
import { smtpTransport } from '../mail/smtp.ts'
import type { MailTransport } from '../mail/transport.ts'
import {
  abandonedJournals,
  openRefundJournal,
  REFUND_JOURNAL,
  type RefundJournal,
} from '../metering/refund-journal.ts'
import { refundCalls } from '../metering/refunds.ts'
import { type Checkpoints, openCheckpoints } from '../receipts/checkpoints.ts'
import { keptFrom } from '../receipts/make-checkpoint.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Store } from '../store/store.ts'
import { DAY_MS, MINUTE_MS } from '../time.ts'
import { startWebhooks } from '../webhooks/sender.ts'
import type { Foundation } from './foundation.ts'
import { adoptJournals } from './node-folders.ts'
import { operatorActsReader } from './operator-acts.ts'
import { followPlan } from './plan.ts'
import { tidy } from './tidy.ts'

export interface Background {
  readonly refundJournal: RefundJournal
  wakeSender(): void
  readonly checkpoints: Pick<Checkpoints, 'make'>
  close(): Promise<void>
}

export function startBackground(foundation: Foundation): Background {
  const { config, log, plan, store, vault } = foundation
  const stopPlan = followPlan(plan, store, log)
  const refundJournal = openRefundJournal(
    join(config.dataDir, REFUND_JOURNAL),
    { refund: (calls) => refundCalls(store, calls) },
    (message, facts) => log.warn(facts, message),
  )
  for (const journal of abandonedJournals(config.dataDir)) refundJournal.adopt(journal)
  adoptJournals(config.dataDir, refundJournal)
  const sender = openSender(config, store, vault, log)
  const stopWebhooks = startWebhooks({ store, vault, log, post: { allowPrivate: config.webhookPrivate } })
  const { auditRetentionDays, checkpointFile } = config
  const retentionMs = auditRetentionDays === null ? null : auditRetentionDays * DAY_MS
  const checkpoints = openCheckpoints({ store, vault, retentionMs, file: checkpointFile })
  const makeCheckpoint = () =>
    checkpoints
      .make()
      .catch((err) => log.warn({ err }, 'no checkpoint was made; the next attempt is in a minute'))
  const logOperatorActs = operatorActsReader(store, log)
  const minutely = setInterval(() => {
    void makeCheckpoint().then(() => cleanUp(store, retentionMs, log))
    void logOperatorActs()
  }, TIDY_EVERY_MS)
  return {
    refundJournal,
    wakeSender: sender.wake,
    checkpoints,
    async close() {
      clearInterval(minutely)
      stopPlan()
      await Promise.all([sender.stop(), stopWebhooks()])
      refundJournal.close()
      await checkpoints.close().catch((err) => log.warn({ err }, 'no checkpoint was made at the stop'))
    },
  }
}

/** Without an SMTP server each mail is a file; its code is logged only where no other machine can reach the service. */
function openSender(config: Config, store: Store, vault: Vault, log: Logger): Sender {
  const { host, mailFrom: from, smtpUrl } = config
  const logCodes = isLoopback(host)
  const transport =
    smtpUrl === null
      ? fileTransport({ folder: join(config.dataDir, 'outbox'), from, log, logCodes })
      : throughSmtp(smtpUrl, from)
  return startSender({
    outbox: outboxOf(store),
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

async function cleanUp(store: Store, retentionMs: number | null, log: Logger): Promise<void> {
  try {
    let done = await tidy(store, await announced(store, retentionMs))
    if (done !== null && (done.guests > 0 || done.auditRows > 0)) log.info(done, 'expired rows deleted')
    while (done?.more) done = await tidy(store, await announced(store, retentionMs))
  } catch (error) {
    log.warn({ err: error }, 'expired rows were not deleted; the next attempt is in a minute')
  }
}

/** Rows are deleted only from before the time that the last checkpoint has announced. */
export async function announced(store: Store, retentionMs: number | null): Promise<number | null> {
  if (retentionMs === null) return null
  const { from, now } = await store.run(keptFrom)
  return Math.max(retentionMs, now - from + MINUTE_MS)
}
