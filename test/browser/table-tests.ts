/** Large tables: read and sent by a worker, shown by a virtual list, cancelled, and saved. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { becomeGuest, inBrowser, inPage, page, press, screenshot, see, service, textOf } from './browser.ts'

const ROWS = 20_000
const FIRST = 4

/** A table of three columns whose rows FIRST, FIRST + 5000, … stand out. */
function tableFile(): string {
  const lines = Array.from({ length: ROWS }, (_, i) => {
    const spread = i % 5_000 === FIRST ? 90 : 1
    return [Math.sin(i * 1.7), Math.cos(i * 2.3) * spread, Math.sin(i * 0.9)]
      .map((value) => value.toFixed(4))
      .join(';')
  })
  const path = join(service.dataDir, 'table.csv')
  writeFileSync(path, ['first;second;third', ...lines].join('\n'))
  return path
}

const pick = (file: string) => page.locator('input[type=file]').setInputFiles(file)

export function tableTests(): void {
  inBrowser('a large file is read, computed, drawn and saved without holding the page', async () => {
    await becomeGuest('/ml/preprocessing/outliers')
    await inPage(`(() => {
      window.longest = 0
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration)
      }).observe({ type: 'longtask' })
    })()`)
    await pick(tableFile())
    await see('.table-input .hint', '20,000 rows × 3 columns · headings recognised · separated by semicolon')
    await see('.preview dt', 'Outliers among 20,000 rows')
    await press('Compute')
    await see('.answer dt', 'Outliers among 20,000 rows')
    await see('.strips text', 'second')
    assert.equal(await textOf('.data tbody tr th'), String(FIRST + 1), 'flagged rows come first')
    assert.ok((await page.locator('.data tbody tr').count()) < 100, 'only the rows in view are elements')
    await inPage(`document.querySelector('.data').scrollTop = 1e9`)
    await see('.data tbody th', String(ROWS))
    await screenshot('large-table')

    const saved = async (name: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.locator('.details').getByRole('button', { name, exact: true }).click(),
      ])
      return readFileSync(await download.path(), 'utf8')
    }
    const csv = (await saved('CSV')).trim().split('\n')
    assert.equal(csv.length, ROWS + 1)
    assert.equal(csv[0], 'row,outlier,first,second,third')
    assert.match(csv[FIRST + 1]!, /^5,true,/)
    assert.equal(JSON.parse(await saved('JSON')).data.outliers.length, ROWS)
  })

  inBrowser('the first bad cell of a file is named by row, column and heading', async () => {
    await becomeGuest('/ml/preprocessing/outliers')
    const file = join(service.dataDir, 'bad.csv')
    const lines = Array.from({ length: 10_000 }, (_, i) => (i === 8_999 ? '1.5,n/a' : '1.5,2.5'))
    writeFileSync(file, ['height,weight', ...lines].join('\n'))
    await pick(file)
    await see('.error', 'bad.csv: Row 9000, column 2 (weight), line 9001: “n/a” is not a number.')
  })

  inBrowser('a cancelled call says whether it was charged, and its answer costs nothing more', async () => {
    await becomeGuest('/ml/clustering/isolation-forest')
    await pick(tableFile())
    await see('.preview dt', 'Anomalies among 20,000 rows')
    // The reply is held back, so that the call is cancelled after the service has answered it.
    const session = await page.context().newCDPSession(page)
    const held = new Promise((resolve) => session.once('Fetch.requestPaused', resolve))
    await session.send('Fetch.enable', {
      patterns: [{ urlPattern: '*/quantlib/*', requestStage: 'Response' }],
    })
    await press('Compute')
    await held
    await see('.progress', 'Computing')
    await press('Cancel')
    await session.send('Fetch.disable')
    await see('.answer .callout', 'It was charged')
    await press('Get its answer, without another charge')
    await see('.answer .hint', 'not charged again')
    assert.equal(await textOf('#standing'), 'Guest · 48 credits')
  })
}
