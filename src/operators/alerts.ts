/** The alerts that the service has sent, and the test alert. */

import { isoTime } from '../base/time.ts'
import type { Sql, Transaction } from '../ledger/store/sql.ts'
import { severityOf } from './alerts/notice.ts'
import { type FiringAlert, type Notice, send } from './alerts/rows.ts'
import { type AdminEvent, writeAdminEvent } from './event.ts'

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
  yield* writeAdminEvent(sql, event, null, 'alerts_tested', { mails: notice.mails.length })
}
