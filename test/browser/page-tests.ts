/** Rules of all pages: content security policy, width of a phone, names of controls. */
import assert from 'node:assert/strict'
import {
  becomeGuest,
  faults,
  field,
  inBrowser,
  inPage,
  open,
  page,
  press,
  screenshot,
  violations,
} from './browser.ts'

export function pageTests(): void {
  for (const colorScheme of ['light', 'dark'] as const)
    inBrowser(`axe finds nothing on any page or state, ${colorScheme}`, async () => {
      await page.emulateMedia({ colorScheme })
      const clean = async (state: string) => assert.deepEqual(await violations(), [], state)
      await open('/')
      await page.locator('canvas').first().waitFor()
      await clean('home')
      for (const address of ['/#/login', '/#/register', '/#/account']) {
        await open(address)
        await clean(address)
      }
      await open('/docs')
      await clean('reference')
      await page.getByLabel('Search').fill('gini')
      await page.locator('.results a').first().waitFor()
      await clean('search')
      await becomeGuest()
      await clean('answer')
      await field('spot').fill('-1')
      await press('Compute')
      await page.locator('.problem').waitFor()
      await clean('failure')
      await open('/#/ml/credit/migration')
      await page.locator('.picture figure').first().waitFor()
      await clean('heat map')
      for (const address of ['/#/account', '/#/security', '/#/history']) {
        await open(address)
        await page.locator('.totals, .cards, .empty').first().waitFor()
        await clean(`${address} of a guest`)
      }
    })

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
