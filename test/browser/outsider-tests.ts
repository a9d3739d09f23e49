/** Five files as other trades have them, each from the drop to its picture, with the questions that it raises. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { clean, drop, inBrowser, inPage, open, page, press, see, service, useKey } from './browser.ts'

async function dropTable(name: string): Promise<void> {
  await page.locator('.table-input').waitFor()
  await drop(name, readFileSync(join(import.meta.dirname, 'tables', name)))
  await see('.file-card', name)
}

const choose = (label: string, option: string) =>
  page.getByLabel(`Meaning of ${option}`, { exact: true }).selectOption({ label })
const isBlocked = async () =>
  (await page.getByRole('button', { name: 'Compute' }).getAttribute('aria-disabled')) === 'true'

async function computed(): Promise<void> {
  await press('Compute')
  await see('.answer .hint', 'charged')
  await page.locator('.picture figure').first().waitFor()
}

export function outsiderTests(): void {
  inBrowser('five files of other trades become pictures', async () => {
    await useKey(await service.guest())

    await open('/#/ml/credit/discrimination')
    await dropTable('german-credit.data')
    await see('.ask', 'Which column is Labels')
    assert.ok(await isBlocked())
    await page.locator('.ask', { hasText: 'Which column is Labels' }).getByText('Column 21').click()
    await page
      .locator('.ask', { hasText: 'Which column is Scores' })
      .getByText('Column 2', { exact: true })
      .click()
    await see('.ask', /Which value of Column 21 is a default\?\s*“1”\s*\d+ defaults in 120 rows/)
    await press('“2”')
    await see(
      '.ask',
      /Which values of Column 2 are risky\?\s*High values\s*used as they are; area under ROC 0\.6/,
    )
    await clean('outsider-german-credit-asked')
    await press('High values')
    await computed()
    await clean('outsider-german-credit')

    await open('/#/pricing/bs/price/columns')
    await dropTable('option-chain.xlsx')
    await see(
      '.table-input .hint',
      '36 rows × 10 columns · Mid from Bid and Ask · headings recognised · 1 line above the headings left out · XLSX',
    )
    await see('.ask', 'Recognised by headings or cells: ')
    // It is the last row, and only those in view are elements.
    await inPage(`document.querySelector('.data').scrollTop = 1e9`)
    await see('.data .struck', 'Source: exchange')
    await clean('outsider-option-chain-asked')
    await press('Use these columns')
    await page.getByLabel('Dates count from').fill('2024-03-07')
    for (const [name, value] of [
      ['spot', '5150'],
      ['risk_free_rate', '0.05'],
      ['dividend_yield', '0.015'],
    ] as const)
      await page.locator(`main [name="${name}"]`).fill(value)
    await computed()
    await see('.answer dt', 'Successes among 36 rows')
    await see('.data tbody th', 'XYZ240621C4700')
    await clean('outsider-option-chain')

    await open('/#/ml/preprocessing/outliers')
    await dropTable('renditen.csv')
    await see('.ask', 'Row 60 has no value in EUR/USD.')
    await press('Leave it out')
    await see('.strips text', 'Nettoinvent')
    assert.ok(
      await inPage(`[...document.querySelectorAll('.strips text')].every((text) => text.getBBox().x >= 0)`),
    )
    await choose('not used', 'Nettoinventarwert')
    await computed()
    await see('.flagged', '2020-03-12')
    await see('.data tr:has(.flag) th', '2020-03-12')
    await see('.marks', 'Row with an outlier')
    await clean('outsider-returns')

    await open('/#/ml/credit/migration')
    await dropTable('ratings.tsv')
    await see('.ask', /Rating after: To Rating/)
    await press('Use these columns')
    await computed()
    await see('.heat text', 'AAA')
    await clean('outsider-ratings')

    await open('/#/ml/clustering/isolation-forest')
    await dropTable('card-payments.json')
    await computed()
    await see('.flagged', '2024-03-')
    await clean('outsider-card-payments')
  })
}
