/** Programs that send an access token of the provider instead of a key. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { deleteEndedKeys } from '../../src/accounts/team-keys/end.ts'
import { number, query, unbalanced } from '../support/database.ts'
import { AUDIENCE, CLIENT, newKey } from '../support/identity-provider.ts'
import { operator, settingsOf } from '../support/operator.ts'
import { exchange, goAndReturn, startSignOn } from '../support/owner-sign-on.ts'
import { COMPUTED, freshEmail, oneTimeCode, startWithoutIpLimits } from '../support/people.ts'
import { until } from '../support/until.ts'

const {
  provider,
  settings,
  service: first,
} = await startSignOn({
  OIDC_PROGRAMS: 'on',
  // An operator may use one client for the sign-on and for programs.
  OIDC_AUDIENCE: `${CLIENT.client_id} ${AUDIENCE}`,
})
let service = first
after(async () => {
  await service.close()
  await provider.close()
})

/** A person who has signed on in the console once, and whose programs act from now on. */
async function signedOn(email = freshEmail()) {
  provider.person = { sub: `subject of ${email}`, email, email_verified: true }
  const { browser } = await goAndReturn(service.url)
  const { data } = await exchange(service.url, browser)
  return { email, key: data.api_key }
}

interface Sent {
  readonly path?: string
  readonly body?: object
  readonly headers?: Record<string, string>
}

/** A request with a token. */
async function send(token: string, { body, headers, path = COMPUTED }: Sent = {}) {
  const isRead = path.startsWith('/user/') && body === undefined
  const response = await fetch(service.url + path, {
    method: isRead ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(!isRead && { body: JSON.stringify(body ?? { wealth: 2 }) }),
  })
  const reply = (await response.json()) as {
    // biome-ignore lint/suspicious/noExplicitAny: replies may have any shape
    data: any
    message: string
    error?: { code: string; details?: { message: string }[] }
  }
  const reason = reply.error?.details?.[0]?.message
  return { response, status: response.status, code: reply.error?.code, reason, ...reply }
}

/** The token gives no access, for this reason, which the header names for programs. */
async function refused(token: string, reason: RegExp, sent?: Sent) {
  const reply = await send(token, sent)
  assert.deepEqual(
    [reply.status, reply.code, reply.message],
    [401, 'api_key_invalid', 'Invalid or expired API key'],
  )
  assert.match(reply.reason!, reason)
  const challenge = reply.response.headers.get('www-authenticate')!
  assert.match(
    challenge,
    /^Bearer realm="quantd", error="invalid_token", error_description="the access token /,
  )
  assert.match(challenge, reason)
}

const programsOf = async (key: string) =>
  (await service.dataOf(key, '/user/keys')).items.find(
    (item: { prefix: string }) => item.prefix === 'access token',
  )

describe('a program with an access token', () => {
  it('computes and reads as a team key of the account that the person has signed on to', async () => {
    const { key } = await signedOn()
    const token = provider.accessToken({ client_id: 'a program' })
    const first = await send(token, { headers: { 'x-request-id': 'by-a-program' } })
    assert.equal(first.status, 200, JSON.stringify(first))
    assert.equal(first.response.headers.get('x-credits-remaining'), '349')
    const program = await programsOf(key)
    assert.deepEqual(
      [program.name, program.state, program.paths, program.credit_cap, program.hourly_limit, program.spent],
      ['programs signed on', 'active', null, null, null, 1],
    )
    // Another token, of another client, counts as the same key.
    assert.equal((await send(provider.accessToken({ client_id: 'another' }))).status, 200)
    assert.equal((await programsOf(key)).spent, 2)
    assert.equal((await service.dataOf(key, '/user/keys')).items.length, 1)
    const { items } = (await send(token, { path: '/user/usage' })).data
    assert.deepEqual(
      items.map((item: { key_id: number; key_name: string }) => [item.key_id, item.key_name]),
      [
        [program.id, 'programs signed on'],
        [program.id, 'programs signed on'],
      ],
    )
    const credits = (await send(token, { path: '/user/credits' })).data
    assert.equal(credits.credits, 348)
    const receipt = await send(token, { path: '/user/receipt?request_id=by-a-program' })
    assert.equal(receipt.status, 200, receipt.message)
    assert.equal(
      (
        await send(token, {
          path: '/quantlib/batch',
          body: { calls: [{ path: COMPUTED, body: { wealth: 3 } }] },
        })
      ).status,
      200,
    )
    assert.deepEqual(await unbalanced(service), [])
  })

  it('manages nothing', async () => {
    await signedOn()
    const token = provider.accessToken()
    for (const sent of [
      { path: '/user/keys' },
      { path: '/user/profile' },
      { path: '/user/regenerate-api-key', body: {} },
      { path: '/user/delete', body: { password: 'x' } },
    ])
      assert.deepEqual([(await send(token, sent)).code], ['key_forbidden'], sent.path)
  })

  it('has the limits that the owner gives', async () => {
    const { key } = await signedOn()
    const token = provider.accessToken()
    await send(token)
    const { id } = await programsOf(key)
    const update = (body: object) => service.call('/user/keys/update', { key, body: { id, ...body } })
    assert.equal((await update({ credit_cap: 2, cap_period: 'day' })).status, 200)
    assert.equal((await send(token)).status, 200)
    assert.equal((await send(token)).code, 'key_cap_exhausted')
    await update({ credit_cap: null, paths: ['/quantlib/pricing/bs/price'] })
    assert.equal((await send(token)).code, 'key_forbidden')
    const rotated = await service.call('/user/keys/rotate', { key, body: { id } })
    assert.deepEqual([rotated.status, rotated.body.error.code], [409, 'conflict'])
    assert.match(rotated.body.message, /nothing to rotate/)
  })

  it('is refused from the next request on once the owner has revoked the access, whatever token it sends', async () => {
    const { key } = await signedOn()
    const token = provider.accessToken()
    assert.equal((await send(token)).status, 200)
    const { id } = await programsOf(key)
    assert.equal((await service.call('/user/keys/revoke', { key, body: { id } })).status, 200)
    // On PostgreSQL a node does not look a usable key up again for 100 ms; admission finds that it was revoked.
    assert.equal((await send(token)).code, 'api_key_invalid')
    await until(async () => (await send(token)).reason !== undefined, 'the key is looked up again')
    await refused(token, /owner has revoked/)
    await refused(provider.accessToken(), /owner has revoked/)
    assert.equal((await service.dataOf(key, '/user/keys')).items.length, 1)
    assert.equal((await service.compute(key)).status, 200)
  })

  it('stays revoked when the audit has no call of it any more, and other revoked keys are deleted', async () => {
    const { key } = await signedOn()
    const token = provider.accessToken()
    assert.equal((await send(token, { path: '/user/credits' })).status, 200)
    const { id } = await programsOf(key)
    const other = (await service.call('/user/keys/create', { key, body: { name: 'other' } })).body.data.id
    for (const one of [id, other])
      assert.equal((await service.call('/user/keys/revoke', { key, body: { id: one } })).status, 200)
    await service.store.run(deleteEndedKeys, Date.now() + 60_000, 1_000)
    const { items } = await service.dataOf(key, '/user/keys')
    assert.deepEqual(
      items.map((item: { id: number; state: string }) => [item.id, item.state]),
      [[id, 'revoked']],
    )
    await until(async () => (await send(token)).reason !== undefined, 'the key is looked up again')
    await refused(provider.accessToken(), /owner has revoked/)
  })

  it('of an account with a second factor waits for its owner, who has the factor', async () => {
    const { email, key } = await service.person()
    await signedOn(email)
    const { secret } = (await service.setUpSecondFactor(key)).body.data
    await service.enableSecondFactor(key, oneTimeCode(secret))
    const token = provider.accessToken()
    await refused(token, /until the owner of the account allows programs/)
    const { id, state } = await programsOf(key)
    assert.equal(state, 'expired')
    const allow = (more: object) =>
      service.call('/user/keys/update', { key, body: { id, expires_at: null, ...more } })
    assert.equal((await allow({})).body.error.code, 'mfa_required')
    assert.equal((await allow({ mfa_code: oneTimeCode(secret, 30_000) })).status, 200)
    assert.equal((await send(token)).status, 200)
    assert.equal(await number(service, "SELECT count(*) FROM webhook_events WHERE type = 'key.expired'"), 0)
  })

  it('is refused while the account is suspended', async () => {
    const { email } = await signedOn()
    const token = provider.accessToken()
    assert.equal((await send(token)).status, 200)
    const admin = operator(settingsOf(service))
    await admin(['admin', 'suspend', email])
    await until(async () => (await send(token)).reason !== undefined, 'the key is looked up again')
    await refused(token, /account that is suspended/)
    await admin(['admin', 'unsuspend', email])
    assert.equal((await send(token)).status, 200)
  })

  it('is refused after the account was deleted, and makes no new one; a new sign-on does', async () => {
    const { email, key, password } = await service.person()
    await signedOn(email)
    const token = provider.accessToken()
    assert.equal((await send(token)).status, 200)
    assert.equal((await service.call('/user/delete', { key, body: { password } })).status, 200)
    await until(async () => (await send(token)).reason !== undefined, 'the key is looked up again')
    await refused(token, /without an account here/)
    await refused(provider.accessToken(), /without an account here/)
    assert.equal((await programsOf((await signedOn(email)).key)) ?? null, null)
    assert.equal((await send(token)).status, 200)
  })

  it('of a person who has never signed on is told to do so', async () => {
    provider.person = { sub: 'stranger' }
    await refused(
      provider.accessToken({ email: 'a@example.org', email_verified: true }),
      /sign on once in the console/,
    )
  })
})

describe('an access token', () => {
  before(() => signedOn())

  it('is taken with the audience as a list, the older type, and a scope by its other name', async () => {
    for (const [claims, header] of [
      [{ aud: ['https://a.example', AUDIENCE] }, {}],
      [{}, { typ: 'JWT' }],
      [{}, { typ: undefined }],
      [{}, { typ: 'application/at+jwt' }],
      [{ typ: 'Bearer' }, { typ: 'JWT' }],
      [{ scope: undefined, scp: 'quantd' }, {}],
      [{ scope: undefined, scp: ['other', 'quantd'] }, {}],
      [{ nbf: Math.floor(Date.now() / 1_000) + 20, exp: Math.floor(Date.now() / 1_000) - 20 }, {}],
    ])
      assert.equal(
        (await send(provider.accessToken(claims, header))).status,
        200,
        JSON.stringify([claims, header]),
      )
  })

  it('for another service, of another issuer, or outside its time is refused', async () => {
    const now = Math.floor(Date.now() / 1_000)
    for (const [claims, reason] of [
      [{ aud: 'https://quantd.example.org' }, /for another service/],
      [{ aud: [`${AUDIENCE}/`, 'Quantd'] }, /for another service/],
      [{ aud: undefined }, /for another service/],
      [{ iss: 'https://evil.example' }, /of another issuer/],
      [{ iss: `${provider.issuer}/` }, /of another issuer/],
      [{ exp: now - 60 }, /has expired/],
      [{ exp: undefined }, /lacks a claim/],
      [{ exp: 'never' }, /lacks a claim|cannot be read/],
      [{ nbf: now + 60 }, /not valid yet/],
      [{ sub: undefined }, /lacks a claim/],
      [{ cnf: { jkt: 'thumbprint' } }, /bound to a key of its client/],
    ] as const)
      await refused(provider.accessToken(claims), reason)
  })

  it('without the scope is refused as RFC 6750 says', async () => {
    for (const scope of [undefined, '', 'openid', 'quantd2 xquantd', 'Quantd', 7]) {
      const { code, message, response, status } = await send(provider.accessToken({ scope }))
      assert.deepEqual([status, code], [403, 'key_forbidden'], String(scope))
      assert.match(message, /lacks the scope quantd/)
      assert.match(
        response.headers.get('www-authenticate')!,
        /error="insufficient_scope".*resource_metadata="http:.*", scope="quantd"/,
      )
    }
  })

  it('that the provider has not signed is refused', async () => {
    const whole = provider.accessToken()
    const [head, claims, signature] = whole.split('.')
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    for (const [token, reason] of [
      [provider.accessToken({}, {}, 'nothing'), /algorithm that is not accepted/],
      [provider.accessToken({}, {}, 'secret'), /algorithm that is not accepted/],
      [provider.accessToken({}, {}, newKey()), /wrong signature/],
      [provider.accessToken({}, { kid: 'another' }, newKey()), /does not publish/],
      [provider.accessToken({}, { jwk: publicKey.export({ format: 'jwk' }) }, newKey()), /wrong signature/],
      [provider.accessToken({}, { kid: 'x', jku: 'http://127.0.0.1:9/keys' }, newKey()), /does not publish/],
      [provider.accessToken({}, { alg: 'RS256' }), /does not publish/],
      [provider.accessToken({}, { crit: ['unknown'], unknown: 1 }), /cannot be read/],
      [`${head}.${claims}.${'A'.repeat(signature.length)}`, /wrong signature/],
      [`${head}.${Buffer.from('{"sub":"x"}').toString('base64url')}.${signature}`, /wrong signature/],
      [`${head}.${claims}.`, /wrong signature|cannot be read/],
      ['a.b.c', /cannot be read/],
    ] as const)
      await refused(token, reason)
  })

  it('is no token of another kind, which the provider has signed', async () => {
    for (const [claims, header] of [
      [{ at_hash: 'of an access token' }, { typ: 'JWT' }],
      [{ typ: 'ID' }, { typ: 'JWT' }],
      [{ typ: 'Refresh' }, {}],
      [{}, { typ: 'logout+jwt' }],
      [{}, { typ: 'dpop+jwt' }],
    ])
      await refused(provider.accessToken(claims, header), /another kind/)
    let claims: Record<string, unknown> = {}
    provider.forge = (own) => {
      claims = own
      return own
    }
    await signedOn()
    provider.forge = null
    assert.equal(claims.aud, CLIENT.client_id)
    const idToken = await send(provider.accessToken({ scope: undefined, ...claims }, { typ: undefined }))
    assert.deepEqual([idToken.status, idToken.code], [403, 'key_forbidden'])
  })

  it('is not taken in the header of keys, nor beside another key', async () => {
    const token = provider.accessToken()
    const own = await fetch(service.url + COMPUTED, { method: 'POST', headers: { 'x-api-key': token } })
    assert.equal(own.status, 401)
    const { key } = await service.person()
    const beside = await send(token, { headers: { 'x-api-key': key } })
    assert.deepEqual([beside.status, beside.response.headers.get('x-credits-remaining')], [200, '349'])
  })

  it('is verified once, not at each call', async (t) => {
    const verify = t.mock.method(crypto.subtle, 'verify')
    const token = provider.accessToken()
    for (let i = 0; i < 10; i++) assert.equal((await send(token)).status, 200)
    assert.equal(verify.mock.callCount(), 1)
  })

  it('is refused when its time is over, although it was taken before', async (t) => {
    const token = provider.accessToken()
    assert.equal((await send(token)).status, 200)
    assert.equal((await send(token)).status, 200)
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 631_000 })
    await refused(token, /has expired/)
    t.mock.timers.reset()
  })
})

describe('the keys of the provider', () => {
  before(() => signedOn())
  const reads = () => provider.asked.filter((path) => path === '/jwks').length

  it('are read once for many tokens', async () => {
    const before = reads()
    for (let i = 0; i < 20; i++) assert.equal((await send(provider.accessToken())).status, 200)
    assert.ok(reads() - before <= 1, `${reads() - before} reads`)
  })

  it('are not read for a stream of unknown keys, and are read again for a rotated one a minute later', async (t) => {
    await send(provider.accessToken())
    const before = reads()
    for (let i = 0; i < 50; i++)
      await refused(provider.accessToken({}, { kid: `k${i}` }, newKey()), /does not publish/)
    assert.ok(reads() - before <= 1, `${reads() - before} reads`)
    const old = provider.accessToken()
    provider.rotate()
    const { now } = performance
    t.mock.method(performance, 'now', () => now.call(performance) + 61_000)
    assert.equal((await send(provider.accessToken())).status, 200)
    const later = reads()
    await refused(old, /does not publish/)
    for (let i = 0; i < 50; i++)
      await refused(provider.accessToken({}, { kid: `l${i}` }, newKey()), /does not publish/)
    assert.equal(reads(), later)
  })

  it('stay in use while the provider is away', async (t) => {
    const began = performance.now()
    let nowMs = began
    // The clock stands: a busy machine must not reach the next try. Of several mocks, all but the last would outlive the test.
    t.mock.method(performance, 'now', () => nowMs)
    const at = (minutes: number) => {
      nowMs = began + minutes * 60_000
    }
    provider.instead = (_, response) => response.writeHead(500).end()
    at(10)
    const before = provider.asked.length
    for (let i = 0; i < 20; i++) assert.equal((await send(provider.accessToken())).status, 200)
    assert.ok(provider.asked.length - before <= 2, `${provider.asked.length - before} requests`)
    at(75)
    for (let i = 0; i < 20; i++) {
      const { code, response, status } = await send(provider.accessToken())
      assert.deepEqual([status, code, response.headers.get('retry-after')], [503, 'unavailable', '30'])
    }
    assert.ok(provider.asked.length - before <= 4, `${provider.asked.length - before} requests`)
    const keys = Array(101).fill({ kty: 'EC' })
    const metadata = { issuer: provider.issuer, jwks_uri: `${provider.issuer}/jwks` }
    provider.instead = ({ url }, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(url === '/jwks' ? { keys } : metadata))
    }
    at(76)
    assert.equal((await send(provider.accessToken())).status, 503)
    assert.equal(provider.asked.at(-1), '/jwks')
    provider.instead = null
    at(77)
    assert.equal((await send(provider.accessToken())).status, 200)
  })
})

describe('the metadata of the service', () => {
  it('name the provider, for the service and for MCP, and every challenge names them', async () => {
    for (const path of ['', '/mcp']) {
      const url = `${service.url}/.well-known/oauth-protected-resource${path}`
      // Nobody may say that a proxy has ended TLS, except a trusted proxy.
      const headers = { origin: 'http://localhost:6274', 'x-forwarded-proto': 'https' }
      const response = await fetch(url, { headers })
      assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
      assert.equal(response.headers.get('access-control-allow-origin'), 'http://localhost:6274')
      assert.deepEqual(await response.json(), {
        resource: service.url + path,
        authorization_servers: [provider.issuer],
        scopes_supported: ['quantd'],
        bearer_methods_supported: ['header'],
        resource_name: 'quantd',
        resource_documentation: `${service.url}/docs/how-to/sign-on`,
      })
      const bare = await fetch(`${service.url}${path || COMPUTED}`, { method: 'POST' })
      assert.deepEqual(
        [bare.status, bare.headers.get('www-authenticate')],
        [401, `Bearer realm="quantd", resource_metadata="${url}", scope="quantd"`],
      )
    }
  })
})

describe('where the operator limits programs', () => {
  before(async () => {
    await service.close()
    const limited = {
      OIDC_PROGRAM_LIMITS: 'credits=2/month, requests=3',
      QUANTD_TRUSTED_PROXIES: '127.0.0.1',
    }
    service = await startWithoutIpLimits({ ...settings, ...limited })
  })

  it('they begin with these limits', async () => {
    const { key } = await signedOn()
    const token = provider.accessToken()
    for (const code of [undefined, undefined, 'key_cap_exhausted'])
      assert.equal((await send(token)).code, code)
    const { cap_period, credit_cap, hourly_limit } = await programsOf(key)
    assert.deepEqual([credit_cap, cap_period, hourly_limit], [2, 'month', 3])
    const event = "SELECT detail FROM audit WHERE code = 'team_key_created'"
    assert.equal(JSON.parse(String((await query(service, event))[0].detail)).programs, true)
  })
})

describe('behind a trusted proxy with TLS', () => {
  it('the addresses have the scheme that it reports', async () => {
    const url = `${service.url}/.well-known/oauth-protected-resource`
    for (const [reported, scheme] of [
      ['https', 'https'],
      ['http, HTTPS', 'https'],
      ['https, http', 'http'],
      ['httpsx', 'http'],
    ]) {
      const metadata = await (await fetch(url, { headers: { 'x-forwarded-proto': reported } })).json()
      assert.equal((metadata as { resource: string }).resource, service.url.replace('http', scheme), reported)
    }
    const bare = await fetch(service.url + COMPUTED, {
      method: 'POST',
      headers: { 'x-forwarded-proto': 'https' },
    })
    assert.match(bare.headers.get('www-authenticate')!, /resource_metadata="https:/)
  })
})

describe('where programs use keys', () => {
  before(async () => {
    await service.close()
    const { OIDC_AUDIENCE: _, OIDC_PROGRAMS: __, ...others } = settings
    service = await startWithoutIpLimits(others)
  })

  it('tokens are not taken, and there are no metadata', async () => {
    await signedOn()
    const { response, status } = await send(provider.accessToken())
    assert.deepEqual([status, response.headers.get('www-authenticate')], [401, 'Bearer realm="quantd"'])
    assert.equal((await fetch(`${service.url}/.well-known/oauth-protected-resource`)).status, 404)
  })
})
