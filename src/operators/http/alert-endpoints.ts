/** The alerts that the service sends to its operator. */
import { text, whole } from '../../accounts/field-schemas.ts'
import { alertsOff } from '../../base/errors/operator.ts'
import { plural } from '../../base/text.ts'
import { Type } from '../../base/type.ts'
import { firingAlerts } from '../alerts/coordination.ts'
import { alertJson, noticeOf, TEST_ALERT, tellTest } from '../alerts/notice.ts'
import { operatorEndpoint } from './endpoint.ts'
import { orNull, reason } from './field-schemas.ts'

export const shownAlert = Type.Object({
  alert: text('name'),
  severity: Type.Enum(['critical', 'warning'], { description: 'severity of the cause' }),
  node: orNull('the node; null: the database of all nodes'),
  since: text('when it was sent'),
  summary: text('the fault'),
})

const EXAMPLE_FIRING = {
  alert: 'QuantdMailsDelayed',
  severity: 'warning' as const,
  node: null,
  since: '2026-01-01T12:00:00.000Z',
  summary: 'Mails wait for 1260 s.',
}

const list = operatorEndpoint({
  verb: 'alerts list',
  role: 'viewer',
  path: '/operator/v1/alerts',
  title: 'Alerts',
  summary:
    'Lists the alerts that the service has sent by mail or webhook (`QUANTD_ALERTS`) and that are not over.',
  output: Type.Object({
    on: Type.Boolean({ description: 'whether `QUANTD_ALERTS` is set, so that the service sends alerts' }),
    items: Type.Array(shownAlert),
  }),
  command: {
    examples: [['alerts list', 'name, node, since when, what']],
    text: ({ items, on }) =>
      items
        .map((item) => `${item.alert}  ${item.node ?? 'database'}  ${item.since}  ${item.summary}`)
        .join('\n') || (on ? 'None.' : 'The service sends no alerts: set QUANTD_ALERTS.'),
  },
  example: { output: { on: true, items: [EXAMPLE_FIRING] } },
  async handle({ alerts, store }) {
    return { on: alerts !== null, items: (await store.run(firingAlerts)).map(alertJson) }
  },
})

const test = operatorEndpoint({
  verb: 'alerts test',
  role: 'admin',
  path: '/operator/v1/alerts/test',
  title: 'Test the alerts',
  summary: 'Sends a test alert to each address and webhook of `QUANTD_ALERTS`.',
  input: Type.Object({ reason }),
  output: Type.Object({
    mails: whole('mails that were queued'),
    webhook: Type.Boolean({ description: 'whether the event was written for webhooks' }),
  }),
  failures: ['conflict'],
  command: {
    examples: [['alerts test', 'a mail to each address, and an event to the webhooks']],
    needs: 'secrets',
  },
  said: ({ mails, webhook }) =>
    `Queued ${plural(mails, 'test mail')}${webhook ? ', and an event for the webhooks' : ''}.`,
  example: { input: {}, output: { mails: 1, webhook: true } },
  async handle({ alerts, vault }, { act, event }) {
    if (alerts === null) throw alertsOff()
    const notice = noticeOf(alerts, vault, 'firing', { ...TEST_ALERT, since: Date.now() })
    await act(tellTest, notice, event())
    return { mails: alerts.mails.length, webhook: alerts.webhook }
  },
})

export const alertEndpoints = [list, test]
