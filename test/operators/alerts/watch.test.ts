/** Alerts without Prometheus: each cause is told once as it begins and once as it ends, by mail and by webhook. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { alertRules } from '../../../scripts/generators/alert-rules.ts'
import { smtpTransport } from '../../../src/accounts/mail/transport.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/base/time.ts'
import { CAUSES, type Cause, NODE_DOWN } from '../../../src/operators/alerts/causes.ts'
import { firingAlerts, seeNode } from '../../../src/operators/alerts/coordination.ts'
import type { Sample } from '../../../src/operators/alerts/readings.ts'
import { openWatch, type WatchParts } from '../../../src/operators/alerts/watch.ts'
import { query } from '../../support/database.ts'
import { testVault } from '../../support/proven-audit.ts'
import { startTestService } from '../../support/service.ts'
import { parseMessage, smtpPeer } from '../../support/smtp-peer.ts'
import { until } from '../../support/until.ts'

const OPS = 'ops@example.org'
const NODE = 'a'
let now = Date.UTC(2026, 0, 1)
let samples: readonly Sample[] = []

const smtp = await smtpPeer()
const service = await startTestService({ SMTP_URL: smtp.url })
const direct = smtpTransport({ url: smtp.url, from: 'quantd <quantd@example.org>' })
const parts: WatchParts = {
  store: service.store,
  vault: testVault(),
  targets: { mails: [OPS], webhook: true },
  node: NODE,
  samples: async () => samples,
  sendDirectly: (to, text) => direct.send({ id: crypto.randomUUID(), to, ...text }),
  now: () => now,
  log: {
    error: () => undefined,
    warn: (_, message) => assert.notEqual(message.slice(0, 17), 'alerts were not e'),
  },
}
after(async () => {
  direct.close()
  await service.close()
  await smtp.close()
})

const sample = (name: string, value: number, labels: Sample['labels'] = {}): Sample => ({
  name,
  labels,
  value,
})
const buckets = (name: string, counts: Readonly<Record<string, number>>, labels: Sample['labels'] = {}) =>
  Object.entries(counts).map(([le, count]) => sample(`${name}_bucket`, count, { ...labels, le }))

const healthy = (): Sample[] => [
  sample('quantd_database_up', 1),
  sample('quantd_ledger_check_differing_accounts', 0),
  sample('quantd_ledger_check_timestamp_seconds', now / 1_000 - 3_600),
  sample('process_start_time_seconds', now / 1_000 - 3 * 86_400),
  sample('nodejs_eventloop_lag_p99_seconds', 0.011),
  sample('quantd_mails_oldest_age_seconds', 3),
  sample('quantd_failures_total', 7, { code: 'invalid_input' }),
]

/** The readings of a fault, after so many minutes; they take the place of the healthy ones of the same name. */
const FAULTS: Readonly<Record<string, (minutes: number) => Sample[]>> = {
  QuantdLedgerDiffers: () => [sample('quantd_ledger_check_differing_accounts', 2)],
  QuantdLedgerNotChecked: () => [
    sample('quantd_ledger_check_timestamp_seconds', (now - 2 * DAY_MS) / 1_000 - 1),
  ],
  QuantdInternalErrors: () => [sample('quantd_failures_total', 1, { code: 'internal' })],
  QuantdUnavailable: (minutes) => [
    sample('quantd_failures_total', 6 * minutes, { code: 'overloaded' }),
    sample('quantd_http_requests_total', 100 * minutes),
  ],
  QuantdSlow: (minutes) =>
    buckets(
      'quantd_http_request_duration_seconds',
      { 0.25: 0, 0.5: 100 * minutes, '+Inf': 100 * minutes },
      { route: '/quantlib/pricing/bs/price' },
    ),
  QuantdCommitsSlow: (minutes) =>
    buckets('quantd_ledger_commit_duration_seconds', { 0.1: 0, 0.25: 9 * minutes, '+Inf': 9 * minutes }),
  QuantdCommitsFail: (minutes) => [sample('quantd_ledger_commit_failures_total', minutes)],
  QuantdEventLoopDelayed: () => [sample('nodejs_eventloop_lag_p99_seconds', 0.2)],
  QuantdComputeQueueLong: (minutes) => [
    ...buckets('quantd_compute_wait_seconds', { 5: 0, 10: minutes, '+Inf': minutes }),
  ],
  QuantdMailsDelayed: () => [sample('quantd_mails_oldest_age_seconds', 901)],
  QuantdAuthenticationFailures: (minutes) => [
    sample('quantd_authentication_failures_total', 100_000 + 600 * minutes, { code: 'api_key_invalid' }),
  ],
}

const feed = (fault: Sample[]): void => {
  const replaced = new Set(fault.map(({ name }) => name))
  samples = [...healthy().filter(({ name }) => !replaced.has(name)), ...fault]
}

const firing = async (): Promise<string[]> =>
  (await service.store.run(firingAlerts)).map(({ name }) => name).toSorted()

/** The subjects of the mails to the operator, in the order in which they were queued. */
const subjects = () =>
  smtp.deliveries.filter(({ to }) => to[0] === OPS).map(({ source }) => parseMessage(source).headers.subject!)

describe('the table of causes', () => {
  it('is that of the rules of Prometheus and of the operations page', () => {
    const root = join(import.meta.dirname, '../../..')
    assert.equal(readFileSync(join(root, 'deploy/prometheus/alerts.yml'), 'utf8'), alertRules())
    assert.equal(CAUSES.length, 13)
    const page = readFileSync(join(root, 'docs/operations.md'), 'utf8')
    for (const { name } of CAUSES) assert.match(page, new RegExp(`^\\| \`?${name}\`? `, 'm'))
  })
})

describe('a watch', () => {
  it('reports each cause once after its time, not again after a restart, and its end after the same time', async () => {
    const causes = CAUSES.filter(({ name }) => FAULTS[name] !== undefined)
    assert.equal(
      causes.length,
      CAUSES.length - 2,
      'nodes and the database that are down have tests of their own',
    )
    for (const cause of causes) await tellsOnce(cause)
    const told = causes.flatMap(({ name }) => [`Alert: ${name}`, `Over: ${name}`])
    await until(() => subjects().length >= told.length, 'the mails were sent')
    assert.deepEqual(subjects().toSorted(), told.toSorted())
    const events = await query(
      service,
      "SELECT type, data, account_id FROM webhook_events WHERE type LIKE 'alert.%' ORDER BY id",
    )
    assert.deepEqual(
      events.map(
        ({ data, type }) =>
          `${type === 'alert.firing' ? 'Alert' : 'Over'}: ${JSON.parse(String(data)).alert}`,
      ),
      told,
    )
    assert.deepEqual([...new Set(events.map(({ account_id }) => Number(account_id)))], [0])
  })

  async function tellsOnce({ forMs, name }: Cause): Promise<void> {
    feed([])
    let watch = openWatch(parts)
    await watch.look()
    assert.deepEqual(await firing(), [], name)
    const began = now + 20 * MINUTE_MS
    const faulty = async (atMs: number) => {
      now = began + atMs
      feed(FAULTS[name](1 + atMs / MINUTE_MS))
      await watch.look()
    }
    await faulty(0)
    if (forMs > 0) {
      assert.deepEqual(await firing(), [], `${name} is not told at once`)
      await faulty(forMs - MINUTE_MS / 2)
      assert.deepEqual(await firing(), [], `${name} is not told too early`)
      await faulty(forMs)
    }
    assert.deepEqual(await firing(), [name])
    watch = openWatch(parts)
    await faulty(forMs + MINUTE_MS)
    await faulty(2 * forMs + 2 * MINUTE_MS)
    assert.deepEqual(await firing(), [name])
    // Earlier failures are out of every span then.
    now += HOUR_MS
    for (const atMs of forMs === 0 ? [0] : [0, forMs - 1]) {
      now += atMs
      feed([])
      if (forMs > 0 || atMs > 0) await watch.look()
      if (forMs > 0) assert.deepEqual(await firing(), [name], `${name} is not over too early`)
    }
    now += HOUR_MS
    feed([])
    await watch.look()
    assert.deepEqual(await firing(), [], `${name} is over`)
  }

  it('does not report a cause that ends before its time', async () => {
    feed([])
    const watch = openWatch(parts)
    const before = subjects().length
    for (let minute = 0; minute < 12; minute++) {
      now += MINUTE_MS
      feed(minute % 4 === 3 ? [] : FAULTS.QuantdMailsDelayed!(minute))
      await watch.look()
      assert.deepEqual(await firing(), [])
    }
    assert.equal(subjects().length, before)
  })

  it('reports a cause once for two nodes, of which one watches the database', async () => {
    const before = subjects().length
    feed(FAULTS.QuantdLedgerDiffers!(0))
    const two = [NODE, 'b'].map((node) => openWatch({ ...parts, node }))
    for (let times = 0; times < 3; times++) {
      now += MINUTE_MS
      await Promise.all(two.map((watch) => watch.look()))
    }
    assert.deepEqual(await firing(), ['QuantdLedgerDiffers'])
    feed([])
    await Promise.all(two.map((watch) => watch.look()))
    assert.deepEqual(await firing(), [])
    await until(() => subjects().length === before + 2, 'two mails came')
    await two[1].stop()
  })

  it('reports a node that is down, but not one that was stopped', async () => {
    feed([])
    const [watch, other] = [openWatch(parts), openWatch({ ...parts, node: 'b' })]
    await watch.look()
    await other.look()
    await openWatch({ ...parts, node: 'c' }).look()
    await service.store.run(seeNode, 'c', 'stopped')
    for (const minutes of [2, 1]) {
      assert.deepEqual(await firing(), [])
      service.advance(minutes * MINUTE_MS)
      now += minutes * MINUTE_MS
      await watch.look()
    }
    const [alert] = await service.store.run(firingAlerts)
    assert.deepEqual([alert!.name, alert!.node], [NODE_DOWN.name, 'b'])
    assert.equal(alert!.summary, 'b was not seen for minutes.')
    await other.look()
    await watch.look()
    now += MINUTE_MS
    await watch.look()
    assert.deepEqual(await firing(), [])
    await other.stop()
  })

  it('reports although a node that has died since had a clock that was ahead', async () => {
    service.advance(100 * DAY_MS)
    await openWatch({ ...parts, node: '0' }).look()
    service.advance(-100 * DAY_MS)
    const watch = openWatch(parts)
    feed(FAULTS.QuantdLedgerDiffers!(0))
    await watch.look()
    assert.deepEqual(await firing(), ['QuantdLedgerDiffers'])
    feed([])
    await watch.look()
    assert.deepEqual(await firing(), [])
  })

  it('ends the alerts of a node that never came back', async () => {
    feed(FAULTS.QuantdInternalErrors!(0))
    await openWatch({ ...parts, node: 'z' }).look()
    assert.deepEqual(await firing(), ['QuantdInternalErrors'])
    feed([])
    const watch = openWatch(parts)
    for (const days of [0.5, 1]) {
      service.advance(days * DAY_MS)
      now += days * DAY_MS
      await watch.look()
      now += MINUTE_MS
      await watch.look()
    }
    assert.deepEqual(await firing(), [])
  })

  it('mails without the outbox that the database is away, and that it is back', async () => {
    // Mails of other alerts may still be on their way.
    const told = () => subjects().filter((subject) => subject.endsWith('QuantdDatabaseDown'))
    assert.deepEqual(told(), [])
    let isAway = true
    const store: WatchParts['store'] = {
      run: async (...verb) => {
        if (isAway) throw new Error('away')
        return await service.store.run(...verb)
      },
    }
    // One address is refused: those of the others are not sent every minute because of it.
    const targets = { mails: [OPS, 'no address'], webhook: true }
    const log = { error: () => undefined, warn: () => undefined }
    const watch = openWatch({ ...parts, store, targets, log })
    for (let minute = 0; minute < 4; minute++) {
      now += MINUTE_MS
      feed([sample('quantd_database_up', 0)])
      await watch.look()
      assert.equal(told().length, minute === 0 ? 0 : 1)
    }
    isAway = false
    for (let minute = 0; minute < 2; minute++) {
      now += MINUTE_MS
      feed([])
      await watch.look()
    }
    assert.deepEqual(told(), ['Alert: QuantdDatabaseDown', 'Over: QuantdDatabaseDown'])
  })
})
