/** Rules of all pages: content security policy, width of a phone, names of controls. */
import assert from 'node:assert/strict'
import { describe } from '../../src/derive/described.ts'
import { sources } from '../../src/derive/sources.ts'
import { becomeGuest, faults, inBrowser, inPage, open, page, screenshot, service, textOf } from './browser.ts'

export function pageTests(): void {
  inBrowser('an inline script does not run on the pages', async () => {
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

  inBrowser('the reference lists every endpoint with every field', async () => {
    await open('/docs')
    for (const { id, title, input } of describe(sources)) {
      const article = page.locator(`article#${id}`)
      assert.equal(await article.locator('h3').textContent(), title)
      const text = (await article.textContent()) ?? ''
      for (const name of Object.keys(input?.properties ?? {})) assert.ok(text.includes(name), `${id} ${name}`)
    }
  })

  inBrowser('the samples of the reference use the address of the service', async () => {
    await open('/docs')
    assert.ok((await textOf('#guestCreate .endpoint-code')).includes(`curl -sS ${service.url}/guest/create`))
  })

  inBrowser(
    'every page fits the width of a phone, where one button opens the list of operations',
    async () => {
      await page.setViewportSize({ width: 375, height: 740 })
      await becomeGuest()
      for (const address of [
        '/',
        '/#/pricing/bs/price',
        '/#/ml/credit/migration',
        '/#/login',
        '/#/register',
        '/#/account',
        '/#/security',
        '/docs',
      ]) {
        await open(address)
        const excess = await inPage<number>('document.documentElement.scrollWidth - innerWidth')
        assert.ok(excess <= 0, `${address}: ${excess}px`)
      }
      await open('/#/pricing/bs/price')
      await screenshot('phone')
      const link = page.getByRole('link', { name: 'Shannon entropy' })
      assert.equal(await link.isVisible(), false)
      await page.getByRole('button', { name: /all computations/ }).click()
      await screenshot('phone-menu')
      await link.click()
      await page.getByRole('heading', { level: 1, name: 'Shannon entropy' }).waitFor()
      assert.equal(await link.isVisible(), false)
    },
  )
}
