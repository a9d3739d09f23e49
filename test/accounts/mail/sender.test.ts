/** The sender: every mail leaves once, whatever the server does. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { verificationMail } from '../../../src/accounts/mail/messages.ts'
import { claimMails, decoyRecipient, settleMail } from '../../../src/accounts/mail/outbox.ts'
import { backoffMs, type SenderParts, startSender } from '../../../src/accounts/mail/sender.ts'
import {
  type MailTransport,
  type OutgoingMail,
  SendFailure,
  smtpTransport,
} from '../../../src/accounts/mail/transport.ts'
import { openSqlite } from '../../../src/ledger/store/sqlite/open.ts'
import type { Runner } from '../../../src/ledger/store/store.ts'
import { freePort } from '../../support/free-port.ts'
import { testVault } from '../../support/proven-audit.ts'
import { smtpPeer } from '../../support/smtp-peer.ts'
import { until } from '../../support/until.ts'

const vault = testVault()

/** An outbox on SQLite, with a connection of its own for what the test writes and reads. */
function openOutbox() {
  const folder = mkdtempSync(join(tmpdir(), 'quantd-'))
  const file = join(folder, 'quantd.db')
  const store = openSqlite({ file })
  const db = new Database(file, { timeout: 5_000 })
  after(async () => {
    db.close()
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const states = {
    sent: 'sent_at IS NOT NULL AND sealed IS NULL',
    abandoned: 'sent_at IS NULL AND sealed IS NULL',
    queued: 'sealed IS NOT NULL',
  }
  return {
    run: store.run as Runner['run'],
    count: (state: keyof typeof states) =>
      db.prepare(`SELECT count(*) FROM mails WHERE ${states[state]}`).pluck().get(),
    row: (id: string) =>
      db
        .prepare('SELECT sealed, attempts AS tries, last_error AS reason FROM mails WHERE id = ?')
        .get(id) as {
        readonly sealed: Buffer | null
        readonly tries: number
        readonly reason: string | null
      },
    add(id: string, to = `${id}@example.org`, queuedAgoMs = 0) {
      const text = verificationMail({ username: id, code: '042137' })
      const { masterKeyId, sealed } = vault.seal('mail', JSON.stringify(text), [id, to])
      const now = Date.now()
      db.prepare(
        'INSERT INTO mails (id, recipient, master_key_id, sealed, created_at, attempts, next_at) VALUES (?, ?, ?, ?, ?, 0, ?)',
      ).run(id, to, masterKeyId, sealed, now - queuedAgoMs, now)
    },
  }
}

function sender(store: Runner, transport: MailTransport, over: Partial<SenderParts> = {}) {
  const lines: { message: string; fields: object }[] = []
  const note = (fields: object, message: string) => lines.push({ message, fields })
  const started = startSender({
    store,
    vault,
    transport,
    log: { info: note, warn: note },
    pollMs: 20,
    backoff: { least: 10, most: 80 },
    ...over,
  })
  return { ...started, lines }
}

/** A store whose verb fails the first times. */
const failing = (store: Runner, fails: { readonly verb: unknown; times: number }): Runner => ({
  run: (verb, ...args) =>
    verb === fails.verb && fails.times-- > 0
      ? Promise.reject(new Error('database away'))
      : store.run(verb, ...args),
})

/** A transport in memory that asks `answer` about each mail. */
function scripted(answer: (mail: OutgoingMail, tries: number) => Promise<void> | void) {
  const tries = new Map<string, number>()
  let closed = false
  const transport: MailTransport = {
    async send(mail) {
      tries.set(mail.id, (tries.get(mail.id) ?? 0) + 1)
      await answer(mail, tries.get(mail.id)!)
    },
    close: () => {
      closed = true
    },
  }
  return { transport, tries, isClosed: () => closed }
}

/** A timer may end this much before the clock says so. */
const TIMER_EARLY_MS = 2

test('a server that goes away in the middle gets each mail once all the same', async () => {
  const first = await smtpPeer({}, await freePort())
  const outbox = openOutbox()
  for (let n = 0; n < 200; n++) outbox.add(`m-${n}`)
  const running = sender(outbox, smtpTransport({ url: first.url, from: 'q@quantd.test' }))
  await until(() => first.deliveries.length >= 20, 'sending some')
  await first.close()
  const second = await smtpPeer({}, first.port)
  await until(() => outbox.count('sent') === 200, 'sending all')
  await running.stop()
  await second.close()
  const ids = [...first.deliveries, ...second.deliveries].map((one) => one.to[0])
  assert.equal(new Set(ids).size, 200)
  // A connection cut between the server's acceptance and its answer is the one way to send twice.
  assert.ok(ids.length - 200 <= 4, `${ids.length} deliveries`)
})

test('4xx, then success: the mail leaves once', async () => {
  let refusals = 2
  const server = await smtpPeer({
    onRcptTo: (_address, _session, done) =>
      done(refusals-- > 0 ? Object.assign(new Error('greylisted'), { responseCode: 450 }) : null),
  })
  const outbox = openOutbox()
  outbox.add('m-1')
  const running = sender(outbox, smtpTransport({ url: server.url, from: 'q@quantd.test' }))
  await until(() => outbox.count('sent') === 1, 'sending')
  await running.stop()
  await server.close()
  assert.equal(server.deliveries.length, 1)
  assert.equal(outbox.row('m-1').tries, 3)
})

test('5xx is given up after three tries, noted in the log and erased, while other mails leave', async () => {
  let asked = 0
  const server = await smtpPeer({
    onRcptTo: ({ address }, _session, done) => {
      const bad = address.startsWith('bad')
      if (bad) asked++
      done(bad ? Object.assign(new Error('no such user'), { responseCode: 550 }) : null)
    },
  })
  const outbox = openOutbox()
  for (const id of ['bad', 'good-1', 'good-2']) outbox.add(id)
  const running = sender(outbox, smtpTransport({ url: server.url, from: 'q@quantd.test' }))
  await until(() => outbox.count('abandoned') === 1 && outbox.count('sent') === 2, 'settling all')
  await pause(100)
  await running.stop()
  await server.close()
  assert.equal(asked, 3)
  const { reason, sealed } = outbox.row('bad')
  assert.equal(sealed, null)
  assert.match(reason!, /no such user/)
  assert.equal(running.lines.filter((line) => line.message === 'mail abandoned').length, 1)
})

test('while the server is away one mail at a time probes it, ever less often', async () => {
  let away = true
  const times: number[] = []
  const { transport } = scripted(() => {
    if (!away) return
    times.push(performance.now())
    throw new SendFailure('away', 'connection refused')
  })
  const outbox = openOutbox()
  for (let n = 0; n < 50; n++) outbox.add(`m-${n}`)
  const running = sender(outbox, transport, { random: () => 0, pollMs: 5 })
  await until(() => times.length >= 9, 'probing')
  const probes = times.length
  away = false
  await until(() => outbox.count('sent') === 50, 'sending all')
  await running.stop()
  // Four at first, side by side; then after 10, 20, 40, 80, 80 … ms.
  const pauses = times.slice(4, 9).map((at, i) => at - times[3 + i])
  for (const [i, least] of [10, 20, 40, 80, 80].entries())
    assert.ok(pauses[i] > least - TIMER_EARLY_MS, `pauses of ${pauses.map(Math.round)} ms`)
  for (let n = 0; n < 50; n++) assert.ok(outbox.row(`m-${n}`).tries <= probes + 1)
})

test('no more mails are in flight than allowed, and none waits while there is room', async () => {
  let open = 0
  let most = 0
  const { transport } = scripted(async () => {
    most = Math.max(most, ++open)
    await pause(5)
    open--
  })
  const outbox = openOutbox()
  for (let n = 0; n < 40; n++) outbox.add(`m-${n}`)
  // A mail that waits for the next poll is waited for in vain.
  const running = sender(outbox, transport, { concurrent: 3, pollMs: 600_000 })
  await until(() => outbox.count('sent') === 40, 'sending all')
  await running.stop()
  assert.equal(most, 3)
})

test('a woken sender sends at once', async () => {
  const { transport } = scripted(() => undefined)
  const outbox = openOutbox()
  const running = sender(outbox, transport, { pollMs: 60_000 })
  for (let n = 0; n < 20; n++) {
    await pause(2)
    outbox.add(`m-${n}`)
    running.wake()
    await until(() => outbox.count('sent') === n + 1, 'sending')
  }
  await running.stop()
})

test('stopping waits for what is in flight, takes nothing more and closes the transport', async () => {
  let release = () => {}
  const { transport, tries, isClosed } = scripted(
    () =>
      new Promise<void>((done) => {
        release = done
      }),
  )
  const outbox = openOutbox()
  outbox.add('m-1')
  const running = sender(outbox, transport, { concurrent: 1 })
  await until(() => tries.size === 1, 'taking the first')
  outbox.add('m-2')
  const stopping = running.stop()
  running.wake()
  await pause(60)
  assert.equal(isClosed(), false)
  release()
  await stopping
  assert.deepEqual([outbox.count('sent'), outbox.count('queued'), isClosed()], [1, 1, true])
  assert.equal(tries.has('m-2'), false)
})

test('a mail whose sending could not be noted is taken again when its lease runs out', async () => {
  const { transport, tries } = scripted(() => undefined)
  const outbox = openOutbox()
  outbox.add('m-1')
  const running = sender(failing(outbox, { verb: settleMail, times: 1 }), transport, { leaseMs: 50 })
  await until(() => outbox.count('sent') === 1, 'noting')
  await running.stop()
  assert.equal(tries.get('m-1'), 2)
})

test('an outbox that cannot be read, or a mail that cannot be opened, does not stop the sender', async () => {
  const { transport } = scripted(() => undefined)
  const outbox = openOutbox()
  outbox.add('sealed')
  outbox.add('m-1')
  let openable = false
  const running = sender(failing(outbox, { verb: claimMails, times: 2 }), transport, {
    vault: {
      open(purpose, sealed, associated) {
        if (associated[0] === 'sealed' && !openable) throw new Error('unknown master key')
        return vault.open(purpose, sealed, associated)
      },
    },
  })
  await until(() => outbox.count('sent') === 1, 'sending the other')
  assert.match(outbox.row('sealed').reason!, /unknown master key/)
  openable = true
  await until(() => outbox.count('sent') === 2, 'sending both')
  await running.stop()
})

test('a mail deferred for more than five days is given up, one that only met an absent server is not', async () => {
  const { transport } = scripted((mail) => {
    throw new SendFailure(mail.id === 'deferred' ? 'deferred' : 'away', 'not now')
  })
  const outbox = openOutbox()
  outbox.add('deferred', undefined, 6 * 86_400_000)
  outbox.add('waiting', undefined, 6 * 86_400_000)
  const running = sender(outbox, transport)
  await until(() => outbox.count('abandoned') === 1, 'giving up')
  await pause(100)
  await running.stop()
  assert.equal(outbox.count('queued'), 1)
})

test('the wait doubles from a second to a minute and loses up to half of itself to chance', () => {
  const bounds = { least: 1_000, most: 60_000 }
  const full = [1, 2, 3, 6, 7, 50, 5_000].map((attempt) => backoffMs(attempt, bounds, () => 0))
  assert.deepEqual(full, [1_000, 2_000, 4_000, 32_000, 60_000, 60_000, 60_000])
  assert.equal(
    backoffMs(7, bounds, () => 1),
    30_000,
  )
})

test('a decoy mail is recorded like a sent one, and not sent', async () => {
  const outbox = openOutbox()
  const to = decoyRecipient('somebody-unknown@example.org')
  assert.equal(to.length, 'somebody-unknown@example.org'.length)
  outbox.add('decoy', to)
  outbox.add('real')
  const { transport, tries } = scripted(() => undefined)
  const running = sender(outbox, transport)
  await until(() => outbox.count('sent') === 2, 'recording both')
  await running.stop()
  assert.deepEqual([...tries.keys()], ['real'])
})
