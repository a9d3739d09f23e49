/** Events: each arrives, signed, whatever the receiver does. */
import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer as createTls } from 'node:https'
import { type AddressInfo, createServer as createSocketServer, isIP } from 'node:net'
import { after, describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { Compile } from 'typebox/schema'
import { deleteExpired } from '../../../src/app/main/clean-up.ts'
import { DAY_MS } from '../../../src/base/time.ts'
import { EVENT_TYPES } from '../../../src/ledger/event-types.ts'
import { checkedLookup, faultOf, isPublic, post } from '../../../src/operators/webhooks/post.ts'
import { number, query } from '../../support/database.ts'
import { httpPeer } from '../../support/http-peer.ts'
import { operator, settingsOf } from '../../support/operator.ts'
import { COMPUTED, useService } from '../../support/people.ts'
import { certificate } from '../../support/smtp-peer.ts'
import { tidied } from '../../support/tidied.ts'
import { until } from '../../support/until.ts'

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly event: { type: string; data: Record<string, unknown> }
}

/** A receiver whose replies a function makes. */
async function receiver(reply: (response: ServerResponse, count: number) => void) {
  const received: Received[] = []
  const { close, url } = await httpPeer((response, { body, headers }, count) => {
    received.push({ headers, text: body, event: JSON.parse(body) })
    reply(response, count)
  })
  return { received, url: `${url}/hook`, close }
}

const ok = (response: ServerResponse) => response.end()
const HALF_HOUR_MS = 1_800_000
/** Data that could end a text of JSON or a header. */
const NAME = 'naïve", "type": "x\\r\\n webhook-id: 1 🔑'
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

describe('webhooks', async () => {
  const receivers: Awaited<ReturnType<typeof receiver>>[] = []
  const service = await useService({ QUANTD_WEBHOOK_PRIVATE: 'on', QUANTD_LOW_CREDITS: '349' })
  const quantd = operator({ ...settingsOf(service), QUANTD_WEBHOOK_PRIVATE: 'on' })
  after(() => {
    for (const { close } of receivers) close()
  })
  /**
   * @param only the types of its events; without any, it gets those of the clean-up too, which each minute tells of days that
   * are over
   */
  const subscribe = async (
    reply: (response: ServerResponse, count: number) => void,
    only: readonly string[] = [],
  ) => {
    const one = await receiver(reply)
    receivers.push(one)
    const types = only.length === 0 ? [] : ['--types', only.join()]
    const { code, err, json } = await quantd(['admin', 'webhook', 'create', one.url, ...types, '--json'])
    assert.equal(code, 0, err)
    return { ...one, ...(json as { id: number; secret: string; public_key: string }) }
  }
  const types = ({ received }: { received: Received[] }) => received.map(({ event }) => event.type)

  it('arrive once and in order at one receiver, while others are silent or fail, and are signed', async () => {
    const good = await subscribe(ok)
    const silent = await subscribe(() => undefined)
    const failing = await subscribe((response, count) => {
      response.statusCode = count < 3 ? 500 : 204
      response.end()
    })
    const moved = await subscribe((response) => {
      response.writeHead(302, { location: good.url }).end()
    })
    const ada = await service.person()
    const made = await service.call('/user/keys/create', {
      key: ada.key,
      body: { name: NAME, credit_cap: 1 },
    })
    const team = made.body.data
    assert.equal((await service.call(COMPUTED, { key: team.key, body: { wealth: 2 } })).status, 200)
    assert.equal((await service.call(COMPUTED, { key: team.key, body: { wealth: 2 } })).status, 402)
    await service.call(COMPUTED, { key: ada.key, body: { wealth: 2 } })
    await service.call('/user/keys/revoke', { key: ada.key, body: { id: team.id } })
    const wanted = ['account.created', 'key.created', 'credits.low', 'key.cap_exhausted', 'key.revoked']
    await until(() => types(good).length >= wanted.length, 'the events arrived')
    await until(() => types(failing).length >= wanted.length + 2, 'the events arrived after failures')
    assert.deepEqual(types(good), wanted)
    assert.deepEqual(types(failing).slice(2), wanted)
    assert.equal(good.received[1].event.data.name, NAME)
    for (const { headers } of good.received) assert.match(String(headers['webhook-id']), /^evt_\d+_\d+$/)
    // It may have been sent again by now, but no later one before it.
    assert.equal(new Set(silent.received.map(({ headers }) => headers['webhook-id'])).size, 1)
    assert.ok(moved.received.length > 0)
    for (const { headers, text } of good.received) {
      const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`)
      const [, v1a] = String(headers['webhook-signature']).split(' ')
      const library = new Webhook(good.secret)
      assert.deepEqual(library.verify(text, headers as Record<string, string>), JSON.parse(text))
      assert.throws(() => library.verify(`${text} `, headers as Record<string, string>))
      const raw = Buffer.from(good.public_key.replace('whpk_', ''), 'base64')
      const key = createPublicKey({ key: Buffer.concat([SPKI, raw]), format: 'der', type: 'spki' })
      assert.ok(verify(null, signed, key, Buffer.from(v1a!.replace('v1a,', ''), 'base64')))
    }
    const id = String(good.received[3].headers['webhook-id'])
    const again = await quantd(['admin', 'webhook', 'replay', String(good.id), '--event', id, '--json'])
    assert.equal(again.json.events, 1, again.err)
    await until(() => types(good).length === wanted.length + 1, 'the replayed event arrived')
    assert.equal(good.received.at(-1)?.headers['webhook-id'], id)
    const span = ['admin', 'webhook', 'replay', String(good.id), '--from', '2020-01-01', '--json']
    const all = await quantd(span)
    assert.equal(all.json.events, wanted.length, all.err)
    await until(() => types(good).length === 2 * wanted.length + 1, 'all events arrived again')
    assert.deepEqual(types(good).slice(-wanted.length), wanted)
  })

  it('arrive again in their order, those from before the endpoint and one that is being sent too', async () => {
    const ada = await service.person()
    const account = await number(service, `SELECT id FROM accounts WHERE address = '${ada.email}'`)
    await service.call('/user/keys/create', { key: ada.key, body: { name: 'first' } })
    let held: ServerResponse
    const late = await subscribe((response, count) => {
      if (count > 1) response.end()
      else held = response
    })
    await service.call('/user/keys/create', { key: ada.key, body: { name: 'second' } })
    await until(() => late.received.length > 0, 'the event is being sent')
    await quantd(['admin', 'webhook', 'replay', String(late.id), '--from', '2020-01-01'])
    // On a machine so slow that the first try has been given up meanwhile, there may have been a second one.
    const mostTries = held!.destroyed ? 2 : 1
    held!.end()
    const own = () => late.received.filter(({ event }) => event.data.account_id === account)
    const again = () => own().map(({ event: { data, type } }) => data.name ?? type)
    const wanted = ['account.created', 'first', 'second']
    await until(() => again().slice(-3).join() === wanted.join(), 'all arrived again, in their order')
    const tries = again().slice(0, -3)
    assert.ok(tries.length <= mostTries && tries.every((name) => name === 'second'), again().join())
  })

  it('wait while a receiver is away for ten minutes, and all arrive, while others get theirs at once', async () => {
    let isAway = true
    const answered: string[] = []
    const wanted = ['account.created', 'key.created', 'key.revoked']
    const away = await subscribe((response, count) => {
      if (isAway) return response.destroy()
      answered.push(types(away)[count - 1])
      return response.end()
    }, wanted)
    const present = await subscribe(ok, wanted)
    const ada = await service.person()
    const { id } = (await service.call('/user/keys/create', { key: ada.key, body: { name: 'n' } })).body.data
    await service.call('/user/keys/revoke', { key: ada.key, body: { id } })
    await until(() => types(present).length === wanted.length, 'the others get theirs')
    let seconds = 0
    const passed = () => {
      service.advance(20_000)
      seconds += 20
      return seconds >= 600 && away.received.length > 1
    }
    await until(passed, 'another attempt was made meanwhile')
    assert.deepEqual(types(present), wanted)
    isAway = false
    const waiting = `SELECT 1 FROM webhook_deliveries WHERE endpoint_id = ${away.id} AND delivered_at IS NULL`
    await until(async () => {
      service.advance(20_000)
      return (await query(service, waiting)).length === 0
    }, 'everything was delivered')
    // After five failed attempts an event holds the later ones of its account back no longer.
    assert.deepEqual([...new Set(answered)].toSorted(), wanted)
  })

  it('tell the end of a key and of a grant, and the sums of a day, each once, where nobody calls', async () => {
    const ada = await service.person()
    const id = await number(service, `SELECT id FROM accounts WHERE address = '${ada.email}'`)
    const now = service.newDay()
    const end = new Date(now + HALF_HOUR_MS).toISOString()
    await service.call('/user/keys/create', { key: ada.key, body: { name: 'n', expires_at: end } })
    const spent = await service.call('/user/keys/create', {
      key: ada.key,
      body: { name: 'm', expires_at: end },
    })
    await service.call('/user/keys/revoke', { key: ada.key, body: { id: spent.body.data.id } })
    await quantd(['admin', 'grant', ada.email, '3', '--reference', 'short', '--expires', end])
    await tidied(service)
    for (let n = 0; n < 2; n++) await service.compute(ada.key)
    await service.failToCompute(ada.key)
    service.advance(25 * 3_600_000)
    for (let n = 0; n < 3; n++) await tidied(service)
    const found = await query(
      service,
      `SELECT type, data FROM webhook_events WHERE account_id = ${id} AND at > ${now + 3_600_000} ORDER BY id`,
    )
    const [grant, key, day] = found.map(({ data, type }) => ({ type, ...JSON.parse(String(data)) }))
    assert.equal(found.length, 3)
    assert.deepEqual([grant.type, grant.credits, grant.expired_at], ['grant.expired', 1, end])
    assert.deepEqual([key.type, key.name, key.expired_at], ['key.expired', 'n', end])
    assert.deepEqual([day.type, day.calls, day.credits], ['usage.day', 2, 2])
    assert.equal(day.day, new Date(now).toISOString().slice(0, 10))
  })

  it('tell of low credits at the threshold of the account, also when an operator takes credits back', async () => {
    const { email } = await service.person()
    assert.equal((await quantd(['admin', 'set-limits', email, '--low-credits', '340'])).code, 0)
    await quantd(['admin', 'grant', email, '10', '--reference', `fall of ${email}`])
    for (const [credits, reference] of [
      ['5', 'a'],
      ['5', 'b'],
    ] as const)
      await quantd(['admin', 'reverse', `fall of ${email}`, credits, '--reference', `${email} ${reference}`])
    const low = () =>
      query(
        service,
        `SELECT data FROM webhook_events WHERE type = 'credits.low' AND account_id =
         (SELECT id FROM accounts WHERE address = '${email}')`,
      )
    assert.deepEqual(await low(), [])
    await query(service, `UPDATE accounts SET balance = 345 WHERE address = '${email}'`)
    await quantd(['admin', 'grant', email, '10', '--reference', `second of ${email}`])
    const taken = ['admin', 'reverse', `second of ${email}`, '10', '--reference', `${email} c`]
    await query(service, `UPDATE accounts SET balance = 349 WHERE address = '${email}'`)
    await quantd(taken)
    const events = (await low()).map(({ data }) => JSON.parse(String(data)))
    assert.deepEqual(events, [{ balance: 339, threshold: 340 }])
  })

  it('have the fields that the page of events declares, every type of them', async () => {
    const owner = await service.person()
    const { id } = (await service.call('/user/keys/create', { key: owner.key, body: { name: 'n' } })).body
      .data
    await service.call('/user/keys/rotate', { key: owner.key, body: { id, overlap_seconds: 60 } })
    await query(service, `UPDATE accounts SET balance = 1 WHERE address = '${owner.email}'`)
    await service.compute(owner.key)
    const all = await subscribe(ok)
    const span = ['--from', '2020-01-01', '--to', '2100-01-01']
    const { json } = await quantd(['admin', 'webhook', 'replay', String(all.id), ...span, '--json'])
    await until(() => all.received.length >= json.events, 'all events arrived')
    const { text } = await service.call('/docs/reference/events.md')
    const examples = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, example]) => JSON.parse(example))
    // Those of the service: test/operators/alerts/service.test.ts.
    const ofAccounts = examples.map(({ type }) => type).filter((type) => !type.startsWith('alert.'))
    assert.deepEqual([...new Set(types(all))].toSorted(), ofAccounts.toSorted())
    for (const { event } of all.received) {
      const example = examples.find(({ type }) => type === event.type)
      assert.deepEqual(Object.keys(event), Object.keys(example))
      assert.deepEqual(Object.keys(event.data).toSorted(), Object.keys(example.data).toSorted(), event.type)
      const { data } = EVENT_TYPES[event.type as keyof typeof EVENT_TYPES]
      for (const shown of [event.data, example.data])
        assert.ok(Compile(data).Check(shown), `${event.type}: ${JSON.stringify(shown)}`)
    }
  })

  it('are parked once a receiver has refused them for three days, and arrive when they are sent again', async () => {
    let status = 500
    const one = await subscribe((response) => response.writeHead(status).end(), ['account.created'])
    const listed = async () => {
      const { json } = await quantd(['admin', 'webhook', 'list', '--json'])
      const { parked, waiting } = json.find(({ id }: { id: number }) => id === one.id)
      return { waiting, parked }
    }
    await service.person()
    // Otherwise the first attempt would be the last one.
    const refused = `SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = ${one.id} AND status = 500`
    await until(async () => (await number(service, refused)) === 1, 'the refusal of the event is noted')
    assert.deepEqual(await listed(), { waiting: 1, parked: 0 })
    service.advance(3 * DAY_MS)
    await until(async () => (await listed()).parked === 1, 'it is parked')
    assert.deepEqual(await listed(), { waiting: 0, parked: 1 })
    // A slow test is overtaken by a second attempt.
    const attempts = one.received.length
    assert.ok(attempts >= 2)
    status = 204
    const id = String(one.received[0].headers['webhook-id'])
    await quantd(['admin', 'webhook', 'replay', String(one.id), '--event', id])
    await until(async () => (await listed()).parked === 0, 'it was sent again')
    await until(() => one.received.length === attempts + 1, 'it came again')
    assert.equal(one.received[attempts].headers['webhook-id'], id)
  })

  it('are deleted after 30 days, with their deliveries', async () => {
    await service.person()
    const [{ newest }] = await query(service, 'SELECT max(at) AS newest FROM webhook_events')
    service.advance(31 * DAY_MS)
    await service.store.run(deleteExpired, null)
    const left = await query(service, `SELECT at FROM webhook_events WHERE at <= ${newest}`)
    assert.deepEqual(left, [])
    assert.deepEqual(
      await query(service, `SELECT 1 FROM webhook_deliveries WHERE queued_at <= ${newest}`),
      [],
    )
  })

  it('arrive at an endpoint whose URL is written otherwise', async () => {
    const { received, url } = await subscribe(ok, ['key.created'])
    const made = await quantd(['admin', 'webhook', 'create', ` ${url.replace('http', 'HTTP')}`, '--json'])
    assert.equal(made.code, 0, made.err)
    const tested = await quantd(['admin', 'webhook', 'test', String(made.json.id)])
    assert.equal(tested.code, 0, tested.err)
    assert.equal(received.at(-1)!.event.type, 'test')
    await quantd(['admin', 'webhook', 'delete', String(made.json.id)])
  })

  it('are named in the audit, which every operator reads, by their host alone', async () => {
    const url = 'https://events.example.org:8443/hook/of-a-secret?token=another'
    const { code, err, json } = await quantd(['admin', 'webhook', 'create', url, '--json'])
    assert.equal(code, 0, err)
    assert.equal((await quantd(['admin', 'webhook', 'delete', String(json.id)])).code, 0)
    const audit = (await quantd(['admin', 'export-audit'])).out
    assert.equal(audit.match(/events\.example\.org:8443/g)?.length, 2)
    assert.doesNotMatch(audit, /of-a-secret|another/)
  })

  it('test tells the status of the reply', async () => {
    const good = await subscribe(ok)
    const { code, json } = await quantd(['admin', 'webhook', 'test', String(good.id), '--json'])
    assert.equal(code, 0)
    assert.equal(json.status, 200)
    // Private addresses were allowed when it was created.
    const now = operator({ ...settingsOf(service), QUANTD_WEBHOOK_PRIVATE: 'off' })
    const refused = await now(['admin', 'webhook', 'test', String(good.id)])
    assert.equal(refused.code, 1)
    assert.match(
      refused.out,
      /no answer within 10 s, or its address .* is not public \(see QUANTD_WEBHOOK_PRIVATE\)/,
    )
  })

  it('are listed by endpoint, the newest first, with tries, the last status, the next try and the message', async () => {
    const only = ['key.created', 'key.revoked']
    const good = await subscribe(ok, only)
    const failing = await subscribe((response) => {
      response.statusCode = 500
      response.end()
    }, only)
    const ada = await service.person()
    for (const name of ['first', 'second'])
      await service.call('/user/keys/create', { key: ada.key, body: { name } })
    await until(() => good.received.length === 2 && failing.received.length > 0, 'the events arrived')
    const listed = async (id: number, ...more: string[]) =>
      (await quantd(['admin', 'webhook', 'deliveries', String(id), ...more, '--json'])).json
    await until(async () => (await listed(good.id, '--state', 'waiting')).length === 0, 'all are recorded')
    const delivered = await listed(good.id, '--state', 'delivered', '--payload')
    assert.deepEqual(
      delivered.map((one: Record<string, unknown>) => [
        one.id,
        one.state,
        one.tries,
        one.status,
        one.next_at,
      ]),
      good.received.toReversed().map(({ headers }) => [headers['webhook-id'], 'delivered', 1, 200, null]),
    )
    assert.deepEqual(
      delivered.map(({ payload }: { payload: object }) => payload),
      good.received.toReversed().map(({ event }) => event),
    )
    assert.deepEqual(await listed(good.id, '--state', 'parked'), [])
    const waiting = (await listed(failing.id)).at(-1)
    assert.deepEqual([waiting.state, waiting.status, waiting.payload], ['waiting', 500, undefined])
    assert.ok(waiting.tries > 0 && waiting.next_at !== null)
    const none = await quantd(['admin', 'webhook', 'deliveries', '999'])
    assert.deepEqual([none.code, none.err.includes('There is no endpoint 999.')], [1, true])
    for (const { id } of [good, failing]) await quantd(['admin', 'webhook', 'delete', String(id), '--yes'])
  })
})

describe('an endpoint', () => {
  it('is public and by https, unless private ones are allowed', () => {
    for (const address of [
      '10.0.0.1',
      '100.64.0.1',
      '127.0.0.1',
      '169.254.169.254',
      '192.168.1.1',
      '0.0.0.0',
    ])
      assert.equal(isPublic(address), false, address)
    for (const address of [
      '::1',
      '::',
      'fe80::1',
      'fd00::1',
      '::ffff:8.8.8.8',
      '64:ff9b::1',
      '2002:7f00:1::',
    ])
      assert.equal(isPublic(address), false, address)
    for (const address of ['8.8.8.8', '2606:4700::1111']) assert.equal(isPublic(address), true, address)
    const hidden = [
      ...[
        'https://0x7f.1/',
        'https://2130706433/',
        'https://0177.0.0.1/',
        'https://127.1/',
        'https://①②⑦.0.0.1/',
      ],
      ...[
        'https://[::ffff:127.0.0.1]/',
        'https://[::ffff:a00:1]/',
        'https://[::]/',
        'https://0.0.0.0/',
        'https://0/',
      ],
      ...['https://localhost/', 'https://localhost./', 'https://db.localhost/', 'https://127.0.0.1./'],
    ]
    for (const url of hidden) {
      assert.notEqual(faultOf(url, { allowPrivate: false }), null, url)
      assert.equal(faultOf(url, { allowPrivate: true }), null, url)
    }
    assert.notEqual(faultOf('http://example.org/', { allowPrivate: false }), null)
    assert.notEqual(faultOf('http://8.8.8.8/', { allowPrivate: true }), null)
    for (const user of ['ada@', 'ada:secret@', ':secret@'])
      assert.match(faultOf(`https://${user}example.org/`, { allowPrivate: true })!, /a user or a password/)
    assert.equal(faultOf('https://example.org/quantd?of=ada', { allowPrivate: false }), null)
  })

  it('that resolves to a private address gets nothing, and its name is resolved once', async () => {
    const private_ = await receiver(ok)
    let lookups = 0
    const resolve = ((_: string, __: object, done: (error: null, found: object[]) => void) => {
      lookups += 1
      done(null, [{ address: '127.0.0.1', family: 4 }])
    }) as never
    const url = `https://rebound.example.org:${new URL(private_.url).port}/`
    assert.equal(await post(url, {}, '{}', { allowPrivate: false, resolve }), null)
    assert.equal(lookups, 1)
    assert.equal(private_.received.length, 0)
    private_.close()
  })

  it('with public and private addresses is connected to at the public ones only', async () => {
    const found = ['127.0.0.1', '8.8.8.8', '::ffff:10.0.0.1', 'fd00::1', '2606:4700::1111', '0.0.0.0']
    const resolve = ((_: string, __: object, done: (error: null, found: object[]) => void) =>
      done(
        null,
        found.map((address) => ({ address, family: isIP(address) })),
      )) as never
    const lookup = checkedLookup({ allowPrivate: false, resolve }, false)
    const allowed = await new Promise((done) =>
      lookup('mixed.example.org', { all: true }, (_, addresses) => done(addresses)),
    )
    assert.deepEqual(allowed, [
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ])
    const first = await new Promise((done) =>
      lookup('mixed.example.org', {}, (_, address, family) => done([address, family])),
    )
    assert.deepEqual(first, ['8.8.8.8', 4])
  })

  it('whose certificate nobody vouches for gets nothing', async () => {
    let requests = 0
    const server = createTls(certificate, (_, response) => {
      requests += 1
      response.end()
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    assert.equal(await post(`https://127.0.0.1:${port}/`, {}, '{}', { allowPrivate: true }), null)
    assert.equal(requests, 0)
    server.close()
  })

  it('that sends headers without end, or a byte at a time, is given up', async () => {
    for (const [pause, piece] of [
      [0, `X-Filler: ${'x'.repeat(1_000)}\r\n`],
      [10, 'x'],
    ] as const) {
      const raw = createSocketServer((socket) => {
        socket.on('error', () => undefined)
        socket.write('HTTP/1.1 200 OK\r\n')
        const timer = setInterval(() => socket.write(piece), pause)
        socket.on('close', () => clearInterval(timer))
      })
      await new Promise<void>((done) => raw.listen(0, '127.0.0.1', done))
      const { port } = raw.address() as AddressInfo
      const options = { allowPrivate: true, deadlineMs: 500 }
      assert.equal(await post(`http://127.0.0.1:${port}/`, {}, '{}', options), null)
      raw.close()
    }
  })

  it('that answers without end is not read beyond its status', async () => {
    const endless = await receiver((response) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      }
      response.on('drain', write)
      write()
    })
    assert.equal(await post(endless.url, {}, '{}', { allowPrivate: true }), 200)
    endless.close()
  })

  it('that does not answer is given up at the deadline', async () => {
    const silent = await receiver(() => undefined)
    assert.equal(await post(silent.url, {}, '{}', { allowPrivate: true, deadlineMs: 50 }), null)
    silent.close()
  })
})
