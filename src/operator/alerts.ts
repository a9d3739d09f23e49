/** Alerts that the service has told by itself, and a test of their ways. */

import { type AlertTargets, noticeOf, severityOf, TEST_ALERT } from '../alerts/notice.ts'
import { type FiringAlert, type Notice, tell } from '../alerts/rows.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Sql, Transaction } from '../store/sql.ts'
import type { Runner } from '../store/store.ts'
import { isoTime } from '../time.ts'
import { type AdminEvent, writeAdminEvent } from './event.ts'

export { firingAlerts } from '../alerts/rows.ts'

export const alertJson = ({ name, node, since, summary }: FiringAlert) => ({
  ...{ alert: name, severity: severityOf(name), node: node === '' ? null : node },
  ...{ since: isoTime(since), summary },
})

/** Sends an alert that says it is a test; the mails and events leave as those of others do. */
export const testAlerts = (
  { store, vault }: { readonly store: Runner; readonly vault: Vault },
  targets: AlertTargets,
  event: AdminEvent,
): Promise<void> => {
  const notice = noticeOf(targets, vault, 'firing', { ...TEST_ALERT, since: Date.now() })
  return store.run(tellTest, notice, event)
}

export function* tellTest(sql: Sql, notice: Notice, event: AdminEvent): Transaction<void> {
  yield* tell(sql, notice)
  yield* writeAdminEvent(sql, event, null, 'alerts_tested', { mails: notice.mails.length })
}
