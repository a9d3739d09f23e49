/** Pages at a high zoom, in the colours of the system, and with long names. */
import assert from 'node:assert/strict'
import { query } from '../support/database.ts'
import { printed } from '../support/pdf-text.ts'
import { peopleOf } from '../support/people.ts'
import {
  becomeGuest,
  comesTrue,
  inBrowser,
  inPage,
  open,
  page,
  press,
  see,
  service,
  useKey,
} from './browser.ts'

/** Names the element that has the focus if no part of it is seen; else empty. */
const COVERED = `(() => {
  const { activeElement: focused } = document
  const { left, top, width, height } = focused.getBoundingClientRect()
  const shares = [0.05, 0.5, 0.95]
  const isSeen = shares.some((across) => shares.some((down) =>
    focused.contains(document.elementFromPoint(left + across * width, top + down * height))))
  return focused === document.body || isSeen ? '' : focused.tagName + ' ' + (focused.name || focused.textContent)
})()`

export function displayTests(): void {
  inBrowser('nothing that stays in sight covers what has the focus', async () => {
    for (const [width, height] of [
      [1280, 800],
      [390, 844],
      [320, 256],
    ] as const) {
      await page.setViewportSize({ width, height })
      await open('/#/pricing/bs/price')
      await page.locator('.grid table').waitFor()
      for (const key of ['Tab', 'Shift+Tab'])
        for (let i = 0; i < 60; i++) {
          await page.keyboard.press(key)
          assert.equal(await inPage(COVERED), '', `${key} ${i} at ${width} × ${height}`)
        }
    }
  })

  inBrowser('in the colours of the system it is seen which choice holds, and how long a bar is', async () => {
    await page.emulateMedia({ forcedColors: 'active' })
    const styleOf = (selector: string, name: string) =>
      inPage<string>(`getComputedStyle(document.querySelector('${selector}')).${name}`)
    const ground = (selector: string) => styleOf(selector, 'backgroundColor')
    await becomeGuest('/ml/credit/migration')
    await page.locator('.picture [aria-pressed=true]').waitFor()
    for (const choice of ['.picture [aria-pressed=true]', '.sample [aria-pressed=true]'])
      for (const name of ['backgroundColor', 'color'])
        assert.equal(await styleOf(choice, name), await styleOf('.side [aria-current]', name), choice)
    assert.notEqual(await ground('.side [aria-current]'), await ground('body'))
    await open('/#/account')
    await page.locator('.share').waitFor()
    for (const bar of ['.share', '.spent > div'])
      assert.notEqual(await ground(bar), await ground('body'), bar)
    await page.emulateMedia({ forcedColors: null })
  })

  inBrowser('no heading of a card is broken within a word', async () => {
    await open('/#/pricing/bs/price')
    await page.locator('.card.result h2').waitFor()
    for (const width of [1280, 1024, 320]) {
      await page.setViewportSize({ width, height: 800 })
      const lines = await inPage<number>(`(() => {
        const range = document.createRange()
        range.selectNodeContents(document.querySelector('.card.result h2').firstChild)
        return range.getClientRects().length
      })()`)
      assert.equal(lines, 1, `at ${width} px`)
    }
  })

  inBrowser(
    'the history and the account of a guest are printed without controls and what they explain',
    async () => {
      const { key } = await peopleOf(service).person()
      await peopleOf(service).compute(key)
      await useKey(key)
      await open('/#/history')
      await page.locator('.calls tbody tr').waitFor()
      const { text } = printed(await page.pdf())
      assert.match(text, /Logarithmicutility/)
      assert.doesNotMatch(text, /Receipt|Input|Runagain|Page1/)
      await useKey(await service.guest())
      await open('/#/account')
      await see('.callout', 'Keep your credits and your history.')
      await page.locator('.totals').waitFor()
      assert.doesNotMatch(printed(await page.pdf()).text, /Register/)
    },
  )

  inBrowser('long names widen no page, and team keys are printed without forms', async () => {
    const { email, key } = await peopleOf(service).person()
    await query(service, `UPDATE accounts SET full_name = '${'W'.repeat(100)}' WHERE address = '${email}'`)
    await service.call('/user/keys/create', { key, body: { name: 'x'.repeat(100) } })
    await useKey(key)
    for (const [address, shown] of [
      ['account', '.totals'],
      ['keys', '.keys li'],
    ]) {
      await open(`/#/${address}`)
      await page.locator(shown).first().waitFor()
      await see('#standing', 'WWW')
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 800 })
        await comesTrue('document.documentElement.scrollWidth <= innerWidth')
      }
    }
    assert.ok(await inPage(`document.querySelector('.keys .tag').getClientRects()[0].height < 30`))
    await page.emulateMedia({ media: 'print' })
    await see('.keys', 'credits spent')
    assert.equal(await page.getByRole('button').count(), 0)
    assert.equal(await page.getByRole('textbox').count(), 0)
    await page.emulateMedia({ media: null })
    await press(/^Revoke xxx/)
    assert.ok(await inPage('document.documentElement.scrollWidth <= innerWidth'))
  })
}
