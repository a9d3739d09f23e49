/** What outlasts a page: inputs in its address, inputs and tables on their way to other pages, and kept runs. */
import assert from 'node:assert/strict'
import { peopleOf } from '../support/people.ts'
import {
  becomeGuest,
  clean,
  comesTrue,
  drop,
  field,
  inBrowser,
  inPage,
  ONE_VIEW,
  open,
  page,
  press,
  saved,
  see,
  service,
  textOf,
  typeTable,
  useKey,
} from './browser.ts'

/** Opens another page by the link that takes the inputs along. */
const goOn = (title: string) =>
  page.locator('.journeys').getByRole('link', { name: title, exact: true }).click()

/** Twelve loans, as a file has them. */
const LOANS = Buffer.from(
  [
    'default,score',
    ...Array.from({ length: 12 }, (_, i) => `${i % 3 === 0 ? 1 : 0},${(0.03 * (i + 1)).toFixed(2)}`),
  ].join('\n'),
)

/** Confirms the columns, and says that high scores are risky. */
const answerAll = async () => {
  await press('Use these columns')
  await press('High values')
}

/** Waits for an answer with another request id. */
const compute = async () => {
  const shown = `document.querySelector('.answer code')?.textContent`
  const before = await inPage<string | undefined>(shown)
  await press('Compute')
  await comesTrue(`![undefined, ${JSON.stringify(before) ?? 'undefined'}].includes(${shown})`)
}

export function runTests(): void {
  inBrowser('the inputs of a page are in its address, which opens them again, and never a key', async () => {
    await becomeGuest()
    await field('spot').fill('123')
    await comesTrue(`location.hash.includes(encodeURIComponent('"spot":123'))`)
    assert.doesNotMatch(page.url(), /qd_/)
    await page.reload()
    await see('.preview dd', /./)
    assert.equal(await field('spot').inputValue(), '123')
    await press('Reset')
    await comesTrue(`location.hash === '#/pricing/bs/price'`)
    const key = await inPage<string>(`JSON.parse(sessionStorage.getItem('quantd-key')).apiKey`)
    await inPage(`location.hash = '#/ml/credit/rating-history'`)
    const enter = (entity: string) =>
      typeTable(
        'entities dates ratings',
        `entities,dates,ratings\n${entity},2020-12-31,A\n${entity},2021-12-31,D\n`,
      )
    await enter('X')
    await comesTrue(`location.hash.includes(encodeURIComponent('"entities":["X","X"]'))`)
    await enter(key)
    await comesTrue(`location.hash === '#/ml/credit/rating-history'`)
  })

  inBrowser('after a log-out, going back shows no inputs of before', async () => {
    await becomeGuest()
    await field('spot').fill('123')
    await comesTrue(`location.hash.includes('123')`)
    await inPage(`location.hash = '#/security'`)
    await press('Log out')
    // The runs of a guest are deleted first.
    await see('#standing', 'Log in')
    await page.goBack()
    await page.goBack()
    await see('h1', 'Black–Scholes price')
    assert.equal(await field('spot').inputValue(), '100')
    await comesTrue(`location.hash === '#/pricing/bs/price'`)
  })

  inBrowser('inputs travel from a price to its Greeks and to the implied volatility', async () => {
    await open('/#/pricing/bs/price')
    await field('spot').fill('110')
    await see('.preview dd', /^1[345]/)
    const price = await textOf('.preview dd')
    await goOn('Black–Scholes Greeks')
    await see('h1', 'Black–Scholes Greeks')
    assert.equal(await field('spot').inputValue(), '110')
    await page.goBack()
    await see('h1', 'Black–Scholes price')
    assert.equal(await field('spot').inputValue(), '110')
    await goOn('Black–Scholes implied volatility')
    await see('.preview dd', '0.2')
    assert.equal(Number(await field('price').inputValue()).toPrecision(6), Number(price).toPrecision(6))
    await goOn('American price')
    await see('h1', 'American price')
    assert.equal(Number(await field('volatility').inputValue()).toFixed(9), '0.200000000')
  })

  inBrowser(
    'a file travels from discrimination to validation and to stability, with its meaning',
    async () => {
      await open('/#/ml/credit/discrimination')
      await page.locator('.sheet').waitFor()
      await drop('loans.csv', LOANS)
      await see('.file-card', 'loans.csv')
      await goOn('Credit validation')
      await see('h1', 'Credit validation')
      await see('.file-card', 'loans.csv')
      await see('.table-input .hint', '12 rows × 2 columns')
      // The labels have their meaning, so only what the other page did not know is asked.
      await see('[aria-label="Table"]', 'Probabilities of default')
      await goOn('Score stability')
      await see('h1', 'Score stability')
      await see('.file-card', 'loans.csv')
    },
  )

  inBrowser(
    'journey: runs are kept, opened again, compared and deleted, and another account sees none',
    async () => {
      const people = peopleOf(service)
      await useKey((await people.person()).key)
      await open('/#/pricing/bs/price')
      await compute()
      await press('Keep this run')
      await see('.keep', 'Kept in this browser.')
      await field('strike').fill('110')
      await compute()
      await press('Keep this run')
      await see('.keep', 'Kept in this browser.')
      await page.getByRole('link', { name: 'Compare runs' }).click()
      await see('h1', 'Runs')
      await page
        .getByRole('checkbox', { name: /^Compare/ })
        .nth(1)
        .waitFor()
      for (const box of await page.getByRole('checkbox', { name: /^Compare/ }).all()) await box.check()
      await see('.comparison', 'Results that differ')
      assert.match(await textOf('[aria-label="Inputs that differ"]'), /Strike price105110\+5/)
      assert.match(await textOf('[aria-label="Results that differ"]'), /Price8.02\d+6.04\d+−1.98/)
      await clean('runs-compared', ONE_VIEW)
      const receipt = await saved(() =>
        page
          .getByRole('button', { name: /^Receipt/ })
          .first()
          .click(),
      )
      assert.equal(JSON.parse(receipt.toString()).quantd_receipt, 1)
      await page.getByRole('button', { name: /^Open/ }).first().click()
      await see('h1', 'Black–Scholes price')
      assert.equal(await field('strike').inputValue(), '110')

      await useKey((await people.person()).key)
      await open('/#/runs')
      await see('.empty', 'No run is kept yet')
      await page.goBack()
    },
  )

  inBrowser('a run of a file is opened with the file and the meaning of its columns', async () => {
    await useKey((await peopleOf(service).person()).key)
    await open('/#/ml/credit/discrimination')
    await page.locator('.sheet').waitFor()
    await drop('loans.csv', LOANS)
    await see('.file-card', 'loans.csv')
    await answerAll()
    await compute()
    await press('Keep this run')
    await see('.keep', 'Kept in this browser.')
    const before = await textOf('.answer dd')
    await page.reload()
    await inPage(`location.hash = '#/runs'`)
    await page.getByRole('button', { name: /^Open/ }).first().click()
    await see('.file-card', 'loans.csv')
    await compute()
    assert.equal(await textOf('.answer dd'), before)
    await inPage(`location.hash = '#/runs'`)
    await press('Delete all 1 run')
    await see('.empty', 'No run is kept yet')
  })

  inBrowser('runs beyond the limit are refused with both sizes', async () => {
    await becomeGuest()
    await inPage(`new Promise((resolve) => {
      const request = indexedDB.open('quantd', 1)
      request.onupgradeneeded = () => request.result.createObjectStore('runs', { keyPath: 'id' })
      request.onsuccess = () => {
        const transaction = request.result.transaction('runs', 'readwrite')
        const reply = new Blob([new Uint8Array(49_999_000)])
        transaction.objectStore('runs').put({ id: 'large', owner: 'another', source: null, reply })
        transaction.oncomplete = () => { request.result.close(); resolve() }
      }
    })`)
    await press('Keep this run')
    await see('.keep', 'take 50.0 MB of 50.0 MB, and this one takes 2 kB: delete some first.')
    await inPage(`location.hash = '#/security'`)
    await see('.card', 'Also delete the runs that this browser keeps')
  })
}
