/** Large tables: read and sent by a worker, shown by a virtual list, cancelled, and saved. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { operator, settingsOf } from '../support/operator.ts'
import { HOUR_MS, peopleOf } from '../support/people.ts'
import { until } from '../support/until.ts'
import {
  becomeGuest,
  clean,
  comesTrue,
  drop,
  field,
  inBrowser,
  inPage,
  open,
  page,
  press,
  savedLines,
  screenshot,
  see,
  service,
  textOf,
  typeTable,
  useKey,
} from './browser.ts'

const ROWS = 20_000
const FIRST = 4

/** A workbook of some kilobytes whose sheet is 101 MB of spaces. */
async function bomb(): Promise<Uint8Array> {
  const part = (name: string) => import(new URL(`./zip/${name}.mjs`, import.meta.resolve('hucre')).href)
  const [{ writeXlsx }, { ZipReader }, { ZipWriter }] = await Promise.all([
    import('hucre'),
    part('reader'),
    part('writer'),
  ])
  const harmless = await writeXlsx({ sheets: [{ name: 'Sheet', rows: [['a', 'b']] }] })
  const made = new ZipWriter()
  for (const [path, bytes] of await new ZipReader(harmless).extractAll())
    made.add(path, path.endsWith('sheet1.xml') ? new Uint8Array(101e6).fill(32) : bytes)
  return await made.build()
}

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

/** Holds calls before they reach the service, or their replies; `held` resolves when it holds the first. */
async function holdCalls(requestStage: 'Request' | 'Response') {
  const session = await page.context().newCDPSession(page)
  const held = new Promise((resolve) => session.once('Fetch.requestPaused', resolve))
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/quantlib/*', requestStage }] })
  return { held, release: () => session.send('Fetch.disable') }
}

/** Computes a forest whose reply is held back, so that the call can be cancelled after the service has answered it. */
async function answeredUnseen(): Promise<() => Promise<unknown>> {
  await becomeGuest('/ml/clustering/isolation-forest')
  await pick(tableFile())
  await see('.preview dt', 'Anomalies among 20,000 rows')
  const { held, release } = await holdCalls('Response')
  await press('Compute')
  await held
  await see('.progress', 'Computing')
  assert.doesNotMatch(
    await textOf('.progress [role=status]'),
    /%/,
    'a screen reader does not read each step aloud',
  )
  return release
}

/** The pauses between looks take no time. */
const withoutPauses = () =>
  inPage(`{ const { setTimeout } = window; window.setTimeout = (run) => setTimeout(run) }`)

/** Saves the result of each row. */
const results = async (name: string) =>
  await savedLines(() => page.locator('.sheet').getByRole('button', { name, exact: true }).click())

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
    await see('.sheet .check', 'flagged rows first')
    assert.equal(await textOf('.data tbody tr th'), '10005', 'the flagged row farthest out comes first')
    assert.ok((await page.locator('.data tbody tr').count()) < 100, 'only the rows in view are elements')
    await inPage(`document.querySelector('.data').scrollTop = 1e9`)
    await see('.data tbody th', String(ROWS))
    await screenshot('large-table')

    const csv = await results('CSV')
    assert.equal(csv.length, ROWS + 1)
    assert.equal(csv[0], 'row,outlier,distance,first,second,third')
    assert.match(csv[FIRST + 1], /^5,true,/)
    assert.equal(JSON.parse((await results('JSON')).join()).data.outliers.length, ROWS)
  })

  inBrowser('journey: rows of a table are sent as columns, and the rows that fail come first', async () => {
    await useKey(await service.guest())
    await open('/#/pricing/bs/price/columns')
    const [reply] = await Promise.all([page.waitForResponse('**/price/columns'), press('Compute')])
    const { price } = (await reply.json()).data.columns
    await see('.answer dt', 'Successes among 9 rows')
    const [, ...drawn] = await savedLines(() => press(/^Save the numbers of “Price against spot” as CSV/))
    assert.deepEqual(
      drawn.map((line) => Number(line.split(',')[1])),
      price,
    )
    await page.getByRole('combobox', { name: 'x', exact: true }).selectOption('Row')
    await see('.chart figcaption', 'Price against the row')
    await typeTable(
      'columns',
      'Spot price;strike;volatility;time_to_maturity;option_type\n100;105;0,2;1;call\n100;105;0,2;1;put\n-1;105;0,2;1;call\n',
    )
    await see('.table-input .hint', '3 rows × 5 columns · headings recognised · separated by semicolon')
    await see('.blocked', 'Still needed: Risk-free rate.')
    await field('risk_free_rate').fill('5%')
    const [request] = await Promise.all([page.waitForRequest('**/price/columns'), press('Compute')])
    assert.deepEqual(request.postDataJSON(), {
      columns: {
        spot: [100, 100, -1],
        strike: [105, 105, 105],
        volatility: [0.2, 0.2, 0.2],
        time_to_maturity: [1, 1, 1],
        option_type: ['call', 'put', 'call'],
        risk_free_rate: 0.05,
      },
    })
    await see('.answer dt', 'Failures, not charged')
    assert.equal(await textOf('.answer dd'), '2')
    assert.match(await textOf('.data tbody tr'), /^3.*spot must be greater than 0/)
    const [head, first, , third] = await results('CSV')
    assert.equal(head, 'row,price,failure,Spot price,strike,volatility,time_to_maturity,option_type')
    assert.equal(first, '1,8.021352235143173,,100,105,0.2,1,call')
    assert.equal(third, '3,,spot must be greater than 0.,-1,105,0.2,1,call')
    await screenshot('rows')

    await typeTable('columns', 'spot,id\n-1,A\n-2,B\n')
    await see('.field .asked', 'Choose a column, or enter one value for all rows.')
    for (const name of ['strike', 'volatility', 'time_to_maturity']) await field(name).fill('105')
    await page.getByRole('radio', { name: 'Call' }).check()
    await press('Compute')
    await see('.table-input .error', 'Spot price: A: must be greater than 0')
  })

  inBrowser(
    'journey: the table is the page, with meanings in its headings and the cells at fault marked',
    async () => {
      await useKey(await service.guest())
      await open('/#/pricing/bs/price/columns')
      await page.locator('.sheet').waitFor()
      await drop(
        'chain.csv',
        Buffer.from(
          'Contract,Strike Px,Impl Vol,C/P,Years,Other\nA,95,21%,C,1,1\nB,100,20%,P,0.5,2\nC,105,19%,P,-1,3\nD,110,18%,C,2,4\n',
        ),
      )
      await see('.ask', /Volatility: Impl Vol.*Strike price: Strike Px/)
      const meaning = (name: string) => page.getByLabel(`Meaning of ${name}`, { exact: true })
      assert.equal(await meaning('Contract').inputValue(), '#names')
      await meaning('Years').selectOption({ label: 'Time to maturity' })
      await clean('sheet-asked')
      await press('Use these columns')
      await field('spot').fill('100')
      await field('risk_free_rate').fill('5%')
      const [request] = await Promise.all([page.waitForRequest('**/price/columns'), press('Compute')])
      assert.deepEqual(request.postDataJSON().columns.time_to_maturity, [1, 0.5, -1, 2])
      await see('.data .flag', '−1')
      assert.equal(await page.locator('.data .flag').count(), 2, 'the cell at fault, and its reason')
      assert.equal(await textOf('.data tbody tr th'), 'C')
      assert.equal(
        await page.locator('.data td.flag').last().getAttribute('title'),
        'time_to_maturity must be at least 0.',
      )
      await page.getByRole('searchbox', { name: 'Show rows with' }).fill('> 100')
      await see('.sheet [role=status]', '2 of 4 rows shown; all are computed.')
      assert.deepEqual(await page.locator('.data tbody th').allTextContents(), ['C', 'D'])
      await clean('sheet-answered')
      await meaning('Other').selectOption({ label: 'Strike price' })
      assert.equal(await meaning('Strike Px').inputValue(), '')
    },
  )

  inBrowser(
    'cells are pasted beside any field, and 200,000 rows scroll without an element for each',
    async () => {
      await useKey(await service.guest())
      await open('/#/ml/preprocessing/outliers')
      await page.locator('.sheet').waitFor()
      await inPage(`(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', 'a\\tb\\n1\\t2\\n3\\t4\\n')
      document.querySelector('h1').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })()`)
      await see('.table-input .hint', '2 rows × 2 columns')
      const path = join(service.dataDir, 'many.csv')
      const lines = Array.from(
        { length: 200_000 },
        (_, i) => `${2 * i},${(i * 7) % 101},${(i * 13) % 997},name ${i % 50}`,
      )
      writeFileSync(path, ['a,b,c,d', ...lines].join('\n'))
      await pick(path)
      await see('.table-input .hint', '200,000 rows × 4 columns')
      const median = await inPage<number>(`new Promise((done) => {
      const data = document.querySelector('.data')
      const times = []
      const step = (time) => {
        times.push(time)
        data.scrollTop += 1_700
        if (times.length < 120) return requestAnimationFrame(step)
        const waits = times.slice(1).map((time, i) => time - times[i]).sort((a, b) => a - b)
        done(waits[Math.floor(waits.length / 2)])
      }
      requestAnimationFrame(step)
    })`)
      console.log(`measured: ${median.toFixed(1)} ms between frames while 200,000 rows scroll (median)`)
      assert.ok((await page.locator('.data tbody tr').count()) < 100)
      await page.getByRole('searchbox', { name: 'Show rows with' }).fill('name 7')
      await see('.sheet [role=status]', '4,000 of 200,000 rows shown')
      const sort = page.getByRole('columnheader', { name: 'a', exact: true }).getByRole('button')
      await sort.click()
      await sort.click()
      await see('.data tbody th', '199958')
    },
  )

  inBrowser('a long file of rows is sent by the worker', async () => {
    const { email, key } = await peopleOf(service).person()
    const grant = ['admin', 'grant', email, '5000', '--reference', `rows of ${email}`]
    await operator(settingsOf(service))(grant)
    await useKey(key)
    await open('/#/pricing/bs/price/columns')
    const path = join(service.dataDir, 'rows.csv')
    const lines = Array.from({ length: 5_000 }, (_, i) => `${90 + i / 100},105,${i % 2 ? 'put' : 'call'}`)
    writeFileSync(path, ['spot,strike,option_type', ...lines].join('\n'))
    await pick(path)
    await see('.table-input .hint', '5,000 rows × 3 columns')
    for (const name of ['risk_free_rate', 'volatility', 'time_to_maturity', 'dividend_yield'])
      await field(name).fill('0.1')
    await press('Compute')
    await see('.answer dt', 'Successes among 5,000 rows')
    await page.locator('.chart canvas').first().waitFor()
    const csv = await results('CSV')
    assert.equal(csv.length, 5_001)
    assert.match(csv[2], /^2,\d+\.\d+,90.01,105,put$/)
  })

  inBrowser(
    'a bad cell of a long file is named, and its row left out by the worker as in the page',
    async () => {
      await becomeGuest('/ml/preprocessing/outliers')
      const file = join(service.dataDir, 'bad.csv')
      const lines = Array.from({ length: 20_000 }, (_, i) =>
        i === 8_999 ? '1.5,n/a' : i === 9_000 ? '1.5,99' : `1.5,${i % 3}`,
      )
      writeFileSync(file, ['height,weight', ...lines].join('\n'))
      await pick(file)
      await see('.ask', 'Row 9,000 has no value in weight.')
      await press('Leave it out')
      await see('.preview dt', 'Outliers among 19,999 rows')
      await press('Compute')
      await see('.answer dt', 'Outliers among 19,999 rows')
      assert.equal(await textOf('.data tr:has(.flag) th'), '9001')
    },
  )

  inBrowser('what the service refuses in a large matrix is named by row and column', async () => {
    await becomeGuest('/ml/credit/migration')
    const file = join(service.dataDir, 'counts.csv')
    const ratings = Array.from({ length: 150 }, (_, i) => `R${i}`)
    const rows = ratings.map((rating, i) => [
      rating,
      ...ratings.map((_, j) => (i === 7 && j === 3 ? -1 : i + j)),
    ])
    writeFileSync(file, [['', ...ratings], ...rows].map((cells) => cells.join(',')).join('\n'))
    await pick(file)
    await see('.table-input .hint', '150 rows')
    const [request] = await Promise.all([page.waitForRequest('**/credit/migration'), press('Compute')])
    assert.match(request.headers()['content-type'], /arrow/)
    await see('.table-input .error', /R7, R3: must be at least 0/)
  })

  inBrowser('a file that is refused leaves nothing behind, and nothing to compute', async () => {
    await becomeGuest('/ml/preprocessing/outliers')
    const refused = async (name: string, content: string | Uint8Array, message: RegExp) => {
      const path = join(service.dataDir, name)
      writeFileSync(path, content)
      await pick(path)
      await see('.table-input .error', message)
      assert.equal(await field('X').inputValue(), '')
      assert.equal(await page.getByRole('button', { name: 'Compute' }).getAttribute('aria-disabled'), 'true')
      assert.equal(await page.locator('.picture, .data').count(), 0)
    }
    await refused('ragged.csv', 'a,b\n1,2\n3,4\n1,2,3\n', /^ragged.csv was not taken. Line 4 has 3 cells/)
    await refused('song.mp3', new Uint8Array(500), /^song.mp3 was not taken. This is not a table/)
    await refused('bomb.xlsx', await bomb(), /unpacks to more than 100 MB/)
    await screenshot('file-refused')
  })

  inBrowser('two files are two samples; the JSON of a request fills all its fields', async () => {
    await useKey(await service.guest())
    const file = (name: string, content: string) => {
      const path = join(service.dataDir, name)
      writeFileSync(path, content)
      return path
    }
    const scores = (count: number, shift: number) =>
      `score,bad\n${Array.from({ length: count }, (_, i) => `${600 + ((i * 37) % 100) - shift},${i % 5 === 0 ? 1 : 0}\n`).join('')}`
    await open('/#/ml/credit/stability')
    await pick(file('build.csv', scores(60, 0)))
    await see('.asks', 'Choose the column of Actual scores.')
    await pick(file('live.csv', scores(40, 20)))
    await see('.table-input .hint', '60 rows × 4 columns')
    await see(
      '.ask',
      /score \(build.csv\)\s*the bins are made of it, and score \(live.csv\) is compared with it/,
    )
    await press('score (build.csv)')
    const [request] = await Promise.all([page.waitForRequest('**/credit/stability'), press('Compute')])
    const { expected, actual_y_true } = request.postDataJSON()
    assert.equal(expected.length, 60)
    assert.equal(actual_y_true.length, 40)
    await see('.answer .agreement', 'The preview agrees.')
    await screenshot('two-samples')

    await pick(
      file('request.json', '{"expected":[1,2,3,4],"actual":[1,2,2,4,5],"n_bins":3,"monotone":false}'),
    )
    await see('.file-card', 'request.json')
    assert.equal(await field('n_bins').inputValue(), '3')
    assert.equal(await field('monotone').inputValue(), 'false')

    await open('/#/pricing/bs/price')
    const option = {
      spot: 50,
      strike: 40,
      risk_free_rate: 0,
      volatility: 0,
      time_to_maturity: 1,
      option_type: 'call',
    }
    await drop('option.json', Buffer.from(JSON.stringify(option)))
    await see('.preview dd', /^10$/)
    await drop('notes.json', Buffer.from('{"title":"none of the fields"}'))
    await see('main .error', 'notes.json was not taken.')
    await inPage('history.back()')
    await see('.preview dd', /^10$/)
  })

  inBrowser('an amount weighs no rows, and what changes a result is asked with its effect', async () => {
    await useKey(await service.guest())
    await open('/#/ml/credit/validation')
    const rows = Array.from({ length: 40 }, (_, i) => {
      const isDefault = i % 8 === 3
      return `OBL-${i},${((i * 37) % 100) / 10 + (isDefault ? 4 : 0.2)},"${10 + i},250.50",${1 + (i % 3)},${isDefault ? 'Y' : 'N'}`
    })
    await drop(
      'portfolio.csv',
      Buffer.from(['Obligor,PD,Exposure,Frequency,Default Y/N', ...rows].join('\n')),
    )
    await see('.ask', /Is “Frequency” the weight of each row\?\s*No\s*each row counts once: 40 rows\s*Yes/)
    await see('.ask', /In which unit is PD.*\?\s*Per cent\s*0\.2 is 0\.2 %\s*Basis points\s*0\.2 is 0\.002 %/)
    assert.equal(await page.getByRole('button', { name: 'Compute' }).getAttribute('aria-disabled'), 'true')
    await clean('portfolio-asked')
    await press('Use these columns')
    await press('No')
    await press('Per cent')
    const [request] = await Promise.all([page.waitForRequest('**/credit/validation'), press('Compute')])
    const { y_true, y_prob, weights } = request.postDataJSON()
    assert.deepEqual([y_true.length, y_true[3], y_prob[0], weights ?? []], [40, 1, 0.002, []])
    await see('.answer .agreement', 'The preview agrees.')
    await screenshot('portfolio')
    await page.getByLabel('Meaning of Exposure').selectOption({ label: 'Weights of the rows' })
    await see('.mapping .hint', 'each row counts as often as its weight: 40 rows count as 1,190')
  })

  inBrowser('a total is struck through and enters no result, until one click takes it back', async () => {
    await useKey(await service.guest())
    await open('/#/physics/entropy/shannon')
    await drop(
      'shares.csv',
      Buffer.from('Vendor,Share\nAlpha,41.2%\nBeta,33.5%\nGamma,25.3%\nTotal,100%\nSource: a survey\n'),
    )
    await see('.data .struck', '100%')
    await see('.data .struck', 'Source: a survey')
    await see('.table-input .hint', '3 rows × 2 columns')
    await field('base').fill('2')
    await see('.preview dd', '1.55')
    await clean('total-aside')
    await page.getByRole('button', { name: 'Take back row 4' }).click()
    await see('.ask', /“Share” has the sum 2, not 1/)
    await see('.table-input .hint', '4 rows × 2 columns')
    await press('Leave it out')
    await see('.table-input .hint', '3 rows × 2 columns')
    await press('Compute')
    await see('.answer .agreement', 'The preview agrees.')
  })

  inBrowser('rows that a filter hides, and a sheet of notes, enter no result', async () => {
    const { writeXlsx } = await import('hucre')
    await useKey(await service.guest())
    await open('/#/ml/preprocessing/outliers')
    const rows = Array.from({ length: 12 }, (_, i) => [i === 4 ? 900 : 10 + i, 20 - i])
    const sheets = [
      {
        name: 'About',
        rows: [
          ['Author', 'J. Doe'],
          ['Version', 3],
        ],
      },
      { name: 'Data', rows: [['a', 'b'], ...rows], rowDefs: new Map([[5, { hidden: true }]]) },
    ]
    await drop('filtered.xlsx', await writeXlsx({ sheets }))
    await see('.aside', /Left out, struck through below: 1 hidden row\.\s*Take it back/)
    await see('.data .struck', '900')
    await see('.table-input .hint', '11 rows × 2 columns')
    await see('.preview dt', 'Outliers among 11 rows')
    await press('Compute')
    await see('.answer dt', 'Outliers among 11 rows')
    assert.deepEqual(
      (await results('CSV')).slice(5, 7).map((line) => line.split(',')[0]),
      ['6', '7'],
    )
    await press('Take it back')
    await see('.preview dt', 'Outliers among 12 rows')
    await screenshot('hidden-taken')
  })

  inBrowser('a cancelled call says whether it was charged, and its answer costs nothing more', async () => {
    const release = await answeredUnseen()
    await press('Cancel')
    await release()
    await see('.answer .callout', 'It was charged')
    await see('#standing', '48 credits')
    await press('Get its answer, without another charge')
    await see('.answer .hint', 'not charged again')
    assert.equal(await textOf('#standing'), 'Guest · 48 credits')
  })

  inBrowser('a late reply to an earlier key does not change the credits that are shown', async () => {
    const { key } = await peopleOf(service).person()
    const release = await answeredUnseen()
    await inPage(`location.hash = '#/login'`)
    await field('key').fill(key)
    await press('Use this key')
    await see('#standing', '350 credits')
    await release()
    await see('.totals', '350')
    await inPage('new Promise((go) => setTimeout(go, 500))')
    assert.match(await textOf('#standing'), /350 credits/)
  })

  inBrowser('a cancelled call whose charge cannot be looked up is not told as free', async () => {
    const release = await answeredUnseen()
    await withoutPauses()
    await page.route('**/user/receipt?*', (route) => route.abort())
    await press('Cancel')
    await release()
    await see('.answer .callout', 'The service cannot be asked whether it was charged.')
    await page.unroute('**/user/receipt?*')
    await press('Compute again')
    await see('.answer .hint', 'not charged again')
    assert.equal(await textOf('#standing'), 'Guest · 48 credits')
  })

  inBrowser('a cancelled call that was recorded while the clock was ahead is not told as free', async () => {
    service.advance(2 * HOUR_MS)
    const release = await answeredUnseen()
    service.advance(-2 * HOUR_MS)
    await withoutPauses()
    await press('Cancel')
    await release()
    await see('.answer .callout', 'It was charged')
    await press('Get its answer, without another charge')
    await see('.answer .hint', 'not charged again')
  })

  inBrowser('a charge of another tab is not taken for that of a cancelled call', async () => {
    await becomeGuest('/economics/utility/log')
    await page.route('**/quantlib/economics/utility/log', () => {})
    await withoutPauses()
    const asked = page.waitForRequest('**/quantlib/economics/utility/log')
    await press('Compute')
    await asked
    await peopleOf(service).compute(
      await inPage<string>(`JSON.parse(sessionStorage.getItem('quantd-key')).apiKey`),
    )
    await press('Cancel')
    await see('.answer .callout', 'It was not charged.')
    await see('#standing', '48 credits')
  })

  inBrowser('the preview of an earlier input is not shown beside the new one', async () => {
    await becomeGuest('/ml/clustering/isolation-forest')
    await pick(tableFile())
    await field('contamination').fill('0.05')
    await see('.preview dd', '1,000')
    await inPage(`new MutationObserver(() => {
      const contamination = document.querySelector('main [name=contamination]').value
      const shown = document.querySelector('.preview dd').textContent
      if (contamination === '0.1' && shown === '1,000') window.wasStale = true
    }).observe(document.querySelector('.work'), { childList: true, subtree: true, characterData: true })`)
    await field('contamination').fill('0.1')
    await see('.preview dd', /^(1,9\d\d|2,0\d\d)$/)
    assert.equal(await inPage('window.wasStale ?? false'), false)
  })

  inBrowser('a file whose reading is cancelled leaves the earlier one in use', async () => {
    await becomeGuest('/ml/preprocessing/outliers')
    const file = tableFile()
    await pick(file)
    await see('.table-input .hint', '20,000 rows')
    await inPage(`new MutationObserver((_, observer) => {
      const cancel = document.querySelector('.file-card .progress ~ button')
      if (cancel === null) return
      observer.disconnect()
      window.wasCancelled = true
      cancel.click()
    }).observe(document.querySelector('.table-input'), { childList: true, subtree: true })`)
    await pick(file)
    await comesTrue('window.wasCancelled')
    await see('.file-card', 'table.csv')
    await press('Compute')
    await see('.answer dt', 'Outliers among 20,000 rows')
  })

  inBrowser('of two files the later one is taken, and a reset takes none that is still read', async () => {
    await becomeGuest('/ml/preprocessing/outliers')
    await see('.answer dt', 'Outliers among')
    /** Drops files one right after the other, then does something else. */
    const dropAll = (names: readonly string[], then = '') =>
      inPage(`(() => {
        const long = Array.from({ length: 200_000 }, (_, i) => i + ',' + i % 7)
        for (const name of ${JSON.stringify(names)}) {
          const dataTransfer = new DataTransfer()
          const lines = ['a,b', ...(name === 'long.csv' ? long : ['1,2', '3,4'])]
          dataTransfer.items.add(new File([lines.join('\\n')], name))
          document.querySelector('main').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
        }
        ${then}
      })()`)
    const oneWorker = () => until(() => page.workers().length === 1, 'no other worker is left')
    await dropAll(['long.csv', 'short.csv'])
    await see('.table-input .hint', '2 rows × 2 columns')
    await oneWorker()
    assert.match(await textOf('.file-card'), /short\.csv/)

    await dropAll(['long.csv'], `document.querySelector('.actions button[type=button]').click()`)
    await see('.table-input .hint', '60 rows × 3 columns')
    await press('Edit as text')
    assert.equal(await inPage(`document.querySelector('.sheet textarea').spellcheck`), false)
    await until(() => page.workers().length === 0, 'the file is not read')
    assert.equal(await page.locator('.file-card').count(), 0)
  })

  inBrowser('choosing another file cancels the call with the earlier one', async () => {
    await becomeGuest('/ml/preprocessing/outliers')
    const file = tableFile()
    await pick(file)
    await see('.table-input .hint', '20,000 rows')
    const { held, release } = await holdCalls('Request')
    await press('Compute')
    await held
    await pick(file)
    await see('.answer .callout', 'The call was cancelled.')
    await release()
  })
}
