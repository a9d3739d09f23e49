/** Sign-on of operators at a real OpenID provider: roles by a claim, sessions, log-out, and answers that must not be accepted. */
import assert from 'node:assert/strict'
import { after, beforeEach, describe, it, type TestContext } from 'node:test'
import { query } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import {
  type IdentityProvider,
  newKey,
  providerSettings,
  startProvider,
  walker,
} from '../support/identity-provider.ts'
import { operator, settingsOf } from '../support/operator.ts'
import { HOUR_MS, startWithoutIpLimits, useService } from '../support/people.ts'
import { closedAfter, request } from '../support/service.ts'

const port = await freePort()
const url = `http://127.0.0.1:${port}`
const provider = await startProvider([`${url}/operator/sign-on/callback`])
const service = await useService({
  QUANTD_OPERATOR_PORT: String(port),
  ...providerSettings(provider),
  QUANTD_OPERATOR_ORIGIN: 'https://quantd.example.org',
  QUANTD_TWO_PERSONS: 'delete',
  OIDC_ROLES: 'groups:quants-admin=admin,support=support,help desk=viewer',
})
after(() => provider.close())
beforeEach(() => {
  provider.person = { sub: '4711', email: 'grace@example.org', groups: ['support', 'help desk', 'chess'] }
  Object.assign(provider, { forge: null, forgedBy: null, instead: null })
})

const OWN_PAGE = { 'sec-fetch-site': 'same-origin' }
type Walker = ReturnType<typeof walker>

/** The way to the provider and back, up to the address of the callback. */
const signIn = (browser: Walker) =>
  browser.until(`${url}/operator/sign-on`, `${url}/operator/sign-on/callback`)

const signOn = async (browser = walker()) => {
  const { next, response } = await browser.go(await signIn(browser))
  return { browser, next, status: response.status, text: await response.text() }
}

const session = async (browser: Walker) => {
  const { response } = await browser.go(`${url}/operator/session`, { headers: OWN_PAGE })
  return { status: response.status, ...((await response.json()) as { data?: Record<string, string> }) }
}

const refusedOn = async (browser: Walker, address: string, said: RegExp) => {
  const { response } = await browser.go(address)
  const text = await response.text()
  assert.equal(response.status, 401, text)
  assert.match(text, said)
  assert.match(response.headers.get('content-security-policy')!, /frame-ancestors 'none'/)
  assert.equal((await session(browser)).status, 401)
}

const NOT_ACCEPTED = /did not sign you on, or its answer was not accepted/

describe('a person who signs on', () => {
  it('has the highest role of the claim, in a session of an hour under a name that is unique', async () => {
    const { browser, next, status } = await signOn()
    assert.equal(status, 303)
    assert.equal(next, `${url}/`)
    const { data } = await session(browser)
    assert.deepEqual([data!.name, data!.role], ['grace@example.org (4711)', 'support'])
    assert.ok(Date.parse(data!.expires_at) - Date.now() < HOUR_MS + 60_000)
    assert.equal(browser.cookies.has('quantd_sign_on'), false)
    for (const path of ['/user/sign-on', '/operator/sign-on'])
      assert.equal((await service.call(path)).status, 404, 'accounts do not sign on by default')
    const { email } = await service.person()
    const { response } = await browser.go(`${url}/operator/v1/accounts/suspend`, {
      method: 'POST',
      headers: { ...OWN_PAGE, 'content-type': 'application/json' },
      body: JSON.stringify({ account: email }),
    })
    assert.equal(response.status, 200)
    const [row] = await query(service, "SELECT detail FROM audit WHERE code = 'key_suspended'")
    assert.deepEqual(JSON.parse(String(row.detail)), { actor: 'grace@example.org (4711)' })
  })

  it('is refused where the claim is missing or names no role, and the refusal is in the audit', async () => {
    for (const groups of [undefined, [], 'chess', ['constructor'], { admin: true }]) {
      provider.person = { sub: '4712', email: 'eve@example.org', ...(groups && { groups }) }
      const { browser, status, text } = await signOn()
      assert.equal(status, 403)
      assert.match(text, /You are signed on as eve@example.org \(4712\), who has no role here/)
      assert.equal((await session(browser)).status, 401)
    }
    const refusals = await query(service, "SELECT detail FROM audit WHERE code = 'operator_refused'")
    assert.equal(refusals.length, 5)
  })

  it('gets a changed role at the next sign-on; the session before keeps the old role until its end', async () => {
    const first = await signOn()
    provider.person = { ...provider.person, groups: 'quants-admin' }
    assert.equal((await session((await signOn()).browser)).data!.role, 'admin')
    provider.person = { ...provider.person, groups: [] }
    assert.equal((await signOn()).status, 403)
    assert.equal((await session(first.browser)).data!.role, 'support')
    service.advance(HOUR_MS + 1)
    assert.equal((await session(first.browser)).status, 401)
  })

  it('runs no script by a name, and logs out here and at the provider', async () => {
    provider.person = { sub: '<script>alert(1)</script>', groups: [] }
    assert.doesNotMatch((await signOn()).text, /<script/)
    provider.person = { sub: '4711', groups: ['support'] }
    const { browser } = await signOn()
    const { response } = await browser.go(`${url}/operator/session/end`, {
      method: 'POST',
      headers: OWN_PAGE,
    })
    const { sign_out: address } = ((await response.json()) as { data: { sign_out: string } }).data
    assert.equal((await session(browser)).status, 401)
    assert.equal(browser.cookies.has('quantd_id_token'), false)
    const { pathname, searchParams } = new URL(address)
    assert.equal(pathname, '/session/end')
    assert.equal(searchParams.get('post_logout_redirect_uri'), `${url}/`)
    assert.match(searchParams.get('id_token_hint')!, /^[\w-]+\.[\w-]+\.[\w-]+$/)
    assert.equal((await browser.go(address)).response.status, 200, 'the provider takes it')
  })

  it('has a session of her own, also where a stranger left one in the browser, and comes to the page whatever was asked', async () => {
    const stranger = (await signOn()).browser.cookies.get('quantd_operator')!
    provider.person = { sub: '4713', groups: ['quants-admin'] }
    const browser = walker()
    browser.cookies.set('quantd_operator', stranger)
    const more = 'redirect_uri=https://evil.example/&return_to=//evil.example&next=//evil.example'
    const address = await browser.until(`${url}/operator/sign-on?${more}`, `${url}/operator/sign-on/callback`)
    const { next } = await browser.go(`${address}&${more}`)
    assert.equal(next, `${url}/`)
    assert.notEqual(browser.cookies.get('quantd_operator'), stranger)
    assert.equal((await session(browser)).data!.name, '(4713)')
    browser.cookies.set('quantd_operator', stranger)
    assert.equal(
      (await session(browser)).data!.role,
      'support',
      'the stranger has not become an administrator',
    )
  })

  it('confirms what a token asked for', async () => {
    const quantd = operator(settingsOf(service))
    const { json } = await quantd(['admin', 'token', 'create', 'a program', '--role', 'admin', '--json'])
    const { email } = await service.person()
    const asked = await request(`${url}/operator/v1/accounts/delete`, {
      body: { account: email },
      headers: { authorization: `Bearer ${json.token}` },
    })
    assert.equal(asked.status, 202)
    provider.person = { ...provider.person, groups: 'quants-admin' }
    const body = JSON.stringify({ id: Number(asked.body.error.details[0].message) })
    const confirm = async ({ browser }: Awaited<ReturnType<typeof signOn>>) => {
      const headers = { ...OWN_PAGE, 'content-type': 'application/json' }
      const address = `${url}/operator/v1/approvals/confirm`
      return (await browser.go(address, { method: 'POST', headers, body })).response.status
    }
    assert.equal(await confirm(await signOn()), 200)
    assert.equal(await confirm(await signOn()), 409)
  })
  it('makes tokens that last at most 90 days, whatever end was asked for, and that outlive the session', async () => {
    provider.person = { ...provider.person, groups: 'quants-admin' }
    const { browser } = await signOn()
    const create = async (body: object) => {
      const headers = { ...OWN_PAGE, 'content-type': 'application/json' }
      const address = `${url}/operator/v1/tokens/create`
      const { response } = await browser.go(address, { method: 'POST', headers, body: JSON.stringify(body) })
      const { data } = (await response.json()) as { data: Record<string, string> }
      return data
    }
    const made = [
      await create({ name: 'of grace', role: 'viewer' }),
      await create({ name: 'of grace for ever', role: 'viewer', expires_at: '2199-01-01T00:00:00Z' }),
    ]
    for (const { created_at, expires_at, made_by } of made) {
      assert.equal(Date.parse(expires_at) - Date.parse(created_at), 90 * 24 * HOUR_MS)
      assert.match(made_by, /^grace@example\.org \(4711\)$/)
    }
    const works = async () => {
      const headers = { authorization: `Bearer ${made[0].token}` }
      return (await request(`${url}/operator/v1/accounts`, { headers })).status
    }
    await browser.go(`${url}/operator/session/end`, { method: 'POST', headers: OWN_PAGE })
    assert.equal(await works(), 200)
    service.advance(90 * 24 * HOUR_MS)
    assert.equal(await works(), 401)
    service.advance(-90 * 24 * HOUR_MS)
  })
})

describe('an answer of the provider is refused', () => {
  it('in a browser that did not begin, a second time, after ten minutes and with another state', async (t) => {
    const browser = walker()
    const answer = await signIn(browser)
    await refusedOn(walker(), answer, /was not begun in this browser/)
    const kept = new Map(browser.cookies)
    assert.equal((await browser.go(answer)).response.status, 303)
    const replay = walker()
    for (const [name, value] of kept) if (name === 'quantd_sign_on') replay.cookies.set(name, value)
    await refusedOn(replay, answer, /was used before/)

    const other = walker()
    const foreign = new URL(await signIn(other))
    foreign.searchParams.set('state', 'x'.repeat(43))
    await refusedOn(other, foreign.href, NOT_ACCEPTED)
    const without = walker()
    const bare = new URL(await signIn(without))
    bare.searchParams.delete('state')
    await refusedOn(without, bare.href, NOT_ACCEPTED)

    const late = walker()
    const address = await signIn(late)
    later(t, 601_000)
    await refusedOn(late, address, /took longer than 10 minutes/)
  })

  it('with a code that was used, and where the person declined', async () => {
    const first = walker()
    const used = new URL(await signIn(first))
    await first.go(used.href)
    const second = walker()
    const fresh = new URL(await signIn(second))
    fresh.searchParams.set('code', used.searchParams.get('code')!)
    await refusedOn(second, fresh.href, NOT_ACCEPTED)
    const declined = walker()
    const answer = new URL(await signIn(declined))
    const state = answer.searchParams.get('state')!
    answer.search = new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer }).toString()
    await refusedOn(declined, answer.href, NOT_ACCEPTED)
    const mixedUp = walker()
    const elsewhere = new URL(await signIn(mixedUp))
    elsewhere.searchParams.set('iss', 'https://other.example')
    await refusedOn(mixedUp, elsewhere.href, NOT_ACCEPTED)
  })

  const now = () => Math.floor(Date.now() / 1_000)
  for (const [what, changes] of [
    ['another audience', () => ({ aud: 'another client' })],
    ['another issuer', () => ({ iss: 'https://other.example' })],
    ['the nonce of another sign-on', () => ({ nonce: 'x'.repeat(43) })],
    ['no nonce', () => ({ nonce: undefined })],
    ['an end a minute ago', () => ({ exp: now() - 60 })],
    ['a beginning in an hour', () => ({ nbf: now() + 3_600 })],
    ['another authorized party', () => ({ aud: ['quantd', 'other'], azp: 'other' })],
  ] as const)
    it(`whose token has ${what}`, async () => {
      provider.forge = (claims) => ({ ...claims, ...changes() })
      const browser = walker()
      await refusedOn(browser, await signIn(browser), NOT_ACCEPTED)
    })

  it('whose token is signed by a key that the provider does not publish, by the secret of the client, or not', async () => {
    provider.forge = (claims) => claims
    assert.equal((await signOn()).status, 303, 'signed by its own key')
    for (const key of [newKey(), 'secret', 'nothing'] as const) {
      provider.forgedBy = key
      const browser = walker()
      await refusedOn(browser, await signIn(browser), NOT_ACCEPTED)
    }
  })

  it('but not where the clocks differ by some seconds', async () => {
    provider.forge = (claims) => ({ ...claims, nbf: now() + 20, exp: now() + 40 })
    assert.equal((await signOn()).status, 303)
    provider.forge = (claims) => ({ ...claims, exp: now() - 20 })
    assert.equal((await signOn()).status, 303)
  })
})

/** The clock of this process, for the rest of a test. */
const later = (t: TestContext, ms: number) => {
  const { now } = Date
  t.mock.method(Date, 'now', () => now.call(Date) + ms)
}

describe('the provider', () => {
  it('may change its key: the keys are read again, at most once a minute', async (t) => {
    // Time stands still between the steps, so that no minute passes on a busy machine.
    let now = Date.now()
    t.mock.method(Date, 'now', () => now)
    const reads = () => provider.asked.filter((path) => path === '/jwks').length
    const isReadAgain = async () => {
      const before = reads()
      now += 61_000
      assert.equal((await signOn()).status, 303)
      assert.equal(reads(), before + 1)
    }
    provider.rotate()
    await isReadAgain()
    provider.rotate()
    const before = reads()
    const browser = walker()
    await refusedOn(browser, await signIn(browser), NOT_ACCEPTED)
    assert.equal(reads(), before)
    await isReadAgain()
  })

  it('is read within bounds of time and bytes, and when it is away, tokens log in and the service goes on', async (t) => {
    const browser = walker()
    for (const [what, instead] of [
      ['fails', (_, response) => response.writeHead(500).end()],
      ['is slow', () => undefined],
      ['answers without end', (_, response) => void flood(response)],
      ['hangs up', (request) => request.socket.destroy()],
    ] satisfies [string, IdentityProvider['instead']][]) {
      provider.instead = null
      const address = await signIn(browser)
      provider.instead = instead
      const { timeout } = AbortSignal
      const mocked = t.mock.method(AbortSignal, 'timeout', (ms: number) =>
        timeout.call(AbortSignal, Math.min(ms, 400)),
      )
      const { response } = await browser.go(address)
      mocked.mock.restore()
      assert.equal(response.status, 503, what)
      assert.match(await response.text(), /cannot be reached now: try again later, or log in another way/)
    }
    const { json } = await operator(settingsOf(service))([
      ...['admin', 'token', 'create', 'fallback', '--role', 'viewer', '--json'],
    ])
    const body = { token: json.token }
    assert.equal((await request(`${url}/operator/session`, { body, headers: OWN_PAGE })).status, 200)
    provider.instead = null
    assert.equal((await signOn(browser)).status, 303)
  })

  it('need not be there at the start, and is found once it is', async () => {
    const port = await freePort()
    const own = `http://127.0.0.1:${port}`
    closedAfter(
      await startWithoutIpLimits({
        QUANTD_OPERATOR_PORT: String(port),
        OIDC_ISSUER: `http://127.0.0.1:${await freePort()}`,
        OIDC_CLIENT_ID: 'x',
        OIDC_ROLES: 'groups:a=admin',
      }),
    )
    const { response } = await walker().go(`${own}/operator/sign-on`)
    assert.equal(response.status, 503)
    assert.equal((await request(`${own}/`)).status, 200)
    assert.match((await request(`${own}/assets/acts.js`)).text, /^export const provider = "127.0.0.1:/)
  })

  it('is sent to the address that the browser knows, over https but for this machine, and not to a host that is none', async () => {
    const sentTo = async (host: string) => {
      const { request: send } = await import('node:http')
      const headers = await new Promise<Record<string, unknown>>((resolve) =>
        send(`${url}/operator/sign-on`, { headers: { host } }, (reply) => {
          reply.resume()
          resolve({ ...reply.headers, status: reply.statusCode })
        }).end(),
      )
      return headers
    }
    const { location, 'set-cookie': cookies } = await sentTo('quantd.example.org')
    const { searchParams } = new URL(String(location))
    assert.equal(searchParams.get('redirect_uri'), 'https://quantd.example.org/operator/sign-on/callback')
    assert.equal(searchParams.get('code_challenge_method'), 'S256')
    assert.equal(searchParams.get('scope'), 'openid email profile groups')
    assert.match(
      String(cookies),
      /^__Host-quantd_sign_on=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/,
    )
    assert.equal((await sentTo('evil.example/path')).status, 421)
  })
})

describe('one client', () => {
  it('comes back from the provider at most sixty times in ten minutes', async () => {
    const browser = walker()
    const answer = await signIn(browser)
    const [[, kept]] = [...browser.cookies].filter(([name]) => name === 'quantd_sign_on')
    for (let tries = 0; tries < 61; tries++) {
      browser.cookies.set('quantd_sign_on', kept)
      const { response } = await browser.go(answer)
      await response.text()
      if (response.status === 429) return
    }
    assert.fail('nothing was refused')
  })
})

const flood = async (response: import('node:http').ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const piece = Buffer.alloc(65_536, ' ')
  for (let sent = 0; sent < 64 && !response.destroyed; sent++) {
    response.write(piece)
    await new Promise((resume) => setImmediate(resume))
  }
  response.end('{}')
}
