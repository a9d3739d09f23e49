/** The page of operators in a real browser: each task of their day, the rules of all pages, and attacks. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after } from 'node:test'
import { promisify } from 'node:util'
import type { Response } from 'playwright-core'
import { operatorEndpoints } from '../../src/operators/http/endpoints.ts'
import { query } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { type IdentityProvider, providerSettings, startProvider } from '../support/identity-provider.ts'
import { operator, type Quantd, settingsOf } from '../support/operator.ts'
import { operatorTasks } from '../support/operator-tasks.ts'
import { printed } from '../support/pdf-text.ts'
import { oneTimeCode, type PeopleService, peopleOf } from '../support/people.ts'
import { request } from '../support/service.ts'
import { until } from '../support/until.ts'
import {
  clean,
  comesTrue,
  context,
  elsewhere,
  field,
  inBrowser,
  inPage,
  ONE_VIEW,
  open,
  origin,
  page,
  posted,
  press,
  screenshot,
  see,
  service,
  shareOneBrowser,
  textOf,
  violations,
} from './browser.ts'

let people: PeopleService
let quantd: Quantd
const tokens: Record<string, string> = {}

/** No other test grants so much. */
const MORE = {
  QUANTD_TWO_PERSONS: 'grant:10000,plan,delete',
  QUANTD_ALERTS: 'mail:ops@example.org',
  QUANTD_WEBHOOK_PRIVATE: 'on',
}
/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9/hook'
/** The text of what has the focus. */
const FOCUSED = 'document.activeElement.textContent.trim()'

/** The number of tables that are wider than their place. */
const CUT_TABLES = `[...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth).length`

const prepare = async () => {
  people = Object.assign(service, peopleOf(service))
  quantd = operator(settingsOf(service))
  for (const name of ['viewer', 'support', 'billing', 'admin', 'second admin']) {
    const role = name.replace('second ', '')
    tokens[name] = (await quantd(['admin', 'token', 'create', name, '--role', role, '--json'])).json.token
  }
}
let provider: IdentityProvider
shareOneBrowser(freePort, prepare, async (port) => {
  provider = await startProvider([`http://127.0.0.1:${port}/operator/sign-on/callback`])
  elsewhere.push(provider.issuer)
  return {
    ...MORE,
    ...providerSettings(provider),
    OIDC_ROLES: 'groups:quants-admin=admin',
  }
})
after(() => provider?.close())

const HOSTILE = `<img src=x onerror="document.title='owned'">`

async function logIn(role = 'admin', address = '/'): Promise<void> {
  await open(address)
  await field('token').fill(tokens[role])
  await press('Log in')
  await page.locator('.who', { hasText: role }).waitFor()
}

const done = new Set<string>()
/** Registers a test that does tasks of the guide: the page sends the requests that the guide names for each. */
const inTasks = (names: readonly string[], title: string, run: () => Promise<void>) =>
  inBrowser(title, async () => {
    const paths = new Set<string>()
    const watch = (response: Response) => response.ok() && paths.add(new URL(response.url()).pathname)
    page.on('response', watch)
    await run()
    page.off('response', watch)
    for (const task of operatorTasks.filter(({ name }) => names.includes(name))) {
      assert.deepEqual(new Set(task.paths).difference(paths), new Set(), task.name)
      done.add(task.name)
    }
  })

const dialog = () => page.locator('dialog')
const inDialog = (name: string) => dialog().locator(`[name="${name}"]`)
const enterGrant = async (credits: string, reference: string) => {
  await inDialog('credits').fill(credits)
  await inDialog('reference').fill(reference)
}
const confirm = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
const close = () => confirm('Close')
const find = async (text: string) => {
  await page.getByRole('searchbox', { name: 'Find an account or a call' }).fill(text)
  await page.keyboard.press('Enter')
}

const act = async (path: string, token = tokens.admin) =>
  (await request(`${origin()}/operator/v1/${path}`, { headers: { authorization: `Bearer ${token}` } })).body
    .data

inTasks(
  ['check that the service is healthy', 'note a backup, or a copy of the master key'],
  'an operator sees whether the service is healthy, checks the ledger and notes copies',
  async () => {
    await logIn()
    await see('h1', '3 things to look at')
    await see('.checks li', 'Never checked')
    await press('Check now …')
    await confirm('Check the ledger')
    await see('dialog', 'The ledger agrees: checked')
    await close()
    await see('.checks li', 'Agrees; checked just now')
    await see('.checks li', 'None on this node in the last day')
    for (const place of [0, 1]) {
      await page.getByRole('button', { name: 'Note a copy …' }).nth(place).click()
      await confirm('Note a copy')
      await close()
    }
    await see('h1', 'Healthy')
    await see('.checks li', 'just now, by admin')
    const tile = page.locator('.totals div', { hasText: 'Calls in the requests' })
    await tile.waitFor()
    for (const range of ['1 hour', '7 days', '30 days']) {
      await page.getByLabel('Range').last().selectOption(range)
      await tile.waitFor()
    }
    await see('figcaption', 'Requests in six hours')
    await page.getByLabel('Range').last().selectOption('Own')
    await page.getByLabel('From').fill('2026-01-01T00:00')
    await page.getByLabel('To', { exact: true }).fill('2026-01-01T02:00')
    await press('Show')
    await see('figcaption', 'Requests in a minute')
  },
)

inBrowser('a moment in which the database is away ends on the overview by itself', async () => {
  let isAway = true
  const health = await act('health')
  const away = { ready: false, problem: 'The database cannot commit.', ledger_check: null, backup: null }
  await page.route('**/v1/health', (route) =>
    isAway ? route.fulfill({ json: { success: true, data: { ...health, ...away } } }) : route.continue(),
  )
  await logIn('viewer')
  await see('.checks .bad', 'The database cannot commit.')
  for (const name of ['Ledger', 'Backup', 'Mails']) await see('.checks .unsure', `${name}Not known`)
  isAway = false
  await see('.checks .good', 'Ready, version')
  await see('.checks .good', 'MailsNone waits')
})

inTasks(
  ['find the call of a customer who reports an error'],
  'a customer has a problem with a request: it is found by its id, with its account',
  async () => {
    const { email, key } = await people.person()
    const made = await people.compute(key)
    await people.failToCompute(key)
    await service.call('/quantlib/economics/utility/log', {
      key,
      body: { wealth: 2 },
      headers: { 'x-request-id': 'ticket-4711' },
    })
    await logIn('viewer')
    await find(made.headers.get('x-request-id')!)
    await see('h1', '/quantlib/economics/utility/log: success')
    await see('.totals dd', '1 credit')
    await page.getByRole('link', { name: email }).click()
    await see('figcaption', 'Requests in six hours')
    await page.getByLabel('Range').last().selectOption('1 hour')
    await see('figcaption', 'Requests in a minute')
    await see('.totals div', /^Requests3$/)
    await page.getByRole('link', { name: 'History' }).click()
    await see('tbody td', '/quantlib/economics/utility/log')
    await page
      .locator('tr', { hasText: '422' })
      .getByRole('link', { name: /^[-\da-f]{36}$/ })
      .click()
    await see('h1', '/quantlib/economics/utility/log: 422')
    await see('.totals dd', '422 invalid_input')
    await find('nobody@')
    await see('.empty', 'No account matches “nobody@”.')
    await find('ticket-4711')
    await see('h1', '/quantlib/economics/utility/log: success')
    await find(email)
    await see('h1', email)
  },
)

inTasks(
  ['find an account, or those that match'],
  'accounts are found by a name, a domain and a team key, and filtered and sorted as a list',
  async () => {
    const domain = `${Date.now()}.example.org`
    const made: Record<string, string> = {}
    for (const [name, credits] of [
      ['poor', '3'],
      ['rich', '900'],
    ] as const)
      made[name] = (
        await quantd(['admin', 'create', `${name}@${domain}`, '--credits', credits, '--json'])
      ).json.api_key
    await service.call('/user/keys/create', { key: made.rich!, body: { name: `desk ${domain}` } })
    await logIn('viewer')
    await find(`desk ${domain}`)
    await see('h1', `rich@${domain}`)
    await find(made.poor!.slice(0, 12))
    await see('h1', `poor@${domain}`)
    await find(domain)
    await see('tbody tr:first-child', `rich@${domain}`)
    await page.getByLabel('Sort').selectOption('Least credits')
    await see('tbody tr:first-child', `poor@${domain}`)
    await page.getByLabel('Credits from').fill('100')
    await press('Show')
    await see('tbody tr:first-child', `rich@${domain}`)
    assert.equal(await page.locator('tbody tr').count(), 1)
    await page.getByLabel('Key').selectOption('Suspended')
    await see('.empty', 'No account matches')
  },
)

inTasks(
  [
    'make an account, add credits',
    'take credits back after a refund',
    'suspend an account that has not paid, or whose key has leaked',
    "change an account's type, or give it limits of its own",
  ],
  'an account is created, granted credits, changed, suspended, restored and deleted',
  async () => {
    const email = 'charles@example.org'
    await logIn()
    await press('Create an account …')
    await inDialog('email').fill(email)
    await confirm('Create an account')
    const key = await textOf('dialog .key code')
    assert.match(key, /^qd_user_\w{43}$/)
    await close()
    await find(email)
    await see('h1', email)
    await press('Grant credits …')
    await enterGrant('5000', 'invoice 2041')
    await inDialog('note').fill(HOSTILE)
    await dialog().locator('summary').click()
    assert.match(
      await textOf('dialog pre'),
      /^quantd admin grant \d+ 5000 --reference 'invoice 2041' --note '<img/,
    )
    await screenshot('operator-grant')
    assert.deepEqual(await violations(), [])
    await confirm('Grant credits')
    await close()
    await see('.totals dd', '5,350')
    await press('Take back …')
    assert.equal(await inDialog('credits').inputValue(), '5000')
    await inDialog('credits').fill('75')
    await inDialog('reversal_reference').fill('refund-311')
    await confirm('Take credits back')
    await close()
    await see('.totals dd', '5,275')
    await press('Change the type …')
    await inDialog('account_type').selectOption('pro')
    await confirm('Set the account type')
    await close()
    await see('dd', '5,000 an hour')
    await press('Change the limits …')
    await inDialog('hour').fill('0')
    await confirm('Set limits of one account')
    await see('dialog [role=alert]', 'hour must be at least 1.')
    await inDialog('hour').fill('7')
    await confirm('Set limits of one account')
    await close()
    await see('dd', '7 an hour, 6,000 processor seconds an hour (own)')
    await press('Change the limits …')
    await inDialog('hour').fill('default')
    await confirm('Set limits of one account')
    await close()
    await see('dd', '5,000 an hour')
    await press('Suspend …')
    await inDialog('reason').fill('unpaid')
    await confirm('Suspend an account')
    await see('dialog', `Suspended ${email}`)
    await screenshot('operator-done')
    assert.deepEqual(await violations(), [])
    await confirm('Undo')
    await see('dialog', `Undone. Lifted the suspension of ${email}`)
    await close()
    assert.equal((await people.compute(key)).status, 200)
    await press('Suspend …')
    await inDialog('reason').fill('unpaid')
    await confirm('Suspend an account')
    await close()
    await see('h1', 'suspended')
    assert.equal((await people.compute(key)).status, 401)
    await press('Lift the suspension …')
    await confirm('Lift a suspension')
    await close()
    assert.equal((await people.compute(key)).status, 200)
    await page.getByRole('link', { name: 'Events' }).click()
    await see('tbody .facts', 'reason: unpaid')
    await page.getByRole('link', { name: 'Overview' }).last().click()
    await press('Delete …')
    await inDialog('confirmation').fill('somebody@example.org')
    await page.keyboard.press('Enter')
    assert.equal((await act(`accounts/show?account=${email}`)).email, email, 'nothing without the name')
    await inDialog('confirmation').fill(email)
    await confirm('Delete an account')
    await see('dialog', 'This needs a second person')
    await close()
    assert.equal((await people.compute(key)).status, 200)
    await context.clearCookies()
    await logIn('second admin', '/#/approvals')
    await press('Confirm …')
    await see('dialog', `Delete an account, asked by admin.`)
    await page.keyboard.press('Enter')
    assert.equal((await people.compute(key)).status, 200, 'nothing without the name')
    await inDialog('confirmation').fill(email)
    await confirm('Confirm an act')
    await see('dialog', /Deleted account \d+ \(charles@example.org\)\. Approval/)
    assert.equal((await people.compute(key)).status, 401)
  },
)

inBrowser('journey: somebody signs on at the provider, is named, and logs out there too', async () => {
  provider.person = { sub: '4711', email: 'grace@example.org', groups: ['quants-admin'] }
  await open('/')
  await page.getByRole('link', { name: /^Sign on at 127/ }).click()
  await see('.who', 'grace@example.org (4711) admin')
  await see('.checks li', 'Service')
  assert.equal(await inPage('document.cookie'), '')
  await press('Log out')
  await page.waitForURL(`${provider.issuer}/session/end**`)
  provider.person = { sub: '4712', groups: [] }
  await context.clearCookies()
  await page.goto(`${origin()}/operator/sign-on`)
  await see('.lead', 'You are signed on as (4712), who has no role here')
  await screenshot('operator-no-role')
  assert.deepEqual(await violations(), [])
  await page.getByRole('link', { name: 'Back to log in' }).click()
  await see('h1', 'Log in')
})

inTasks(
  ["confirm another person's act"],
  'a large grant waits until another person confirms it',
  async () => {
    const { email } = await people.person()
    await logIn('billing')
    await find(email)
    await press('Grant credits …')
    await enterGrant('10000', 'contract 7')
    await confirm('Grant credits')
    await see('dialog', 'This needs a second person')
    await screenshot('operator-waits')
    assert.deepEqual(await violations(), [])
    await dialog().getByRole('link', { name: 'Approvals' }).click()
    await see('tr', /Grant credits.*billing.*reference: contract 7.*waits/)
    assert.equal(await page.getByRole('button', { name: 'Confirm …' }).count(), 0, 'not by the first person')
    await context.clearCookies()
    await logIn('admin')
    await see('nav', /Approvals \d+ waiting/)
    await page.getByRole('link', { name: 'Approvals' }).click()
    await see('h1', 'Approvals')
    await screenshot('operator-approvals')
    const fits = `[...document.querySelectorAll('main .scroll')].every((one) => one.scrollWidth <= one.clientWidth)`
    assert.ok(await inPage(fits), 'the buttons of the last column are in sight')
    await press('Confirm …')
    await confirm('Confirm an act')
    await close()
    await see('tr', /contract 7.*confirmed by admin/)
    assert.equal((await act(`accounts/show?account=${email}`)).credits, 10_350)
    const grant = { account: email, credits: 20_000, reference: 'contract 8' }
    const headers = { authorization: `Bearer ${tokens.billing}` }
    await request(`${origin()}/operator/v1/grants`, { body: grant, headers })
    await page.reload()
    await press('Reject …')
    await confirm('Reject an act')
    await close()
    await see('tr', /contract 8.*rejected by admin/)
  },
)

inBrowser('an approval that somebody else has decided is shown so, once its refusal is closed', async () => {
  const { email } = await people.person()
  const asBilling = { authorization: `Bearer ${tokens.billing}` }
  const grant = { account: email, credits: 20_000, reference: `decided ${email}` }
  await request(`${origin()}/operator/v1/grants`, { body: grant, headers: asBilling })
  await logIn('admin', '/#/approvals')
  const row = page.locator('tr', { hasText: grant.reference })
  await row.getByRole('button', { name: 'Confirm …' }).click()
  const [{ id }] = (await act('approvals')).items
  const reject = `${origin()}/operator/v1/approvals/reject`
  assert.equal((await request(reject, { body: { id }, headers: asBilling })).status, 200)
  await confirm('Confirm an act')
  await see('dialog .problem', 'rejected by billing')
  await confirm('Cancel')
  await see('tr', new RegExp(`${grant.reference}.*rejected by billing`))
})

inBrowser('a form stays about its account while the list under it is renewed in another order', async () => {
  const [first, second] = [await people.person(), await people.person()]
  const items = await Promise.all(
    [first, second].map(async ({ email }) => {
      const account = await act(`accounts/show?account=${email}`)
      return { account, hours_left: 5, refused: 0, spent: 70 }
    }),
  )
  let renewals = 0
  await page.route('**/v1/running-out', (route) =>
    route.fulfill({ json: { success: true, data: { complete: false, items } } }).then(() => renewals++),
  )
  await logIn('billing', '/#/credits')
  await page.locator('tr', { hasText: first.email }).getByRole('button', { name: 'Grant …' }).click()
  await enterGrant('40', `order of ${first.email}`)
  items.reverse()
  const before = renewals
  await until(() => renewals > before + 1, 'the list was renewed')
  await see('tbody tr:first-child', second.email)
  await confirm('Grant credits')
  await see('dialog', `Granted 40 credits to ${first.email}; the balance is 390.`)
  await close()
  assert.equal((await act(`accounts/show?account=${first.email}`)).credits, 390)
  assert.equal((await act(`accounts/show?account=${second.email}`)).credits, 350)
})

inBrowser('a session that ends takes nothing away that was entered', async () => {
  const { email } = await people.person()
  await logIn('billing')
  // The last reply that the page of an account asks for: one that comes later would open the dialog before the act does.
  const isRead = page.waitForResponse(
    async (reply) =>
      /activity\?.*account=/.test(reply.url()) && reply.ok() && (await reply.json()).data.complete,
  )
  await find(email)
  await isRead
  await press('Grant credits …')
  await enterGrant('40', `late ${email}`)
  await context.clearCookies()
  await confirm('Grant credits')
  const again = page.getByRole('dialog', { name: 'Log in again' })
  await again.getByText('The session has ended.').waitFor()
  await screenshot('operator-log-in-again')
  assert.deepEqual(await violations(), [])
  await page.keyboard.press('Escape')
  await again.locator('[name=token]').fill('qd_op_wrong')
  await page.keyboard.press('Enter')
  await again.getByText('This token is not accepted.').waitFor()
  await again.locator('[name=token]').fill(tokens.billing)
  await page.keyboard.press('Enter')
  await again.waitFor({ state: 'detached' })
  assert.equal(await inDialog('credits').inputValue(), '40')
  await until(async () => (await inPage(FOCUSED)) === 'Grant credits', 'the focus is where it was')
  await page.keyboard.press('Enter')
  await see('dialog', `Granted 40 credits to ${email}; the balance is 390.`)
  await comesTrue(`document.activeElement?.matches('dialog .callout[aria-label^="Granted 40 credits"]')`)
  await close()
  await see('.totals', '390')
  await see('tr', `late ${email}`)

  // What a page reads waits for the log-in.
  await context.clearCookies()
  await page.getByRole('link', { name: 'History' }).click()
  await again.getByText('The session has ended.').waitFor()
  const elsewhereLoggedIn = await context.newPage()
  await elsewhereLoggedIn.goto(origin())
  await elsewhereLoggedIn.locator('[name=token]').fill(tokens.billing)
  await elsewhereLoggedIn.keyboard.press('Enter')
  await elsewhereLoggedIn.locator('.who').waitFor()
  await elsewhereLoggedIn.close()
  await inPage(`dispatchEvent(new Event('focus'))`)
  await see('main', 'No computations yet.')
})

/** The output of a line that a person pastes into a terminal. */
const shell = async (line: string): Promise<string> => {
  const { stdout } = await promisify(execFile)('sh', ['-c', line], {
    env: { ...process.env, TOKEN: tokens.billing },
  })
  return stdout
}

inBrowser('journey: each act is done the same by the command and by the request that it shows', async () => {
  const { email } = await people.person()
  await logIn('billing')
  await find(email)
  await press('Grant credits …')
  await enterGrant('20.000', 'not twenty')
  await confirm('Grant credits')
  await see('dialog', 'credits must be an integer (a whole number).')
  await enterGrant('40', `it's "one" of ${email}`)
  await dialog().locator('summary').click()
  const [command, curl] = await dialog().locator('pre').allTextContents()
  const printed = await shell(`printf '%s\\0' ${command.slice('quantd '.length)}`)
  assert.equal((await quantd(printed.split('\0').slice(0, -1))).code, 0)
  assert.equal(JSON.parse(await shell(`${curl} -s`)).data.replayed, true)
  await confirm('Grant credits')
  await see('dialog', 'before, and nothing was changed; the balance is 390.')
})

inBrowser('lists that are cut say so', async () => {
  const account = await act(`accounts/show?account=${(await people.person()).email}`)
  const json = (data: object) => ({ json: { success: true, data } })
  const found = { items: Array(50).fill(account), complete: false, next_cursor: 'second' }
  await page.route('**/v1/accounts?*', (route) => route.fulfill(json(found)))
  const running = { account, hours_left: 5, refused: 0, spent: 70 }
  const items = Array(50).fill(running)
  await page.route('**/v1/running-out', (route) => route.fulfill(json({ complete: true, items })))
  await logIn('viewer')
  await find('person')
  await see('[role=status]', 'Only the newest accounts are compared')
  await see('.actions .hint', 'Page 1')
  await page.getByRole('button', { name: 'Next', exact: true, disabled: false }).waitFor()
  await page.getByRole('link', { name: 'Credits' }).click()
  await see('.hint', 'The 50 most urgent are shown')
})

inBrowser('a double click turns one page of a list', async () => {
  await page.route('**/v1/mails?*', (route) => {
    const isFirst = !new URL(route.request().url()).searchParams.has('cursor')
    const data = { items: [], next_cursor: isFirst ? 'second' : null }
    return route.fulfill({ json: { success: true, data } })
  })
  await logIn('viewer', '/#/deliveries')
  await page.getByRole('button', { name: 'Next' }).dblclick()
  await page.locator('[aria-disabled]', { hasText: 'Next' }).waitFor()
  assert.equal(await textOf('.actions .hint'), 'Page 2')
})

inBrowser('a check of the ledger names the accounts that differ', async () => {
  const { email } = await people.person()
  const { account_id: id } = await act(`accounts/show?account=${email}`)
  await query(service, `UPDATE accounts SET balance = balance + 1 WHERE id = ${id}`)
  await logIn('viewer')
  await press('Check now …')
  await confirm('Check the ledger')
  await see('dialog', 'The ledger does not agree')
  await see('dialog li', `account id ${id}, credits 351, expected 350`)
  await close()
  await see('.checks li', '1 difference, checked just now')
  await query(service, `UPDATE accounts SET balance = balance - 1 WHERE id = ${id}`)
  await press('Check now …')
  await confirm('Check the ledger')
  await see('dialog', 'The ledger agrees: checked')
})

inBrowser('an account is printed with its facts, without the ways to other pages and acts', async () => {
  const { email, key } = await people.person()
  await service.call('/user/keys/create', { key, body: { name: 'x'.repeat(100), credit_cap: 50 } })
  await people.compute(key)
  await logIn('admin')
  await find(email)
  await see('td, th', 'xxx')
  await see('td', '50 in all')
  await page.locator('.chart canvas').nth(3).waitFor()
  const { text } = printed(await page.pdf())
  assert.match(text, /\d[A-Z][a-z]+,\d\dTimeRequests/, 'the days and the names of both axes')
  assert.ok(text.includes(email) && text.includes('Granted'), text)
  assert.doesNotMatch(text, /Logout|Overview|Grantcredits/)
  await page.setViewportSize({ width: 700, height: 990 })
  await page.emulateMedia({ media: 'print' })
  assert.equal(await inPage(CUT_TABLES), 0)
})

inBrowser('the window is named by the heading, also where there is no such account', async () => {
  const { email } = await people.person()
  await logIn('viewer')
  await find(email)
  await comesTrue(`document.title === '${email} · quantd operators'`)
  await open('/#/account/999999999')
  await see('[role=alert]', 'There is no account 999999999.')
  await see('h1', 'Account 999999999')
  assert.equal(await page.title(), 'Account 999999999 · quantd operators')
})

inBrowser('a long address is shown whole where it is to be typed, and wraps in a list', async () => {
  const { email } = await people.person()
  const long = `${'a'.repeat(64)}@${'b'.repeat(60)}.example.org`
  await query(
    service,
    `UPDATE accounts SET email = '${long}', address = '${long}' WHERE address = '${email}'`,
  )
  await logIn()
  await find(long)
  await press('Delete …')
  await see('dialog label', long)
  assert.equal(
    await inPage(
      `(({ clientWidth, scrollWidth }) => scrollWidth - clientWidth)(document.querySelector('dialog'))`,
    ),
    0,
  )
  await page.keyboard.press('Escape')
  await inPage(`location.hash = '#/accounts'`)
  await see('tbody th', long)
  assert.equal(await inPage(CUT_TABLES), 0, 'the columns behind it stay in sight')
})

inBrowser('the name of an operator, which may be an address, widens no page', async () => {
  const name = 'anneliese.schmidt@risk.example.org'
  tokens[name] = (await quantd(['admin', 'token', 'create', name, '--role', 'viewer', '--json'])).json.token
  await page.setViewportSize({ width: 320, height: 568 })
  await logIn(name)
  assert.ok(await inPage('document.documentElement.scrollWidth <= innerWidth'))
})

inBrowser('a role sees only the acts that it may do', async () => {
  const { email } = await people.person()
  const seen: Record<string, number> = {}
  for (const role of ['viewer', 'support', 'billing', 'admin']) {
    await context.clearCookies()
    await logIn(role)
    await find(email)
    await see('h1', email)
    await see('h2', 'Team keys')
    seen[role] = await page.locator('.acts button').count()
  }
  assert.ok(
    seen.viewer < seen.support && seen.support < seen.billing && seen.billing < seen.admin,
    JSON.stringify(seen),
  )
  await context.clearCookies()
  await logIn('viewer', '/#/tokens')
  await see('[role=alert]', 'This needs the role admin')
})

inTasks(
  [
    'change limits, costs or initial credits for all accounts',
    'get the costs of a month for invoices',
    'send an account its statement of a month',
  ],
  'the plan is changed with a look at the difference, and what a month cost is read and saved',
  async () => {
    const { email: paying, key: payingKey } = await people.person()
    await people.compute(payingKey)
    const { email, key } = await people.person()
    await logIn('admin', '/#/plan')
    await page.getByLabel('pro, an hour').fill('6500')
    await page.getByLabel('Credits of /quantlib/economics/utility/log').fill('4')
    await page.getByLabel('Price of a credit').fill('0.002 EUR')
    await see('section', 'pro an hour')
    await page.locator('[name=note]').fill('spring')
    await page.locator('form summary').click()
    const [command] = await page.locator('form pre').allTextContents()
    assert.match(
      command!,
      /^quantd admin plan set --version \d+ --tier pro=6500\/none --cost .*=4 --price EUR=0.002 --note spring$/,
    )
    await screenshot('operator-plan-change')
    assert.deepEqual(await violations(), [])
    const { version } = await act('plan')
    const changePlan = async (touched: RegExp) => {
      await press('Change the plan')
      await see('form', /This touches \d+ accounts?: \d+ calls? of this month cost/)
      await see('form tr', touched)
      await press('Change these costs')
      await see('form', 'This needs a second person')
      const [{ id }] = (await act('approvals?state=waiting')).items
      const headers = { authorization: `Bearer ${tokens['second admin']}` }
      const path = `${origin()}/operator/v1/approvals/confirm`
      assert.equal((await request(path, { body: { id }, headers })).status, 200)
      await page.reload()
    }
    await changePlan(new RegExp(`${paying}.*1.*1.*4`))
    await see('form', `Version ${version + 1}, made by admin`)
    await see('tbody td', 'spring')
    assert.equal((await people.compute(key)).headers.get('x-credits-cost'), '4')
    await page.getByLabel('Credits of /quantlib/economics/utility/log').fill('')
    await page.getByLabel('pro, an hour').fill('')
    await changePlan(new RegExp(`${email}.*1.*4.*1`))
    await see('form', `Version ${version + 2}, made by admin`)
    await inPage(`location.hash = '#/costs?account=${email}'`)
    await see('.totals dd', '4')
    const download = page.waitForEvent('download')
    await press('Save as CSV')
    assert.match((await download).suggestedFilename(), /^costs-\d{4}-\d\d\.csv$/)
    await inPage(`location.hash = '#/costs'`)
    await page.locator('tr', { hasText: email }).getByRole('link', { name: 'statement' }).click()
    await see('h1', `Statement ${new Date().toISOString().slice(0, 7)}`)
    await see('tr', /Usage, 1 call.*−4/)
    await see('tr', /Now.*346/)
    assert.deepEqual((await act('plan')).price, { amount: '0.002', currency: 'EUR' })
  },
)

inTasks(
  [
    'send a mail again that did not arrive',
    'see which events an endpoint did not accept, and send them again',
  ],
  'a mail and events that did not arrive are sent again; alerts are tried; the master key is rotated',
  async () => {
    // A later time would be brought forward by the clean-up.
    const inHalfAnHour = Date.now() + 1_800_000
    await query(
      service,
      `INSERT INTO mails (id, recipient, master_key_id, sealed, created_at, attempts, next_at, last_error)
     VALUES ('019b7a3c-8f10-7c55-9d6e-0f2b3a4c5d6e', 'ada@example.org', 'none', X'00', 1, 3, ${inHalfAnHour}, 'connection refused')`,
    )
    await query(
      service,
      `INSERT INTO mails (id, recipient, master_key_id, sealed, created_at, attempts, next_at)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
       SELECT printf('019b7a3c-8f10-7c55-9d6e-%012d', i), printf('person%d@example.org', i), 'none', X'00', 1 + i, 1, ${inHalfAnHour} FROM n`,
    )
    await logIn('admin', '/#/deliveries')
    await press('Create an endpoint …')
    await inDialog('url').fill(NOWHERE)
    await dialog()
      .getByLabel(/^credits\.low The balance falls to/)
      .check()
    await dialog()
      .getByLabel(/^account\.created /)
      .check()
    await dialog()
      .getByLabel(/^credits\.low /)
      .uncheck()
    await screenshot('operator-event-types')
    assert.deepEqual(await violations(), [])
    await confirm('Create an endpoint')
    await see('dialog', `${NOWHERE} gets account.created.`)
    assert.match(await textOf('dialog .key code'), /^wh(sec|pk)_/)
    await close()
    await see('tbody td', 'connection refused')
    await screenshot('operator-deliveries')
    assert.deepEqual(await violations(), [])
    await press('Next')
    await see('tbody th', 'person50@example.org')
    await press('Before')
    await query(service, "DELETE FROM mails WHERE recipient LIKE 'person%'")
    await page.locator('tr', { hasText: 'ada@' }).getByRole('button').click()
    await confirm('Send a mail again')
    await close()
    // Until the mail is given up, its unknown key refuses the rotation.
    await people.letterCount('ada@example.org')
    const actOn = async (label: string, title: string, says: string) => {
      await page.locator('tr', { hasText: NOWHERE }).getByRole('button', { name: label }).click()
      if (label === 'Send again …') {
        await see('dialog', /Since.*Before/)
        await inDialog('from').fill('2026-01-01T00:00')
      }
      if (label === 'Delete …') await inDialog('confirmation').fill(NOWHERE)
      await confirm(title)
      await see('dialog', says)
      await close()
    }
    await actOn('Test …', 'Test an endpoint', 'gave no answer')
    await actOn('Send again …', 'Send events again', 'will be sent to endpoint')
    for (const _ of [1, 2]) await people.person()
    const [{ id }] = (await act('webhooks')).items
    await until(
      async () => (await act(`webhooks/deliveries?id=${id}&state=waiting`)).items.length >= 2,
      'the events are queued',
    )
    await page.getByRole('link', { name: NOWHERE }).click()
    await see('section', 'account.created')
    for (const place of [0, 1])
      await page
        .getByLabel(/^Choose evt_/)
        .nth(place)
        .check()
    await screenshot('operator-events')
    assert.deepEqual(await violations(), [])
    await press('Send the 2 chosen again …')
    await confirm('Send events again')
    await see('dialog', '2 events will be sent to endpoint')
    await close()
    await page.getByLabel('State').selectOption('parked')
    await see('section', 'No event was queued.')
    await actOn('Delete …', 'Delete an endpoint', 'Deleted endpoint')
    await see('section', 'There is no endpoint.')
    await page.getByRole('link', { name: 'Overview' }).click()
    await press('Send a test …')
    await confirm('Test the alerts')
    await see('dialog', 'Queued 1 test mail.')
    await close()
    await press('Rotate the master key …')
    await confirm('Rotate the master key')
    await see('dialog', 'There is only one master key')
  },
)

inTasks(
  ['remove a lost second factor'],
  'a lost second factor is reset and leaked keys are replaced, after their names were typed',
  async () => {
    const { email, key, password } = await people.person()
    const team = (await service.call('/user/keys/create', { key, body: { name: 'risk team' } })).body.data
    const { secret } = (await people.setUpSecondFactor(key)).body.data
    await people.enableSecondFactor(key, oneTimeCode(secret))
    await logIn('support')
    await find(email)
    const act = async (label: string, name: string, title: string) => {
      await page.getByRole('button', { name: label }).last().click()
      await inDialog('confirmation').fill(name)
      await confirm(title)
      await see('dialog', /Switched off|Replaced|Revoked/)
    }
    await act('Reset the second factor …', email, 'Switch off a second factor')
    await close()
    assert.equal((await people.login(email, password)).status, 200)
    await act('Replace …', 'risk team', 'Replace a key')
    const renewed = await textOf('dialog .key code')
    await close()
    assert.equal((await people.compute(team.key)).status, 401)
    assert.equal((await people.compute(renewed)).status, 200)
    await act('Revoke …', 'risk team', 'Revoke a team key')
    await close()
    assert.equal((await people.compute(renewed)).status, 401)
    await act('Replace the key …', email, 'Replace a key')
    assert.equal((await people.compute(key)).status, 401)
  },
)

inTasks(
  ['see which accounts run out of credits'],
  'who runs out of credits is found and helped with the keyboard alone',
  async () => {
    const made = await quantd(['admin', 'create', 'poor@example.org', '--credits', '1', '--json'])
    await people.compute(made.json.api_key)
    await open('/')
    const type = (text: string) => page.keyboard.type(text)
    const until = async (name: string) => {
      for (let steps = 0; steps < 40; steps++) {
        await page.keyboard.press('Tab')
        if ((await inPage(FOCUSED)) === name) return await page.keyboard.press('Enter')
      }
      assert.fail(`the keyboard does not reach ${name}`)
    }
    await field('token').focus()
    await type(tokens.billing)
    await page.keyboard.press('Enter')
    await see('.who', 'billing')
    await until('Credits')
    await see('tr', /poor@example.org.*out/)
    await screenshot('operator-running-out')
    await until('Grant …')
    await dialog().waitFor()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    assert.equal(await inPage(FOCUSED), 'Grant …', 'the focus is where it was')
    await page.keyboard.press('Enter')
    await type('40')
    await page.keyboard.press('Tab')
    await type('gift')
    await page.keyboard.press('Enter')
    await see('dialog', 'Granted 40 credits to poor@example.org; the balance is 40.')
    assert.equal((await act('accounts/show?account=poor@example.org')).credits, 40)
  },
)

inTasks(['give or take access'], 'tokens are made, shown once, and revoked by their name', async () => {
  await logIn('admin', '/#/tokens')
  await press('Create a token …')
  await inDialog('name').fill('billing system')
  await inDialog('role').selectOption('billing')
  await confirm('Create a token')
  assert.match(await textOf('dialog .key code'), /^qd_op_\w{43}$/)
  // A browser lets the second Escape in a row close what refuses the first.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  assert.match(await textOf('dialog .key code'), /^qd_op_\w{43}$/)
  await close()
  await see('tbody th', 'billing system')
  await page.locator('tr', { hasText: 'billing system' }).getByRole('button', { name: 'Revoke …' }).click()
  await inDialog('confirmation').fill('billing system')
  await confirm('Revoke a token')
  await close()
  await see('tr', /billing system.*revoked/)
})

inTasks(['see what operators did'], 'the audit is searched and exported, and tells who acted', async () => {
  const { email } = await people.person()
  await logIn('admin', '/#/audit')
  await see('tbody td', 'operator logged in')
  const devices = await context.newCDPSession(page)
  await devices.send('Emulation.setTimezoneOverride', { timezoneId: 'America/New_York' })
  await field('to').fill(
    await inPage('new Date(Date.now() + 120_000).toLocaleString("sv").replace(" ", "T").slice(0, 16)'),
  )
  await press('Search')
  await see('tbody td', 'operator logged in')
  await devices.send('Emulation.setTimezoneOverride', { timezoneId: '' })
  await field('to').fill('')
  await page.locator('[name=rows]').selectOption('calls')
  await page.locator('[name=account]').fill(email)
  await press('Search')
  await see('tbody td', /registered|verified|account|key/)
  const download = page.waitForEvent('download')
  await press('Export as CSV')
  assert.equal((await download).suggestedFilename(), 'audit.csv')
})

inBrowser('journey: texts of callers run no script: names, notes, devices, team keys', async () => {
  const guest = await request(`${service.url}/guest/create`, {
    body: { device_id: HOSTILE, device_name: HOSTILE, platform: HOSTILE },
  })
  assert.equal(guest.status, 200)
  const created = await quantd([
    'admin',
    'create',
    'mallory@example.org',
    '--username',
    HOSTILE,
    '--full-name',
    HOSTILE,
    '--json',
  ])
  assert.equal(created.code, 0, created.err)
  await service.call('/user/keys/create', { key: created.json.api_key, body: { name: HOSTILE } })
  await quantd(['admin', 'grant', 'mallory@example.org', '1', '--note', HOSTILE, '--reference', HOSTILE])
  await logIn()
  await find('mallory@example.org')
  await see('td,th', HOSTILE)
  await page.getByRole('link', { name: 'Events' }).click()
  await see('.facts', HOSTILE)
  await find(`nobody ${HOSTILE}`)
  await see('.empty', `nobody ${HOSTILE}`)
  await find(HOSTILE)
  await see('td, th', HOSTILE)
  assert.doesNotMatch(await page.title(), /owned/)
  assert.equal(await page.locator('main img').count(), 0)
})

inBrowser('no page of another origin frames it, reads it or acts by its session', async () => {
  await logIn()
  const before = (await act('audit?rows=acts&limit=1000')).items.length
  const other = await context.newPage()
  // The public port of the same host is the same site: SameSite alone would let its pages act.
  await other.goto(`${service.url}/docs`)
  const outcome = await other.evaluate(
    async ([to]) => {
      const attempts = await Promise.all(
        [
          fetch(`${to}/operator/v1/notes`, {
            method: 'POST',
            mode: 'no-cors',
            credentials: 'include',
            body: '{"what":"backup"}',
          }),
          fetch(`${to}/operator/v1/accounts`, { credentials: 'include' }),
        ].map((one) =>
          one.then(
            (reply) => reply.type,
            () => 'refused',
          ),
        ),
      )
      return attempts
    },
    [origin()],
  )
  // The policy of the public pages refuses even to send them.
  assert.deepEqual(outcome, ['refused', 'refused'])
  await other.close()
  // A page without a policy of its own frames both; the browser shows neither.
  for (const framed of [origin(), service.url]) {
    const page = await context.newPage()
    await page.setContent(`<iframe src="${framed}"></iframe>`)
    const frame = page.frames()[1]
    await frame.waitForURL('chrome-error://**')
    assert.equal(await frame.locator('#app').count(), 0, framed)
    await page.close()
  }
  const headers = (await request(origin())).headers
  assert.match(headers.get('content-security-policy')!, /default-src 'self'.*frame-ancestors 'none'/)
  assert.equal((await act('audit?rows=acts&limit=1000')).items.length, before)
  assert.equal(await inPage(`document.cookie`), '', 'scripts cannot read the session')
  await press('Log out')
  await see('h1', 'Log in')
})

const cleanPages = async (views?: typeof ONE_VIEW) => {
  const { email, key } = await people.person()
  const made = await people.compute(key)
  await service.call('/user/keys/create', { key, body: { name: 'risk team' } })
  await quantd([
    'admin',
    'grant',
    email,
    '500',
    '--reference',
    `order of ${email}`,
    '--expires',
    '2099-01-01',
  ])
  const { account_id: id } = await act(`accounts/show?account=${email}`)
  await open('/')
  await clean('operator-log-in', views)
  await logIn()
  await page.locator('canvas').nth(3).waitFor()
  await clean('operator-overview', views)
  for (const [name, address, seen] of [
    ['account', `#/account/${id}`, 'By operation'],
    ['history', `#/account/${id}/history`, '/quantlib'],
    ['events', `#/account/${id}/events`, 'credits granted'],
    ['credits', '#/credits', 'Accounts that run out'],
    ['costs', '#/costs', 'By account'],
    ['costs-account', `#/costs?account=${id}`, 'By operation'],
    ['statement', `#/statement?account=${id}`, 'failed and cost nothing'],
    ['plan', '#/plan', 'Computations by account type'],
    ['deliveries', '#/deliveries', 'Mails that wait'],
    ['audit', '#/audit', 'operator logged in'],
    ['approvals', '#/approvals', 'Approvals'],
    ['tokens', '#/tokens', 'viewer'],
    ['accounts', `#/accounts?q=${email.slice(0, 4)}&type=registered`, 'Last used'],
    ['find', '#/accounts?q=nobody@', 'No account matches'],
    ['call', `#/call/${made.headers.get('x-request-id')}`, 'Other calls like it'],
  ] as const) {
    await inPage(`location.hash = ${JSON.stringify(address)}`)
    await see('main', seen)
    await page.waitForLoadState('networkidle')
    await clean(`operator-${name}`, views)
  }
}

inBrowser('axe finds nothing on any page of operators, and none is wider than the window', () => cleanPages())

inBrowser('journey: axe finds nothing on any page of operators, in one view', () => cleanPages(ONE_VIEW))

inBrowser(
  'each task of the guide, and each act of the interface, was done in these tests by the page',
  async () => {
    assert.deepEqual(
      operatorTasks.map(({ name }) => name).filter((name) => !done.has(name)),
      [],
    )
    const acts = operatorEndpoints.filter(({ method }) => method === 'POST').map(({ path }) => path)
    assert.deepEqual([...new Set(acts).difference(posted)], [])
  },
)

// The last test: it moves the clock of the service on.
inBrowser('the statement shows what each price of a month comes to', async () => {
  const { email, key } = await people.person()
  const newPrice = async (amount: string, currency: string) => {
    const send = (path: string, body: object, token = tokens.admin) =>
      request(`${origin()}/operator/v1/${path}`, { body, headers: { authorization: `Bearer ${token}` } })
    const { version } = await act('plan')
    assert.equal((await send('plan/set', { version, price: { amount, currency } })).status, 202)
    const [{ id }] = (await act('approvals?state=waiting')).items
    assert.equal((await send('approvals/confirm', { id }, tokens['second admin'])).status, 200)
  }
  const days = [service.newDay()]
  while (new Date(days[0]).getUTCDate() > 1) days[0] = service.newDay()
  await newPrice('0.0035', 'EUR')
  days.push(service.newDay())
  for (let n = 0; n < 3; n++) await people.compute(key)
  await newPrice('0.05', 'USD')
  days.push(service.newDay())
  for (let n = 0; n < 2; n++) await people.compute(key)
  const [month, first, second] = days.map((day) => new Date(day).toISOString().slice(0, 10))
  await logIn('viewer', `/#/statement?account=${email}&month=${month.slice(0, 7)}`)
  await see('tr', new RegExp(`^${first}own key.*/log330\\.0035 EUR0\\.0105 EUR$`))
  await see('tr', new RegExp(`^${second} to .*own key.*/log220\\.05 USD0\\.1 USD$`))
  for (const amount of ['0.01 EUR', '0.10 USD']) await see('strong', `Amount: ${amount}.`)
})
