/** The page of events: every type with its data and an example of the message. */
import type { Sources } from './described.ts'
import { fieldTable, tableOf } from './markdown-tables.ts'
import { plain } from './rules.ts'
import { indented } from './samples.ts'

export const EVENTS_SUMMARY = 'Every type of event with its fields and an example of its message.'

export const eventsPage = (events: Sources['events']): string =>
  `${[
    '# Events',
    'An event tells the endpoints of the operator what has happened. [Receive events](/docs/how-to/receive-events.md) says how to create an endpoint, verify a message and reply.',
    '`data` of an event about an account begins with `account_id`; guests have no events. Fields may be added to it, never removed. Each message is posted with these headers:',
    tableOf(
      ['Header', 'Example', 'Description'],
      [
        ['`webhook-id`', '`evt_17_1767225600000`', 'the id of the event, the same at each attempt'],
        ['`webhook-timestamp`', '`1767225601`', 'seconds since 1970 at this attempt'],
        ['`webhook-signature`', '`v1,… v1a,…`', 'signatures of id, timestamp and body, by Standard Webhooks'],
      ],
    ),
    ...Object.entries(events).map(([type, { data, example, isOfService, when }]) =>
      [
        `## ${type}`,
        when,
        fieldTable(plain(data)),
        `\`\`\`json\n${indented({ type, timestamp: '2026-12-01T00:00:00.000Z', data: { ...(!isOfService && { account_id: 17 }), ...example } })}\n\`\`\``,
      ].join('\n\n'),
    ),
  ].join('\n\n')}\n`
