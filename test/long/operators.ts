/**
 * `npm run test:operators`: the page of operators with 1,000,000 rows in the audit of 24 hours and 100,000 accounts, on both
 * databases.
 */

import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import { type Browser, chromium } from 'playwright-core'
import { chromiumPath } from '../support/chromium.ts'
import { type Row, table } from '../support/command-line.ts'
import { freePort } from '../support/free-port.ts'
import { operator, settingsOf } from '../support/operator.ts'
import { startPostgres } from '../support/postgres.ts'
import { request, startTestService } from '../support/service.ts'

const ROWS = 1_000_000
const ACCOUNTS = 100_000
/** The time span of the rows: less than the 24 hours shown, which end at a multiple of ten minutes. */
const SPAN_MS = 23 * 3_600_000
const VISITS = 5
const SEARCHES = 200
/** The limit on the medians; on a busy machine, the slowest times depend on the machine. */
const MOST_PAINT_MS = 1_000
const MOST_SEARCH_MS = 200

const numbers = (dialect: string, count: number): string =>
  dialect === 'sqlite'
    ? `(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i FROM n)`
    : `(SELECT i FROM generate_series(1::bigint, ${count}::bigint) AS n(i))`

/** SQL that adds a computation for every 83 ms, with different durations; one in 50 fails. */
const rowsSql = (dialect: string, now: number): string => `
  INSERT INTO audit (id, at, account_id, kind, method, path, status, credits, calls, ip, request_id, duration_ms, replayed, code)
  SELECT 'row-' || i, ${now - SPAN_MS} + i * ${SPAN_MS} / ${ROWS}, 1 + i % ${ACCOUNTS}, 'computation', 'POST',
    '/quantlib/pricing/bs/price', CASE WHEN i % 50 = 0 THEN 422 ELSE 200 END, CASE WHEN i % 50 = 0 THEN 0 ELSE 1 END, 1,
    '192.0.2.1', 'request-' || i, i % 40 + i % 7, 0, CASE WHEN i % 50 = 0 THEN 'invalid_input' END
  FROM ${numbers(dialect, ROWS)} AS s`

const accountsSql = (dialect: string): string => `
  INSERT INTO accounts (id, uid, tier, balance, created_at, verified_at, address, email, username)
  SELECT i, 'uid-' || i, 'free', i % 100, 1, 1, 'person' || i || '@example.org', 'person' || i || '@example.org', 'person'
  FROM ${numbers(dialect, ACCOUNTS)} AS s`

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]
const faults: string[] = []
const lines: Row[] = []
const ms = (value: number): string => `${value.toFixed(0)} ms`

async function measure(browser: Browser, databaseUrl: string | null): Promise<void> {
  const port = await freePort()
  const service = await startTestService({
    QUANTD_OPERATOR_PORT: String(port),
    QUANTD_IP_LIMITS: 'off',
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
  })
  const dialect = databaseUrl === null ? 'sqlite' : 'postgres'
  try {
    for (const sql of [accountsSql(dialect), rowsSql(dialect, Date.now())]) await execute(service, sql)
    const created = await operator(settingsOf(service))([
      'admin',
      'token',
      'create',
      'a',
      '--role',
      'viewer',
      '--json',
    ])
    const origin = `http://127.0.0.1:${port}`
    const { paints, seen, day } = await visits(browser, origin, created.json.token)
    const searches = await searchTimes(origin, created.json.token)
    const slowest = searches.toSorted((a, b) => a - b)[Math.floor(0.99 * SEARCHES)]
    lines.push(
      [`${dialect}: first paint, median and worst`, `${ms(median(paints))}, ${ms(Math.max(...paints))}`],
      [`${dialect}: health is shown, median`, ms(median(seen))],
      [`${dialect}: all 24 hours were read for the first time`, ms(day)],
      [`${dialect}: search, 99 of 100`, ms(slowest)],
    )
    if (median(paints) > MOST_PAINT_MS) faults.push(`${dialect}: first paint after ${median(paints)} ms`)
    if (median(searches) > MOST_SEARCH_MS) faults.push(`${dialect}: a search took ${median(searches)} ms`)
  } finally {
    await service.close()
  }
}

type Served = Awaited<ReturnType<typeof startTestService>>

async function execute({ dataDir, databaseUrl }: Served, sql: string): Promise<void> {
  if (databaseUrl === null) {
    const db = new Database(join(dataDir, 'quantd.db'))
    db.exec(sql)
    db.close()
    return
  }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(sql)
  await client.query('ANALYZE')
  await client.end()
}

/** Visits the page; at the first visit, the node has not read the audit yet. */
async function visits(browser: Browser, origin: string, token: string) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(origin)
  await page.locator('[name=token]').fill(token)
  await page.getByRole('button', { name: 'Log in' }).click()
  const began = performance.now()
  await page.locator('dd', { hasText: '1,000,000' }).first().waitFor({ timeout: 120_000 })
  const day = performance.now() - began
  const paints: number[] = []
  const seen: number[] = []
  for (let visit = 0; visit < VISITS; visit++) {
    await page.reload()
    await page.locator('.checks').waitFor()
    seen.push(await page.evaluate<number>('performance.now()'))
    paints.push(
      await page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0].startTime`),
    )
  }
  await context.close()
  return { paints, seen, day }
}

async function searchTimes(origin: string, token: string): Promise<number[]> {
  const times: number[] = []
  for (let search = 0; search < SEARCHES; search++) {
    const number = 1 + ((search * 7919) % ACCOUNTS)
    const q = [`person${number}@`, String(number), `request-${number}`, `person${number % 10}`][search % 4]
    const began = performance.now()
    const { status } = await request(
      `${origin}/operator/v1/${q.startsWith('request-') ? 'calls/show?request_id' : 'accounts?q'}=${q}`,
      {
        headers: { authorization: `Bearer ${token}` },
      },
    )
    times.push(performance.now() - began)
    if (status !== 200) faults.push(`search for ${q}: ${status}`)
  }
  return times
}

const executablePath = chromiumPath()
if (executablePath === undefined) throw new Error('There is no Chromium on this machine.')
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
await measure(browser, null)
const postgres = await startPostgres()
try {
  await measure(browser, postgres.url)
} finally {
  await postgres.stop()
  await browser.close()
}
console.log(table(lines))
for (const fault of faults) console.log(`FAULT ${fault}`)
console.log(faults.length === 0 ? '1 passed, 0 failed' : '0 passed, 1 failed')
process.exitCode = faults.length === 0 ? 0 : 1
