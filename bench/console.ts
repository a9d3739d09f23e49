/** The console in Chromium: the answer of a table of 100,000 × 10 compared with curl, and the first pages on a slow line. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium } from 'playwright-core'
import { chromiumPath } from '../test/support/chromium.ts'
import { BOTH_CORES, type Quantd, startQuantd, unpinSelf } from './machine.ts'
import { median } from './record.ts'

const [ROWS, COLUMNS] = [100_000, 10]
const PATH = '/quantlib/ml/preprocessing/outliers'
const TABLE_ROUNDS = 15
const PAGE_ROUNDS = 5
/** The pause between the calls of a round, so that neither call is slowed by work that the other has left. */
const PAUSE_MS = 700
/** The wait until the preview of the table is done, which takes processor time from the service. */
const SETTLED_MS = 4_000
const LINE = { latency: 400, bytesPerSecond: 50_000 }
const PAGES = {
  'home page': '/',
  'page of a price': '/#/pricing/bs/price',
  'page of a table': `/#${PATH.slice(9)}`,
}

/** A script that presses the button and returns the milliseconds until a frame shows the answer's request id. */
const ANSWERED = `new Promise((resolve) => {
  const shown = () => document.querySelector('.answer code')?.textContent
  const before = shown()
  const began = performance.now()
  const watch = new MutationObserver(() => {
    if (shown() === before) return
    watch.disconnect()
    requestAnimationFrame(() => resolve(performance.now() - began))
  })
  watch.observe(document.body, { childList: true, subtree: true, characterData: true })
  document.querySelector('main form button[type=submit]').click()
})`

const executablePath = chromiumPath()
if (executablePath === undefined)
  throw new Error('the console is measured in Chromium, which is not installed')
unpinSelf()
const folder = mkdtempSync(join(tmpdir(), 'quantd-console-'))
const service = await startQuantd({ cores: BOTH_CORES })
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
await table(browser, service)
for (const [name, address] of Object.entries(PAGES)) await slowly(browser, name, service.url + address)
await browser.close()
await service.stop()
rmSync(folder, { recursive: true })

/** Measures the time from the press of the button to the frame that shows the answer, in turn with curl. */
async function table(browser: Browser, { apiKey, url }: Quantd): Promise<void> {
  const { csv, json } = files()
  const page = await browser.newPage()
  await page.goto(`${url}/assets/mark.svg`)
  await page.evaluate((key) => sessionStorage.setItem('quantd-key', JSON.stringify({ apiKey: key })), apiKey)
  await page.goto(`${url}/#${PATH.slice('/quantlib'.length)}`)
  await page.locator('.table-input').waitFor()
  await page.locator('input[type=file]').setInputFiles(csv)
  await page.locator('.table-input .hint', { hasText: '100,000 rows' }).waitFor()
  await page.locator('main [name="method"]').selectOption('zscore')
  await page.locator('main [name="threshold"]').fill('3')
  await sleep(SETTLED_MS)
  const headers = [`X-API-Key: ${apiKey}`, 'Content-Type: application/json'].flatMap((one) => ['-H', one])
  const byCurl = () =>
    1_000 *
    Number(
      execFileSync('curl', [
        ...['-s', '-o', '/dev/null', '-w', '%{time_total}', '--data-binary', `@${json}`],
        ...[...headers, url + PATH],
      ]),
    )
  const times: { console: number; curl: number }[] = []
  for (let round = 0; round <= TABLE_ROUNDS; round++) {
    const curl = byCurl()
    await sleep(PAUSE_MS)
    const console = await page.evaluate<number>(ANSWERED)
    await sleep(PAUSE_MS)
    // The first call of each side compiles code.
    if (round > 0) times.push({ console, curl })
  }
  await page.close()
  const of = (name: 'console' | 'curl') => median(times.map((one) => one[name])).toFixed(0)
  const ratio = median(times.map((one) => one.console / one.curl))
  console.log(
    `  ${ratio.toFixed(2)} × (goal at most 1.5): outliers of ${ROWS} × ${COLUMNS}, console ${of('console')} ms, curl ${of('curl')} ms; load ${load()}`,
  )
}

/** Measures the time from the request of a page to its first picture, in a browser with an empty cache on a slow line. */
async function slowly(browser: Browser, name: string, address: string): Promise<void> {
  const [seconds, paints, bytes]: number[][] = [[], [], []]
  let requests = 0
  for (let round = 0; round < PAGE_ROUNDS; round++) {
    const context = await browser.newContext()
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    let received = 0
    requests = 0
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      received += encodedDataLength
      requests++
    })
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: LINE.latency,
      downloadThroughput: LINE.bytesPerSecond,
      uploadThroughput: LINE.bytesPerSecond,
    })
    const began = performance.now()
    await page.goto(address, { waitUntil: 'commit' })
    await page.locator('canvas, svg.strips').first().waitFor()
    seconds.push((performance.now() - began) / 1_000)
    bytes.push(received)
    paints.push(
      await page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0].startTime`),
    )
    await context.close()
  }
  console.log(
    `  ${median(seconds).toFixed(2)} s (goal at most 4) to the first picture of the ${name} at ${LINE.latency} ms and ${LINE.bytesPerSecond / 1_000} kB/s; first paint ${(median(paints) / 1_000).toFixed(2)} s, ${(median(bytes) / 1_000).toFixed(0)} kB, ${requests} requests; load ${load()}`,
  )
}

function files(): { csv: string; json: string } {
  let state = 1
  const next = () => {
    state = (state * 48_271) % 2_147_483_647
    return Number(((200 * state) / 2_147_483_647 - 100).toFixed(4))
  }
  const rows = Array.from({ length: ROWS }, () => Array.from({ length: COLUMNS }, next))
  const [csv, json] = ['table.csv', 'table.json'].map((name) => join(folder, name))
  const heading = Array.from({ length: COLUMNS }, (_, i) => `column ${i + 1}`)
  writeFileSync(csv, [heading, ...rows].map((cells) => cells.join(',')).join('\n'))
  writeFileSync(json, JSON.stringify({ X: rows, method: 'zscore', threshold: 3 }))
  return { csv, json }
}

function load(): string {
  return loadavg()[0].toFixed(1)
}
