/** The console and the reference in a real browser, on the real service. */
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { accountEndpoints } from '../../src/accounts/endpoints.ts'
import { operations } from '../../src/catalogue/index.ts'
import { describe } from '../../src/derive/described.ts'
import { sources } from '../../src/derive/sources.ts'
import { startTestService, type TestService } from '../service.ts'
import { chromiumPath } from './chromium.ts'

const executablePath = chromiumPath()
const options = executablePath ? {} : { skip: 'no Chromium on this machine' }
const STEP_MS = 60_000

let service: TestService
let browser: Browser
let context: BrowserContext
let page: Page
/** Errors and requests to other origins, which no page may cause. */
let faults: string[]

before(async () => {
  if (!executablePath) return
  service = await startTestService()
  browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
})

after(async () => {
  if (!executablePath) return
  await browser.close()
  await service.close()
})

beforeEach(async () => {
  if (!executablePath) return
  context = await browser.newContext()
  page = await context.newPage()
  page.setDefaultTimeout(STEP_MS)
  faults = []
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('request', (request) => {
    if (!request.url().startsWith(`${service.url}/`)) faults.push(`request elsewhere: ${request.url()}`)
  })
  page.on('console', (message) => {
    // The browser logs every reply with status 400 and above; tests provoke such replies on purpose.
    const isRefusal = message
      .text()
      .startsWith('Failed to load resource: the server responded with a status of 4')
    if (message.type() === 'error' && !isRefusal) faults.push(`console: ${message.text()}`)
  })
})

afterEach(async () => {
  if (!executablePath) return
  await context.close()
  assert.deepEqual(faults, [])
})

const open = (address: string) => page.goto(service.url + address, { waitUntil: 'networkidle' })
const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click()
const field = (name: string) => page.locator(`main [name="${name}"]`)
const textOf = async (selector: string) => (await page.locator(selector).first().textContent()) ?? ''
/** Runs a script in the page. */
const inPage = <Result>(script: string) => page.evaluate<Result>(script)

async function becomeGuest() {
  await open('/')
  await press('Get a guest key')
  await page.locator('#standing', { hasText: '50 credits' }).waitFor()
}

test('one click creates a guest key and the next prices an option', options, async () => {
  await becomeGuest()
  await press('Compute')
  const price = Number(await textOf('.values dd.number'))
  assert.ok(Math.abs(price - 8.02135223514317) < 1e-10, String(price))
  assert.equal(await textOf('#standing'), 'Guest key · 49 credits')
  assert.match(await textOf('.remaining'), /49 credits left\s*59 of 60 left this hour\s*49 of 50 left today/)
})

test('an error is shown at its field, which receives the focus', options, async () => {
  await becomeGuest()
  await field('spot').fill('-1')
  await field('volatility').fill('0,2')
  await press('Compute')
  await page.locator('.answer .problem').waitFor()
  assert.equal(await field('spot').getAttribute('aria-invalid'), 'true')
  assert.equal(await field('volatility').getAttribute('aria-invalid'), 'true')
  assert.equal(await field('strike').getAttribute('aria-invalid'), null)
  assert.equal(await inPage(`document.activeElement?.getAttribute('name')`), 'spot')
  const described = (await field('volatility').getAttribute('aria-describedby'))!.split(' ').at(-1)
  assert.equal(await textOf(`#${described}`), 'must be a number')

  await field('spot').fill('100')
  assert.equal(await field('spot').getAttribute('aria-invalid'), null)
})

test('a missing required field is reported at the field', options, async () => {
  await becomeGuest()
  await field('strike').fill('')
  await press('Compute')
  await page.locator('.error', { hasText: 'is required' }).waitFor()
  assert.equal(await field('strike').getAttribute('aria-invalid'), 'true')
})

test(
  'a matrix pasted from a CSV file with headings is accepted, and an invalid cell is reported',
  options,
  async () => {
    await becomeGuest()
    await page.getByRole('link', { name: 'Outlier detection' }).click()
    await field('method').selectOption('iqr')
    await field('threshold').fill('1.5')
    await field('X').fill('height,weight\n1,5\n2,5\n3,5\n4,5\n100,5\n')
    await press('Compute')
    await page.locator('.data').first().waitFor()
    assert.match(await textOf('.answer pre'), /"outlier_indices": \[4\]/)
    assert.equal(await page.locator('.marked').count(), 1)

    await field('X').fill('1,5\n2,five\n')
    await press('Compute')
    await page.locator('.error', { hasText: 'Row 2, column 2: must be a number' }).waitFor()
  },
)

test('every computation has a form that computes its example', options, async () => {
  await becomeGuest()
  for (const { path, title } of operations) {
    await page.getByRole('link', { name: title, exact: true }).click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await press('Compute')
    await page.locator('main .answer pre').waitFor()
    assert.match(await textOf('.answer pre'), /"success": ?true/, path)
  }
})

test('a batch shows one row per call and marks failed calls', options, async () => {
  await becomeGuest()
  await page.getByRole('link', { name: 'Batch of computations' }).click()
  await press('Compute')
  await page.locator('.data').first().waitFor()
  assert.deepEqual(await page.locator('.data thead th').allTextContents(), [
    '#',
    'success',
    'message',
    'data',
    'error',
  ])
  assert.match(await textOf('.marked'), /false.*wealth must be greater than 0/s)
  assert.equal(await page.locator('.marked').count(), 1)
})

test('the curl command contains the guest key and the values of the form', options, async () => {
  await becomeGuest()
  await field('spot').fill('123')
  const command = await textOf('.sample:last-child code')
  assert.match(command, /X-API-Key: qd_guest_[A-Za-z0-9]{43}'/)
  assert.match(command, /-d '\{"spot":123,/)
  await page.getByLabel('include my key').uncheck()
  assert.match(await textOf('.sample:last-child code'), /X-API-Key: \$QUANTD_API_KEY"/)
})

test('computing without a key points to the button that creates one', options, async () => {
  await open('/')
  await press('Compute')
  await page.locator('.problem', { hasText: 'Get a key first' }).waitFor()
  assert.equal(await inPage(`document.activeElement?.textContent`), 'Get a guest key')
})

test('an unknown key is reported as such and can be forgotten', options, async () => {
  await open('/#/key')
  await field('key').fill('not a key')
  await press('Use this key')
  await page.locator('.error', { hasText: 'This is not an API key' }).waitFor()
  await field('key').fill(`qd_user_${'a'.repeat(43)}`)
  await press('Use this key')
  await page.getByRole('link', { name: 'Go to the computations' }).click()
  await press('Compute')
  await page.locator('.problem', { hasText: 'Invalid or expired API key' }).waitFor()
  await page.getByRole('link', { name: 'Get or enter another key' }).click()
  await press('Forget this key')
  assert.equal(await textOf('#standing'), 'No key')
})

test(
  'the key is stored in the tab only: it survives a reload and is in no persistent storage',
  options,
  async () => {
    await becomeGuest()
    await page.reload({ waitUntil: 'networkidle' })
    assert.match(await textOf('#standing'), /^Guest key/)
    assert.equal(await inPage('localStorage.length + document.cookie.length'), 0)
    const other = await context.newPage()
    await other.goto(service.url)
    assert.equal(await other.locator('#standing').textContent(), 'No key')
  },
)

test('a failure names the fields of a form as the form does', options, async () => {
  await open('/#/key')
  const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Register' }) })
  await card.locator('[name="email"]').first().fill('ada@example.org')
  await card.locator('[name="password"]').fill('correct horse')
  await press('Register')
  await card.locator('.problem', { hasText: 'Name is required' }).waitFor()
  assert.doesNotMatch((await card.textContent())!, /username/)

  await card.locator('[name="username"]').fill('ada')
  await card.locator('[name="password"]').fill('short')
  await press('Register')
  await card.locator('.problem', { hasText: 'Password must have at least 8 characters' }).waitFor()
})

test(
  'a failure without a form names the fields of the console, not those of the request',
  options,
  async () => {
    await open('/#/key')
    const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Guest key' }) })
    await card.locator('summary').click()
    await card.locator('[name="device_name"]').fill('')
    await card.getByRole('button', { name: 'Get a guest key' }).click()
    await card.locator('.problem li', { hasText: 'Device name must have at least 1 character' }).waitFor()
    assert.doesNotMatch((await card.textContent())!, /device_name/)
  },
)

/** Replies to account requests with the examples of their declarations. */
async function answerByExamples() {
  for (const { path, message, example } of accountEndpoints)
    await page.route(`${service.url}${path}*`, (route) =>
      route.fulfill({ json: { success: true, ...(message && { message }), data: example.output } }),
    )
}

test('a registration leads to the code, the key and the account page', options, async () => {
  await answerByExamples()
  await open('/#/key')
  const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Register' }) })
  await card.locator('[name="username"]').fill('ada')
  await card.locator('[name="email"]').first().fill('ada@example.org')
  await card.locator('[name="password"]').fill('correct horse')
  await press('Register')
  await card.locator('.done').first().waitFor()
  assert.equal(await card.locator('details [name="email"]').first().inputValue(), 'ada@example.org')
  await card.locator('[name="otp"]').fill('123456')
  const confirming = page.waitForRequest(`${service.url}/user/verify-otp`)
  await press('Verify')
  const { output } = accountEndpoints.find(({ path }) => path === '/user/register')!.example
  assert.equal(
    (await confirming).postDataJSON().registration,
    (output as { registration: string }).registration,
  )
  await page.locator('.callout', { hasText: 'Your key is in use' }).waitFor()
  await page.getByRole('link', { name: 'Account', exact: true }).click()
  await page.getByRole('heading', { name: 'History' }).waitFor()
  const headings = await page.locator('main dt, main th').allTextContents()
  for (const label of ['E-mail address', 'Account type', 'Time', 'Endpoint'])
    assert.ok(headings.includes(label), label)
  assert.ok(!headings.some((heading) => /_/.test(heading)))
  assert.match(await textOf('main'), /ada@example\.org[\s\S]*350[\s\S]*\/quantlib\/pricing\/bs\/price/)
})

test('a login shows the name and the credits of the account', options, async () => {
  await answerByExamples()
  await open('/#/key')
  const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Log in' }) })
  await card.locator('[name="email"]').first().fill('ada@example.org')
  await card.locator('[name="password"]').first().fill('correct horse')
  await press('Log in')
  await card.locator('.done', { hasText: 'Welcome, ada.' }).waitFor()
  assert.equal(await textOf('#standing'), 'Key · 350 credits')
})

test(
  'the reference lists every endpoint with every field, and its contents can be filtered',
  options,
  async () => {
    await open('/docs')
    for (const { id, title, input } of describe(sources)) {
      const article = page.locator(`article#${id}`)
      assert.equal(await article.locator('h3').textContent(), title)
      const text = (await article.textContent()) ?? ''
      for (const name of Object.keys(input?.properties ?? {})) assert.ok(text.includes(name), `${id} ${name}`)
    }
    await page.getByLabel('Find').fill('bs/price')
    assert.deepEqual(await page.locator('.side li:visible').allInnerTexts(), [
      'Black–Scholes price',
      'Black–Scholes price of columns',
    ])
  },
)

test('the samples of the reference use the address of the service', options, async () => {
  await open('/docs')
  assert.ok((await textOf('#guestCreate .endpoint-code')).includes(`curl -sS ${service.url}/guest/create`))
})

test('an inline script does not run on the pages', options, async () => {
  for (const address of ['/', '/docs']) {
    await open(address)
    const ran = await inPage(
      `new Promise((resolve) => {
        addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective))
        const script = document.createElement('script')
        script.textContent = 'document.body.dataset.ran = 1'
        document.body.append(script)
        setTimeout(() => resolve('it ran'), 10_000)
      })`,
    )
    assert.equal(ran, 'script-src-elem')
    assert.equal(faults.splice(0).length, 1, 'the browser logs the violation')
  }
})

test('every page fits the width of a phone', options, async () => {
  await page.setViewportSize({ width: 360, height: 740 })
  for (const address of ['/', '/#/key', '/docs']) {
    await open(address)
    const excess = await inPage<number>('document.documentElement.scrollWidth - innerWidth')
    assert.ok(excess <= 0, `${address}: ${excess}px`)
  }
})

test('every control has an accessible name', options, async () => {
  await becomeGuest()
  for (const address of ['/#/', '/#/key', '/docs']) {
    await open(address)
    const nameless = await inPage(
      `[...document.querySelectorAll('input, select, textarea')]
        .filter((control) => !control.labels?.length && !control.getAttribute('aria-label'))
        .map((control) => control.outerHTML)`,
    )
    assert.deepEqual(nameless, [], address)
  }
})
