/** A service for tests, on a new SQLite file or PostgreSQL database, with an adjustable clock. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../src/app/config/read-config.ts'
import { openLog } from '../../src/app/log.ts'
import { type Service, type ServiceOptions, startService } from '../../src/app/main/service.ts'
import { DAY_MS, SECOND_MS } from '../../src/base/time.ts'
import { type DatabasePlace, query } from './database.ts'
import { testDatabase } from './postgres.ts'
import { until } from './until.ts'

export interface TestService extends Service, DatabasePlace {
  /** Moves the database's clock forward. */
  advance(ms: number): void
  /** Moves the clock to the next midnight (UTC), so that a test does not run across one; returns that time. */
  newDay(): number
  /** Repeats a call that was not answered because PostgreSQL took too long, as it does on a busy machine. */
  call(path: string, options?: CallOptions): Promise<Answer>
  callOnce(path: string, options?: CallOptions): Promise<Answer>
  /** Creates a guest key. */
  guest(): Promise<string>
  /** Creates a guest key and changes its account by the SET clause of an SQL statement. */
  guestWith(change: string): Promise<string>
}

export interface CallOptions {
  readonly method?: string
  readonly key?: string
  readonly body?: unknown
  /** The exact body, instead of `body`. */
  readonly raw?: string | Uint8Array | ReadableStream
  readonly headers?: Record<string, string>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: replies may have any shape
  readonly body: any
  readonly text: string
}

/** A fixed key, so that nodes on one database agree. */
export const TEST_MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

/** The SET clause for credits and limits that no test uses up. */
export const UNLIMITED = 'balance = 10000000, hour_limit = 1000000, day_limit = 1000000'

/** A thousandth of the service's cost, with which hashes would take a third of the processor time of the tests of accounts. */
const PASSWORD_COST = { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 }

/** The time for which a body is held back. */
const HELD_BACK_MS = 500

const PATIENT_MS = 300_000
/** Limits of the threads that also suffice on a busy machine, where threads of low priority get little time. */
export const PATIENT = { timeLimitMs: PATIENT_MS, waitLimitMs: PATIENT_MS }

/** Closes it after the test or suite that runs, or after the tests of the file. */
export function closedAfter<Closed extends { close(): unknown }>(opened: Closed): Closed {
  after(() => opened.close())
  return opened
}

/** @param settings environment variables in addition to those of all tests */
export async function startTestService(
  settings: Record<string, string> = {},
  options: Pick<
    ServiceOptions,
    'alertsEveryMs' | 'limits' | 'log' | 'passwordCost' | 'threadLimits' | 'unpaidEveryMs'
  > = {},
): Promise<TestService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quantd-test-'))
  const databaseUrl = settings.DATABASE_URL ?? (await testDatabase())
  let offsetMs = 0
  const config = readConfig({
    PORT: '0',
    METRICS_PORT: '0',
    QUANTD_DATA_DIR: dataDir,
    QUANTD_MASTER_KEY: TEST_MASTER_KEY,
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
    ...settings,
  })
  const service = await startService(config, {
    log: openLog(process.env.QUANTD_TEST_LOG ?? 'silent'),
    passwordCost: PASSWORD_COST,
    threadLimits: PATIENT,
    ...options,
    clockOffsetMs: () => offsetMs,
  })
  const advance = (ms: number) => {
    offsetMs += ms
  }
  const callOnce = (path: string, options: CallOptions = {}) => request(service.url + path, options)
  const call: typeof callOnce =
    databaseUrl === null ? callOnce : (path, options) => reached(() => callOnce(path, options))
  const guest = () => createGuest(service.url)
  return {
    ...service,
    dataDir,
    databaseUrl,
    advance,
    newDay() {
      const now = Date.now() + offsetMs
      const day = now - (now % DAY_MS) + DAY_MS
      advance(day + SECOND_MS - now)
      return day
    },
    call,
    callOnce,
    guest,
    async guestWith(change) {
      const key = await guest()
      const newest = 'SELECT max(id) FROM accounts'
      await query({ dataDir, databaseUrl }, `UPDATE accounts SET ${change} WHERE id = (${newest})`)
      return key
    },
    async close() {
      await service.close(0)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export async function request(url: string, options: CallOptions = {}): Promise<Answer> {
  const { key, body, raw, headers = {} } = options
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(url, {
    method: options.method ?? (payload === undefined ? 'GET' : 'POST'),
    headers: {
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'x-api-key': key }),
      ...headers,
    },
    ...(payload !== undefined && { body: payload as string, duplex: 'half' }),
  } as RequestInit)
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parsed(text) }
}

/** A body whose end is sent only when something else was done, long after the service has received its beginning. */
export function heldBack(body: object, meanwhile: () => Promise<unknown>): ReadableStream {
  const text = JSON.stringify(body)
  async function* pieces() {
    yield Buffer.from(text.slice(0, 1))
    await sleep(HELD_BACK_MS)
    await meanwhile()
    yield Buffer.from(text.slice(1))
  }
  return ReadableStream.from(pieces())
}

/**
 * Retries while the reply is 503, as a client that reads Retry-After does: a slow database on a busy machine refuses
 * calls uncharged, which does not violate the rule under test.
 */
export async function definite(send: () => Promise<Answer>): Promise<Answer> {
  let answer = await send()
  const isDefinite = async () => {
    if (answer.status === 503) answer = await send()
    return answer.status !== 503
  }
  await until(isDefinite, 'a call was answered definitely')
  return answer
}

/** Retries while the database is not reached, which only a busy machine explains in most tests. */
export async function reached(send: () => Promise<Answer>): Promise<Answer> {
  let answer: Answer
  const isReached = async () => {
    answer = await send()
    return answer.body?.error?.code !== 'unavailable'
  }
  await until(isReached, 'the database was reached')
  return answer!
}

/** Creates a guest key on the node at `url`. */
export async function createGuest(url: string): Promise<string> {
  const device = { device_id: 'd-1', device_name: 'test', platform: 'node' }
  const answer = await reached(() => request(`${url}/guest/create`, { body: device }))
  return answer.body.data.api_key
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
