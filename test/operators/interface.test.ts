/** The operators' interface: parity with the command line, roles, acts and attacks. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { uuidv7 } from '../../src/base/ids.ts'
import { DAY_MS } from '../../src/base/time.ts'
import { plain } from '../../src/derive/schemas.ts'
import { operatorEndpoints } from '../../src/operators/http/endpoints.ts'
import { mayAct, ROLES } from '../../src/operators/roles.ts'
import { number, query, unbalanced } from '../support/database.ts'
import { exchange } from '../support/edge.ts'
import { operatorTasks } from '../support/operator-tasks.ts'
import { useOperators } from '../support/operators.ts'
import { count, refused, times } from '../support/people.ts'
import { heldBack, request } from '../support/service.ts'

const { act, all, done, quantd, service, tokens, url } = await useOperators()
/** The number of a row that the fourth worker of a Citus cluster drew. */
const OF_FOURTH_WORKER = 2 ** 50 + 1

describe("the operators' interface", () => {
  it('lets each role do what it may, and nothing else, for every pair of role and act', async () => {
    const refusals = () => number(service, "SELECT count(*) FROM audit WHERE code = 'operator_refused'")
    let expected = await refusals()
    for (const { example, input, path, role: needed } of operatorEndpoints) {
      // Bodies that name no account: a right is shown by any refusal but that of the role.
      const body = input && { ...example.input, account: 999_999, id: 999_999, expires_at: 'x' }
      for (const role of ROLES) {
        const answer = await act(path.slice('/operator/v1/'.length), body ?? undefined, tokens[role])
        if (mayAct(role, needed))
          assert.notEqual(answer.body.error?.code, 'role_forbidden', `${role} ${path}`)
        else {
          refused(answer, 403, 'role_forbidden')
          expected += 1
        }
      }
      assert.equal(await refusals(), expected)
    }
  })

  it('is not on the public port, and serves nothing of that port', async () => {
    for (const { method, path, input } of operatorEndpoints) {
      const answer = await service.call(path, {
        ...(input !== null && { body: {} }),
        ...(method === 'GET' ? {} : { method }),
        headers: { authorization: `Bearer ${tokens.admin}` },
      })
      assert.equal(answer.status, 404, path)
    }
    for (const path of [
      '/operator/session',
      '/operator/v1/openapi.json',
      '/assets/operators.js',
      '/assets/acts.js',
    ])
      assert.equal((await service.call(path)).status, 404, path)
    const key = await service.guest()
    for (const path of ['/user/profile', '/quantlib/pricing/bs/price', '/mcp', '/docs', '/metrics'])
      assert.equal((await request(url + path, { headers: { 'x-api-key': key } })).status, 404)
  })

  it('forbids with every reply that a page frames it, and that it is taken for another type', async () => {
    const headers = { authorization: `Bearer ${tokens.viewer}` }
    const paths = [
      ...[
        '/',
        '/assets/operators.js',
        '/assets/operators.css',
        '/assets/mark.svg',
        '/operator/v1/openapi.json',
      ],
      ...[
        '/operator/v1/accounts',
        '/operator/v1/plan/set',
        '/operator/v1/tokens',
        '/operator/v1/accounts?limit=0',
      ],
      ...['/operator/v1/reports/costs?month=2026-01&format=csv', '/operator/session', '/nowhere', '/..%2f'],
    ]
    const replies = [await act('accounts', undefined, 'x')]
    for (const path of paths) replies.push(await request(url + path, { headers }))
    const seen = new Set<number>()
    for (const { headers, status } of replies) {
      seen.add(status)
      assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
    }
    assert.deepEqual([...seen].sort(), [200, 401, 403, 404, 405, 422])
    for (const bytes of [
      'no HTTP\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
      'CONNECT a:1 HTTP/1.1\r\n\r\n',
    ])
      assert.match(
        await exchange(Number(new URL(url).port), bytes),
        /^HTTP\/1.1 [45].*frame-ancestors 'none'/s,
      )
  })

  it('refuses tokens that are missing, wrong or expired, and API keys', async () => {
    const { key } = await service.person()
    for (const token of ['', 'qd_op_', `qd_op_${'a'.repeat(43)}`, key, `${tokens.admin}x`])
      refused(await act('accounts', undefined, token), 401, 'token_invalid')
    const ending = await done('tokens/create', {
      name: 'guest auditor',
      role: 'viewer',
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    })
    service.advance(3_600_000)
    refused(await act('accounts', undefined, ending.token), 401, 'token_invalid')
  })

  it('does nothing for a request whose body ends after its token was revoked', async () => {
    const { id, token } = await done('tokens/create', { name: 'stolen', role: 'admin' })
    const raw = heldBack({ name: 'late', role: 'admin' }, () => done('tokens/revoke', { id }))
    const headers = { authorization: `Bearer ${token}` }
    refused(await request(`${url}/operator/v1/tokens/create`, { raw, headers }), 401, 'token_invalid')
    assert.equal(await number(service, "SELECT count(*) FROM operator_tokens WHERE name = 'late'"), 0)
  })

  it('counts guesses by client, and lets right tokens in all the same', async () => {
    const answers = await times(70, () => act('accounts', undefined, `qd_op_${'b'.repeat(43)}`))
    assert.ok(count(answers, 429) > 0)
    for (const answer of answers.filter(({ status }) => status !== 429)) refused(answer, 401, 'token_invalid')
    await done('accounts')
  })

  it('keeps tokens as hashes only', async () => {
    const found = await query(service, 'SELECT * FROM operator_tokens')
    for (const row of found)
      for (const value of Object.values(row)) assert.notEqual(String(value), tokens.admin)
  })
})

describe('an act of an operator', () => {
  it('gives a name to one token, among twenty requests at a time', async () => {
    const replies = await times(20, () => act('tokens/create', { name: 'nightly job', role: 'viewer' }))
    assert.equal(count(replies, 200), 1)
    for (const reply of replies.filter(({ status }) => status !== 200)) refused(reply, 409, 'conflict')
  })

  it('grants a reference once, among a hundred requests at a time', async () => {
    const { email } = await service.person()
    const grant = { account: email, credits: 250, reference: 'invoice 1' }
    const replies = await times(100, () => done('grants', grant, tokens.billing))
    assert.equal(replies.filter(({ replayed }) => !replayed).length, 1)
    refused(await act('grants', { ...grant, credits: 251 }), 409, 'conflict')
    assert.equal((await done(`accounts/show?account=${email}`)).credits, 600)
    refused(await act('grants', { ...grant, reference: 'x', account: await guestNumber() }), 409, 'conflict')
    assert.deepEqual(await unbalanced(service), [])
    assert.equal((await done('verify-ledger', {}, tokens.viewer)).ok, true)
  })

  it('tells of a wrong balance, with its debt and lots, in the fields that it declares', async () => {
    const { email } = await service.person()
    const { account_id: account } = await done(`accounts/show?account=${email}`)
    await done('grants', { account, credits: 10, reference: 'lot', expires_at: '2100-01-01T00:00:00Z' })
    await query(service, `UPDATE lots SET remaining = 9999 WHERE account_id = ${account}`)
    await query(service, `UPDATE accounts SET debt = 1 WHERE id = ${account}`)
    const { violations } = await done('verify-ledger', { account })
    await query(service, `UPDATE lots SET remaining = 10 WHERE account_id = ${account}`)
    await query(service, `UPDATE accounts SET debt = 0 WHERE id = ${account}`)
    assert.deepEqual(violations, [{ account_id: account, credits: 360, expected: 360, debt: 1, lots: 9_999 }])
    const { output } = operatorEndpoints.find(({ verb }) => verb === 'verify-ledger')!
    const declared = Object.keys(plain(output).properties!.violations.items!.properties!)
    assert.deepEqual(declared.sort(), Object.keys(violations[0]).sort())
  })

  it('is refused for a cursor that no page gave, and for a character or number that no database takes', async () => {
    const cursorOf = (...place: unknown[]) => Buffer.from(JSON.stringify(place)).toString('base64url')
    const [id, ip, code] = ['019b7a3c-8f10-7c55-9d6e-0f2b3a4c5d6e', '192.0.2.1', 'unauthorized']
    const numbered = [
      'accounts',
      'accounts?sort=last_used',
      'approvals',
      'plan/history',
      'reports/costs?month=2026-01',
    ]
    for (const [paths, cursors] of [
      [numbered, ['x', '-1', '1e3', '0x10', '9'.repeat(16), cursorOf(1, id)]],
      [
        ['audit', 'mails'],
        ['x', cursorOf(1), cursorOf(1.5, id), cursorOf(1e300, id), cursorOf(1, 'a\0')],
      ],
      [['audit?rows=refusals'], [cursorOf(1, 0.5, ip, code), cursorOf(1, 2, 'a\0', code)]],
      [['audit?rows=failed_attempts'], [cursorOf(1, ip, '/user/login', code, '{"subject":"\\u0000"}')]],
    ] as const)
      for (const path of paths)
        for (const cursor of cursors) {
          const answer = await act(`${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`)
          refused(answer, 422, 'invalid_input')
        }
    for (const path of [
      'accounts/show?account=',
      'accounts?q=',
      'calls/show?request_id=',
      'audit?request_id=',
      'audit?account=',
    ])
      refused(await act(`${path}a%00`), 422, 'invalid_input')
    refused(await act('accounts/suspend', { account: '\0@x.org' }), 422, 'invalid_input')
    for (const path of ['approvals/confirm', 'tokens/revoke', 'webhooks/delete'])
      refused(await act(path, { id: 2 ** 63 }), 422, 'invalid_input')
    refused(await act('keys/revoke', { account: 1, id: 1e300 }), 422, 'invalid_input')
    refused(await act('plan/set', { version: 0, note: 'a\0' }), 422, 'invalid_input')
  })

  it('is refused with what is wrong with it', async () => {
    refused(await act('accounts/set-tier', { account: 1, account_type: 'gold' }), 422, 'invalid_input')
    refused(await act('accounts/show?account=nobody@example.org'), 404, 'not_found')
    refused(await act('accounts?limit=5000'), 422, 'invalid_input')
    refused(await act('accounts?limt=5'), 422, 'invalid_input')
    refused(await act('audit?cursor=WzEsMl0'), 422, 'invalid_input')
    refused(await act('grants', { account: 1, credits: 1, reference: 'ü' }), 422, 'invalid_input')
  })
})

describe('the keys of an account', () => {
  it('are listed, replaced and revoked, with who did it', async () => {
    const { email, key, password } = await service.person()
    const made = await service.call('/user/keys/create', { key, body: { name: 'n', credit_cap: 2 } })
    const { id, key: team } = made.body.data
    assert.equal((await service.compute(team)).status, 200)
    const listed = await done(`keys?account=${email}`, undefined, tokens.viewer)
    assert.equal(listed.own_key.status, 'active')
    assert.deepEqual(
      listed.items.map(({ name, spent }: { name: string; spent: number }) => [name, spent]),
      [['n', 1]],
    )
    const rotated = await done('keys/replace', { account: email, id, reason: 'leaked' }, tokens.support)
    refused(await service.compute(team), 401, 'api_key_invalid')
    assert.equal((await service.compute(rotated.key)).status, 200)
    refused(await service.compute(rotated.key), 402, 'key_cap_exhausted')
    assert.equal((await done('keys/revoke', { account: email, id }, tokens.support)).state, 'revoked')
    refused(await service.compute(rotated.key), 401, 'api_key_invalid')
    refused(await act('keys/revoke', { account: email, id: 999_999 }), 404, 'not_found')
    refused(await act('keys/replace', { account: email, id }), 409, 'conflict')

    assert.deepEqual(Object.keys(await done('keys/replace', { account: email })), ['account_id'])
    refused(await service.compute(key), 401, 'api_key_invalid')
    const renewed = (await service.login(email, password)).body.data.api_key
    assert.equal((await service.compute(renewed)).status, 200)
    refused(await act('keys/replace', { account: await guestNumber() }), 409, 'conflict')
    const [row] = await query(service, "SELECT detail FROM audit WHERE code = 'team_key_rotated'")
    const by = { actor: 'support', reason: 'leaked' }
    assert.deepEqual(JSON.parse(String(row.detail)), { ...by, team_key: id, overlap_seconds: 0 })
    const { code, out } = await quantd(['admin', 'keys', 'list', email])
    assert.equal(code, 0)
    assert.match(out, /revoked +qd_team_.*2 of 2 credits/)
    const unknown = await quantd(['admin', 'keys', 'revoke', email, String(OF_FOURTH_WORKER)])
    assert.deepEqual([unknown.code, unknown.err.includes('no team key')], [1, true], unknown.err)
  })

  it('that are replaced while the account is suspended end for good, and their successors begin with its keys', async () => {
    const { email, key } = await service.person()
    const made = await service.call('/user/keys/create', { key, body: { name: 'n' } })
    const { id, key: leaked } = made.body.data
    await done('accounts/suspend', { account: email, reason: 'leaked' })
    const { key: next } = await done('keys/replace', { account: email, id })
    const { key: last } = await done('keys/replace', { account: email, id, overlap_seconds: 60 })
    for (const one of [leaked, next, last]) refused(await service.compute(one), 401, 'api_key_invalid')
    await done('accounts/unsuspend', { account: email })
    refused(await service.compute(leaked), 401, 'api_key_invalid')
    for (const one of [next, last]) assert.equal((await service.compute(one)).status, 200)
    service.advance(61_000)
    refused(await service.compute(next), 401, 'api_key_invalid')
    assert.equal((await service.compute(last)).status, 200)
  })

  it('are refused where the account is suspended while they are created', async () => {
    const create = (key: string) => service.call('/user/keys/create', { key, body: { name: 'n' } })
    for (const { email, key } of await times(4, () => service.person())) {
      const creations = times(10, () => create(key))
      await done('accounts/suspend', { account: email })
      for (const { body, status } of await creations)
        if (status === 200) refused(await service.compute(body.data.key), 401, 'api_key_invalid')
    }
  })
})

describe('the master key', () => {
  it('is rotated: with one key every secret is under it already', async () => {
    const { damaged, old_keys_removable, rewrapped } = await done('rotate-master-key', { reason: 'yearly' })
    assert.deepEqual([damaged, old_keys_removable, rewrapped.api_key], [0, true, 0])
  })
})

describe('endpoints of webhooks', () => {
  it('are created, listed, tried and deleted; what cannot be one is refused', async () => {
    refused(await act('webhooks/create', { url: 'http://example.org/' }), 422, 'invalid_input')
    refused(await act('webhooks/create', { url: 'https://127.0.0.1/' }), 422, 'invalid_input')
    const url = 'https://192.0.2.1.invalid/hook'
    refused(await act('webhooks/create', { url, types: ['credits.none'] }), 422, 'invalid_input')
    const made = await done('webhooks/create', { url, types: ['credits.low'] })
    assert.match(made.secret, /^whsec_/)
    assert.match(made.public_key, /^whpk_/)
    const { items } = await done('webhooks')
    const found = items.find(({ id }: { id: number }) => id === made.id)
    assert.deepEqual(found, { id: made.id, url, types: ['credits.low'], waiting: 0, parked: 0 })
    const tried = await done('webhooks/test', { id: made.id })
    assert.deepEqual(tried, { id: made.id, delivered: false, status: null })
    const span = { id: made.id, from: '2026-01-01T00:00:00Z' }
    assert.equal((await done('webhooks/replay', span)).events, 0)
    refused(await act('webhooks/replay', { id: made.id }), 422, 'invalid_input')
    refused(await act('webhooks/replay', { id: made.id, events: ['x'] }), 422, 'invalid_input')
    const replayed = await done('webhooks/replay', { id: made.id, events: [`evt_${OF_FOURTH_WORKER}_1`] })
    assert.equal(replayed.events, 0)
    await done('webhooks/delete', { id: made.id })
    for (const path of ['test', 'delete'])
      refused(await act(`webhooks/${path}`, { id: made.id }), 404, 'not_found')
    refused(await act('webhooks/replay', span), 404, 'not_found')
  })
})

describe('the list of accounts', () => {
  const listed = async (query: Record<string, string | number>) =>
    await done(`accounts?${new URLSearchParams(query as Record<string, string>)}`)
  const emails = async (query: Record<string, string | number>): Promise<string[]> =>
    (await listed(query)).items.map(({ email }: { email: string }) => email)

  it('finds an account by its address, domain, names, number, keys and their starts', async () => {
    const { email, key } = await service.person({ username: 'Élodie Dupont', full_name: 'Ada 100% Lovelace' })
    const { account_id } = await done(`accounts/show?account=${email}`)
    const team = (await service.call('/user/keys/create', { key, body: { name: 'Risk of Zürich' } })).body
      .data
    const [name, domain] = email.split('@')
    for (const [q, by] of [
      [email, undefined],
      [email.toUpperCase().slice(0, 9), undefined],
      [`${name!.slice(3)} ${domain!.slice(1)}`, undefined],
      ['élodie lovelace', undefined],
      ['100%', undefined],
      [String(account_id), 'number'],
      [key, 'key'],
      [key.slice(0, 12), 'key'],
      [key.slice(0, 20), 'key'],
      [team.key, 'key'],
      [team.prefix, 'key'],
      ['zürich RISK', 'team_key'],
    ] as const) {
      const { complete, items } = await listed({ q })
      const item = items.find((one: { email: string }) => one.email === email)
      assert.deepEqual([item?.found_by, complete], [by, true], q)
      assert.equal(item.api_key_start, key.slice(0, 12))
    }
    for (const q of ['1_0%', 'zürich lovelace', 'qd_team_none', `${key.slice(0, 11)}_`])
      assert.deepEqual(await emails({ q }), [], q)
  })

  it('is filtered by type, state, credits and last use, sorted, and has each account once over its pages', async () => {
    const tag = `list${Date.now()}`
    const made: { email: string; key: string }[] = []
    for (const [place, credits] of [30, 10, 20, 10].entries()) {
      const email = `${tag}-${place}@example.org`
      const options = ['--credits', String(credits), '--json', ...(place === 3 ? ['--tier', 'pro'] : [])]
      made.push({ email, key: (await quantd(['admin', 'create', email, ...options])).json.api_key })
    }
    const [first, second, third, fourth] = made.map(({ email }) => email)
    assert.equal((await service.compute(made[2].key)).status, 200)
    await done('accounts/suspend', { account: second })
    const q = tag
    assert.deepEqual(await emails({ q, sort: 'most_credits' }), [first, third, fourth, second])
    assert.deepEqual(await emails({ q, sort: 'least_credits' }), [second, fourth, third, first])
    assert.deepEqual(await emails({ q, sort: 'newest' }), [fourth, third, second, first])
    assert.equal((await emails({ q, sort: 'last_used' }))[0], third)
    assert.equal((await emails({ q, sort: 'longest_unused' })).at(-1), third)
    assert.deepEqual(await emails({ q, state: 'suspended' }), [second])
    assert.deepEqual(await emails({ q, state: 'active', account_type: 'free' }), [first, third])
    assert.deepEqual(await emails({ q, account_type: 'pro' }), [fourth])
    assert.deepEqual(await emails({ q, state: 'revoked' }), [])
    assert.deepEqual(await emails({ q, min_credits: 19, max_credits: 29 }), [third])
    const { last_used_at: used } = await done(`accounts/show?account=${third}`)
    assert.deepEqual(await emails({ q, used_since: used }), [third])
    assert.deepEqual(await emails({ q, unused_since: used }), [first, second, fourth])
    for (const sort of ['oldest', 'newest', 'most_credits', 'last_used']) {
      const paged = (await all(`accounts?q=${q}&sort=${sort}`, 1)).map(({ email }) => email)
      assert.deepEqual(paged, await emails({ q, sort }))
    }
    const { out } = await quantd(['admin', 'list', q, '--state', 'active', '--sort', 'most_credits'])
    assert.deepEqual(out.match(/\S+@\S+/g), [first, third, fourth])
  })
})

describe('the page of a call', () => {
  const compute = (key: string, headers: Record<string, string>) =>
    service.call('/quantlib/economics/utility/log', { key, body: { wealth: 2 }, headers })
  const idOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id')!

  it('has its account, key, cost, events and receipt, and the calls that repeat it', async () => {
    const { email, key } = await service.person()
    const team = (await service.call('/user/keys/create', { key, body: { name: 'n' } })).body.data
    const made = await compute(team.key, { 'idempotency-key': 'order-1' })
    const replayed = await compute(team.key, { 'idempotency-key': 'order-1' })
    const again = await compute(key, { 'x-request-id': 'ticket-4711' })
    const shown = await done(`calls/show?request_id=${idOf(made)}`, undefined, tokens.viewer)
    assert.deepEqual(
      [shown.call.path, shown.call.credits, shown.account.email, shown.key.name, shown.key.start],
      ['/quantlib/economics/utility/log', 1, email, 'n', team.prefix],
    )
    assert.deepEqual([shown.idempotency.key, shown.idempotency.replays], ['order-1', 1])
    assert.deepEqual(
      shown.others.map((other: { request_id: string; replayed: boolean; credits: number }) => [
        other.request_id,
        other.replayed,
        other.credits,
      ]),
      [
        ['ticket-4711', false, 1],
        [idOf(replayed), true, 0],
      ],
    )
    const replay = await done(`calls/show?request_id=${idOf(replayed)}`)
    assert.equal(replay.idempotency.key, 'order-1')
    const given = await done('calls/show?request_id=ticket-4711')
    assert.equal(given.key.team_key_id, null)
    assert.equal((await done(`calls/show?request_id=${given.call.id}`)).call.request_id, 'ticket-4711')
    assert.equal((await service.call(`/user/receipt?request_id=${idOf(again)}`, { key })).status, 200)
    const proven = await done('calls/show?request_id=ticket-4711')
    assert.equal(proven.receipt_state, 'proven')
    assert.equal(proven.receipt.leaf.request_id, 'ticket-4711')
    const { out } = await quantd(['admin', 'call', idOf(made)])
    assert.match(out, /^idempotency +order-1, repeated 1 time$/m)
    refused(await act('calls/show?request_id=unknown'), 404, 'not_found')
  })

  it('of a failure, and of a call that took the last credit, says so', async () => {
    const { key } = await service.person()
    const failed = await service.call('/quantlib/economics/utility/log', { key, body: { wealth: -1 } })
    const shown = await done(`calls/show?request_id=${idOf(failed)}`)
    assert.deepEqual([shown.call.status, shown.call.code, shown.call.credits], [422, 'invalid_input', 0])
    const poor = await quantd(['admin', 'create', 'last@example.org', '--credits', '1', '--json'])
    const last = await done(`calls/show?request_id=${idOf(await service.compute(poor.json.api_key))}`)
    assert.deepEqual(
      last.events.map(({ type }: { type: string }) => type),
      ['credits.exhausted'],
    )
    assert.deepEqual(
      [last.account.email, last.account.account_type, last.refunded],
      ['last@example.org', 'free', 0],
    )
  })
})

describe('lists', () => {
  it('contain every row once, page by page', async () => {
    for (let made = 0; made < 20; made++) await service.guest()
    const numbers = (await all('accounts')).map(({ account_id }) => account_id)
    assert.equal(
      new Set(numbers).size,
      await number(service, 'SELECT count(*) FROM accounts WHERE deleted_at IS NULL'),
    )
    const ids = (await all('audit?to=2100-01-01T00:00:00Z')).map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length)
    assert.ok(ids.length > 20)
  })

  it('of a request contain its rows, whatever time its id contains', async () => {
    const { key } = await service.person()
    const made = (await service.compute(key)).headers.get('x-request-id')!
    const given = [0, Date.now() - 40 * DAY_MS, Date.now() + 2 * DAY_MS].map((time) => uuidv7(time))
    for (const id of given)
      await service.call('/quantlib/economics/utility/log', {
        key,
        body: { wealth: 2 },
        headers: { 'x-request-id': id },
      })
    for (const id of [made, ...given]) {
      const rows = await all(`audit?request_id=${id}`)
      assert.deepEqual(
        rows.map(({ request_id }) => request_id),
        [id],
      )
    }
    assert.deepEqual(await all(`audit?request_id=${uuidv7()}`), [])
  })

  it('of refusals and failed attempts are pages too', async () => {
    const { email } = await service.person()
    await service.login(email, 'not the password')
    const [row] = await done('audit?rows=failed_attempts&limit=1').then(({ items }) => items)
    assert.equal(row.kind, 'failed_attempt')
    const poor = await service.guestWith('balance = 0')
    refused(await service.compute(poor), 402, 'credits_exhausted')
    const kinds = (await all('audit?rows=refusals')).map(({ kind }) => kind)
    assert.deepEqual([...new Set(kinds)], ['refusal'])
  })
})

describe('the guide of operators', () => {
  it('names commands that there are', () => {
    const verbs = operatorEndpoints.flatMap(({ verb }) => verb ?? [])
    for (const { name, verbs: named } of operatorTasks)
      assert.deepEqual(new Set(named).difference(new Set([...verbs, 'backup'])), new Set(), name)
  })
})

describe('the document of the interface', () => {
  it('describes every act, with its role and its command', async () => {
    const { paths } = (await request(`${url}/operator/v1/openapi.json`)).body
    assert.deepEqual(Object.keys(paths).toSorted(), operatorEndpoints.map(({ path }) => path).toSorted())
    assert.match(
      paths['/operator/v1/grants'].post.description,
      /Role: billing\. Command: `quantd admin grant`/,
    )
  })
})

async function guestNumber(): Promise<number> {
  await service.guest()
  return await number(service, 'SELECT max(id) FROM accounts')
}
