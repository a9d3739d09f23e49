/**
 * Watches the causes of alerts without Prometheus: every minute each node evaluates what concerns itself, and one of them what
 * concerns the database. The beginning and the end of an alert are sent once, in the transaction that records it.
 */
import type { MailText } from '../../accounts/mail/messages.ts'
import { ALERTS_EVERY_MS, ALERTS_SPAN_MS } from '../../base/limits/operation.ts'
import { polling } from '../../base/polling.ts'
import type { Runner } from '../../ledger/store/store.ts'
import type { Vault } from '../../secrets/vault.ts'
import { CAUSES, type Cause, DATABASE_DOWN, NODE_DOWN, summaryOf } from './causes.ts'
import { beginAlert, endAlert, type FiringAlert, isSame, seeNode, type Turn } from './coordination.ts'
import { type AlertTargets, noticeOf, type Turned, textOf } from './notice.ts'
import { Readings, type Sample } from './readings.ts'

export interface WatchParts {
  readonly store: Runner
  readonly vault: Vault
  readonly targets: AlertTargets
  /** The name of this node, which no other node of the database has. */
  readonly node: string
  samples(): Promise<readonly Sample[]>
  /** Sends a mail without the outbox, which needs the database. */
  sendDirectly(to: string, text: MailText): Promise<void>
  /** Epoch milliseconds. */
  now(): number
  readonly log: { error(facts: object, message: string): void; warn(facts: object, message: string): void }
}

/** The causes that are evaluated by readings. */
const READ = CAUSES.filter((cause) => cause !== NODE_DOWN && cause !== DATABASE_DOWN)

/** Whether a cause is present on a node, and since when it has been so. */
interface Lasting {
  readonly isPresent: boolean
  readonly since: number
}

export function openWatch(parts: WatchParts) {
  const { log, node, now, store, targets, vault } = parts
  const readings = new Readings(now(), ALERTS_SPAN_MS)
  const lasting = new Map<string, Lasting>()
  let isDatabaseDown = false

  /** Whether a cause begins or ends now; null: neither. */
  function turned(cause: Cause, of: string, isPresent: boolean, isSent: boolean): Turned | null {
    const key = `${cause.name} ${of}`
    const before = lasting.get(key)
    const state = before?.isPresent === isPresent ? before : { isPresent, since: now() }
    lasting.set(key, state)
    if (isPresent === isSent || now() - state.since < cause.forMs) return null
    return isPresent ? 'firing' : 'resolved'
  }

  async function send(which: Turned, alert: FiringAlert): Promise<void> {
    const { name, node: of, summary } = alert
    const verb = which === 'firing' ? beginAlert : endAlert
    await store.run(verb, alert, noticeOf(targets, vault, which, alert))
    log.warn({ alert: name, node: of, summary }, which === 'firing' ? 'alert' : 'alert is over')
  }

  async function evaluate(cause: Cause, of: string, value: number | null, { firing }: Turn): Promise<void> {
    const known = firing.find((one) => isSame(one, { name: cause.name, node: of }))
    const which = turned(cause, of, value !== null, known !== undefined)
    if (which === 'resolved') await send(which, known!)
    if (which === 'firing')
      await send(which, {
        name: cause.name,
        node: of,
        since: now(),
        summary: summaryOf(cause, of, value!),
      })
  }

  /** Sends the alert about the database by mail only, and directly: outbox and webhooks need the database. */
  async function evaluateDatabase(): Promise<void> {
    const which = turned(DATABASE_DOWN, node, DATABASE_DOWN.tooMuch(readings, now()) !== null, isDatabaseDown)
    if (which === null) return
    const summary = summaryOf(DATABASE_DOWN, node, 1)
    const alert = { name: DATABASE_DOWN.name, node, since: now(), summary }
    log.error({ alert: alert.name, node, summary }, which === 'firing' ? 'alert' : 'alert is over')
    const text = textOf(which, alert)
    const sent = await Promise.allSettled(targets.mails.map((to) => parts.sendDirectly(to, text)))
    const failed = sent.filter((one) => one.status === 'rejected')
    for (const { reason: err } of failed)
      log.error({ err }, 'a mail of the alert of the database was not sent')
    // If every mail failed, all are tried again in a minute. If only some did, none is, so that nobody gets the alert twice.
    if (failed.length === 0 || failed.length < sent.length) isDatabaseDown = which === 'firing'
  }

  async function look(): Promise<void> {
    readings.add({ atMs: now(), samples: await parts.samples() })
    await evaluateDatabase()
    const turn = await store.run(seeNode, node, 'running')
    for (const cause of READ)
      if (cause.concerns === 'node' || turn.leads)
        await evaluate(cause, cause.concerns === 'node' ? node : '', cause.tooMuch(readings, now()), turn)
    if (!turn.leads) return
    for (const other of turn.nodes)
      if (other !== node) await evaluate(NODE_DOWN, other, turn.silent.includes(other) ? 1 : null, turn)
    // Nobody evaluates the alerts of a node that is gone.
    for (const alert of turn.firing)
      if (alert.node !== '' && !turn.nodes.includes(alert.node)) await send('resolved', alert)
  }

  return {
    look: () =>
      look().catch((err) => log.warn({ err }, 'alerts were not evaluated; the next attempt is in a minute')),
    stop: () =>
      store.run(seeNode, node, 'stopped').then(
        () => undefined,
        () => undefined,
      ),
  }
}

/** Looks now and every minute; returns a function that ends it. */
export function startWatch(parts: WatchParts, everyMs = ALERTS_EVERY_MS): () => Promise<void> {
  const watch = openWatch(parts)
  const looking = polling(async () => {
    await watch.look()
    return everyMs
  })
  looking.wake()
  return async () => {
    await looking.stop()
    await watch.stop()
  }
}
