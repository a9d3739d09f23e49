/** The notices of an alert, and of the test alert: mails and the event of webhooks. */
import { alertMail, type MailText } from '../../accounts/mail/messages.ts'
import { newMail } from '../../accounts/mail/outbox.ts'
import { isoTime } from '../../base/time.ts'
import { NO_ACCOUNT } from '../../ledger/store/audit.ts'
import type { Sql, Transaction } from '../../ledger/store/sql.ts'
import type { Vault } from '../../secrets/vault.ts'
import { type AdminEvent, writeAdminEvent } from '../audit-event.ts'
import { CAUSES } from './causes.ts'
import { type FiringAlert, type Notice, send } from './coordination.ts'

/** Where alerts are sent (QUANTD_ALERTS). */
export interface AlertTargets {
  readonly mails: readonly string[]
  readonly webhook: boolean
}

export type Turned = 'firing' | 'resolved'

/** The alert that `quantd admin alerts test` sends. */
export const TEST_ALERT = { name: 'QuantdTest', node: '', summary: 'This is a test: nothing is wrong.' }
const TEST_RUNBOOK = 'Nothing is to be done.'

const runbookOf = (name: string): string =>
  CAUSES.find((cause) => cause.name === name)?.runbook ?? TEST_RUNBOOK

const severityOf = (name: string): 'critical' | 'warning' =>
  CAUSES.find((cause) => cause.name === name)?.severity ?? 'warning'

export const textOf = (turned: Turned, { name, summary }: FiringAlert): MailText =>
  alertMail({ isOver: turned === 'resolved', name, summary, runbook: runbookOf(name) })

export function noticeOf(
  { mails, webhook }: AlertTargets,
  vault: Vault,
  turned: Turned,
  alert: FiringAlert,
): Notice {
  const text = textOf(turned, alert)
  return {
    mails: mails.map((to) => newMail({ vault }, to, text)),
    event: webhook ? eventOf(turned, alert) : null,
  }
}

const eventOf = (turned: Turned, { name, node, since, summary }: FiringAlert): Notice['event'] => ({
  type: `alert.${turned}`,
  accountId: NO_ACCOUNT,
  data: {
    alert: name,
    severity: severityOf(name),
    node: node === '' ? null : node,
    since: isoTime(since),
    summary,
    runbook: runbookOf(name),
  },
})

export const alertJson = ({ name, node, since, summary }: FiringAlert) => ({
  alert: name,
  severity: severityOf(name),
  node: node === '' ? null : node,
  since: isoTime(since),
  summary,
})

/** Sends a test alert by the same mails and events as real alerts. */
export function* tellTest(sql: Sql, notice: Notice, event: AdminEvent): Transaction<void> {
  yield* send(sql, notice)
  yield* writeAdminEvent(sql, event, 'alerts_tested', { facts: { mails: notice.mails.length } })
}
