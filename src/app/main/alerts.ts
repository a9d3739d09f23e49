/** The service's own watch for the causes of alerts; it also sends mail while the database cannot be reached. */
import { hostname } from 'node:os'
import { basename } from 'node:path'
import type { MailText } from '../../accounts/mail/messages.ts'
import { smtpTransport } from '../../accounts/mail/smtp.ts'
import { uuidv7 } from '../../base/ids.ts'
import type { Sample } from '../../operators/alerts/readings.ts'
import { startWatch } from '../../operators/alerts/watch.ts'
import type { Config } from '../config/read-config.ts'
import type { Foundation } from './foundation.ts'

/** Starts the watch; returns the function that ends it. Null: QUANTD_ALERTS is not set. */
export function startAlerts(
  { config, log, store, vault }: Foundation,
  samples: () => Promise<readonly Sample[]>,
  everyMs?: number,
): (() => Promise<void>) | null {
  const { alerts: targets } = config
  if (targets === null) return null
  const sendDirectly = (to: string, text: MailText) => mailDirectly(config, to, text)
  const parts = { store, vault, targets, node: nodeName(config), samples, sendDirectly, now: Date.now, log }
  return startWatch(parts, everyMs)
}

/** The name of this node. Nodes on one port differ in their data folders. */
function nodeName({ dataDir, port }: Config): string {
  const folder = basename(dataDir)
  return `${hostname()}:${port}${/^node-\d+$/.test(folder) ? `/${folder}` : ''}`
}

/** Sends a mail without the outbox, which is in the database. Without an SMTP server, an alert is a line of the log only. */
async function mailDirectly({ mailFrom: from, smtpUrl: url }: Config, to: string, text: MailText) {
  if (url === null) return
  const transport = smtpTransport({ url, from })
  try {
    await transport.send({ id: uuidv7(), to, ...text })
  } finally {
    transport.close()
  }
}
