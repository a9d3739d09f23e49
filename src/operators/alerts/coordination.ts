/**
 * The row by which nodes coordinate alerts: when each node was last seen, and the alerts that were sent and have not ended.
 */

import { type NewMail, queueMail } from '../../accounts/mail/outbox.ts'
import {
  ALERTS_EVERY_MS,
  CLOCK_BACK_MS,
  NODE_FORGOTTEN_MS,
  NODE_SILENT_MS,
  NODE_STOPPED_MS,
} from '../../base/limits/operation.ts'
import type { WebhookEvent } from '../../ledger/event-types.ts'
import { writeWebhookEvent } from '../../ledger/store/events.ts'
import { factOf, keepOnce, setFact } from '../../ledger/store/facts.ts'
import { first, type Sql, type Transaction } from '../../ledger/store/sql.ts'

export interface FiringAlert {
  readonly name: string
  /** The node that it is about; empty: the database. */
  readonly node: string
  readonly since: number
  readonly summary: string
}

interface State {
  readonly nodes: Readonly<Record<string, { readonly seenAt: number; readonly isStopped: boolean }>>
  readonly firing: readonly FiringAlert[]
}

const FACT = 'alerts'
const NOTHING: State = { nodes: {}, firing: [] }

/** Locks the row. */
function* lockedState(sql: Sql): Transaction<State> {
  yield* keepOnce(sql, FACT, JSON.stringify(NOTHING))
  const row = sql.db.selectFrom('facts').select('value').where('name', '=', FACT)
  return JSON.parse((yield* first(sql.dialect === 'postgres' ? row.forUpdate() : row))!.value)
}

export function* firingAlerts(sql: Sql): Transaction<readonly FiringAlert[]> {
  return ((yield* factOf<State>(sql, FACT)) ?? NOTHING).firing
}

export interface Turn {
  readonly firing: readonly FiringAlert[]
  /** Whether this node evaluates what concerns the database, because it is the first by name of the nodes seen just now. */
  readonly leads: boolean
  /** Nodes that were not seen for a while, and did not stop. */
  readonly silent: readonly string[]
  /** Nodes that the row knows. */
  readonly nodes: readonly string[]
}

/**
 * Records that a node was seen, or that it stops. Forgets nodes that stopped long ago, and nodes that were seen at a time in the
 * future, because the clock was ahead: if such a node has ended, it would seem to run, and to lead, until then.
 */
export function* seeNode(sql: Sql, node: string, state: 'running' | 'stopped'): Transaction<Turn> {
  const { firing, nodes } = yield* lockedState(sql)
  const now = yield* sql.clock()
  const known = Object.entries({ ...nodes, [node]: { seenAt: now, isStopped: state === 'stopped' } }).filter(
    ([, { isStopped, seenAt }]) =>
      seenAt <= now + CLOCK_BACK_MS && now - seenAt < (isStopped ? NODE_STOPPED_MS : NODE_FORGOTTEN_MS),
  )
  yield* setFact(sql, FACT, { nodes: Object.fromEntries(known), firing })
  const running = known.filter(([, one]) => !one.isStopped)
  const ageOf = ([, one]: (typeof known)[number]) => now - one.seenAt
  const names = (some: typeof known) => some.map(([name]) => name).sort()
  return {
    firing,
    leads: names(running.filter((one) => ageOf(one) < 2 * ALERTS_EVERY_MS))[0] === node,
    silent: names(running.filter((one) => ageOf(one) >= NODE_SILENT_MS)),
    nodes: names(known),
  }
}

type AlertEvent = Extract<WebhookEvent, { readonly type: `alert.${string}` }>

export interface Notice {
  readonly mails: readonly NewMail[]
  /** Gets the database's time; null: no event is sent. */
  readonly event: Omit<AlertEvent, 'at'> | null
}

/** Sends the beginning of an alert, unless it was sent. */
export function* beginAlert(sql: Sql, alert: FiringAlert, notice: Notice): Transaction<void> {
  const state = yield* lockedState(sql)
  if (state.firing.some((one) => isSame(one, alert))) return
  yield* setFact(sql, FACT, { ...state, firing: [...state.firing, alert] })
  yield* send(sql, notice)
}

/** Sends the end of an alert, unless it was sent. */
export function* endAlert(sql: Sql, alert: FiringAlert, notice: Notice): Transaction<void> {
  const state = yield* lockedState(sql)
  const firing = state.firing.filter((one) => !isSame(one, alert))
  if (firing.length === state.firing.length) return
  yield* setFact(sql, FACT, { ...state, firing })
  yield* send(sql, notice)
}

export function* send(sql: Sql, { event, mails }: Notice): Transaction<void> {
  const now = yield* sql.clock()
  for (const mail of mails) yield* queueMail(sql, mail, now)
  if (event !== null) yield* writeWebhookEvent(sql, { ...event, at: now })
}

type Named = Pick<FiringAlert, 'name' | 'node'>
export const isSame = (one: Named, other: Named): boolean =>
  one.name === other.name && one.node === other.node
