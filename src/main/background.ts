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
import type { Vault } from '../secrets/vault.ts'
import type { Store } from '../store/store.ts'
import { DAY_MS } from '../time.ts'
import { startWebhooks } from '../webhooks/sender.ts'
import type { Foundation } from './foundation.ts'
import { adoptJournals } from './node-folders.ts'
import { operatorActsReader } from './operator-acts.ts'
import { tidy } from './tidy.ts'

export interface Background {
  readonly refundJournal: RefundJournal
  wakeSender(): void
  close(): Promise<void>
}

export function startBackground(foundation: Foundation): Background {
  const { config, log, store, vault } = foundation
  const refundJournal = openRefundJournal(
    join(config.dataDir, REFUND_JOURNAL),
    { refund: (calls) => refundCalls(store, calls) },
    (message, facts) => log.warn(facts, message),
  )
  for (const journal of abandonedJournals(config.dataDir)) refundJournal.adopt(journal)
  adoptJournals(config.dataDir, refundJournal)
  const sender = openSender(config, store, vault, log)
  const stopWebhooks = startWebhooks({ store, vault, log, post: { allowPrivate: config.webhookPrivate } })
  const logOperatorActs = operatorActsReader(store, log)
  const minutely = setInterval(() => {
    void cleanUp(store, config, log)
    void logOperatorActs()
  }, TIDY_EVERY_MS)
  return {
    refundJournal,
    wakeSender: sender.wake,
    async close() {
      clearInterval(minutely)
      await Promise.all([sender.stop(), stopWebhooks()])
      refundJournal.close()
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

async function cleanUp(store: Store, config: Config, log: Logger): Promise<void> {
  const { auditRetentionDays } = config
  const auditRetentionMs = auditRetentionDays === null ? null : auditRetentionDays * DAY_MS
  try {
    let done = await tidy(store, auditRetentionMs)
    if (done !== null && (done.guests > 0 || done.auditRows > 0)) log.info(done, 'expired rows deleted')
    while (done?.more) done = await tidy(store, auditRetentionMs)
  } catch (error) {
    log.warn({ err: error }, 'expired rows were not deleted; the next attempt is in a minute')
  }
}
