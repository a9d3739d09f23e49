/** Rules of all pages: content security policy, width of a phone, names of controls. */
import assert from 'node:assert/strict'
import { query } from '../support/database.ts'
import { operator, settingsOf } from '../support/operator.ts'
import { oneTimeCode, PASSWORD, peopleOf } from '../support/people.ts'
import {
  allScripts,
  becomeGuest,
  clean,
  comesTrue,
  context,
  faults,
  field,
  inBrowser,
  inPage,
  ONE_VIEW,
  open,
  origin,
  page,
  press,
  renewPage,
  screenshot,
  see,
  service,
  typeTable,
  useKey,
} from './browser.ts'

export function pageTests(): void {
  inBrowser('every page opens without a connection, once the first is there', async () => {
    await renewPage()
    await open('/')
    await allScripts()
    await context.setOffline(true)
    await see('.offline', 'This computer is offline.')
    for (const [address, heading] of [
      ['#/login', 'Log in'],
      ['#/ml/credit/discrimination', 'Discrimination'],
    ]) {
      await inPage(`location.hash = '${address}'`)
      await see('h1', heading)
    }
    await context.setOffline(false)
    await page.locator('.offline', { hasText: /^$/ }).waitFor({ state: 'hidden' })
  })

  inBrowser('a view misses nothing that happens before its first frame', async () => {
    const other = await context.newPage()
    await other.addInitScript(`
      const once = (selector, act) =>
        new MutationObserver((_, observer) => {
          const found = document.querySelector(selector)
          if (found === null) return
          observer.disconnect()
          act(found)
        }).observe(document, { childList: true, subtree: true })
      once('h1', () => { location.hash = '#/ml/preprocessing/outliers' })
      once('.table-input', (place) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(['a,b\\n1,2\\n2,4.1\\n3,5.9\\n4,8.2\\n5,9.8\\n6,12.1\\n7,13.9\\n90,16\\n'], 'table.csv'))
        place.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
      })
      once('.sheet:has(.file-card strong) .data .sort', (heading) => heading.click())`)
    await other.goto(origin())
    await other.locator('.file-card', { hasText: 'table.csv' }).waitFor()
    await other.getByRole('button', { name: 'Compute with a new guest key' }).click()
    await other.locator('.data th[aria-sort=ascending]').waitFor()
    await other.close()
  })

  inBrowser('a browser that forbids storage computes all the same', async () => {
    const other = await context.newPage()
    await other.addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('Access is denied', 'SecurityError') } })`)
    await other.goto(`${origin()}/#/pricing/bs/price`)
    await other.getByRole('button', { name: 'Compute with a new guest key' }).click()
    await other.locator('#standing', { hasText: 'Guest · 49 credits' }).waitFor()
    await other.close()
  })

  inBrowser('a page that cannot be loaded says so, and is tried again', async () => {
    await page.route('**/assets/account-pages.js', (route) => route.abort())
    await open('/#/login')
    await see('h1', 'This page could not be loaded')
    await page.unroute('**/assets/account-pages.js')
    await press('Try again')
    await see('h1', 'Log in')
  })

  inBrowser(
    'the first page takes at most 12 requests, and says on a slow line that it is loading',
    async () => {
      await renewPage()
      await (await fetch(`${service.url}/assets/app.js`)).arrayBuffer()
      const session = await context.newCDPSession(page)
      const [latency, throughput] = [400, 50_000]
      await session.send('Network.emulateNetworkConditions', {
        offline: false,
        latency,
        downloadThroughput: throughput,
        uploadThroughput: throughput,
      })
      const addresses: string[] = []
      page.on('request', (request) => addresses.push(request.url()))
      const startedAt = performance.now()
      await page.goto(service.url, { waitUntil: 'commit' })
      await see('main', 'Loading')
      await page.locator('canvas').first().waitFor()
      const seconds = (performance.now() - startedAt) / 1_000
      const paintMs = await inPage<number>(
        `performance.getEntriesByName('first-contentful-paint')[0].startTime`,
      )
      console.log(
        `measured: ${seconds.toFixed(1)} s to the first picture, ${(paintMs / 1_000).toFixed(1)} s to the first paint at ${latency} ms and ${throughput / 1_000} kB/s`,
      )
      await page.waitForLoadState('networkidle')
      assert.ok(addresses.length > 2 && addresses.length <= 12, addresses.join('\n'))
      await session.detach()
    },
  )

  inBrowser('journey: axe finds nothing on any page, in one view', async () => {
    await becomeGuest()
    for (const address of [
      ...['', '#/login', '#/register', '#/account', '#/security', '#/history', '#/keys', '#/batch'],
      ...['#/pricing/bs/price', '#/pricing/bs/price/columns', '#/ml/credit/migration'],
      ...['docs', 'docs/scale', 'docs/reference/pricingBsPrice'],
    ]) {
      await open(`/${address}`)
      await page.waitForLoadState('networkidle')
      await clean(`page-${address.replaceAll(/\W+/g, '-')}`, ONE_VIEW)
    }
  })

  inBrowser(
    'Ctrl K finds computations, pages of the account and documents, by keys and by clicks',
    async () => {
      await open('/#/ml/credit/validation')
      await allScripts()
      const search = page.locator('.search')
      const found = search.getByRole('option')
      const chosen = () => search.getByRole('option', { selected: true }).allInnerTexts()
      const input = page.getByRole('combobox', { name: 'Search computations, documents and pages' })
      await page.keyboard.press('Control+k')
      await input.fill('rating')
      await found.first().waitFor()
      assert.match((await chosen()).join(), /^Rating migration matrix\s+computation$/)
      const names = await found.allInnerTexts()
      await page.keyboard.press('ArrowDown')
      assert.deepEqual(await chosen(), [names[1]])
      assert.equal(
        await input.getAttribute('aria-activedescendant'),
        await search.getByRole('option', { selected: true }).getAttribute('id'),
      )
      await clean('search')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
      await see('h1', 'Rating migration matrix')
      assert.equal(await input.count(), 0)
      await press(/^Search/)
      await input.fill('second factor')
      await found.filter({ hasText: 'Security' }).first().click()
      await comesTrue(`location.hash === '#/security'`)
      await page.keyboard.press('Control+k')
      await input.fill('zzqx')
      await see('.search [role=status]', 'No results for “zzqx”.')
      assert.equal(await input.getAttribute('aria-expanded'), 'false')
      await page.keyboard.press('Escape')
      assert.equal(await input.count(), 0)
      await page.keyboard.press('Control+k')
      await input.fill('idempotency key')
      await found
        .filter({ hasText: /document|guide|header/ })
        .first()
        .click()
      await page.waitForURL('**/docs/**')
    },
  )

  inBrowser('axe finds nothing on any page or state', async () => {
    await open('/')
    await page.locator('canvas').first().waitFor()
    await clean('home')
    for (const name of ['login', 'register', 'account']) {
      await open(`/#/${name}`)
      await clean(`${name}-without-key`)
    }
    await open('/docs')
    await clean('reference')
    for (const page of ['scale', 'tutorials/first-price', 'reference/pricingBsPrice']) {
      await open(`/docs/${page}`)
      await clean(page.replace('/', '-'))
    }
    await open('/docs')
    await press(/Contents/)
    await page.getByLabel('Search').fill('gini')
    await page.locator('.results a').first().waitFor()
    await clean('reference-search')
    await becomeGuest()
    await page.locator('canvas').first().waitFor()
    await clean('answer')
    await press('Save as A')
    await field('spot').fill('110')
    await press('Save as B')
    await press('P&L')
    await clean('compared')
    await field('spot').fill('-1')
    await press('Compute')
    await page.locator('.problem').waitFor()
    await clean('failure')
    await open('/#/ml/credit/migration')
    await page.locator('.picture figure').first().waitFor()
    await clean('heat-map')
    await open('/#/models/variance-gamma/calibrate')
    await page.locator('.picture canvas').first().waitFor()
    await clean('calibration')
    for (const name of ['account', 'security', 'history']) {
      await open(`/#/${name}`)
      await page.locator('.totals, .cards, .empty').first().waitFor()
      await clean(`${name}-of-a-guest`)
    }
  })

  inBrowser('axe finds nothing on the pages of an account', async () => {
    const { email, key } = await peopleOf(service).person()
    await useKey(key)
    await open('/#/account')
    await page.locator('.empty').waitFor()
    await clean('account-unused')
    await open('/#/history')
    await page.locator('.empty').waitFor()
    await clean('history-unused')

    await open('/#/batch')
    await press('Compute')
    await page.locator('.data .flag').first().waitFor()
    await clean('batch')
    await open('/#/pricing/bs/price/columns')
    await typeTable('columns', 'spot,strike\n100,105\n-1,105\n110,105\n')
    await clean('rows-asked')
    for (const name of ['risk_free_rate', 'volatility', 'time_to_maturity', 'dividend_yield'])
      await field(name).fill('0.1')
    await page.getByRole('radio', { name: 'Call' }).check()
    await press('Compute')
    await page.locator('.data .flag').first().waitFor()
    await clean('rows')
    await open('/#/ml/preprocessing/outliers')
    await press('Compute')
    await page.locator('.data .flag').first().waitFor()
    await clean('outliers')
    for (const body of [{ name: 'notebook', credit_cap: 2 }, { name: 'dashboard' }]) {
      const made = await service.call('/user/keys/create', { key, body })
      await peopleOf(service).compute(made.body.data.key)
    }
    await open('/#/keys')
    await page.locator('[role=meter]').waitFor()
    await press('Rotate notebook')
    await press('Rotate')
    await see('.callout', 'shown only now')
    await press('Revoke dashboard')
    await clean('team-keys')
    const quantd = operator(settingsOf(service))
    const end = new Date(Date.now() + 86_400_000).toISOString()
    await quantd(['admin', 'grant', email, '3', '--reference', `lot of ${email}`, '--expires', end])
    await quantd(['admin', 'grant', email, '40', '--reference', `disputed by ${email}`])
    await query(service, `UPDATE accounts SET balance = 4 WHERE address = '${email}'`)
    await open('/#/account')
    await page.locator('.chart canvas').nth(1).waitFor()
    await see('main', 'The credits run low.')
    await see('main', 'Credits that expire')
    await clean('account')
    await quantd(['admin', 'reverse', `disputed by ${email}`, '40', '--reference', `dispute of ${email}`])
    await page.reload()
    await see('.callout', 'The next ones pay the 36 credits owed first.')
    assert.match((await page.locator('.totals').textContent()) ?? '', /Owed36/)
    await open('/#/history')
    await page.locator('tbody tr').nth(2).waitFor()
    await clean('history')
    await page.getByLabel('Status').selectOption('500')
    await page.locator('.empty').waitFor()
    await clean('history-no-match')

    await open('/#/security')
    await page.locator('.cards').waitFor()
    await clean('security')
    await press('Replace …')
    await clean('security-replace-key')
    const card = page.locator('.card', { has: page.getByRole('heading', { name: /Second factor/ }) })
    await card.locator('[name=password]').fill('wrong')
    await card.getByRole('button', { name: 'Set up' }).click()
    await card.locator('.problem').waitFor()
    await clean('security-wrong-password')
    await card.locator('[name=password]').fill(PASSWORD)
    await card.getByRole('button', { name: 'Set up' }).click()
    await card.locator('svg[role=img]').waitFor()
    await clean('second-factor')
    await card.locator('[name=code]').fill(oneTimeCode((await card.locator('.secret').textContent())!))
    await card.getByRole('button', { name: 'Switch on' }).click()
    await card.locator('.codes').waitFor()
    await clean('recovery-codes')
  })

  inBrowser('a long number is not cut in its field', async () => {
    for (const width of [375, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await open('/#/pricing/bs/price')
      for (const number of ['250,00', '1.234.567,89', '0.12345678901234']) {
        await field('spot').fill(number)
        const { isCut, right } = await inPage<{ isCut: boolean; right: number }>(`(() => {
          const input = document.querySelector('main [name=spot]')
          return { isCut: input.scrollWidth > input.clientWidth, right: input.getBoundingClientRect().right }
        })()`)
        assert.ok(!isCut && right <= width, `${number} at ${width} px`)
      }
    }
  })

  inBrowser('journey: an inline script does not run on the pages', async () => {
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
    'journey: every page fits the width of a phone, where one button opens the list of operations',
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
        '/docs/scale',
        '/docs/tutorials/first-price',
        '/docs/reference/pricingBsGreeks',
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

  inBrowser('the numbers in a heat map have contrast to every shade, light and dark', async () => {
    const SIZE = 20
    const transitions = Array.from({ length: SIZE }, (_, i) =>
      Array.from({ length: SIZE }, (_, j) => (j === i ? i + 1 : j === (i + 1) % SIZE ? SIZE - i - 1 : 0)),
    )
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await open(`/#/ml/credit/migration?body=${encodeURIComponent(JSON.stringify({ transitions }))}`)
      // The picture has been drawn in this scheme: the second round finds that of the first one on the page.
      await comesTrue(
        `document.querySelector('rect[data-cell]')?.getAttribute('fill') ===
          getComputedStyle(document.documentElement).getPropertyValue('--series-1').trim()`,
      )
      const least = await inPage<number>(`(() => {
        const context = document.createElement('canvas').getContext('2d')
        const bytes = (color) => {
          context.fillStyle = color
          context.fillRect(0, 0, 1, 1)
          return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3)
        }
        const luminance = (color) => {
          const [r, g, b] = color.map((byte) => byte / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
          return 0.2126 * r + 0.7152 * g + 0.0722 * b
        }
        const below = bytes(getComputedStyle(document.documentElement).getPropertyValue('--surface').trim())
        return Math.min(...[...document.querySelectorAll('rect[data-cell]')].map((cell) => {
          const share = Number(cell.getAttribute('fill-opacity'))
          const shade = luminance(bytes(cell.getAttribute('fill')).map((byte, i) => byte * share + below[i] * (1 - share)))
          const text = luminance(bytes(cell.nextElementSibling.getAttribute('fill')))
          return (Math.max(shade, text) + 0.05) / (Math.min(shade, text) + 0.05)
        }))
      })()`)
      assert.ok(least >= 4.5, `${colorScheme}: ${least}`)
    }
  })
}
