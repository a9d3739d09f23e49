/** Files that are dropped or pasted anywhere in the console: what they are recognised as, and where they go from there. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromArrays, tableToIPC } from 'apache-arrow'
import {
  clean,
  drop,
  field,
  inBrowser,
  inPage,
  ONE_VIEW,
  open,
  page,
  press,
  savedLines,
  see,
  service,
  shareOneBrowser,
  textOf,
  useKey,
} from './browser.ts'

shareOneBrowser()

const offer = (name: string) => page.locator('.offer', { hasText: name }).first().click()

/** The ratings of 30 issuers at the ends of three years. */
const history = ['issuer_id;rating_date;agency_rating']
for (let i = 0; i < 30; i++)
  for (const [year, rating] of [
    ['A', 'A', 'B'],
    ['B', 'WR', 'B'],
    ['B', 'B', 'D'],
  ][i % 3].entries())
    history.push(`I${i};31.12.${2020 + year};${rating}`)

inBrowser('each kind of table that the page of files names opens as one that is recognised', async () => {
  for (const [kind, heading] of [
    ['An option chain', 'This looks like an option chain'],
    ['A credit portfolio', 'This looks like a portfolio with default probabilities and defaults'],
    ['A rating history', 'This looks like a rating history'],
    ['A rating matrix', 'This looks like a rating matrix'],
    ['Observations', 'This looks like a table of numbers'],
  ]) {
    await open('/#/file')
    await inPage('location.reload()')
    await offer(kind)
    await see('.offers h2', heading)
  }
})

inBrowser(
  'journey: a file that is dropped on the first page is recognised and taken to an operation',
  async () => {
    await open('/')
    await drop('option-chain.xlsx', readFileSync(join(import.meta.dirname, 'tables/option-chain.xlsx')))
    await see('.offers h2', 'This looks like an option chain')
    await see('.offer .hint', 'Volatility: Implied Vol')
    await clean('file-recognised', ONE_VIEW)
    await offer('Black–Scholes Greeks')
    await see('.file-card', 'option-chain.xlsx')
    assert.equal(
      await page.locator('.ask', { hasText: 'Recognised by headings' }).count(),
      0,
      'it was confirmed before',
    )
    await field('spot').fill('5100')
    await field('risk_free_rate').fill('3%')
    await see('#blocked', 'All dates in Expiration lie before')
    await page.getByLabel('Dates count from').fill('2024-03-15')
    await page.locator('#blocked[hidden]').waitFor({ state: 'attached' })
    await press('Compute with a new guest key')
    await see('.answer dt', 'Successes among')
    await inPage('history.back()')
    await see('.offers h2', 'This looks like an option chain')
  },
)

inBrowser('a rating history becomes a matrix, which one click sends on with its ratings', async () => {
  await useKey(await service.guest())
  await open('/#/account')
  await drop('history.csv', Buffer.from(history.join('\n')))
  await offer('Rating history')
  await see('.preview dd', '30')
  assert.deepEqual(
    [await field('start').inputValue(), await field('end').inputValue()],
    ['2020-12-31', '2022-12-31'],
  )
  await press('Compute')
  await see('.answer dt', 'Rated entities')
  await clean('rating-history-of-a-file', ONE_VIEW)
  await press('Project this matrix')
  await see('h1', 'Rating migration matrix')
  await see('.data th', 'from')
  await see('.preview dt', 'A → D')
  await page.locator('.sheet').getByRole('button', { name: 'Edit as text' }).click()
  assert.match(await field('transitions').inputValue(), /^from, A, B, D\nA, 10, 10, 0\nB, 0, 10, 10\n/)
})

inBrowser(
  'ratings with a column for each year become a history, whose years have no separators',
  async () => {
    await open('/')
    const rows = ['A;AA;BB;D', 'B;BBB;BBB;WR', 'C;A;AA;A']
    await drop('wide.csv', Buffer.from(`Issuer;2021;2022;2023\n${rows.join('\n')}\n`))
    await offer('Rating history')
    await see('.preview dt', 'Rated entities')
    assert.equal(await textOf('.data tbody td:nth-of-type(2)'), '2021')
  },
)

inBrowser('issuers that stand in their first rows only are filled down by one click', async () => {
  await open('/')
  const rows = ['A;2021;AA', ';2022;BB', ';2023;D', 'B;2021;BBB', ';2022;AA', 'C;2021;A', ';2022;AA']
  await drop('grouped.csv', Buffer.from(`Issuer;Year;Rating\n${rows.join('\n')}\n`))
  await see('.aside', 'Issuer: 4 empty cells below the first row of each group.')
  await press('Fill down')
  await see('.aside', 'Issuer: 4 cells filled down')
  await offer('Rating history')
  await see('.preview dd', '3')
  await see('.aside', 'Issuer: 4 cells filled down')
  await clean('filled-down', ONE_VIEW)
})

inBrowser('a matrix in per cent without default row is mended in one step', async () => {
  await open('/')
  await drop('matrix.csv', Buffer.from('From;A;B;D;WR\nA;87%;9%;1%;3%\nB;5%;70%;15%;10%\n'))
  await offer('Rating migration matrix')
  await press('Never, as default')
  await press('As unchanged')
  await see('.preview dt', 'A → D')
  await see('.preview .unit', 'probability over all periods')
  await clean('matrix-mended', ONE_VIEW)
})

inBrowser('cells, Arrow files and bodies of requests go where they fit', async () => {
  await useKey(await service.guest())
  await open('/#/login')
  await inPage(`(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'Vendor\\tShare\\nA\\t60%\\nB\\t40%\\n')
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })()`)
  await see('.offers h2', 'This looks like shares of a whole')
  await offer('Shannon entropy')
  await see('.preview dd', '0.673012')
  await see('.preview .unit', 'nats')
  const dev = Float64Array.from({ length: 60 }, (_, i) => Math.sin(i))
  const arrow = tableToIPC(tableFromArrays({ score_dev: dev, score_oot: dev.map((value) => value + 0.2) }))
  await open('/#/file')
  await clean('file-none', ONE_VIEW)
  await drop('scores.arrow', arrow)
  await offer('Score stability')
  await press('score_dev')
  await press('Compute')
  await see('.answer dt', 'Population stability index')
  await inPage(`location.hash = '#/'`)
  await see('h1', 'Quantitative finance')
  await drop('wealth.csv', Buffer.from('Household,Net wealth\nA,"$120,000.50"\nB,"$45,500.00"\n'))
  await offer('Batch of computations')
  await press('Compute')
  await see('.answer dt', 'Successes among 2 calls')
  await inPage(`location.hash = '#/'`)
  await see('h1', 'Quantitative finance')
  await drop('request.json', Buffer.from(JSON.stringify({ wealth: 100 })))
  await see('h1', 'Logarithmic utility')
  assert.equal(await field('wealth').inputValue(), '100')
})

inBrowser('a call waits for the file that is being read', async () => {
  await useKey(await service.guest())
  await open('/#/physics/entropy/shannon')
  await see('.preview dd', '2.64')
  await inPage(`(() => {
    const { postMessage } = Worker.prototype
    Worker.prototype.postMessage = function (...message) {
      window.readFile = () => postMessage.apply(this, message)
    }
  })()`)
  await drop('shares.csv', Buffer.from('Vendor,Share\nA,60%\nB,40%\n'))
  await see('#blocked', 'The file is being read.')
  await page.getByRole('button', { name: 'Compute' }).click({ force: true })
  await inPage('window.readFile()')
  await see('.preview dd', '0.673012')
  assert.equal(await page.locator('.answer .agreement').count(), 0, 'the example was not sent')
  await press('Compute')
  await see('.answer .agreement', 'The preview agrees')
})

inBrowser('a portfolio is validated and its result saved in five acts', async () => {
  await useKey(await service.guest())
  await open('/')
  const loans = Array.from(
    { length: 60 },
    (_, i) => `L${i};${1000 + i};${1 + (i % 9)},5 %;${i % 6 === 5 ? 'Y' : 'N'}`,
  )
  await drop(
    'loans.csv',
    Buffer.from(['Loan ID;Balance;PD (%);Default Y/N', ...loans, 'Total;61770;;'].join('\n')),
  )
  await offer('Credit validation')
  await press('Compute')
  await see('.answer .agreement', 'The preview agrees')
  const lines = await savedLines(() => press(/^Save the numbers of “Reliability” as CSV/))
  assert.ok(lines.length > 2)
  await see('.aside', 'Left out, struck through below: 1 total')
})

inBrowser('a chain without prices, spot and rate is computed in four acts', async () => {
  await useKey(await service.guest())
  await open('/')
  const [spot, rate, years] = [6010.5, 0.04, 0.25]
  const rows = [5700, 5800, 5900, 6000, 6100, 6200, 6300].map((strike) => {
    const gap = spot - strike * Math.exp(-rate * years)
    const [call, put] = [Math.max(gap, 0) + 60, Math.max(-gap, 0) + 60]
    return [
      years,
      ...[call - 0.5, call + 0.5, put - 0.5, put + 0.5].map((one) => one.toFixed(2)),
      strike,
    ].join()
  })
  await drop(
    'quotes.csv',
    Buffer.from(
      ['"S&P 500 INDEX","Last: 6010.5"', 'T,Call Bid,Call Ask,Put Bid,Put Ask,Strike', ...rows].join('\n'),
    ),
  )
  await offer('Black–Scholes implied volatility')
  await see('.ask', 'Spot price 6,010.5: “Last: 6010.5” above the headings')
  await see('.ask', 'Risk-free rate 4 % by put–call parity of 7 pairs')
  assert.deepEqual(await field('spot').inputValue(), '', 'nothing is taken before the click')
  await clean('suggested', ONE_VIEW)
  await press('Use all')
  assert.deepEqual(
    [await field('spot').inputValue(), await field('risk_free_rate').inputValue()],
    ['6010.5', '0.04'],
  )
  await press('Compute')
  await see('.answer dd', '14')
  assert.equal(await page.locator('.ask').count(), 0)
})

inBrowser('months of ratings of two agencies are a history of one, by the months between them', async () => {
  await useKey(await service.guest())
  await open('/')
  const rows = Array.from({ length: 48 }, (_, i) => {
    const [issuer, month, agency] = [i % 4, Math.floor(i / 8), i % 8 < 4 ? 'S&P' : "Moody's"]
    const rating = agency === 'S&P' ? ['AA', 'BBB', 'BBB', 'D'][issuer] : ['Aa2', 'Baa2', 'Baa2', 'C'][issuer]
    return `I${issuer},${agency},2026-0${month + 1}-15,${rating}`
  })
  await drop('agencies.csv', Buffer.from(['Issuer,Agency,Date,Rating', ...rows].join('\n')))
  await offer('Rating history')
  await see('.ask', 'The same entity may have a rating for each Agency')
  await press('S&P')
  await see('.ask', 'Used: the rows with “S&P” in Agency.')
  await see('.ask', 'its dates are 1 month apart')
  assert.equal(await page.getByLabel('Ratings, best to worst').inputValue(), 'AA, BBB, D')
  await clean('one-agency', ONE_VIEW)
  await press('Use it')
  await press('Compute')
  await see('.answer dt', 'Rated entities')
  await press('Choose again')
  await see('.ask', 'The same entity may have a rating for each Agency')
})

inBrowser('a grid of volatilities is calibrated in five acts', async () => {
  await useKey(await service.guest())
  await open('/')
  const rows = ['3M', '6M', '1Y'].map((time, i) =>
    [time, ...[26, 23, 21, 20, 19.5].map((one) => one - i / 4)].join(';'),
  )
  await drop('surface.csv', Buffer.from(['Expiry;80%;90%;100%;110%;120%', ...rows].join('\n')))
  await see('.lead', 'a row for each volatility of the grid, with strikes for a spot of 100')
  await offer('Variance Gamma calibration')
  await press('Use all')
  assert.equal(await field('S').inputValue(), '100')
  await field('r').fill('2%')
  await press('Compute')
  await see('.answer dt', 'Volatility')
})
