/** The state of the service that operators read over HTTP, and the sessions of their page. */
import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { describe, it } from 'node:test'
import { query } from '../support/database.ts'
import { useOperators } from '../support/operators.ts'
import { refused, times } from '../support/people.ts'
import { type Answer, request } from '../support/service.ts'
import { until } from '../support/until.ts'

const { act, all, done, quantd, service, tokens, url } = await useOperators({
  QUANTD_OPERATOR_ORIGIN: 'https://operators.example.org',
})

const OWN_PAGE = { 'sec-fetch-site': 'same-origin' }

const send = (path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> =>
  request(`${url}/operator/${path}`, { ...(body !== undefined && { body }), headers })

const logIn = async (token = tokens.admin) => {
  const answer = await send('session', { token }, OWN_PAGE)
  assert.equal(answer.status, 200, answer.text)
  const cookie = answer.headers.get('set-cookie')!
  return { answer, cookie, held: { ...OWN_PAGE, cookie: cookie.split(';')[0] } }
}

describe('a session of the page', () => {
  it('is begun with a token, kept in a cookie that no script and no other site can use, and ended', async () => {
    const { answer, cookie, held } = await logIn(tokens.support)
    assert.deepEqual(Object.keys(answer.body.data), ['name', 'role', 'expires_at'])
    assert.match(
      cookie,
      /^quantd_operator=qd_op_\w{43}; Path=\/operator; HttpOnly; SameSite=Strict; Max-Age=43200$/,
    )
    assert.doesNotMatch(cookie, new RegExp(tokens.support))
    assert.equal((await send('session', undefined, held)).body.data.role, 'support')
    assert.equal((await send('v1/accounts', undefined, held)).status, 200)
    refused(await send('v1/tokens', undefined, held), 403, 'role_forbidden')
    assert.match(
      (await send('session/end', {}, held)).headers.get('set-cookie')!,
      /^quantd_operator=; .*Max-Age=0/,
    )
    refused(await send('v1/accounts', undefined, held), 401, 'token_invalid')
    const events = await query(
      service,
      "SELECT code, detail FROM audit WHERE code LIKE 'operator_logged%' ORDER BY id",
    )
    assert.deepEqual(
      events.slice(-2).map(({ code }) => code),
      ['operator_logged_in', 'operator_logged_out'],
    )
    assert.equal(JSON.parse(String(events[0].detail)).actor, 'support')
  })

  it('is sent over TLS alone, but on this machine', async () => {
    const body = JSON.stringify({ token: tokens.viewer })
    const headers = { ...OWN_PAGE, host: 'operators.example.org', 'content-type': 'application/json' }
    // fetch sends no other Host than that of the address.
    const cookie = await new Promise<string>((resolve, reject) =>
      httpRequest(`${url}/operator/session`, { method: 'POST', headers }, (reply) => {
        reply.resume()
        resolve(String(reply.headers['set-cookie']))
      })
        .on('error', reject)
        .end(body),
    )
    assert.match(cookie, /^__Host-quantd_operator=[^;]+; Path=\/; .*; Secure$/)
  })

  it('is of no use to other pages, neither of other sites nor of other ports of this host', async () => {
    const { held } = await logIn()
    for (const site of ['cross-site', 'same-site', 'none', '']) {
      const elsewhere = { cookie: held.cookie, ...(site !== '' && { 'sec-fetch-site': site }) }
      for (const path of ['v1/accounts', 'session'])
        refused(await send(path, undefined, elsewhere), 401, 'token_invalid')
      refused(await send('v1/notes', { what: 'backup' }, elsewhere), 401, 'token_invalid')
      refused(await send('session/end', {}, elsewhere), 401, 'token_invalid')
      refused(await send('session', { token: tokens.admin }, { ...elsewhere }), 401, 'token_invalid')
    }
    assert.equal((await send('session', undefined, held)).status, 200)
  })

  it('ends with its token, after its time, and is neither a token nor listed with them', async () => {
    const { id, token } = await done('tokens/create', { name: 'leaver', role: 'viewer' })
    const { held } = await logIn(token)
    const secret = held.cookie.slice('quantd_operator='.length)
    refused(await send('v1/accounts', undefined, { authorization: `Bearer ${secret}` }), 401, 'token_invalid')
    refused(
      await send('v1/accounts', undefined, { ...OWN_PAGE, cookie: `quantd_operator=${token}` }),
      401,
      'token_invalid',
    )
    const listed = (await done('tokens')).items as { id: number; name: string }[]
    assert.equal(listed.filter(({ name }) => name === 'leaver').length, 1)
    await done('tokens/revoke', { id })
    refused(await send('v1/accounts', undefined, held), 401, 'token_invalid')
    const other = await logIn()
    service.advance(12 * 3_600_000)
    refused(await send('v1/accounts', undefined, other.held), 401, 'token_invalid')
  })

  it('is not begun with what is no token, and guesses are counted', async () => {
    const { key } = await service.person()
    for (const token of ['x', key, `qd_op_${'a'.repeat(43)}`])
      refused(await send('session', { token }, OWN_PAGE), 401, 'token_invalid')
    refused(await send('session', {}, OWN_PAGE), 422, 'invalid_input')
    const codes = []
    for (let guess = 0; guess < 70; guess++)
      codes.push((await send('session', { token: `qd_op_${'c'.repeat(43)}` }, OWN_PAGE)).status)
    assert.ok(codes.includes(429))
    await logIn()
  })
})

describe('operators see', () => {
  it('whether the service is healthy, its last errors, checks and copies', async () => {
    const before = await done('health', undefined, tokens.viewer)
    assert.equal(before.ready, true)
    assert.equal(before.database.kind, service.databaseUrl === null ? 'sqlite' : 'postgres')
    assert.equal(before.backup, null)
    await done('verify-ledger', {})
    refused(
      await send('v1/notes', { what: 'backup' }, { authorization: `Bearer ${tokens.viewer}` }),
      403,
      'role_forbidden',
    )
    await done('notes', { what: 'backup' }, tokens.support)
    const { code, err } = await quantd(['admin', 'note', 'master-key-copy'])
    assert.equal(code, 0, err)
    const { backup, ledger_check, master_key_copy } = await done('health')
    assert.equal(backup.by, 'support')
    assert.equal(ledger_check.differing, 0)
    assert.equal(master_key_copy.is_present_key, true)
  })

  it('what happened in the last 24 hours, and who runs out of credits', async () => {
    const earlier = await complete('activity')
    const { email, key } = await service.person()
    await service.compute(key)
    await service.call('/quantlib/economics/utility/log', { key, body: { wealth: -1 } })
    await service.call('/quantlib/batch', {
      key,
      body: {
        calls: Array.from({ length: 299 }, () => ({
          path: '/quantlib/economics/utility/log',
          body: { wealth: 2 },
        })),
      },
    })
    const { failures, pieces, total } = await complete('activity')
    assert.equal(total.requests - earlier.total.requests, 3)
    assert.equal(total.calls - earlier.total.calls, 301)
    assert.equal(total.credits - earlier.total.credits, 300)
    assert.equal(total.failures - earlier.total.failures, 1)
    assert.ok(total.p99_ms >= total.p50_ms)
    assert.ok(failures.some(({ code }: { code: string }) => code === 'invalid_input'))
    assert.equal(pieces.length, 144)
    assert.equal(
      pieces.reduce((sum: number, piece: { calls: number }) => sum + piece.calls, 0),
      total.calls,
    )
    const calls = Array.from({ length: 40 }, () => ({
      path: '/quantlib/economics/utility/log',
      body: { wealth: 2 },
    }))
    await service.call('/quantlib/batch', { key: await service.guest(), body: { calls } })
    const { items } = await complete('running-out')
    const types = items.map(({ account }: { account: { account_type: string } }) => account.account_type)
    assert.ok(!types.includes('guest'), 'guests end within a day')
    const [runner] = items.filter(({ account }: { account: { email: string } }) => account.email === email)
    assert.equal(runner.spent, 300)
    assert.equal(runner.hours_left, 4)
  })

  it('what happened in a range, in pieces of a length that fits it', async () => {
    const { key } = await service.person()
    await service.compute(key)
    const day = await complete('activity')
    for (const [hours, count, minutes] of [
      [1, 60, 1],
      [24, 144, 10],
      [168, 168, 60],
      [720, 120, 360],
      [2_208, 92, 1_440],
    ]) {
      const { from, piece_minutes, pieces, to, total } = await complete(`activity?hours=${hours}`)
      assert.deepEqual([pieces.length, piece_minutes], [count, minutes])
      assert.deepEqual([pieces[0].from, Date.parse(to) - Date.parse(from)], [from, hours! * 3_600_000])
      const sum = pieces.reduce((all: number, piece: { requests: number }) => all + piece.requests, 0)
      assert.equal(sum, total.requests)
      assert.ok(total.requests > 0 && (hours! < 24 || total.requests >= day.total.requests))
    }
    const { failures, total } = await complete('activity?hours=24&to=2026-01-02T00:00:00Z')
    assert.deepEqual([failures, total.requests, total.p50_ms], [[], 0, null])
    const { json } = await quantd(['admin', 'activity', '--hours', '168', '--json'])
    assert.deepEqual([json.complete, json.piece_minutes], [true, 60])
  })

  it('what happened to one account in a range', async () => {
    const { email, key } = await service.person()
    const other = await service.person()
    await times(3, () => service.compute(key))
    await service.failToCompute(key)
    await service.compute(other.key)
    for (const hours of [1, 24, 2_208]) {
      const { failures, pieces, total } = await complete(`activity?hours=${hours}&account=${email}`)
      const { p50_ms: _, p99_ms: __, ...sums } = total
      assert.deepEqual(sums, { requests: 4, failures: 1, calls: 4, credits: 3 })
      assert.deepEqual(failures, [{ code: 'invalid_input', times: 1 }])
      const sum = pieces.reduce((all: number, piece: { requests: number }) => all + piece.requests, 0)
      assert.equal(sum, 4)
    }
    const { total } = await complete(`activity?hours=24&account=${other.email}`)
    assert.equal(total.requests, 1)
    const all = await complete('activity?hours=24')
    assert.ok(all.total.requests >= 5)
    const { code, json } = await quantd(['admin', 'activity', '--account', email, '--json'])
    assert.deepEqual([code, json.complete], [0, true])
    refused(await act('activity?account=nobody@example.org'), 404, 'not_found')
  })

  it('an account in detail: limits in use, grants to reverse, keys, usage, history and events', async () => {
    const { email, key } = await service.person()
    await service.call('/user/keys/create', { key, body: { name: '<b>team</b>' } })
    await service.compute(key)
    await done('grants', { account: email, credits: 40, reference: `order of ${email}`, note: '<script>' })
    await done('grants/reverse', {
      reference: `order of ${email}`,
      credits: 15,
      reversal_reference: `back ${email}`,
    })
    const { grants, team_keys, usage, windows } = await done(`accounts/details?account=${email}`)
    assert.deepEqual(
      windows.map(({ limit, name, used }: Record<string, unknown>) => [name, limit, used]),
      [
        ['hour', 500, 1],
        ['work', 600, 1],
      ],
    )
    assert.deepEqual(
      grants.map(({ credits, kind, note, reversed }: Record<string, unknown>) => [
        kind,
        credits,
        note,
        reversed,
      ]),
      [
        ['reversal', -15, null, null],
        ['grant', 40, '<script>', 15],
        ['grant', 350, 'verification', null],
      ],
    )
    assert.deepEqual(
      team_keys.map(({ name }: { name: string }) => name),
      ['<b>team</b>'],
    )
    assert.equal(usage.by_day[0].calls, 1)
    const history = await done(`accounts/usage?account=${email}`)
    assert.equal(history.items[0].path, '/quantlib/economics/utility/log')
    const events = await done(`audit?rows=events&order=newest&account=${email}`)
    assert.deepEqual(events.items.map(({ code }: { code: string }) => code).slice(0, 2), [
      'grant_reversed',
      'credits_granted',
    ])
    refused(
      await send('v1/audit?rows=events', undefined, { authorization: `Bearer ${tokens.viewer}` }),
      422,
      'invalid_input',
    )
  })

  it('the audit with the newest first, each row once', async () => {
    for (const rows of ['calls', 'acts', 'refusals', 'failed_attempts']) {
      const oldest = await all(`audit?rows=${rows}`)
      const newest = await all(`audit?rows=${rows}&order=newest`)
      // The acts of reading are none; tokens were used meanwhile, which the audit does not hold.
      assert.deepEqual(newest.reverse(), oldest, rows)
    }
    const acts = (await done('audit?rows=acts&limit=1000')).items as { method: string }[]
    assert.ok(acts.length > 5 && acts.every(({ method }) => method === 'OPERATOR' || method === 'CLI'))
  })

  it('mails that wait, and have one sent again', async () => {
    const id = '019b7a3c-8f10-7c55-9d6e-0f2b3a4c5d6e'
    const unreadable = service.databaseUrl === null ? "X'00'" : "'\\x00'"
    await query(
      service,
      `INSERT INTO mails (id, recipient, master_key_id, sealed, created_at, attempts, next_at, last_error)
       VALUES ('${id}', 'ada@example.org', 'none', ${unreadable}, 1, 3, 9000000000000, 'connection refused')`,
    )
    const [mail] = (await done('mails', undefined, tokens.viewer)).items
    assert.deepEqual(
      [mail.id, mail.to, mail.attempts, mail.last_error],
      [id, 'ada@example.org', 3, 'connection refused'],
    )
    assert.equal((await quantd(['admin', 'mail', 'list', '--json'])).json[0].id, id)
    assert.equal((await done('health')).mails_waiting, 1)
    await done('mails/send', { id }, tokens.support)
    // It was due at once: the sender gives up a mail that it cannot decrypt.
    await until(async () => (await done('mails')).items.length === 0, 'the mail was tried')
    refused(
      await send('v1/mails/send', { id }, { authorization: `Bearer ${tokens.support}` }),
      404,
      'not_found',
    )
    assert.equal((await quantd(['admin', 'mail', 'send', id])).code, 1)
  })
})

/** Asks until the whole audit was read. */
async function complete(path: string) {
  for (;;) {
    const data = await done(path, undefined, tokens.viewer)
    if (data.complete) return data
  }
}
