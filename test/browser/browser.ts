/** One service and one page of Chromium for the browser tests of a file; what a test leaves in the page is removed after it. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { chromiumPath } from '../support/chromium.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const executablePath = chromiumPath()
const STEP_MS = 60_000

/** The views of the pages: all four if pictures for people are wanted; otherwise each scheme and each width once. */
type View = readonly ['dark' | 'light', number]
const VIEWS: readonly View[] = (
  [
    ['dark', 1280],
    ['light', 375],
    ['light', 1280],
    ['dark', 375],
  ] as const
).slice(process.env.QUANTD_TEST_SCREENSHOTS ? 0 : 2)

export const ONE_VIEW = VIEWS.slice(0, 1)

export let service: TestService
export let context: BrowserContext
export let page: Page
let browser: Browser
/** The address of the operators' pages, if they are tested. */
let operators: string | 0 | undefined
/** Beginnings of addresses elsewhere that a test leads to on purpose. */
export const elsewhere: string[] = []
export const origin = () => operators || service.url
/** Errors and requests to other origins, which no page may cause. */
export let faults: string[]

/** Paths of the POST requests of pages that succeeded. */
export const posted = new Set<string>()

/** Registers a test in a browser. `npm test` runs those whose names begin with `journey: `. */
export const inBrowser = (name: string, run: () => Promise<void>) =>
  test(name, executablePath ? {} : { skip: 'no Chromium on this machine' }, run)

/** @param operatorsPort pages of the listener of operators are opened, instead of the public ones */
export function shareOneBrowser(
  operatorsPort?: () => Promise<number>,
  prepared = async () => {},
  more: (port: number) => Promise<Record<string, string>> = async () => ({}),
): void {
  if (!executablePath) return

  before(async () => {
    const port = await operatorsPort?.()
    const settings = {
      QUANTD_IP_LIMITS: 'off',
      ...(await more(port ?? 0)),
      ...(port && { QUANTD_OPERATOR_PORT: String(port) }),
    }
    service = await startTestService(settings)
    operators = port && `http://127.0.0.1:${port}`
    await prepared()
    browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    })
    await renewPage()
  })

  after(async () => {
    await browser.close()
    await service.close()
  })

  beforeEach(() => {
    faults = []
  })

  afterEach(async () => {
    await clearPage().catch(renewPage)
    assert.deepEqual(faults, [])
  })
}

/** Another page, of a browser that has no file of the service yet. */
export async function renewPage(): Promise<void> {
  await context?.close()
  context = await browser.newContext({ reducedMotion: 'reduce' })
  context.setDefaultTimeout(STEP_MS)
  page = await context.newPage()
  watch(page)
}

/** A new page takes as long as a short test: its process starts, and compiles the scripts anew. */
async function clearPage(): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close()
  await context.setOffline(false)
  await context.clearCookies()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await inPage(
    `if (location.protocol.startsWith('http')) {
      for (const kept of [sessionStorage, localStorage]) kept.clear()
      indexedDB.deleteDatabase('quantd')
    }`,
  )
  await page.goto('about:blank')
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.emulateMedia({ colorScheme: 'light', media: null, reducedMotion: 'reduce' })
}

/** Runs with a service of other settings, which is closed afterwards. */
export async function withService(settings: Record<string, string>, run: () => Promise<void>): Promise<void> {
  const usual = service
  service = await startTestService({ QUANTD_IP_LIMITS: 'off', ...settings })
  try {
    await run()
    await page.goto('about:blank')
  } finally {
    await service.close()
    service = usual
  }
}

function watch(page: Page): void {
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('request', (request) => {
    const isOwn =
      elsewhere.some((start) => request.url().startsWith(start)) ||
      request.url().startsWith(`${origin()}/`) ||
      request.url().startsWith('blob:')
    if (!isOwn) faults.push(`request elsewhere: ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.ok() && response.request().method() === 'POST') posted.add(new URL(response.url()).pathname)
  })
  page.on('console', (message) => {
    // The browser logs every reply with status 400 and above; tests provoke such replies on purpose.
    const isRefusal = /^Failed to load resource: (the server responded with a status of [45]|net::ERR_)/.test(
      message.text(),
    )
    if (message.type() === 'error' && !isRefusal) faults.push(`console: ${message.text()}`)
  })
}

/** Opens an address of the service; within the console, by its hash. */
export async function open(address: string): Promise<void> {
  await page.goto(origin() + address)
  await page.locator('h1').first().waitFor()
}

export const press = (name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).first().click()
export const field = (name: string) => page.locator(`main [name="${name}"]`)
export const textOf = async (selector: string) => (await page.locator(selector).first().textContent()) ?? ''
/** The bytes that an act of the page saves as a file. */
export async function saved(act: () => Promise<void>): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return readFileSync(await download.path())
}
/** The lines of a text that is saved. */
export const savedLines = async (act: () => Promise<void>): Promise<string[]> =>
  (await saved(act)).toString().trim().split(/\r?\n/)
/** Types a table into its text area, which a page shows beside a table when it is asked for. */
export async function typeTable(name: string, text: string): Promise<void> {
  await page.locator('.sheet').waitFor()
  if (!(await field(name).isVisible())) await press('Edit as text')
  await field(name).fill(text)
}
/** Drops a file on the page, beside any field. */
export const drop = (name: string, content: Uint8Array) =>
  inPage(`(() => {
    const bytes = Uint8Array.from(atob('${Buffer.from(content).toString('base64')}'), (sign) => sign.charCodeAt(0))
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([bytes], '${name}'))
    document.querySelector('main').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  })()`)
/** Waits until an element with this text is there. */
export const see = (selector: string, hasText: string | RegExp) =>
  page.locator(selector, { hasText }).first().waitFor()
/** Runs a script in the page. */
export const inPage = <Result>(script: string) => page.evaluate<Result>(script)
/** Waits until a script in the page gives true. Playwright's waitForFunction needs eval, which the page's policy forbids. */
export const comesTrue = (script: string) => until(() => inPage<boolean>(script), script)

/** Waits until the scripts of all pages are there, which the first page loads after its own. */
export const allScripts = () =>
  comesTrue(`['operation-page', 'account-pages', 'formulas', 'tables'].every((name) =>
    performance.getEntriesByName(location.origin + '/assets/' + name + '.js').length > 0)`)

/** Computes with a new guest key. */
export async function becomeGuest(path = '/pricing/bs/price'): Promise<void> {
  await open(`/#${path}`)
  await press('Compute with a new guest key')
  await see('#standing', '49 credits')
}

/** Puts a key into use as the console keeps it. */
export async function useKey(apiKey: string): Promise<void> {
  await page.goto(`${origin()}/assets/mark.svg`)
  await inPage(`sessionStorage.setItem('quantd-key', ${JSON.stringify(JSON.stringify({ apiKey }))})`)
  await open('/')
  await see('#standing', 'credits')
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const AXE_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Violations of WCAG 2.2 AA that axe finds in the present state of the page. */
export async function violations(): Promise<string[]> {
  if (!(await inPage<boolean>(`'axe' in window`))) await inPage(axe)
  // The header of the page and the names of rows cover part of a control that is scrolled below them, which axe would take for a small control.
  await inPage(`scrollTo(0, 0); document.querySelectorAll('.data').forEach((one) => one.scrollTo(0, 0))`)
  return await inPage<string[]>(
    `axe.run(document, { runOnly: ${JSON.stringify(AXE_RULES)} }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).slice(0, 3).join(', ')))`,
  )
}

/**
 * In each of these views, axe finds nothing in the present state of the page, which is no wider than the window, and a picture is saved. The page stays in the last view,
 * narrow and dark: what leads to the next state is done there.
 */
export async function clean(state: string, views = VIEWS): Promise<void> {
  for (const [colorScheme, width] of views) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 800 })
    assert.deepEqual(await violations(), [], `${state}, ${colorScheme}, ${width} px`)
    assert.ok(
      await inPage<boolean>('document.documentElement.scrollWidth <= innerWidth'),
      `${state} is too wide`,
    )
    await screenshot(`${state}-${colorScheme}-${width}`)
  }
}

/** Saves a picture of the page in the folder that QUANTD_TEST_SCREENSHOTS names, for people to look at. */
export async function screenshot(name: string): Promise<void> {
  const folder = process.env.QUANTD_TEST_SCREENSHOTS
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await inPage('scrollTo(0, 0)')
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
