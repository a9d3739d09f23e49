/** The reference: every endpoint with its fields and samples, search, and the way to the console. */
import assert from 'node:assert/strict'
import { describe } from '../../src/derive/documented-endpoints.ts'
import { sources } from '../../src/derive/sources.ts'
import { printed } from '../support/pdf-text.ts'
import { field, inBrowser, open, page, press, screenshot, see, service, textOf } from './browser.ts'

export function referenceTests(): void {
  inBrowser('the reference leads to every endpoint, whose page has every field', async () => {
    await open('/docs')
    const texts = await page.evaluate<Record<string, string>>(`Promise.all(
      [...document.querySelectorAll('main li a')].map(async ({ href, textContent }) => {
        const text = await (await fetch(href)).text()
        return [textContent, new DOMParser().parseFromString(text, 'text/html').querySelector('main').textContent]
      }),
    ).then(Object.fromEntries)`)
    for (const { id, title, input } of describe(sources))
      for (const name of [title, ...Object.keys(input?.properties ?? {})])
        assert.ok(texts[title]?.includes(name), `${id} ${name}`)
  })

  inBrowser('the samples of the reference use the address of the service', async () => {
    await open('/docs/reference/guestCreate')
    assert.ok((await textOf('#guestCreate .endpoint-code')).includes(`curl -sS ${service.url}/guest/create`))
    assert.doesNotMatch(printed(await page.pdf()).text, /ConsoleAccount|Copy/)
  })

  inBrowser(
    'the search finds fields, codes, headers and guides, and says where there is nothing',
    async () => {
      await open('/docs')
      const first = async (text: string) => {
        await page.getByLabel('Search').fill(text)
        await page.locator('.results li').first().waitFor()
        return await textOf('.results li')
      }
      for (const [text, found] of [
        ['gini', /^Credit discrimination/],
        ['402', /^402 credits_exhausted/],
        ['quota', /RateLimit/],
        ['blackscholes', /^Black–Scholes price/],
        ['retry', /^Retry/],
        ['smile', /^The volatility smile/],
        ['bill', /^Bill your customers/],
        ['monthly', /^Bill your customers: The monthly invoice/],
        ['invoice', /^Bill your customers: The monthly invoice/],
      ] as const) {
        await page.getByLabel('Search').fill('')
        assert.match(await first(text), found, text)
      }
      await page.getByLabel('Search').fill('')
      assert.match(await first('no such thing'), /^No results for “no such thing”/)
      await screenshot('reference-search')
    },
  )

  inBrowser(
    'journey: one language is shown in all samples, and “Try it” opens the console with the example',
    async () => {
      await open('/docs/reference/pricingBsPrice')
      await page.locator('#pricingBsPrice .tabs').getByText('Python').click()
      assert.equal(await page.locator('#pricingBsPrice .samples .sample:visible').count(), 1)
      assert.match(
        (await page.locator('#pricingBsPrice .samples .sample:visible').textContent())!,
        /client\.black_scholes_price\(spot=100/,
      )
      await screenshot('reference')
      await open('/docs/reference/mlCreditMigration')
      await page.locator('#mlCreditMigration').getByRole('link', { name: 'Try it' }).click()
      await see('h1', 'Rating migration matrix')
      await press('Edit as text')
      assert.equal(await field('transitions').inputValue(), '3, 1\n0, 0')
    },
  )

  inBrowser(
    'a result of the search leads to a document, whose samples use the address of the service',
    async () => {
      await open('/docs/reference/pricingBsPrice')
      await page.getByLabel('Search').fill('scorecard')
      await page.locator('.results a').first().click()
      await see('h1', 'Validate a scorecard')
      // The script of the page puts it in.
      await see('main', `curl -sS ${service.url}/quantlib/ml/credit/discrimination`)
    },
  )

  inBrowser('on a phone the contents open by a button', async () => {
    await page.setViewportSize({ width: 375, height: 740 })
    await open('/docs')
    const link = page.locator('.contents a[href="/docs/reference/repeating"]')
    assert.equal(await link.isVisible(), false)
    await press(/Contents/)
    await screenshot('reference-phone')
    await link.click()
    await see('h1', 'Repeating')
    await link.waitFor({ state: 'hidden' })
  })
}
