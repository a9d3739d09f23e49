/** The journeys of an account: registration, log in, second factor, key, password, history, guest to account. */
import assert from 'node:assert/strict'
import { verifyReceipt } from '../../src/wire/receipt-check/verify.ts'
import { freePort } from '../support/free-port.ts'
import { CLIENT, startProvider } from '../support/identity-provider.ts'
import { printed } from '../support/pdf-text.ts'
import { oneTimeCode, PASSWORD, peopleOf } from '../support/people.ts'
import {
  becomeGuest,
  comesTrue,
  elsewhere,
  field,
  inBrowser,
  inPage,
  open,
  page,
  press,
  saved,
  savedLines,
  screenshot,
  see,
  service,
  textOf,
  typeTable,
  useKey,
  violations,
  withService,
} from './browser.ts'

let people = 0
const freshEmail = () => `console-${++people}@example.org`

/** Registers a person on the page, from the form to the key. */
async function register(email: string): Promise<void> {
  await open('/#/register')
  await field('username').fill('Ada')
  await field('email').fill(email)
  await field('password').fill(PASSWORD)
  await screenshot('register')
  await press('Register')
  await see('main', 'This service sends no mail. The code is in the newest file')
  const { code } = await peopleOf(service).letterNumber(1, email)
  await field('otp').fill(code!)
  await press('Verify')
  await see('main', 'Your key is in use.')
}

const logOut = async () => {
  await open('/#/security')
  await press('Log out')
  await see('#standing', 'Log in')
}

const logIn = async (email: string, password = PASSWORD) => {
  await open('/#/login')
  await field('email').fill(email)
  await field('password').fill(password)
  await press('Log in')
}

/** A further tab of the browser. */
async function otherTab() {
  const other = await page.context().newPage()
  await other.goto(service.url)
  return other
}

/** The value that the page shows beside a label. */
const shownAs = (label: string) =>
  page
    .locator('.values div, .totals div', { has: page.locator('dt', { hasText: new RegExp(`^${label}$`) }) })
    .locator('dd')
    .textContent()

/** The card with a heading. */
const card = (heading: string) => page.locator('.card', { has: page.getByRole('heading', { name: heading }) })

export function accountTests(): void {
  inBrowser('somebody signs on at a provider and has an account', async () => {
    const port = String(await freePort())
    const provider = await startProvider([`http://127.0.0.1:${port}/user/sign-on/callback`])
    elsewhere.push(provider.issuer)
    provider.person = { sub: '1', email: 'hedy@example.org', email_verified: true, name: 'Hedy Lamarr' }
    const { client_id: OIDC_CLIENT_ID, client_secret: OIDC_CLIENT_SECRET } = CLIENT
    const OIDC = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_ACCOUNTS: 'on' }
    await withService({ PORT: port, ...OIDC }, async () => {
      await open('/#/login')
      await screenshot('sign-on')
      assert.deepEqual(await violations(), [])
      await page.getByRole('link', { name: /^Sign on at/ }).click()
      await see('#standing', '350 credits')
      await see('main', 'hedy@example.org')
      await open('/#/security')
      await see('.card', 'has no password until I forgot my password')
      await press('Log out')
      await page.waitForURL(`${provider.issuer}/session/end**`)
    })
    await provider.close()
  })

  inBrowser('journey: registration leads to the code, the key, the first price and the account', async () => {
    const email = freshEmail()
    await register(email)
    await screenshot('registered')
    await page.getByRole('link', { name: 'Compute a first price' }).click()
    await press('Compute')
    await see('.answer dd', '8.021352235143173')
    assert.equal(await textOf('#standing'), 'Ada · 349 credits')

    await page.getByRole('link', { name: 'Account', exact: true }).click()
    await see('.totals', 'Credits left')
    assert.equal(await shownAs('E-mail address'), email)
    assert.equal(await shownAs('Credits left'), '349')
    assert.equal(await shownAs('Spent'), '1')
    await page.locator('.chart canvas').nth(1).waitFor()
    await see('.shares th', 'Black–Scholes price')
    const headings = await page.locator('main dt, main thead th').allTextContents()
    assert.deepEqual(
      headings.filter((heading) => /_/.test(heading)),
      [],
    )
    await screenshot('account')
  })

  inBrowser('the history is filtered by operation, outcome, days and request', async () => {
    await register(freshEmail())
    const { apiKey } = JSON.parse(await page.evaluate(`sessionStorage.getItem('quantd-key')`))
    const compute = (wealth: number, id: string) =>
      service.call('/quantlib/economics/utility/log', {
        key: apiKey,
        body: { wealth },
        headers: { 'x-request-id': id },
      })
    for (let i = 0; i < 27; i++) await compute(i + 1, `good-${i}`)
    await compute(-1, 'bad-1')
    await service.call('/quantlib/batch', {
      key: apiKey,
      body: { calls: [{ path: '/quantlib/economics/utility/log', body: { wealth: 1 } }] },
    })

    await open('/#/history')
    await see('[role=status]', '25 calls; older ones follow')
    assert.equal(await page.locator('tbody tr').count(), 25)
    await page.getByRole('button', { name: 'Older' }).dblclick()
    await see('[role=status]', '4 calls on this page')
    await see('.actions .hint', /^Page 2$/)
    assert.equal(await page.locator('tbody tr').count(), 4)
    await press('Newer')
    await see('[role=status]', '25 calls; older ones follow')
    await page.getByLabel('Status').selectOption('failure')
    await see('[role=status]', /^1 call$/)
    assert.match(await textOf('tbody tr'), /Logarithmic utility.*Failure 422.*bad-1/)
    await page.getByLabel('Status').selectOption('422')
    await see('[role=status]', /^1 call$/)
    await page.getByLabel('Status').selectOption('')
    await page.getByLabel('Operation').selectOption({ label: 'Batch of computations' })
    await see('[role=status]', /^1 call$/)
    await page.getByLabel('Operation').selectOption('')
    assert.equal((await savedLines(() => press('CSV'))).length, 30)
    await page.getByLabel('Request ID').fill('good-7')
    await see('[role=status]', /^1 call$/)
    await page.getByLabel('Until').fill('2001-01-01')
    await see('.empty', 'No call matches this filter.')
    await page.getByLabel('Until').fill(new Date().toISOString().slice(0, 10))
    await page.getByLabel('From').fill('2001-01-01')
    await see('[role=status]', /^1 call$/)
    await page.getByLabel('Request ID').fill('7'.repeat(201))
    await see('.problem', 'at most 200 characters')
    await page.getByLabel('Request ID').fill('')
    await see('[role=status]', '25 calls; older ones follow')
    const receipt = await saved(() => press('Save the receipt of good-26'))
    const { keys } = (await service.call('/.well-known/quantd-keys.json')).body.data
    const proven = await verifyReceipt(receipt.toString(), { keys })
    assert.equal(proven.leaf.request_id, 'good-26')
    await screenshot('history')
    assert.equal(await page.getByRole('link', { name: 'Run again' }).count(), 0, 'of calls made elsewhere')
    await open('/#/economics/utility/log')
    await field('wealth').fill('7')
    await press('Compute')
    await see('.answer .hint', '1 credit charged')
    await open('/#/history')
    await page.getByRole('link', { name: 'Run again' }).click()
    await see('.answer dd', '1.94591014')
    assert.equal(await field('wealth').inputValue(), '7')
    await open('/#/account')
    await see('section', /30 of 500 computations this hour/)
    const lines = await savedLines(() => press('Save the numbers of “Calls per day” as CSV'))
    assert.equal(lines[0], 'Day,Calls')
    assert.deepEqual(lines.at(-1), `${new Date().toISOString().slice(0, 10)},30`)
  })

  inBrowser('an overview whose credits cannot be read says so, and reads them again', async () => {
    await useKey((await peopleOf(service).person()).key)
    const failure = {
      success: false,
      message: 'The database cannot be reached.',
      error: { code: 'unavailable' },
    }
    let isBroken = true
    await page.route('**/user/credits', (route) =>
      isBroken ? route.fulfill({ status: 503, json: failure }) : route.continue(),
    )
    await open('/#/account')
    await see('.values', 'E-mail address')
    await see('.problem', 'The database cannot be reached.')
    isBroken = false
    await press(/^Try again/)
    await see('.totals', 'Credits left')
  })

  inBrowser('the notices of an account are set on its page, where a wrong one is told', async () => {
    const { email, key } = await peopleOf(service).person()
    await useKey(key)
    await open('/#/account')
    await see('section', 'No mail is sent when the credits fall.')
    await field('credits').fill('1000 many')
    await press('Set the notices')
    await see('.problem', /credits.*2.*integer/)
    await field('credits').fill('0 1000')
    await press('Set the notices')
    await see('section', `A mail goes to ${email} when the credits fall to 1,000 or 0.`)
    const { data } = (await service.call('/user/notices', { key })).body
    assert.deepEqual(data, { credits: [1_000, 0] })
  })

  inBrowser('a history that is saved in part says so, and one that cannot be read is not saved', async () => {
    await useKey((await peopleOf(service).person()).key)
    const item = { at: '2026-01-01T00:00:00.000Z', path: '/quantlib/batch', status: 200, credits: 1 }
    const rest = { duration_ms: 1, ip: '127.0.0.1' }
    let requests = 0
    let isBroken = true
    await page.route('**/user/usage?*', async (route) => {
      const limit = Number(new URL(route.request().url()).searchParams.get('limit'))
      const page = requests++
      if (limit > 25 && isBroken && page > 3)
        return await route.fulfill({
          status: 503,
          json: { success: false, message: 'The database cannot be reached.', error: { code: 'internal' } },
        })
      const items = Array.from({ length: limit }, (_, i) => ({
        ...item,
        ...rest,
        request_id: `${page}-${i}`,
      }))
      await route.fulfill({ json: { success: true, data: { items, next_cursor: 'more' } } })
    })
    await open('/#/history')
    await see('[role=status]', '25 calls; older ones follow')
    let files = 0
    page.on('download', () => files++)
    await press('CSV')
    await see('.problem', 'The database cannot be reached.')
    assert.equal(files, 0)
    isBroken = false
    assert.equal((await savedLines(() => press('CSV'))).length, 10_001)
    await see('[role=status]', 'Only the newest 10,000 calls were saved')
  })

  inBrowser(
    'journey: a second factor is set up with a QR code, used at log in, and switched off',
    async () => {
      const email = freshEmail()
      await register(email)
      await open('/#/security')
      await card('Second factor').locator('[name=password]').fill(PASSWORD)
      await card('Second factor').getByRole('button', { name: 'Set up' }).click()
      await card('Second factor').locator('svg[role=img]').waitFor()
      const secret = (await card('Second factor').locator('.secret').textContent())!
      await screenshot('second-factor')
      await card('Second factor').locator('[name=code]').fill(oneTimeCode(secret))
      await card('Second factor').getByRole('button', { name: 'Switch on' }).click()
      await see('.codes', /-/)
      const codes = await savedLines(() => press('Download'))
      assert.equal(codes.length, 10)
      await screenshot('recovery-codes')
      // A person may keep the codes on paper. A screen reader says what they are, but does not read them aloud unasked.
      for (const code of codes) assert.ok(printed(await page.pdf()).text.includes(code), code)
      assert.equal(await page.getByRole('status').filter({ hasText: codes[0] }).count(), 0)
      assert.equal(await page.getByRole('group', { name: 'Keep these recovery codes' }).count(), 1)

      await logOut()
      await logIn(email)
      await field('mfa_code').waitFor()
      await see('.card [role=status]', 'Enter the code of your second factor.')
      assert.equal(await page.getByRole('alert').count(), 0, 'the second factor is a step, not a failure')
      // Each code serves once.
      await field('mfa_code').fill(oneTimeCode(secret, 30_000))
      await press('Log in')
      await see('#standing', 'Ada · 350 credits')

      await open('/#/security')
      await card('Second factor').getByText('Switch it off').click()
      await card('Second factor').locator('[name=code]').fill(codes[0])
      await card('Second factor').getByRole('button', { name: 'Switch off' }).click()
      await see('.card', 'A code from an app on your phone')
    },
  )

  inBrowser('where a form is replaced by the next, the keyboard goes on in the next', async () => {
    const email = freshEmail()
    const has = (selector: string) =>
      comesTrue(`document.activeElement?.matches(${JSON.stringify(selector)})`)
    const type = async (name: string, text: string) => {
      await has(`[name=${name}]`)
      await page.keyboard.type(text)
    }
    const pressed = async (label: string | RegExp) => {
      await page.getByRole('button', { name: label }).focus()
      await page.keyboard.press('Enter')
    }
    await open('/#/register')
    await field('username').fill('Ada')
    await field('email').fill(email)
    await field('password').fill(PASSWORD)
    await pressed('Register')
    await see('main', 'This service sends no mail.')
    await type('otp', (await peopleOf(service).letterNumber(1, email)).code!)
    await pressed('Verify')
    await see('main', 'Your key is in use.')
    await has('.narrow')

    await open('/#/security')
    await pressed('Replace …')
    await has('.card:has(.problem)')
    await pressed('Keep the old key')
    await has('.card:has(.key)')
    await card('Second factor').locator('[name=password]').fill(PASSWORD)
    await pressed('Set up')
    const secret = (await page.locator('.secret').textContent())!
    await type('code', oneTimeCode(secret))
    await page.keyboard.press('Enter')
    await see('.codes', /-/)
    await has('.callout')
    const codes = await page.locator('.codes code').allTextContents()
    await pressed('Delete the account …')
    await has('.problem [name=password]')
    await pressed('Keep the account')
    await card('Password').locator('[name=password]').fill(PASSWORD)
    await field('new_password').fill('another horse battery')
    await card('Password').locator('[name=mfa_code]').fill(codes[0])
    await pressed('Change the password')
    await see('.card', 'The password was changed.')
    await has('.card:has([role=status])')

    await logOut()
    await logIn(email, 'another horse battery')
    await type('mfa_code', oneTimeCode(secret, 30_000))
    await page.keyboard.press('Enter')
    await see('#standing', 'Ada')
    await logOut()
    await open('/#/login')
    await pressed('I forgot my password')
    await type('email', email)
    await page.keyboard.press('Enter')
    await has('[name=otp]')
  })

  inBrowser('log out forgets what was entered', async () => {
    const { key } = await peopleOf(service).person()
    await useKey(key)
    await open('/#/pricing/bs/price')
    await field('spot').fill('123')
    await inPage(`location.hash = '#/ml/preprocessing/outliers'`)
    await typeTable('X', '1,2\n3,4')
    await inPage(`location.hash = '#/pricing/bs/price'`)
    await see('h1', 'Black–Scholes price')
    assert.equal(await field('spot').inputValue(), '123')
    await inPage(`location.hash = '#/security'`)
    await press('Log out')
    await page.goBack()
    await page.goBack()
    await see('h1', 'Black–Scholes price')
    assert.equal(await field('spot').inputValue(), '100')
    await page.goBack()
    await see('h1', 'Outlier detection')
    await see('.table-input .hint', '60 rows × 3 columns')
  })

  inBrowser(
    'journey: what is kept about the account is saved as a file, and the account deleted',
    async () => {
      const email = freshEmail()
      await register(email)
      await open('/#/security')
      const records = JSON.parse((await saved(() => press('Download'))).toString())
      assert.equal(records[0].values.email, email)
      await press('Delete the account …')
      await see('.problem', 'This cannot be undone.')
      await screenshot('delete-account')
      await card('Your data').locator('[name=password]').fill('a wrong password')
      await press('Delete the account now')
      await see('.problem .problem', 'The password is wrong.')
      await card('Your data').locator('[name=password]').fill(PASSWORD)
      await press('Delete the account now')
      await see('h1', 'The account was deleted')
      await see('#standing', 'Log in')
      await logIn(email)
      await see('.problem', 'The e-mail address or the password is wrong.')
    },
  )

  inBrowser('journey: the key is replaced after a warning, and the password changed and reset', async () => {
    const email = freshEmail()
    await register(email)
    await open('/#/security')
    await press('Show')
    const before = await textOf('.key code')
    await press('Replace …')
    await see('.problem', 'Every program that sends the old key stops at once')
    await screenshot('replace-key')
    await press('Replace the key now')
    await see('.card', 'This is your new key.')
    const after = await textOf('.key code')
    assert.match(after, /^qd_user_/)
    assert.notEqual(after, before)
    assert.equal((await service.call('/user/profile', { key: before })).status, 401)

    await card('Password').locator('[name=password]').fill('a wrong password')
    await card('Password').locator('[name=new_password]').fill('another horse battery')
    await card('Password').getByRole('button', { name: 'Change the password' }).click()
    await see('.problem', 'The password is wrong.')
    await card('Password').locator('[name=password]').fill(PASSWORD)
    await card('Password').getByRole('button', { name: 'Change the password' }).click()
    await see('.card', 'The password was changed.')

    await logOut()
    await open('/#/login')
    await press('I forgot my password')
    await field('email').fill(email)
    await press('Send a reset code')
    await see('main', 'A code was sent to')
    // The mails before it tell of the new key and the new password.
    const { code } = await peopleOf(service).letterNumber(4, email)
    await field('otp').fill(code!)
    await field('password').fill('a third horse battery')
    await press('Set the new password')
    await press('Log in with it')
    await logIn(email, 'a third horse battery')
    await see('#standing', 'Ada')
  })

  inBrowser(
    'journey: a team key is created with a cap, spends it, is rotated with an overlap, changed and revoked',
    async () => {
      const { key } = await peopleOf(service).person()
      await useKey(key)
      await open('/#/keys')
      await see('main', 'There is no team key yet.')
      await page.route('**/user/keys/create', (route) => route.abort('connectionreset'))
      await field('name').fill('notebook')
      await press('Create the key')
      // The service may have created the key, so the page creates no second one by itself.
      await see('.problem', 'It may have done this before its reply was lost.')
      assert.equal((await page.locator('.problem button').textContent())?.trim(), 'Try again')
      await page.unroute('**/user/keys/create')
      await field('name').fill('')
      await press('Create the key')
      await see('.field:has([name=name]) .error', 'is required')
      await page.setViewportSize({ width: 1280, height: 500 })
      await field('name').fill('notebook')
      await field('credit_cap').fill('2')
      await field('cap_period').selectOption('day')
      await page.getByText('Operations that it may call').click()
      await page.getByLabel('Logarithmic utility', { exact: true }).check()
      await press('Create the key')
      await see('.callout', 'The key of “notebook”, shown only now.')
      const isInSight = `(({ bottom, top }) => top >= 0 && bottom <= innerHeight)(document.querySelector('.callout').getBoundingClientRect())`
      await comesTrue(isInSight)
      const first = await textOf('.callout .key code')
      assert.match(first, /^qd_team_/)
      const people = peopleOf(service)
      assert.equal((await people.compute(first)).status, 200)
      await page.reload()
      await see('.keys .card', '1 of 2 credits spent each day')
      assert.equal(await page.getByRole('meter').getAttribute('aria-valuenow'), '1')
      assert.doesNotMatch(await textOf('.keys .values'), /never/)
      assert.equal(await page.getByText(first).count(), 0)

      await press('Rotate notebook')
      await page.getByLabel('The old key ends').selectOption('in an hour')
      await press('Rotate')
      await see('.callout', 'It replaces the old one')
      const second = await textOf('.callout .key code')
      assert.notEqual(second, first)
      assert.equal((await people.compute(first)).status, 200)
      assert.equal((await people.compute(second)).status, 402)
      await press('Change notebook')
      await comesTrue(`document.activeElement?.matches('.keys .card')`)
      await field('credit_cap').first().fill('3')
      await field('hourly_limit').first().fill('5')
      await field('allowed_ips').first().fill('127.0.0.1, 2001:db8::/48')
      await press('Change the key')
      await see('.keys .card', '2 of 3 credits spent each day')
      await see('.keys .values', '5 requests')
      await see('.keys .values', '127.0.0.1, 2001:db8::/48')
      assert.equal((await people.compute(second)).status, 200)
      await press('Change notebook')
      await field('credit_cap').first().fill('')
      await press('Change the key')
      await see('.keys .card', '3 credits spent, no cap')
      const { items } = (await service.call('/user/keys', { key })).body.data
      const { hourly_limit, name, paths } = items[0]
      assert.deepEqual(
        { hourly_limit, name, paths },
        { hourly_limit: 5, name: 'notebook', paths: ['/quantlib/economics/utility/log'] },
      )
      await press('Revoke notebook')
      await see('.keys .card', 'It cannot be undone.')
      await press('Revoke now')
      await see('.keys .tag', 'revoked')
      assert.equal((await people.compute(second)).status, 401)
    },
  )

  inBrowser('a team key computes in the console, and has the history of its own calls', async () => {
    const { key } = await peopleOf(service).person()
    const made = await service.call('/user/keys/create', { key, body: { name: 'notebook', credit_cap: 1 } })
    await open('/#/login')
    await field('key').fill(made.body.data.key)
    await press('Use this key')
    await see('#standing', /^Team key · \d+ credits?$/)
    await open('/#/pricing/bs/price')
    await press('Compute')
    await see('.answer dd', '8.021352235143173')
    await press('Compute')
    await see('.problem', 'cap')
    await open('/#/account')
    await see('.empty', 'The account’s own key manages the account.')
    await page.getByRole('link', { name: 'History of this key' }).click()
    await see('td', 'Black–Scholes price')
    assert.deepEqual(await page.locator('.pages a').allTextContents(), ['History', 'Runs'])
    await logOut()
  })

  inBrowser('a person whose key ended elsewhere can log out', async () => {
    const { key } = await peopleOf(service).person()
    await useKey(key)
    await peopleOf(service).regenerate(key)
    await open('/#/security')
    await see('.problem', 'Invalid or expired API key')
    await logOut()
  })

  inBrowser('a double click takes one guest key', async () => {
    const created: string[] = []
    page.on('request', (request) => created.push(new URL(request.url()).pathname))
    await open('/#/login')
    await page.getByRole('button', { name: 'Get a guest key' }).dblclick()
    await see('#standing', 'Guest')
    await press('Compute')
    await see('.answer dd', '8.021352235143173')
    assert.equal(created.filter((path) => path === '/guest/create').length, 1)
  })

  inBrowser(
    'journey: a guest becomes an account with the credits and the history of the guest key',
    async () => {
      await becomeGuest()
      await open('/#/account')
      await see('.callout', 'Keep your credits and your history.')
      await screenshot('account-guest')
      await page.getByRole('link', { name: 'Register', exact: true }).click()
      await see('.card', 'The credits and the history of your guest key move along.')
      await register(freshEmail())
      await open('/#/account')
      await see('.totals', 'Credits left')
      assert.equal(await shownAs('Credits left'), '399')
      await see('.shares th', 'Black–Scholes price')
    },
  )

  inBrowser('a service without registration and guest keys says so, and offers neither', async () => {
    await withService(
      { QUANTD_REGISTRATION: 'off', QUANTD_GUESTS: 'off', QUANTD_INITIAL_CREDITS: 'registered=7,guest=3' },
      async () => {
        await open('/')
        await see('.pitch', 'Registration is closed on this service')
        await open('/#/login')
        assert.equal(await page.getByRole('heading', { name: 'As a guest' }).count(), 0)
        assert.equal(await page.getByRole('link', { name: 'Create an account' }).count(), 0)
        await open('/#/register')
        await see('.card', 'ask its operator for an account')
        assert.equal(await page.locator('main').getByRole('button').count(), 0)
        await open('/#/pricing/bs/price')
        await see('.preview dd', '8.02135')
        await press('Log in to compute')
        await see('h1', 'Log in')
      },
    )
    await withService({ QUANTD_INITIAL_CREDITS: 'registered=7,guest=3' }, async () => {
      await open('/')
      await see('.pitch', 'a guest key holds 3 credits')
      await open('/#/register')
      await see('.card', 'A permanent key with 7 credits.')
      await open('/#/pricing/bs/price')
      await see('.inputs', 'holds 3 credits')
    })
  })

  inBrowser('a text that is no key is refused, and an unknown key is reported with the way on', async () => {
    await open('/#/login')
    await screenshot('log-in')
    await field('key').fill('not a key')
    await press('Use this key')
    await see('.error', 'This is not an API key')
    await field('key').fill(`qd_user_${'a'.repeat(43)}`)
    await press('Use this key')
    await see('.problem', 'Invalid or expired API key')
    await page.getByRole('link', { name: 'Log in or enter another key' }).click()
    await see('h1', 'Log in')
  })

  inBrowser('a failure names the fields of a form as the form does', async () => {
    await open('/#/register')
    await field('email').fill('ada@example.org')
    await field('password').fill('short')
    await press('Register')
    await see('.error', 'is required')
    assert.equal(await field('username').getAttribute('aria-invalid'), 'true')
    assert.match(await textOf('.field:has([name=password]) .error'), /at least 8 characters/)
    assert.doesNotMatch(await textOf('main'), /username/)
  })

  inBrowser('the key of an account is stored in the tab only, and in no persistent storage', async () => {
    const { email, key } = await peopleOf(service).person()
    await logIn(email)
    await see('#standing', /350 credits/)
    await page.reload()
    await see('#standing', /350 credits/)
    // Units and sets to compare may be kept.
    await page.evaluate(`localStorage.setItem('kept', 'a unit')`)
    const kept = JSON.stringify(await page.context().storageState({ indexedDB: true }))
    assert.match(kept, /a unit/)
    assert.doesNotMatch(kept, new RegExp(key))
    assert.deepEqual(await page.evaluate('caches.keys()'), [])
    await (await otherTab()).locator('#standing', { hasText: 'Log in' }).waitFor()
  })

  inBrowser('a guest key survives a closed tab until it expires', async () => {
    await becomeGuest()
    await (await otherTab()).locator('#standing', { hasText: 'Guest · 49' }).waitFor()
    await page.evaluate(`(() => {
      const key = JSON.parse(localStorage.getItem('quantd-key'))
      localStorage.setItem('quantd-key', JSON.stringify({ ...key, until: new Date(0).toISOString() }))
    })()`)
    await (await otherTab()).locator('#standing', { hasText: 'Log in' }).waitFor()
  })

  inBrowser(
    'journey: who stays signed in is so in all tabs, is told the risk, and logs out of all',
    async () => {
      const { email } = await peopleOf(service).person()
      const waiting = await otherTab()
      await waiting.locator('#standing', { hasText: 'Log in' }).waitFor()
      await open('/#/login')
      await card('With your password').getByLabel('Stay signed in for 30 days').check()
      await see('.card', 'Whoever uses this browser can spend the credits')
      await screenshot('stay-signed-in')
      await field('email').fill(email)
      await field('password').fill(PASSWORD)
      await press('Log in')
      await see('#standing', /350 credits/)
      await waiting.locator('#standing', { hasText: /350 credits/ }).waitFor()
      const next = await otherTab()
      await next.goto(`${service.url}/#/security`)
      await next.getByText('The key is stored for all tabs of this browser until').waitFor()
      await next.getByRole('button', { name: 'Log out' }).click()
      for (const tab of [page, waiting, next]) await tab.locator('#standing', { hasText: 'Log in' }).waitFor()
      assert.equal(await page.evaluate(`localStorage.getItem('quantd-key')`), null)
    },
  )
}
