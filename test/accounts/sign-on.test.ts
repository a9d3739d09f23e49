/** Sign-on of owners of accounts at a real OpenID provider, in the console. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import { number, query, unbalanced } from '../support/database.ts'
import { walker } from '../support/identity-provider.ts'
import { operator, settingsOf } from '../support/operator.ts'
import * as support from '../support/owner-sign-on.ts'
import { goAndReturn, startSignOn, type Walker } from '../support/owner-sign-on.ts'
import { freshEmail, HOUR_MS, NEW_PASSWORD, oneTimeCode, startWithoutIpLimits } from '../support/people.ts'
import { until } from '../support/until.ts'

const { provider, settings, service: first } = await startSignOn()
let service = first
after(async () => {
  await service.close()
  await provider.close()
})

/** The way to the provider and back. */
async function signOn(claims: Record<string, unknown>) {
  provider.person = { sub: String(claims.email), email_verified: true, ...claims }
  const { browser, next, response } = await goAndReturn(service.url)
  return { browser, next, status: response.status, text: await response.text() }
}

const exchange = (browser: Pick<Walker, 'go'>, body = {}, site = 'same-origin') =>
  support.exchange(service.url, browser, body, site)

/** No key is given. */
const refused = ({ code, status }: Awaited<ReturnType<typeof exchange>>) =>
  assert.deepEqual([status, code], [401, 'sign_on_failed'])

/** Who the page is told that it would log in. */
async function personOf({ go }: Pick<Walker, 'go'>, site = 'same-origin') {
  const { response } = await go(`${service.url}/user/sign-on/person`, {
    method: 'POST',
    headers: { 'sec-fetch-site': site },
  })
  return { status: response.status, body: (await response.json()) as { data: object } }
}

describe('an owner who signs on', () => {
  it('gets an account of the verified address, once, without a password', async () => {
    const email = 'Hedy@Example.org'
    const { browser, next } = await signOn({ sub: 'hedy', email, name: 'Hedy Lamarr' })
    assert.equal(next, `${service.url}/#/sign-on`)
    const { data } = await exchange(browser)
    assert.deepEqual(
      [data.user.email, data.user.full_name, data.user.credits, data.user.account_type],
      ['Hedy@example.org', 'Hedy Lamarr', 350, 'free'],
    )
    assert.equal((await service.compute(data.api_key)).status, 200)
    assert.equal((await service.login(email, '')).status, 422)
    assert.equal((await service.login(email)).body.error.code, 'invalid_credentials')
    const again = await exchange((await signOn({ sub: 'hedy', email: 'hedy@example.org' })).browser)
    assert.equal(again.data.api_key, data.api_key)
    const [{ detail }] = await query(service, "SELECT detail FROM audit WHERE code = 'account_verified'")
    assert.equal(JSON.parse(String(detail)).password, 'none')
    assert.deepEqual(await unbalanced(service), [])
  })

  it('is bound to the account from then on, whatever his address at the provider is', async () => {
    const email = freshEmail()
    const first = await exchange((await signOn({ sub: 'grace', email })).browser)
    const changed = { sub: 'grace', email: freshEmail(), email_verified: false }
    assert.equal((await exchange((await signOn(changed)).browser)).data.api_key, first.data.api_key)
    const other = await signOn({ sub: 'another person of that address', email })
    assert.equal(other.status, 401)
    assert.match(other.text, /belongs to another person/)
    refused(await exchange(other.browser))
    const { email: known, key } = await service.person()
    assert.equal((await exchange((await signOn({ sub: 'jean', email: known })).browser)).data.api_key, key)
    assert.equal((await signOn({ sub: 'not jean', email: known })).status, 401)
    const events = "SELECT count(*) FROM audit WHERE code = 'sign_on_bound'"
    assert.ok((await number(service, events)) > 0)
  })

  it('may sign on again after the account was deleted, and gets a new one', async () => {
    const email = freshEmail()
    const { data } = await exchange((await signOn({ sub: 'leaver', email })).browser)
    await service.forgotPassword(email)
    const { code } = await service.letterNumber(1, email)
    await service.resetPassword(email, code!)
    const gone = await service.call('/user/delete', { key: data.api_key, body: { password: NEW_PASSWORD } })
    assert.equal(gone.status, 200, gone.text)
    const again = await exchange((await signOn({ sub: 'leaver', email })).browser)
    assert.notEqual(again.data.api_key, data.api_key)
  })

  it('sets a first password by a mailed code', async () => {
    const email = freshEmail()
    const { data } = await exchange((await signOn({ email })).browser)
    await service.forgotPassword(email)
    const { code } = await service.letterNumber(1, email)
    assert.equal((await service.resetPassword(email, code!)).status, 200)
    assert.equal((await service.login(email, NEW_PASSWORD)).body.data.api_key, data.api_key)
  })

  it('gets the account that the address has, whose password stays', async () => {
    const { email, key, password } = await service.person()
    const { data } = await exchange((await signOn({ email: email.toUpperCase() })).browser)
    assert.equal(data.api_key, key)
    assert.equal((await service.login(email, password)).body.data.api_key, key)
    const shown = "SELECT count(*) FROM audit WHERE code = 'key_revealed' AND path = '/user/sign-on/key'"
    assert.ok((await number(service, shown)) > 0)
  })

  it('ends pending registrations of the address, with the passwords that strangers chose', async () => {
    const email = 'claimed@example.org'
    await service.register(email)
    const { code } = await service.letterNumber(1, email)
    await exchange((await signOn({ email })).browser)
    assert.equal((await service.verify(email, code!)).status, 401)
    assert.equal((await service.login(email)).status, 401)
  })

  it('is asked for the second factor, until its code is right', async () => {
    const { email, key } = await service.person()
    const { secret } = (await service.setUpSecondFactor(key)).body.data
    await service.enableSecondFactor(key, oneTimeCode(secret))
    const { browser } = await signOn({ email })
    assert.equal((await exchange(browser)).code, 'mfa_required')
    assert.equal((await exchange(browser, { mfa_code: 'AAAA-AAAA-AAAA' })).code, 'mfa_invalid')
    const next = oneTimeCode(secret, 30_000)
    assert.equal((await exchange(browser, { mfa_code: next })).data.api_key, key)
    assert.equal(browser.cookies.has('quantd_ticket'), false)
  })

  it('gets nothing by an address that is missing, not verified or no address', async () => {
    const accounts = await number(service, 'SELECT count(*) FROM accounts')
    const email = 'unverified@example.org'
    for (const claims of [
      { email, email_verified: false },
      { email, email_verified: undefined },
      { email, email_verified: 'true' },
      { email: 'no address' },
      { email: undefined, sub: 'x' },
      // The token says that some address is verified, and the provider that this one is not.
      { email, email_verified: false, forged: { email_verified: true } },
    ]) {
      provider.forge = (own) => ({ ...own, ...claims.forged })
      const { browser, status, text } = await signOn(claims)
      provider.forge = null
      assert.equal(status, 401)
      assert.match(text, /does not say that your e-mail address is verified/)
      assert.equal((await exchange(browser)).code, 'sign_on_failed')
    }
    assert.equal(await number(service, 'SELECT count(*) FROM accounts'), accounts)
  })

  it('must be the one who began: an answer of the provider is worth nothing in another browser', async () => {
    provider.person = { sub: 'stranger', email: 'stranger@example.org', email_verified: true }
    const callback = `${service.url}/user/sign-on/callback`
    const answer = await walker().until(`${service.url}/user/sign-on`, callback)
    const victim = walker()
    assert.equal((await victim.go(answer)).response.status, 401)
    assert.equal(victim.cookies.has('quantd_ticket'), false)
  })

  it('logs out at the provider too, which asks first', async () => {
    const { browser } = await signOn({ email: 'leaver@example.org' })
    const { next } = await browser.go(
      `${service.url}/user/sign-on/end?post_logout_redirect_uri=https://evil.example/`,
    )
    const { origin, pathname, searchParams } = new URL(next!)
    assert.equal(origin + pathname, `${provider.issuer}/session/end`)
    assert.equal(searchParams.get('post_logout_redirect_uri'), `${service.url}/`)
    const { response } = await browser.go(next!)
    assert.equal(response.status, 200, 'the provider takes it')
    assert.match(await response.text(), /Log out\?/)
  })

  it('is refused where the key is suspended', async () => {
    const { email } = await service.person()
    await operator(settingsOf(service))(['admin', 'suspend', email])
    assert.equal((await exchange((await signOn({ email })).browser)).code, 'key_suspended')
  })
})

describe('the key of a sign-on', () => {
  it('is not given for a cookie that was made while the clock was ahead', async (t) => {
    const { email } = await service.person()
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 2 * HOUR_MS })
    const { browser, status } = await signOn({ email })
    t.mock.timers.reset()
    assert.equal(status, 303)
    assert.equal((await exchange(browser)).code, 'sign_on_failed')
  })

  it('is not given where the account was deleted meanwhile', async () => {
    const { email, key, password } = await service.person()
    const { browser } = await signOn({ email })
    assert.equal((await service.call('/user/delete', { key, body: { password } })).status, 200)
    assert.equal((await exchange(browser)).code, 'sign_on_failed')
  })

  it('is preceded by the address whose key it is, for a page that did not begin', async () => {
    const email = freshEmail()
    const { browser } = await signOn({ email })
    assert.equal((await personOf(browser, 'same-site')).status, 401)
    assert.deepEqual((await personOf(browser)).body.data, { email })
    assert.equal((await exchange(browser)).data.user.email, email)
    assert.equal((await personOf(browser)).status, 401)
  })

  it('is given once, to the page itself, and not for a cookie that was changed', async () => {
    const { email } = await service.person()
    const { browser } = await signOn({ email })
    for (const site of ['', 'same-site', 'cross-site', 'none'])
      assert.equal((await exchange(browser, {}, site)).code, 'sign_on_failed', site)
    const ticket = browser.cookies.get('quantd_ticket')!
    browser.cookies.set('quantd_ticket', `${ticket.slice(0, -2)}AA`)
    assert.equal((await exchange(browser)).code, 'sign_on_failed')
    browser.cookies.set('quantd_ticket', ticket)
    assert.equal((await exchange(browser)).status, 200)
    // All are the same bytes once they are decoded.
    for (const again of [ticket, `${ticket}=`, `${ticket}!`, `${ticket}.more`]) {
      browser.cookies.set('quantd_ticket', again)
      assert.equal((await exchange(browser)).code, 'sign_on_failed', again)
    }
  })
})

describe('where registration is closed', () => {
  before(async () => {
    await service.close()
    service = await startWithoutIpLimits({ ...settings, QUANTD_REGISTRATION: 'off' })
  })

  it('no account is made, and owners of existing accounts sign on', async () => {
    const { status, text } = await signOn({ email: 'late@example.org' })
    assert.equal(status, 403)
    assert.match(text, /Registration is closed on this service/)
    const email = 'made@example.org'
    const made = await operator(settingsOf(service))(['admin', 'create', email, '--json'])
    const { data } = await exchange((await signOn({ email })).browser)
    assert.equal(data.api_key, made.json.api_key)
  })
})

describe('where the provider is trusted with addresses', () => {
  before(async () => {
    await service.close()
    service = await startWithoutIpLimits({ ...settings, OIDC_TRUST_EMAIL: 'on' })
  })

  it('an address is taken that it does not call verified, unless it says that it is not', async () => {
    for (const verified of [undefined, 'true', true]) {
      const email = freshEmail()
      const { data } = await exchange((await signOn({ email, email_verified: verified })).browser)
      assert.equal(data.user.email, email, String(verified))
    }
    for (const verified of [false, 'false', null, 1, '']) {
      const { status, text } = await signOn({ email: freshEmail(), email_verified: verified })
      assert.equal(status, 401, String(verified))
      assert.match(text, /does not say that your e-mail address is verified/)
    }
  })
})

describe('where the provider is away', () => {
  it('strangers cause few requests to it and few lines of the log', async () => {
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
    provider.instead = (_, response) => response.writeHead(500).end()
    const [before, many] = [provider.asked.length, 200]
    const away = await startWithoutIpLimits({ ...settings, PORT: '0' }, { log })
    try {
      for (let i = 0; i < many; i++) {
        const { headers, status } = await away.call('/user/sign-on')
        assert.deepEqual([status, headers.get('retry-after')], [503, '30'])
      }
      const asked = provider.asked.length - before
      assert.ok(asked > 0 && asked < many / 10, `${asked} requests`)
      const told = lines.filter((line) => line.includes('a sign-on failed')).length
      assert.ok(told > 0 && told < many / 4, `${told} lines`)
      provider.instead = null
      await until(
        async () => (await walker().go(`${away.url}/user/sign-on`)).response.status === 303,
        'it is back',
      )
    } finally {
      provider.instead = null
      await away.close()
    }
  })
})
