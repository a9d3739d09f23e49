/** Messages of the console about calls that cannot be answered: one each, with the way on. */
import assert from 'node:assert/strict'
import {
  becomeGuest,
  context,
  drop,
  field,
  inBrowser,
  inPage,
  page,
  press,
  screenshot,
  see,
  service,
  textOf,
} from './browser.ts'

const oneMessage = async (hasText: string | RegExp) => {
  await see('.problem', hasText)
  assert.equal(await page.getByRole('alert').count(), 1)
  // A screen reader reads an alert again when a part of it changes, and the button counts seconds.
  assert.equal(await page.getByRole('alert').getByRole('button').count(), 0)
}

/** Answers the next computations with a failure as the service sends it. */
const refuse = (
  status: number,
  code: string,
  message: string,
  { headers = {}, numbers = {} }: { headers?: Record<string, string>; numbers?: object } = {},
) =>
  page.route(`${service.url}/quantlib/**`, (route) =>
    route.fulfill({
      status,
      headers,
      json: { success: false, message, error: { code, request_id: 'r-1', ...numbers } },
    }),
  )

export function messageTests(): void {
  inBrowser('journey: a guest key without credits leads to registration', async () => {
    await becomeGuest()
    const { apiKey } = JSON.parse(await page.evaluate(`sessionStorage.getItem('quantd-key')`))
    const calls = Array.from({ length: 49 }, () => ({
      path: '/quantlib/economics/utility/log',
      body: { wealth: 1 },
    }))
    assert.equal((await service.call('/quantlib/batch', { key: apiKey, body: { calls } })).status, 200)
    await press('Compute')
    await see('.cost', 'Costs 1 credit. Only 0 left.')
    await oneMessage('1 credit needed, 0 left.')
    await screenshot('out-of-credits')
    await page.getByRole('link', { name: 'Register' }).click()
    await see('h1', 'Create an account')
  })

  inBrowser('an expired guest key leads to a new one, with which the call is answered', async () => {
    await becomeGuest()
    await refuse(401, 'guest_key_expired', 'Guest API key has expired')
    await press('Compute')
    await oneMessage('This guest key has expired after 24 hours.')
    await page.unroute(`${service.url}/quantlib/**`)
    await press('Take a new guest key')
    await see('.answer dd', '8.021352235143173')
    assert.equal(await page.getByRole('alert').count(), 0)
  })

  inBrowser('a rate limit says when to try again', async () => {
    await becomeGuest()
    await refuse(429, 'rate_limited', 'The limit of 60 requests an hour is used up; try again in 1800 s.', {
      headers: { 'retry-after': '1800' },
      numbers: { counted: 'requests', limit: 60, window: 'hour' },
    })
    await press('Compute')
    await oneMessage(
      /The limit of 60 requests an hour is used up\.\s*You can try again in 30 minutes\. Nothing was charged\./,
    )
    assert.equal(await page.getByRole('button', { name: /^Try again/ }).getAttribute('aria-disabled'), 'true')
    await screenshot('rate-limited')
  })

  inBrowser('a message names fields as the form does, in the preview and in the answer', async () => {
    await becomeGuest('/ml/credit/stability')
    await drop('scores.csv', Buffer.from('expected,actual\n5,5\n5,6\n'))
    await field('monotone').selectOption('true')
    const wanted = 'needs Expected labels (1 = default) and Actual labels (1 = default).'
    await see('.preview', `Monotone ${wanted}`)
    await press('Compute')
    await oneMessage(`Monotone ${wanted}`)
  })

  inBrowser('offline is told, and the call is made once the connection is back', async () => {
    await becomeGuest()
    await field('strike').fill('100')
    await context.setOffline(true)
    await press('Compute')
    await oneMessage('This computer is offline.')
    await screenshot('offline')
    await context.setOffline(false)
    await see('.answer dd', /^10\.45/)
    assert.equal(await page.getByRole('alert').count(), 0)
  })

  inBrowser('the browser asks before the page of a running call is left', async () => {
    await becomeGuest('/economics/utility/log')
    await page.route('**/quantlib/**', () => {})
    await press('Compute')
    await see('.progress', 'Computing')
    const asked = page.waitForEvent('dialog')
    await inPage('setTimeout(() => location.reload())')
    const dialog = await asked
    assert.equal(dialog.type(), 'beforeunload')
    await dialog.dismiss()
    await press('Cancel')
    await see('.answer .callout', 'The call was cancelled.')
  })

  inBrowser('journey: a reply that is lost is fetched again without a second charge', async () => {
    await becomeGuest()
    let isLost = true
    await page.route(`${service.url}/quantlib/**`, async (route) => {
      if (!isLost) return route.continue()
      isLost = false
      await route.fetch()
      await route.abort('connectionreset')
    })
    await press('Compute')
    await oneMessage('The service cannot be reached.')
    // The page would do so after 5 s, which a busy machine takes for a click.
    await inPage(`document.querySelector('.problem .actions button')?.click()`)
    await see('.answer .hint', 'not charged again')
    assert.equal(await textOf('#standing'), 'Guest · 48 credits')
  })
}
