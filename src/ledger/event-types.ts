/** The types of events: when each is written, and its data. Documents and the types of the code follow from this list. */

import type { Static, TObject } from 'typebox'
import { Type } from '../base/type.ts'

interface EventType<Data extends TObject> {
  /** Whether the event is about the service, not about an account. */
  readonly isOfService?: boolean
  readonly when: string
  readonly data: Data
  readonly example: Static<Data>
}

const eventType = <Data extends TObject>(of: EventType<Data>): EventType<Data> => of

const credits = (description: string) => Type.Integer({ description })
const reference = Type.Union([Type.String(), Type.Null()], {
  description: "the operator's reference of the grant; null: none",
})
const time = (description: string) => Type.String({ format: 'date-time', description })
const teamKey = { key_id: Type.Integer({ description: 'the id of the team key, which a rotation keeps' }) }
const named = { ...teamKey, name: Type.String({ description: 'the name of the team key' }) }
const granted = {
  reference,
  credits: credits('credits of the grant'),
  balance: credits("the account's credits afterwards"),
}

const alert = Type.Object({
  alert: Type.String({ description: 'the name of the alert' }),
  severity: Type.Enum(['critical', 'warning'], { description: 'severity of the cause' }),
  node: Type.Union([Type.String(), Type.Null()], {
    description: 'the node; null: the database of all nodes',
  }),
  since: time('when it was first sent'),
  summary: Type.String({ description: 'the fault' }),
  runbook: Type.String({ description: 'the first step' }),
})
const EXAMPLE_ALERT = {
  alert: 'QuantdMailsDelayed',
  severity: 'warning' as const,
  node: null,
  since: '2026-12-01T00:00:00.000Z',
  summary: 'Mails wait for 1260 s.',
  runbook:
    'Codes do not arrive. Look for "mail not sent" in the log; check the SMTP server and SMTP_URL. No mail is lost.',
}

export const EVENT_TYPES = {
  'account.created': eventType({
    when: 'An account is registered and its address confirmed, or an operator creates it. Guests have no events.',
    data: Type.Object({
      type: Type.Enum(['free', 'basic', 'standard', 'pro'], { description: 'the account type' }),
      credits: credits('the credits that it starts with'),
    }),
    example: { type: 'free', credits: 350 },
  }),
  'credits.low': eventType({
    when: "The balance falls to the account's threshold or below it.",
    data: Type.Object({ balance: credits("the account's credits"), threshold: credits('the threshold') }),
    example: { balance: 99, threshold: 100 },
  }),
  'credits.exhausted': eventType({
    when: 'The balance falls to 0.',
    data: Type.Object({ balance: credits("the account's credits: 0") }),
    example: { balance: 0 },
  }),
  'key.cap_exhausted': eventType({
    when: 'A team key has spent all of its cap. It is sent once in each period of the cap.',
    data: Type.Object({
      ...teamKey,
      credit_cap: credits('the cap'),
      cap_period: Type.Enum(['total', 'day', 'month'], { description: 'when the cap renews' }),
    }),
    example: { key_id: 7, credit_cap: 1_000, cap_period: 'month' },
  }),
  'key.created': eventType({
    when: 'A team key is created.',
    data: Type.Object(named),
    example: { key_id: 7, name: 'pricing notebook' },
  }),
  'key.rotated': eventType({
    when: 'A team key is replaced by a new one with the same id.',
    data: Type.Object({
      ...named,
      overlap_seconds: Type.Integer({ description: 'seconds for which the old key is accepted as well' }),
    }),
    example: { key_id: 7, name: 'pricing notebook', overlap_seconds: 3_600 },
  }),
  'key.revoked': eventType({
    when: 'A team key is revoked.',
    data: Type.Object(named),
    example: { key_id: 7, name: 'pricing notebook' },
  }),
  'key.expired': eventType({
    when: 'A team key has reached its end. It is sent within minutes.',
    data: Type.Object({ ...named, expired_at: time('its end') }),
    example: { key_id: 7, name: 'pricing notebook', expired_at: '2026-12-01T00:00:00.000Z' },
  }),
  'grant.created': eventType({
    when: 'An operator grants credits.',
    data: Type.Object(granted),
    example: { reference: 'invoice-2041', credits: 5_000, balance: 5_350 },
  }),
  'grant.reversed': eventType({
    when: 'Credits of a grant are taken back.',
    data: Type.Object(granted),
    example: { reference: 'invoice-2041', credits: 5_000, balance: 350 },
  }),
  'grant.expired': eventType({
    when: 'A grant with an end has reached it with credits left. It is sent with the next call of the account, or within minutes.',
    data: Type.Object({
      grant_id: Type.Integer({ description: 'the number of the grant among those that expire' }),
      credits: credits('the credits that expired'),
      expired_at: time('its end'),
    }),
    example: { grant_id: 12, credits: 250, expired_at: '2026-12-01T00:00:00.000Z' },
  }),
  'usage.day': eventType({
    when: 'A day (UTC) on which the account computed is over. It is sent an hour later.',
    data: Type.Object({
      day: Type.String({ format: 'date', description: 'the day' }),
      calls: Type.Integer({ description: 'computations that succeeded' }),
      credits: credits('credits charged, less refunds'),
    }),
    example: { day: '2026-11-30', calls: 1_204, credits: 1_290 },
  }),
  'alert.firing': eventType({
    isOfService: true,
    when: 'A fault of the service has lasted for the time that the rule of its alert states. It is sent if `QUANTD_ALERTS` contains `webhook`.',
    data: alert,
    example: EXAMPLE_ALERT,
  }),
  'alert.resolved': eventType({
    isOfService: true,
    when: 'The cause of an `alert.firing` is over.',
    data: alert,
    example: EXAMPLE_ALERT,
  }),
}

type EventName = keyof typeof EVENT_TYPES

/** An event as its cause writes it. */
export type WebhookEvent = {
  [Name in EventName]: {
    readonly type: Name
    readonly accountId: number
    readonly at: number
    readonly data: Readonly<Static<(typeof EVENT_TYPES)[Name]['data']>>
  }
}[EventName]

export const EVENT_NAMES = Object.keys(EVENT_TYPES) as EventName[]
