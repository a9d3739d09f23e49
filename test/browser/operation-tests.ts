/** The pages of the operations: sliders, previews, pictures and charged answers. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '../../src/compute/catalogue/index.ts'
import { printed } from '../support/pdf-text.ts'
import {
  allScripts,
  becomeGuest,
  clean,
  comesTrue,
  context,
  drop,
  faults,
  field,
  inBrowser,
  inPage,
  open,
  page,
  press,
  saved,
  savedLines,
  screenshot,
  see,
  service,
  textOf,
  typeTable,
  useKey,
  violations,
} from './browser.ts'

const price = async () => Number(await textOf('.preview .headline dd'))

/** A number as the console writes it: `1,234.5`, `1.5 × 10⁻⁷`. */
const numberOf = (text: string) =>
  Number(
    text
      .replaceAll(',', '')
      .replace(' × 10', 'e')
      .replaceAll(/[⁻−]/g, '-')
      .replace(/[⁰¹²³⁴-⁹]/g, (digit) => String('⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(digit))),
  )

/** Marks of one legend whose patterns, shapes or signs are the same. */
const alike = () =>
  inPage<string[]>(`[...document.querySelectorAll('.picture .marks')].flatMap((legend) => {
    const marks = [...legend.querySelectorAll('.bar-sample, .sign')].map((mark) =>
      (mark.textContent + getComputedStyle(mark).backgroundImage).replace(/rgb[^)]*\\)/g, 'ink'))
    return marks.filter((mark, i) => marks.indexOf(mark) !== i)
  })`)

/** Notes the place of each text that is drawn from now on, in pixels of its canvas. */
const recordTexts = `(() => {
  const { fillText, clearRect } = CanvasRenderingContext2D.prototype
  const width = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'width')
  const forget = (cleared) => (window.drawn = window.drawn.filter(({ canvas }) => canvas !== cleared))
  window.drawn = []
  const set = function (value) {
    forget(this)
    width.set.call(this, value)
  }
  Object.defineProperty(HTMLCanvasElement.prototype, 'width', { ...width, set })
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    forget(this.canvas)
    return clearRect.apply(this, box)
  }
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const { actualBoundingBoxLeft: left, actualBoundingBoxRight: right } = this.measureText(text)
    const [from, to] = [x - left, x + right].map((across) => this.getTransform().transformPoint({ x: across, y }))
    if (from.y === to.y) window.drawn.push({ canvas: this.canvas, text, y: from.y, from: from.x, to: to.x })
    return fillText.call(this, text, x, y)
  }
})()`

/** A script that finds the recorded texts beyond the edge of their canvas, and those that overlap. */
const faultsOfTexts = `window.drawn.flatMap(({ canvas, text, y, from, to }, i) => [
  ...(from < 0 || to > canvas.width ? [text + ' is cut off'] : []),
  ...window.drawn.slice(i + 1)
    .filter((other) => other.canvas === canvas && other.y === y && other.from < to && other.to > from)
    .map((other) => text + ' covers ' + other.text),
])`

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))

/** A sheet as narrow as A4 and as low as Letter. */
const PAPER = { width: '210mm', height: '279mm' }

/** One sheet with input, answer, request and version, without navigation, black on white. */
async function checkReports(path: string, title: string, answer: readonly string[]): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  const inputs = await inPage<string[]>(`[...document.querySelectorAll('.inputs .field:not(:has(.switch))')]
    .filter((field) => field.querySelector('[name]').value !== '')
    .flatMap((field) => [field.querySelector('label').firstChild.textContent, field.querySelector('input[name]')?.value ?? ''])`)
  const wanted = [title, ...answer, ...inputs, (await textOf('.answer code')).trim(), `quantd ${version} at`]
  const { inks, pages, text } = printed(await page.pdf(PAPER))
  assert.equal(pages, 1, path)
  // Long texts are cut.
  for (const one of wanted.map((text) => text.replace(/\s/g, '').slice(0, 90)))
    assert.ok(text.includes(one.normalize('NFKC')), `${path}: ${one} is printed`)
  assert.doesNotMatch(text, /Compute|Skiptocontent|Guest·|allcomputations|ConsoleAccount/, path)
  // The heat map has white numbers on dark cells.
  if (!/migration|rating-history/.test(path))
    for (const [red, green, blue] of inks)
      assert.ok(0.3 * red! + 0.59 * green! + 0.11 * blue! < 0.5, `${path}: text in ${[red, green, blue]}`)
  await page.emulateMedia({ colorScheme: 'light' })
}

export function operationTests(): void {
  inBrowser('journey: one click creates a guest key and prices an option', async () => {
    await open('/')
    await screenshot('home')
    await page.getByRole('link', { name: 'Price an option' }).click()
    await see('.preview dd', '8.02135')
    await press('Compute with a new guest key')
    await see('.answer dd', '8.021352235143173')
    assert.equal(await textOf('#standing'), 'Guest · 49 credits')
    assert.match(
      await textOf('.remaining'),
      /49 credits left\s*59 of 60 left this hour\s*49 of 50 left today/,
    )
    assert.match(await textOf('.answer [role=status]'), /^Price 8\.02135; 1 credit charged\.$/)
    await screenshot('black-scholes')
  })

  inBrowser('a slider moves the preview and the picture at once, without a request', async () => {
    await open('/#/pricing/bs/price')
    await page.locator('.chart canvas').first().waitFor()
    await allScripts()
    const before = await inPage<string>(`document.querySelector('.chart canvas').toDataURL()`)
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.getByRole('slider', { name: 'Volatility, slider' }).press('ArrowRight')
    assert.equal(await field('volatility').inputValue(), '0.205')
    assert.ok((await price()) > 8.1)
    await comesTrue(`document.querySelector('.chart canvas').toDataURL() !== ${JSON.stringify(before)}`)
    assert.deepEqual(requests, [])
  })

  inBrowser(
    'journey: a page of prices has its Greeks, scenarios, a point to drag and two sets to compare',
    async () => {
      await open('/#/pricing/bs/price')
      await page.locator('.handle').nth(1).waitFor()
      await allScripts()
      const requests: string[] = []
      page.on('request', (request) => requests.push(request.url()))
      assert.equal(await textOf('.scenarios .base'), '8.0214')
      await press('P&L')
      assert.equal(await textOf('.scenarios .base'), '0')
      assert.match(await textOf('.scenarios .gain'), /^\+/)

      const handle = page.getByRole('slider', { name: 'Volatility, in “Price against volatility”' })
      await handle.press('ArrowRight')
      assert.equal(await field('volatility').inputValue(), '0.205')
      await comesTrue(`document.querySelectorAll('.handle')[1].getAttribute('aria-valuenow') === '0.205'`)
      const { x, y, width, height } = (await handle.boundingBox())!
      await page.mouse.move(x + width / 2, y + height / 2)
      await page.mouse.down()
      await page.mouse.move(x + width / 2 + 20, y)
      await page.mouse.up()
      const dragged = Number(await field('volatility').inputValue())
      assert.ok(dragged > 0.22 && dragged < 0.4, String(dragged))
      assert.ok((await price()) > 8.7)
      await field('volatility').fill('0.2')

      await press('Save as A')
      await field('spot').fill('110')
      await press('Save as B')
      const row = (name: string) =>
        page
          .locator('.sets tr', { has: page.getByRole('rowheader', { name, exact: true }) })
          .locator('td')
          .allTextContents()
      assert.deepEqual(await row('Spot price'), ['100', '110', '+10'])
      assert.deepEqual(await row('Price, in currency'), ['8.02135', '14.3703', '+6.34899'])
      assert.deepEqual(await row('Theta, per year'), ['−6.27713', '−6.94441', '−0.667287'])
      await press('per calendar day')
      assert.deepEqual((await row('Theta, per calendar day'))[0], '−0.0171976')
      await press('Use A')
      assert.equal(await field('spot').inputValue(), '100')
      assert.deepEqual(await violations(), [])
      assert.deepEqual(requests, [])
      await screenshot('prices')

      await page.getByRole('link', { name: 'Ask the service for these 35 prices' }).click()
      await see('.table-input .hint', '35 rows')
      await see('.cost', 'Costs up to 35 credits')
      await open('/#/pricing/american/price')
      await see('.preview .unit', 'per calendar day')
    },
  )

  inBrowser('an answer is told apart from the preview, and marked once the input has changed', async () => {
    await becomeGuest()
    await field('spot').fill('123')
    await see('.answer.stale', 'For the earlier input.')
    assert.ok((await price()) > 20)
    assert.equal(await textOf('.answer dd'), '8.021352235143173')
  })

  inBrowser(
    'preview, answer and the button are in sight while the fields and the pictures scroll',
    async () => {
      await page.setViewportSize({ width: 1280, height: 900 })
      await becomeGuest()
      const inSight = (selector: string) =>
        inPage<boolean>(`(() => {
        const { top, bottom } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight
      })()`)
      const computes = '.inputs > .actions button'
      assert.ok(await inSight(computes))
      assert.ok(await inSight('.answer'))
      await see('.agreement', 'The preview agrees.')
      await see('.cost', 'Costs 1 credit. 49 left.')
      await inPage(`scrollTo(0, 500)`)
      assert.ok(await inSight('.answer .headline'))
      await page.setViewportSize({ width: 375, height: 700 })
      for (const name of ['spot', 'volatility', 'dividend_yield']) {
        await field(name).scrollIntoViewIfNeeded()
        assert.ok(await inSight('.card.result .headline'), name)
      }
      await screenshot('black-scholes-375')
    },
  )

  inBrowser(
    'every operation has a picture, no fault that axe finds, and a preview that is the answer of the service',
    async () => {
      const key = (
        await service.call('/guest/create', { body: { device_id: 'd', device_name: 'd', platform: 'd' } })
      ).body.data.api_key
      await useKey(key)
      for (const { path, title } of operations) {
        await open(`/#${path.replace('/quantlib', '')}`)
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
        await page.locator('.picture figure').first().waitFor()
        const numbersOf = (part: string) => page.locator(`${part} .headline dd:not(.unit)`).allTextContents()
        const preview = await numbersOf('.preview')
        await press('Compute')
        await see('.answer .hint', '1 credit charged')
        const answer = await numbersOf('.answer')
        assert.ok(answer.length > 0, path)
        assert.equal(await page.locator('.preview').count(), 0, `${path}: one card says the numbers once`)
        answer.forEach((value, i) => {
          const shown = numberOf(preview[i])
          assert.ok(
            Math.abs(numberOf(value) - shown) <= 1e-5 * Math.abs(shown),
            `${path}: ${value} and ${shown}`,
          )
        })
        if (await page.getByText('flagged rows first').isVisible())
          assert.ok(await page.locator('.data .flag').count(), `${path}: the table marks no flagged row`)
        assert.deepEqual(await violations(), [], path)
        assert.deepEqual(await alike(), [], `${path}: marks that only a colour tells apart`)
        await checkReports(path, title, answer)
        await screenshot(`operation-${title.toLowerCase().replaceAll(' ', '-')}`)
      }
    },
  )

  inBrowser('a chart says the number at the pointer and at the arrow keys, and shows its row', async () => {
    await open('/#/physics/entropy/shannon')
    const chart = page.getByRole('group', { name: /^Probabilities of 8 outcomes/ })
    await chart.locator('canvas').waitFor()
    await allScripts()
    await chart.scrollIntoViewIfNeeded()
    const box = (await chart.boundingBox())!
    await page.mouse.move(box.x + 80, box.y + box.height / 2)
    await see('.tip', 'Probability: 0.32')
    await see('.data .pointed', '0.32')
    await page.mouse.move(0, 0)
    await comesTrue(`document.querySelector('.tip') === null`)
    await chart.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await see('.pointing [role=status]', 'Probability: 0.21')
    await page.keyboard.press('Enter')
    await comesTrue(
      `document.activeElement.matches('.data') && document.querySelector('.data .pointed') !== null`,
    )
    await page.keyboard.press('ArrowDown')
    await see('.tip', 'Probability: 0.14')
    assert.deepEqual(await violations(), [])

    await open('/#/pricing/bs/price')
    const curve = page.getByRole('group', { name: /^Price against volatility/ })
    await curve.locator('canvas').waitFor()
    await curve.focus()
    await page.keyboard.press('Home')
    await see('.tip', 'Volatility: 0')
  })

  inBrowser('a double click and a key that is held down are charged once', async () => {
    await becomeGuest()
    await page.getByRole('button', { name: 'Compute' }).dispatchEvent('click', { detail: 2 })
    await field('spot').fill('101')
    await page.keyboard.down('Enter')
    await see('.answer:not(.stale) .agreement', 'The preview agrees.')
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await field('spot').fill('102')
    await page.keyboard.press('Enter')
    await see('.answer:not(.stale) .agreement', 'The preview agrees.')
    assert.equal(await textOf('#standing'), 'Guest · 47 credits')
  })

  inBrowser('a call goes on while another page is shown, and its answer is there afterwards', async () => {
    await becomeGuest('/economics/utility/log')
    let goOn = () => {}
    const isWanted = new Promise<void>((resolve) => {
      goOn = resolve
    })
    let calls = 0
    await page.route('**/utility/log', async (route) => {
      calls++
      await isWanted
      await route.continue()
    })
    const go = (name: string) => page.locator('.side').getByRole('link', { name, exact: true }).click()
    await field('wealth').fill('3')
    await press('Compute')
    await see('.progress', 'Computing')
    await go('Shannon entropy')
    await see('h1', 'Shannon entropy')
    await go('Logarithmic utility')
    await see('.progress', 'Computing')
    assert.equal(await page.getByRole('button', { name: 'Compute' }).getAttribute('aria-disabled'), 'true')
    await go('Shannon entropy')
    await see('h1', 'Shannon entropy')
    goOn()
    await see('#standing', '48 credits')
    await go('Logarithmic utility')
    await see('.answer dd', '1.09861228866810')
    await see('.answer .agreement', 'The preview agrees.')
    assert.equal(calls, 1)

    await open('/#/security')
    await press('Log out')
    await see('#standing', 'Log in')
    await open('/#/economics/utility/log')
    await see('.answer .hint', 'Press “Compute”')
    assert.notEqual(await field('wealth').inputValue(), '3')
  })

  inBrowser('journey: an error is shown at its field, as is one that the service finds', async () => {
    await becomeGuest()
    await field('spot').fill('-1')
    assert.equal(await field('spot').getAttribute('aria-invalid'), 'true')
    await see('.picture', 'This is the picture of the earlier input, until the fault is mended.')
    await page.locator('.picture canvas').first().waitFor()
    await field('volatility').fill('0,2x')
    await press('Compute')
    await page.locator('.answer .problem').waitFor()
    assert.equal(await field('spot').getAttribute('aria-invalid'), 'true')
    assert.equal(await field('volatility').getAttribute('aria-invalid'), 'true')
    assert.equal(await field('strike').getAttribute('aria-invalid'), null)
    const described = (await field('volatility').getAttribute('aria-describedby'))!.split(' ').at(-1)
    assert.equal(await textOf(`#${described}`), 'must be a number')
    assert.match(await textOf('.preview .fault'), /Volatility must be a number/)
    await field('spot').fill('100')
    assert.equal(await field('spot').getAttribute('aria-invalid'), null)
  })

  inBrowser(
    'journey: a field reads what people write, in its own unit, and says how it was read',
    async () => {
      await open('/#/pricing/bs/price')
      const [call, put] = ['Call', 'Put'].map((name) => page.getByRole('radio', { name }))
      assert.ok(await call!.isChecked())
      await put!.check()
      for (const [name, text, reading] of [
        ['spot', '100,0', 'read as 100'],
        ['strike', '$105.00', 'read as 105'],
        ['risk_free_rate', '5%', 'read as 0.05'],
        ['volatility', '20 %', 'read as 0.2'],
        ['time_to_maturity', '12/12', 'read as 1'],
      ] as const) {
        await field(name).fill(text)
        await see('.reading', reading)
      }
      await see('.preview dd', '7.90044')
      await field('time_to_maturity').fill('1y')
      await see('.preview dd', '7.90044')
      await field('time_to_maturity').fill('2090-01-02')
      await see('.reading', /^2090-01-02, [\d,]+ days from today: [\d.]+ years/)
      await field('time_to_maturity').fill('1')
      await field('volatility').fill('20')
      await see('.reading', '20 is 2,000 %.')
      await press('Use 20%')
      assert.equal(await field('volatility').inputValue(), '20%')
      await see('.preview dd', '7.90044')
      await field('strike').fill('1,000')
      await see('.reading', '“1,000” may be 1.000 or 1000: write it that way.')
      assert.equal(await field('strike').getAttribute('aria-invalid'), 'true')
      await clean('fields-read')
    },
  )

  inBrowser('a table that is dropped on the page of one row goes to that of many rows', async () => {
    await open('/#/pricing/bs/price')
    await page.locator('.chart canvas').first().waitFor()
    await drop('chain.csv', Buffer.from('Strike Px,Impl Vol,C/P\n95,21%,C\n105,19%,P\n'))
    await see('.file-card', 'chain.csv')
    await see('.table-input .hint', '2 rows × 3 columns')
    await see('[aria-current=page]', 'Many rows')
  })

  inBrowser('the settings of the example end with it; those that a person sets stay', async () => {
    await open('/#/ml/credit/validation')
    assert.equal(await field('n_bins').inputValue(), '3')
    await field('confidence').fill('0.9')
    await drop('pd.csv', Buffer.from('default,pd\n1,0.4\n0,0.2\n0,0.1\n1,0.3\n'))
    await see('.file-card', 'pd.csv')
    assert.equal(await field('n_bins').inputValue(), '')
    assert.equal(await field('n_bins').getAttribute('placeholder'), '10')
    assert.equal(await field('confidence').inputValue(), '0.9')
  })

  inBrowser('a missing required field is reported at the field', async () => {
    await becomeGuest()
    await field('strike').fill('')
    assert.equal(await textOf('.preview .fault'), 'Strike price is required.')
    await press('Compute')
    await see('.error', 'is required')
    assert.equal(await field('strike').getAttribute('aria-invalid'), 'true')
  })

  inBrowser(
    'a pasted table is recognised, and a bad cell is asked about before its row is left out',
    async () => {
      await becomeGuest('/ml/preprocessing/outliers')
      await field('method').selectOption('iqr')
      await field('threshold').fill('1.5')
      await typeTable('X', 'height,weight\n1,5\n2,5\n3,5\n4,5\n100,5\n')
      await see('.table-input .hint', '5 rows × 2 columns · headings recognised · separated by comma')
      await press('Compute')
      await see('.data .flag', '100')
      assert.equal(await page.locator('.data .flag').count(), 1)
      assert.equal(await textOf('.data tbody tr th'), '5')
      const heights = async () =>
        (await page.locator('.data tbody td:nth-child(4)').allTextContents()).map(
          (text) => text.split(' ')[0],
        )
      assert.deepEqual(await heights(), ['100', '1', '2', '3', '4'])
      const sort = page.getByRole('columnheader', { name: 'height', exact: true })
      for (const [direction, shown] of [
        ['ascending', ['1', '2', '3', '4', '100']],
        ['descending', ['100', '4', '3', '2', '1']],
        [null, ['100', '1', '2', '3', '4']],
      ] as const) {
        await sort.getByRole('button').press('Enter')
        assert.equal(await sort.getAttribute('aria-sort'), direction)
        assert.deepEqual(await heights(), shown)
      }

      const lines = Array.from({ length: 9 }, (_, i) => `${i},${i === 6 ? 'five' : 5 * i}\n`).join('')
      await typeTable('X', lines)
      await see('.ask', 'Row 7 has no value in Column 2, but “five”.')
      await see('.blocked', 'Row 7 has no value')
      assert.equal(await page.getByRole('button', { name: 'Compute' }).getAttribute('aria-disabled'), 'true')
      await press('Leave it out')
      await press('Compute')
      await see('.answer dt', 'Outliers among 8 rows')
      const left = page.locator('.data tbody tr', { hasText: 'left out' })
      assert.equal(await left.count(), 1)
      assert.match((await left.textContent()) ?? '', /^7left out/)
      await see('.data .flag', 'five')
    },
  )

  inBrowser('scores of which the high ones are safe are turned around, which is said before', async () => {
    await becomeGuest('/ml/credit/discrimination')
    const line = (i: number) =>
      `${i % 4 === 0 ? 'bad' : 'good'},${500 + ((i * 37) % 200) - (i % 4 === 0 ? 90 : 0)}\n`
    await typeTable(
      'y_true y_score',
      `flag,credit_score\n${Array.from({ length: 40 }, (_, i) => line(i)).join('')}`,
    )
    await see(
      '.ask',
      /Which values of credit_score are risky\?\s*High values\s*used as they are; area under ROC 0\.\d+/,
    )
    await press('Use these columns')
    await press('High values')
    await see('.reversal', /^The area under ROC is 0\.\d+, below that of chance/)
    const offered = (await textOf('.reversal p')).match(/it\s+is (0\.\d+)/)?.[1]
    await press('Turn the values around')
    await see('.preview dd', offered ?? 'an area')
    await press('Compute')
    await see('.answer .agreement', 'The preview agrees.')
    assert.ok(await page.getByLabel('high values are safe').isChecked())
  })

  inBrowser('each cell of the heat map is the entry of the matrix in the reply', async () => {
    await becomeGuest('/ml/credit/migration')
    const [reply] = await Promise.all([page.waitForResponse('**/ml/credit/migration'), press('Compute')])
    const { data } = (await reply.json()) as { data: Record<string, number[][]> }
    await see('.answer .hint', '1 credit charged')
    for (const [name, button] of [
      ['transition_matrix', 'One period'],
      ['multi_period_matrix', '10 periods'],
    ] as const) {
      await press(button)
      const cells = await page.locator('.heat svg text[pointer-events]').allTextContents()
      const shown = (p: number) => (p === 0 ? '' : p < 0.0005 ? '<0.1' : (100 * p).toFixed(1))
      assert.deepEqual(cells, (data[name] ?? []).flat().map(shown), name)
    }
    assert.equal(await textOf('.cell'), 'CCC → D 70.1 % over 10 periods')
    await page.setViewportSize({ width: 375, height: 740 })
    const heat = page.locator('.heat')
    for (let i = 0; i < 8; i++) await heat.press('ArrowLeft')
    await heat.press('ArrowUp')
    assert.equal(await textOf('.cell'), 'B → AAA 0.0323621 % over 10 periods')
    await page.locator('[data-cell="0 7"]').scrollIntoViewIfNeeded()
    await page.locator('[data-cell="0 7"]').hover()
    await see('.cell', 'AAA → D 0.4 %')
    assert.deepEqual(await violations(), [])
  })

  inBrowser('the CSV of a ROC curve has a line for each score, also where most are tied', async () => {
    await becomeGuest('/ml/credit/discrimination')
    const path = join(service.dataDir, 'tied.csv')
    const lines = Array.from(
      { length: 20_000 },
      (_, i) => `${i % 7 === 0 ? 1 : 0},${(i * 37) % (i % 7 ? 401 : 475)}`,
    )
    writeFileSync(path, ['y_true,y_score', ...lines].join('\n'))
    await page.locator('input[type=file]').setInputFiles(path)
    await see('.table-input .hint', '20,000 rows')
    await press('Compute')
    await see('.answer .hint', '1 credit charged')
    const rows = await savedLines(() => press('Save the numbers of “ROC curve” as CSV'))
    assert.equal(rows.length, new Set(lines.map((line) => line.split(',')[1])).size + 2)
    assert.equal(rows.at(-1), '0,1,1')
    await screenshot('tied-scores')
  })

  inBrowser('no number on the axes of a picture is cut off or covers another one', async () => {
    const rates = { risk_free_rate: 0.03, time_to_maturity: 1 }
    const bodies = {
      '/economics/utility/log': { wealth: 100_000 },
      '/pricing/forward/price': { forward: 2e-6, strike: 2e-6, volatility: 0.3, ...rates },
      '/pricing/forward/implied-volatility': {
        price: 5e-8,
        forward: 0,
        strike: 0,
        model: 'bachelier',
        ...rates,
      },
    }
    for (const [path, body] of Object.entries(bodies)) {
      await page.setViewportSize({ width: 1280, height: 2600 })
      await open(`/#${path}?body=${encodeURIComponent(JSON.stringify(body))}`)
      await page.locator('.chart canvas').first().waitFor()
      if (!(await inPage<boolean>(`'drawn' in window`))) await inPage(recordTexts)
      await page.setViewportSize({ width: 390, height: 2600 })
      await comesTrue(`window.drawn.length > 5`)
      assert.deepEqual(await inPage<string[]>(faultsOfTexts), [], path)
    }
  })

  inBrowser('journey: pictures are saved as PNG and SVG, tables as CSV', async () => {
    await becomeGuest('/ml/credit/migration')
    for (const [name, content] of [
      ['Save “Transition probabilities over 10 periods” as SVG', /^<svg .*AAA/s],
      ['Save “Probability of D over the periods” as PNG', /^.PNG/],
      ['Save the numbers of “Probability of D over the periods” as CSV', /^Period,AAA,AA,/],
      ['Save “One period” as CSV', /^,AAA,AA,A,BBB,BB,B,CCC,D\nAAA,0\.9/],
    ] as const)
      assert.match((await saved(() => press(name))).toString('latin1'), content)
  })

  inBrowser('journey: a batch shows one row per call and marks failed calls', async () => {
    await becomeGuest('/batch')
    await see('.data .flag', 'log needs arguments above 0')
    assert.equal(await page.locator('.data .flag').count(), 1)
    assert.equal(await page.locator('.data tbody tr').count(), 2)
    assert.deepEqual(await savedLines(() => press('Save the numbers of “Calls by computation” as CSV')), [
      'Path,Successes,Failures,Credits',
      '/quantlib/economics/utility/log,1,0,1',
      '/quantlib/numerical/differentiation/derivative,0,1,0',
    ])
    await checkReports('/quantlib/batch', 'Batch of computations', ['1'])
  })

  inBrowser('the samples contain the values of the form, and the key if it is wanted', async () => {
    await becomeGuest()
    await field('spot').fill('123')
    const sample = () => textOf('.outcome > .sample code')
    assert.match(await sample(), /X-API-Key: \$QUANTD_API_KEY"/)
    assert.match(await sample(), /-d '\{"spot":123,/)
    await page.getByLabel('include my key').check()
    assert.match(await sample(), /X-API-Key: qd_guest_[A-Za-z0-9]{43}'/)
    await page.getByLabel('include my key').uncheck()
    await press('Python')
    assert.match(
      await sample(),
      /client = quantd\.Client\([\s\S]*client\.black_scholes_price\(spot=123, strike=105/,
    )
    await press('TypeScript')
    assert.match(
      await sample(),
      /import \{ createClient \} from 'quantd-client'[\s\S]*quantd\.pricingBsPrice\(\{ ?spot: 123/,
    )
  })

  inBrowser('a link with a body opens the operation with its values', async () => {
    await open(
      `/#/pricing/bs/price?body=${encodeURIComponent('{"spot":50,"strike":40,"risk_free_rate":0,"volatility":0,"time_to_maturity":1}')}`,
    )
    await see('.preview dd', '10')
    assert.equal(await field('spot').inputValue(), '50')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await field('spot').fill('55')
    await press('Copy link to these inputs')
    const copied = 'navigator.clipboard.readText()'
    await comesTrue(`${copied}.then((text) => text.includes('/#/pricing/bs/price?body='))`)
    const link = await inPage<string>(copied)
    await open('/')
    await page.goto(link)
    await see('.preview dd', '15')
    assert.equal(await field('spot').inputValue(), '55')
    await open(
      `/#/pricing/bs/price?body=${encodeURIComponent('{"spot":"<img src=x onerror=alert(1)>","key":1}')}`,
    )
    await see('.callout', 'Left out of this link: Spot price, 1 unknown field.')
    assert.deepEqual(faults, [])
  })
}
