/** Team keys: further keys of an account, with limits of their own. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refundCalls } from '../../src/ledger/metering/refunds.ts'
import { everything, number, query, unbalanced } from '../support/database.ts'
import { operator, settingsOf } from '../support/operator.ts'
import { OPTION } from '../support/option.ts'
import {
  COMPUTED,
  count,
  HOUR_MS,
  MINUTE_MS,
  oneTimeCode,
  PASSWORD,
  refused,
  times,
  useService,
} from '../support/people.ts'
import { type Answer, definite, heldBack, startTestService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const PRICE = '/quantlib/pricing/bs/price'
const DAY_MS = 24 * HOUR_MS

const service = await useService()
const ada = await service.person()

const keys = (verb: string, body: object, key = ada.key): Promise<Answer> =>
  service.call(`/user/keys/${verb}`, { key, body })

async function create(settings: object = {}, owner = ada.key): Promise<{ id: number; key: string }> {
  const { body, status, text } = await keys('create', { name: 'notebook', ...settings }, owner)
  assert.equal(status, 200, text)
  return body.data
}

const listed = async (id: number, owner = ada.key) =>
  (await service.dataOf(owner, '/user/keys')).items.find((one: { id: number }) => one.id === id)

const price = (key: string) => service.call(PRICE, { key, body: OPTION })

describe('a team key', () => {
  it('is not made by a request whose body ends after the key of the account was replaced', async () => {
    const { key } = await service.person()
    let present = ''
    const raw = heldBack({ name: 'late' }, async () => {
      present = (await service.regenerate(key)).body.data.api_key
    })
    refused(await service.callOnce('/user/keys/create', { key, raw }), 401, 'api_key_invalid')
    assert.deepEqual((await service.dataOf(present, '/user/keys')).items, [])
  })

  it('is shown once, computes on the account, and is in the list with what it spent and when', async () => {
    const owner = await service.person()
    const created = await create({ credit_cap: 10 }, owner.key)
    assert.match(created.key, /^qd_team_[0-9A-Za-z]{43}$/)
    const { body, headers, status } = await service.compute(created.key)
    assert.equal(status, 200)
    assert.equal(body.success, true)
    assert.equal(headers.get('x-credits-remaining'), '349')
    const shown = await listed(created.id, owner.key)
    assert.deepEqual(Object.keys(shown).sort(), [
      ...[
        'allowed_ips',
        'cap_period',
        'cap_resets_at',
        'created_at',
        'credit_cap',
        'expires_at',
        'hourly_limit',
        'id',
      ],
      ...['last4', 'last_used_at', 'name', 'paths', 'prefix', 'spent', 'spent_total', 'state'],
    ])
    assert.equal(shown.spent, 1)
    assert.equal(shown.state, 'active')
    assert.ok(created.key.startsWith(shown.prefix) && created.key.endsWith(shown.last4))
    assert.match(shown.last_used_at, /:00\.000Z$/)
  })

  it('is nowhere in the database', async () => {
    const { key } = await create()
    await service.compute(key)
    const copy = await everything(service)
    assert.ok(!copy.includes(key.slice('qd_team_'.length + 4)))
  })

  it('calls the operations it may, and no others, over HTTP, as columns and in a batch', async () => {
    const { key } = await create({ paths: [PRICE] })
    assert.equal((await price(key)).status, 200)
    refused(await service.compute(key), 403, 'key_forbidden')
    const columns = { columns: { ...OPTION, strike: [90, 100] } }
    assert.equal((await service.call(`${PRICE}/columns`, { key, body: columns })).status, 200)
    const calls = [
      { path: PRICE, body: OPTION },
      { path: COMPUTED, body: { wealth: 2 } },
    ]
    const { body, headers } = await service.call('/quantlib/batch', { key, body: { calls } })
    assert.deepEqual(
      body.data.results.map((one: { error?: { code: string } }) => one.error?.code ?? 'ok'),
      ['ok', 'key_forbidden'],
    )
    assert.equal(headers.get('x-credits-cost'), '1')
  })

  it('may not call a path any more from the reply that takes the path from it', async () => {
    const owner = await service.person()
    for (let n = 0; n < 5; n++) {
      const { id, key } = await create({}, owner.key)
      let isOver = false
      const update = keys('update', { id, paths: [COMPUTED] }, owner.key).then(() => {
        isOver = true
      })
      while (!isOver) await price(key)
      await update
      refused(await price(key), 403, 'key_forbidden')
    }
  })

  it("cannot use the idempotency key of another key's batch to get its calls for nothing", async () => {
    const owner = await service.person()
    const { key } = await create({ paths: [PRICE] }, owner.key)
    const calls = [
      { path: PRICE, body: OPTION },
      { path: COMPUTED, body: { wealth: 2 } },
    ]
    const batch = (of: string) =>
      service.call('/quantlib/batch', { key: of, body: { calls }, headers: { 'idempotency-key': 'night' } })
    assert.equal((await batch(key)).headers.get('x-credits-cost'), '1')
    const again = await batch(key)
    assert.equal(again.headers.get('x-credits-cost'), '0')
    refused(await batch(owner.key), 409, 'idempotency_conflict')
  })

  it('shares an idempotency key with the other keys of the account, and a replay spends no cap', async () => {
    const owner = await service.person()
    const { id, key } = await create({ credit_cap: 1 }, owner.key)
    const send = (of: string) =>
      service.call(COMPUTED, { key: of, body: { wealth: 2 }, headers: { 'idempotency-key': 'order' } })
    assert.equal((await send(key)).headers.get('x-credits-cost'), '1')
    for (const one of [owner.key, key])
      assert.equal((await send(one)).headers.get('idempotent-replayed'), 'true')
    assert.equal((await listed(id, owner.key)).spent, 1)
  })

  it('may not call account endpoints but those of its own credits and usage', async () => {
    const { key } = await create({ credit_cap: 5, cap_period: 'day' })
    for (const path of ['/user/profile', '/user/keys'])
      refused(await service.call(path, { key }), 403, 'key_forbidden')
    for (const path of [
      '/user/keys/create',
      '/user/regenerate-api-key',
      '/user/mfa/setup',
      '/user/change-password',
    ])
      refused(
        await service.call(path, { key, body: { name: 'x', password: PASSWORD, new_password: PASSWORD } }),
        403,
        'key_forbidden',
      )
    await service.compute(key)
    const credits = await service.dataOf(key, '/user/credits')
    assert.equal(credits.cap, 5)
    assert.equal(credits.cap_left, 4)
    assert.equal(new Date(credits.cap_resets_at).getTime() % DAY_MS, 0)
    await service.compute(ada.key)
    const { items } = await service.dataOf(key, '/user/usage')
    assert.deepEqual(
      items.map((one: { key_name: string }) => one.key_name),
      ['notebook'],
    )
    const other = await create()
    await service.compute(other.key)
    const asked = await service.dataOf(key, `/user/usage?key=${other.id}`)
    assert.deepEqual(asked.items, items)
    const { by_endpoint } = await service.dataOf(key, '/user/usage/summary')
    assert.deepEqual(by_endpoint, [{ path: COMPUTED, calls: 1, credits: 1 }])
  })

  it('is named in the history of its owner, which it filters', async () => {
    const owner = await service.person()
    const { id, key } = await create({ name: 'risk desk' }, owner.key)
    await service.compute(key)
    await service.compute(owner.key)
    const { items } = await service.dataOf(owner.key, '/user/usage')
    assert.deepEqual(
      items.map((one: { key_id?: number; key_name?: string }) => [one.key_id, one.key_name]),
      [
        [undefined, undefined],
        [id, 'risk desk'],
      ],
    )
    assert.equal((await service.dataOf(owner.key, `/user/usage?key=${id}`)).items.length, 1)
    const summary = await service.dataOf(owner.key, '/user/usage/summary')
    assert.deepEqual(summary.by_key, [{ key_id: id, key_name: 'risk desk', calls: 1, credits: 1 }])
    assert.equal((await service.dataOf(owner.key, `/user/usage/summary?key=${id}`)).by_endpoint[0].calls, 1)
  })

  it('is unknown to other accounts', async () => {
    const { id } = await create()
    const { key: stranger } = await service.person()
    for (const verb of ['update', 'rotate', 'revoke'])
      refused(await keys(verb, { id }, stranger), 404, 'not_found')
    assert.deepEqual((await service.dataOf(stranger, '/user/keys')).items, [])
  })

  it('is not for guests', async () => {
    refused(await keys('create', { name: 'x' }, await service.guest()), 403, 'guest_forbidden')
  })

  it('is refused with what is wrong with its settings', async () => {
    for (const settings of [
      { paths: [] },
      { paths: ['/nowhere'] },
      { paths: [`${PRICE}/columns`] },
      { allowed_ips: [] },
      { allowed_ips: ['192.0.2.0/33'] },
      { allowed_ips: ['192.0.2.0/24', 'example.org'] },
      { allowed_ips: Array(21).fill('192.0.2.1') },
      { credit_cap: 0 },
      { hourly_limit: 0 },
      { cap_period: 'week' },
      { cap_period: 'day' },
      { expires_at: 'tomorrow' },
      { expires_at: '2020-01-01T00:00:00Z' },
      { name: '' },
      { name: 'x'.repeat(101) },
      { name: 'a\nb' },
    ])
      refused(await keys('create', { name: 'n', ...settings }), 422, 'invalid_input')
    const { id } = await create()
    for (const overlap_seconds of [-1, 604_801, 0.5, '60', null])
      refused(await keys('rotate', { id, overlap_seconds }), 422, 'invalid_input')
    for (const verb of ['rotate', 'update', 'revoke'])
      refused(await keys(verb, { id: 2 ** 63 }), 422, 'invalid_input')
    refused(await service.call(`/user/usage?key=${2 ** 63}`, { key: ada.key }), 422, 'invalid_input')
    assert.equal((await keys('rotate', { id, overlap_seconds: 604_800 })).status, 200)
    for (const settings of [
      { name: null },
      { name: '' },
      { paths: [] },
      { expires_at: '2020-01-01T00:00:00Z' },
    ])
      refused(await keys('update', { id, ...settings }), 422, 'invalid_input')
  })

  it('asks for the second factor where it is on', async () => {
    const owner = await service.person()
    const { id } = await create({}, owner.key)
    const { secret } = (await service.setUpSecondFactor(owner.key)).body.data
    await service.enableSecondFactor(owner.key, oneTimeCode(secret))
    for (const [verb, body] of Object.entries({
      create: { name: 'x' },
      update: { id },
      rotate: { id },
      revoke: { id },
    }))
      refused(await keys(verb, body, owner.key), 401, 'mfa_required')
  })
})

describe('the cap of a team key', () => {
  it('stops a large batch before the rest of its body is received, and says what is left and when it renews', async () => {
    const { key } = await create({ credit_cap: 4, cap_period: 'month' })
    const call = { path: '/quantlib/economics/utility/log', body: { wealth: 2 } }
    const body = JSON.stringify({ calls: Array(1_500).fill(call) })
    const stalled = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(body.slice(0, 12_000))),
    })
    const response = await fetch(`${service.url}/quantlib/batch`, {
      method: 'POST',
      body: stalled,
      duplex: 'half',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
    } as RequestInit)
    assert.equal(response.status, 402)
    const { error, message } = (await response.json()) as Answer['body']
    assert.deepEqual([error.code, error.at_least, error.cap_left], ['key_cap_exhausted', true, 4])
    assert.match(error.cap_resets_at, /^20..-..-01T00:00/)
    assert.match(
      message,
      /at least \d+ credits; the cap of this team key has 4 left and renews at 20..-..-01T00:00/,
    )
  })
})

describe('a change of the period of a cap', () => {
  it('counts what the key has spent in the new period, less refunds', async () => {
    service.newDay()
    const { id, key } = await create({ credit_cap: 100, cap_period: 'day' })
    await times(3, () => service.compute(key))
    service.advance(2 * DAY_MS)
    await times(2, () => service.compute(key))
    const [{ audit_id }] = await query(
      service,
      `SELECT a.id AS audit_id, a.account_id FROM audit a JOIN api_keys k ON k.id = a.key_id AND k.account_id = a.account_id
       WHERE k.team_key_id = ${id} AND a.credits > 0 ORDER BY a.id DESC LIMIT 1`,
    )
    const [{ account_id }] = await query(service, `SELECT account_id FROM team_keys WHERE id = ${id}`)
    assert.equal(
      await refundCalls(service.store, [{ auditId: String(audit_id), accountId: Number(account_id) }]),
      1,
    )
    const spentBy = async (cap_period: string | null) =>
      (await keys('update', { id, cap_period })).body.data.spent
    assert.deepEqual(
      [await spentBy('total'), await spentBy('day'), await spentBy(null), (await listed(id)).spent_total],
      [4, 1, 4, 4],
    )
    assert.deepEqual(await unbalanced(service), [])
  })
})

describe('the addresses of a team key', () => {
  const ELSEWHERE = ['192.0.2.0/24', '2001:db8::/48']
  /** A second one where the database serves several. */
  const nodes: TestService[] = [service]
  before(async () => {
    if (service.databaseUrl !== null)
      nodes.push(await startTestService({ DATABASE_URL: service.databaseUrl }))
  })
  after(() => nodes[1]?.close())

  it('are those from which it may be used; from another one it is refused, on every endpoint, uncharged', async () => {
    const { id, key } = await create({ allowed_ips: ELSEWHERE })
    const before = (await service.dataOf(ada.key, '/user/credits')).credits
    const answers = [
      await service.compute(key),
      await service.call('/quantlib/batch', { key, body: { calls: [{ path: PRICE, body: OPTION }] } }),
      await service.call('/user/credits', { key }),
      await service.call('/mcp', { key, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }),
    ]
    for (const answer of answers) {
      refused(answer, 403, 'key_forbidden')
      assert.match(answer.body.message, /may not be used from the address 127\.0\.0\.1/)
    }
    assert.equal((await service.dataOf(ada.key, '/user/credits')).credits, before)
    assert.deepEqual((await listed(id)).allowed_ips, ELSEWHERE)
  })

  it('may be changed by the owner, and null lifts them', async () => {
    const { id, key } = await create({ allowed_ips: ELSEWHERE })
    await keys('update', { id, allowed_ips: ['127.0.0.0/8'] })
    assert.equal((await service.compute(key)).status, 200)
    await keys('update', { id, allowed_ips: ['198.51.100.7'] })
    refused(await service.compute(key), 403, 'key_forbidden')
    await keys('update', { id, allowed_ips: null })
    assert.equal((await service.compute(key)).status, 200)
  })

  it('are asked when a call begins: one that is on its way when they change finishes and is charged once', async () => {
    const owner = await service.person()
    const { id, key } = await create({}, owner.key)
    const before = (await service.dataOf(owner.key, '/user/credits')).credits
    let changed: Promise<Answer> | null = null
    const change = () => {
      changed ??= keys('update', { id, allowed_ips: ELSEWHERE }, owner.key)
      return changed
    }
    const sent = await times(6, (n) =>
      nodes[n % nodes.length].call(PRICE, {
        key,
        raw: heldBack(OPTION, change),
        headers: { 'idempotency-key': `late-${n}` },
      }),
    )
    assert.deepEqual(
      sent.map(({ headers, status }) => [status, headers.get('x-credits-cost')]),
      sent.map(() => [200, '1']),
    )
    for (const node of nodes) refused(await node.call(PRICE, { key, body: OPTION }), 403, 'key_forbidden')
    assert.equal((await listed(id, owner.key)).spent, 6)
    assert.equal((await service.dataOf(owner.key, '/user/credits')).credits, before - 6)
  })

  it('hold on every node from the reply that sets them, however many calls run, and each that ran is charged once', async () => {
    const owner = await service.person()
    const { id, key } = await create({}, owner.key)
    for (let round = 0; round < 4; round++) {
      let [isOver, ran] = [false, 0]
      const before = (await listed(id, owner.key)).spent_total
      const clients = times(2 * nodes.length, async (n) => {
        while (!isOver) {
          const { status } = await nodes[n % nodes.length].call(PRICE, { key, body: OPTION })
          if (status === 200) ran++
          else assert.equal(status, 403)
        }
      })
      await until(() => ran > 10, 'calls run')
      assert.equal((await keys('update', { id, allowed_ips: ELSEWHERE }, owner.key)).status, 200)
      const after = await times(4 * nodes.length, (n) =>
        nodes[n % nodes.length].call(PRICE, { key, body: OPTION }),
      )
      for (const answer of after) refused(answer, 403, 'key_forbidden')
      isOver = true
      await clients
      assert.equal((await listed(id, owner.key)).spent_total, before + ran)
      await keys('update', { id, allowed_ips: null }, owner.key)
    }
    assert.deepEqual(await unbalanced(service), [])
  })

  it('hold for the key that a rotation makes', async () => {
    const { id } = await create({ allowed_ips: ELSEWHERE })
    const { key } = (await keys('rotate', { id })).body.data
    refused(await service.compute(key), 403, 'key_forbidden')
  })
})

describe('a window of a team key', () => {
  it('is one more limit, told in the headers and the message', async () => {
    const { key } = await create({ hourly_limit: 1 })
    const first = await service.compute(key)
    assert.match(first.headers.get('ratelimit-policy')!, /"key_hour";q=1;w=3600/)
    const second = await service.compute(key)
    refused(second, 429, 'rate_limited')
    assert.match(second.body.message, /^The limit of 1 request of this key an hour is used up/)
    const { counted, limit, scope, window } = second.body.error
    assert.deepEqual(
      { counted, limit, scope, window },
      { counted: 'requests', limit: 1, scope: 'key', window: 'hour' },
    )
  })
})

describe('the end of a team key', () => {
  it('comes with a revocation, for all keys of its rotations, from the next request on', async () => {
    const { id, key } = await create()
    const { key: second } = (await keys('rotate', { id, overlap_seconds: 600 })).body.data
    assert.deepEqual(
      [(await service.compute(key)).status, (await service.compute(second)).status],
      [200, 200],
    )
    assert.equal((await keys('revoke', { id })).body.data.state, 'revoked')
    for (const one of [key, second]) refused(await service.compute(one), 401, 'api_key_invalid')
    refused(await keys('rotate', { id }), 409, 'conflict')
    refused(await keys('update', { id, name: 'x' }), 409, 'conflict')
    assert.equal((await keys('revoke', { id })).status, 200)
  })

  it('comes at the latest with the overlap of a later rotation', async () => {
    const { id, key } = await create()
    await keys('rotate', { id, overlap_seconds: 600 })
    await keys('rotate', { id, overlap_seconds: 604_800 })
    assert.equal((await service.compute(key)).status, 200)
    const { key: newest } = (await keys('rotate', { id })).body.data
    refused(await service.compute(key), 401, 'api_key_invalid')
    assert.equal((await service.compute(newest)).status, 200)
  })

  it('comes at the time that it was given', async () => {
    const [{ now }] = await query(service, 'SELECT max(created_at) AS now FROM api_keys')
    const { id, key } = await create({ expires_at: new Date(Number(now) + DAY_MS).toISOString() })
    assert.equal((await service.compute(key)).status, 200)
    service.advance(2 * DAY_MS)
    refused(await service.compute(key), 401, 'api_key_invalid')
    assert.equal((await listed(id)).state, 'expired')
    refused(await keys('rotate', { id }), 409, 'conflict')
    assert.equal((await keys('update', { id, expires_at: null })).body.data.state, 'active')
    assert.equal((await service.compute(key)).status, 200)
  })

  it('is ahead of the clock of the database, whatever that of the node says', async () => {
    const now = await service.store.run((sql) => sql.clock())
    assert.ok(now > Date.now() + HOUR_MS)
    const expires_at = new Date(now - MINUTE_MS).toISOString()
    const { id } = await create()
    refused(await keys('create', { name: 'n', expires_at }), 422, 'invalid_input')
    refused(await keys('update', { id, expires_at }), 422, 'invalid_input')
  })

  it('is at most the last second of the year 9999 in UTC, which every client reads', async () => {
    const { id } = await create({ expires_at: '9999-12-31T23:59:59Z' })
    assert.equal((await listed(id)).expires_at, '9999-12-31T23:59:59.000Z')
    const behind = await keys('update', { id, expires_at: '9999-12-31T23:59:59-00:01' })
    refused(behind, 422, 'invalid_input')
    assert.match(behind.body.error.details[0].message, /^must be a date, a time and a zone/)
  })

  it('comes with the suspension of its account, and is taken back with it', async () => {
    const owner = await service.person()
    const { key } = await create({}, owner.key)
    const quantd = operator(settingsOf(service))
    await quantd(['admin', 'suspend', owner.email])
    refused(await service.compute(key), 401, 'api_key_invalid')
    await quantd(['admin', 'unsuspend', owner.email])
    assert.equal((await service.compute(key)).status, 200)
  })

  it('does not come with a new key of the account', async () => {
    const owner = await service.person()
    const { key } = await create({}, owner.key)
    await service.call('/user/regenerate-api-key', { method: 'POST', key: owner.key })
    assert.equal((await service.compute(key)).status, 200)
  })
})

describe('the account requests of a minute', () => {
  const MCP = { accept: 'application/json, text/event-stream' }
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const doors: Readonly<Record<string, (key: string) => Promise<Answer>>> = {
    'to account endpoints': (key) => service.callOnce('/user/credits', { key }),
    'of MCP': (key) => service.callOnce('/mcp', { key, body: ping, headers: MCP }),
  }
  for (const [door, ask] of Object.entries(doors))
    it(`${door} are used up by team keys to the half, so that their owner can always revoke one`, async () => {
      const owner = await service.person()
      const [one, other] = [await create({}, owner.key), await create({}, owner.key)]
      const isOwner = `address = '${owner.email}'`
      // A busy machine may take longer than a minute.
      const longer = `minute_started_at = minute_started_at + ${HOUR_MS}`
      await query(service, `UPDATE accounts SET ${longer} WHERE ${isOwner}`)
      const answers = [...(await times(70, () => ask(one.key))), ...(await times(70, () => ask(other.key)))]
      assert.equal(await number(service, `SELECT minute_count FROM accounts WHERE ${isOwner}`), 60)
      // The two creations count too, and so may requests whose replies the database delayed too long.
      const [passed, lost] = [count(answers, 200), count(answers, 503)]
      assert.ok(passed <= 58 && passed + lost >= 58, `${passed} passed, ${lost} were lost`)
      assert.equal(count(answers, 429), 140 - passed - lost)
      const last = await definite(() => ask(other.key))
      assert.match(last.text, /The limit of 60 account requests of team keys a minute is used up/)
      assert.equal((await definite(() => ask(owner.key))).status, 200)
      assert.equal((await keys('revoke', { id: one.id }, owner.key)).status, 200)
      refused(await price(one.key), 401, 'api_key_invalid')
    })
})

describe('the number of team keys', () => {
  /** Repeats a request that was refused because it waited too long for the account's row, as on a busy machine. */
  const made = (key: string) => definite(() => keys('create', { name: 'n' }, key))
  const made90 = async (key: string) => {
    const first: Answer[] = []
    while (first.length < 90) first.push(await made(key))
    // An account may make 120 such requests a minute.
    service.advance(MINUTE_MS)
    return first
  }

  it('is 100 at once; a revoked one makes room', async () => {
    const owner = await service.person()
    const all = [...(await made90(owner.key)), ...(await times(20, () => made(owner.key)))]
    assert.equal(count(all, 200), 100)
    for (const answer of all.filter(({ status }) => status !== 200)) refused(answer, 409, 'conflict')
    const { id } = all.find(({ status }) => status === 200)!.body.data
    await keys('revoke', { id }, owner.key)
    await create({}, owner.key)
  })

  it('counts the keys in the overlap of a rotation', async () => {
    const owner = await service.person()
    const first = await made90(owner.key)
    const { id } = first.find(({ status }) => status === 200)!.body.data
    const rotate = (overlap_seconds: number) => keys('rotate', { id, overlap_seconds }, owner.key)
    const all = [...first, ...(await times(9, () => made(owner.key)))]
    assert.equal(count(all, 200), 99)
    assert.equal((await rotate(600)).status, 200)
    refused(await rotate(600), 409, 'conflict')
    refused(await made(owner.key), 409, 'conflict')
    assert.equal((await rotate(0)).status, 200, 'which ends both of its keys')
    assert.equal((await made(owner.key)).status, 200)
    refused(await rotate(600), 409, 'conflict')
  })

  it('does not count expired keys, whose end cannot be removed while there are 100 others', async () => {
    const owner = await service.person()
    const [{ now }] = await query(service, 'SELECT max(created_at) AS now FROM api_keys')
    const { id } = await create({ expires_at: new Date(Number(now) + DAY_MS).toISOString() }, owner.key)
    service.advance(2 * DAY_MS)
    const all = [...(await made90(owner.key)), ...(await times(10, () => made(owner.key)))]
    assert.equal(count(all, 200), 100)
    refused(await keys('update', { id, expires_at: null }, owner.key), 409, 'conflict')
  })
})

describe('verify-ledger', () => {
  it('finds a team key whose spending is not that of its calls', async () => {
    const { id, key } = await create()
    await service.compute(key)
    const quantd = operator(settingsOf(service))
    assert.equal((await quantd(['admin', 'verify-ledger'])).code, 0)
    await query(service, `UPDATE team_keys SET spent_total = spent_total + 1 WHERE id = ${id}`)
    const { code, out } = await quantd(['admin', 'verify-ledger'])
    assert.equal(code, 1)
    assert.match(
      out,
      new RegExp(`team key ${id} of account \\d+ has spent 2 credits; its calls were charged 1`),
    )
    await query(service, `UPDATE team_keys SET spent_total = spent_total - 1 WHERE id = ${id}`)
  })
})
