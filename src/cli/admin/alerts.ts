/** Commands for the alerts that the service tells by itself. */
import { alertsOff } from '../../errors/operator.ts'
import type { AdminCommand } from './command.ts'
import { eventBy } from './event.ts'

const list: AdminCommand = {
  usage: 'list',
  summary: 'List what is wrong with the service, as it has told by QUANTD_ALERTS, until that is over.',
  examples: [['alerts list', 'name, node, since when, what']],
  async run(session) {
    const { alertJson, firingAlerts } = await import('../../operator/alerts.ts')
    const items = (await session.reads.run(firingAlerts)).map(alertJson)
    await session.print(
      { on: session.config.alerts !== null, items },
      items
        .map(({ alert, node, since, summary }) => [alert, node ?? 'database', since, summary].join('  '))
        .join('\n'),
    )
  },
}

const test: AdminCommand = {
  usage: 'test',
  summary: 'Send an alert that says it is a test, by each way of QUANTD_ALERTS.',
  examples: [['alerts test', 'a mail to each address, and an event to the webhooks']],
  async run(session) {
    const { alerts } = session.config
    if (alerts === null) throw alertsOff()
    const { vault } = await session.secrets()
    const { testAlerts } = await import('../../operator/alerts.ts')
    await testAlerts({ store: session.store, vault }, alerts, eventBy('alerts test'))
    const { mails, webhook } = alerts
    await session.print(
      { mails: mails.length, webhook },
      `Queued: ${mails.length} mails${webhook ? ', and an event for the webhooks' : ''}.`,
    )
  },
}

export const alertCommands: readonly AdminCommand[] = [list, test]
