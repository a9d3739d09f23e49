/** Rate windows under concurrency: exactly as many calls pass as the limit allows, on one node and on several. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { ledgerAccount, ledgerStateOf, sqlOf } from '../support/ledger-accounts.ts'
import { nodeProcess } from '../support/node-process.ts'
import { type PlainSql, sqliteSql } from '../support/plain-sql.ts'
import {
  createGuest,
  definite,
  request,
  startTestService,
  TEST_MASTER_KEY,
  type TestService,
} from '../support/service.ts'

const PATH = '/quantlib/economics/utility/log'
const HOUR_MS = 3_600_000
const CLIENTS = 64
const LIMIT = 150
const isPostgres = process.env.QUANTD_TEST_DATABASE === 'postgres'

let first: TestService
let sql: PlainSql
/** Three on PostgreSQL; SQLite serves one. */
first = await startTestService()
sql = sqlOf(first)
const others = first.databaseUrl === null ? 0 : 2
const nodes = [first]
for (let i = 0; i < others; i++) nodes.push(await startTestService({ DATABASE_URL: first.databaseUrl! }))
after(async () => {
  await sql.close()
  for (const node of nodes) await node.close()
})

/** Every client sends this many requests, alternating between the nodes. */
async function demand(urls: readonly string[], key: string, perClient: number) {
  const statuses: number[] = []
  const client = async (number: number) => {
    for (let i = 0; i < perClient; i++) {
      const wealth = (number + i) % 4 === 0 ? -1 : 2
      const url = urls[(number + i) % urls.length] + PATH
      const { status } = await definite(() => request(url, { key, body: { wealth } }))
      statuses.push(status)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)))
  const count = (status: number) => statuses.filter((one) => one === status).length
  return { passed: count(200) + count(422), succeeded: count(200), refused: count(429), all: statuses.length }
}

describe(`a window of ${LIMIT} and ${CLIENTS} clients on one key`, () => {
  it('lets exactly that many calls pass in each hour, and refusals consume nothing', async () => {
    const account = await ledgerAccount(first, sql, { credits: 10_000, hourLimit: LIMIT })
    const urls = nodes.map((node) => node.url)
    let succeeded = 0
    for (let window = 1; window <= 3; window++) {
      const demanded = await demand(urls, account.key, 5)
      assert.equal(demanded.passed, LIMIT)
      assert.equal(demanded.refused, demanded.all - LIMIT)
      succeeded += demanded.succeeded
      const state = await ledgerStateOf(sql, account.id)
      assert.deepEqual(state, {
        balance: 10_000 - succeeded,
        hour: LIMIT,
        given: 10_000,
        debited: succeeded,
        auditRows: window * LIMIT,
      })
      for (const node of nodes) node.advance(HOUR_MS)
    }
  })

  it('survives a restart of the node', async () => {
    const settings = {
      QUANTD_MASTER_KEY: TEST_MASTER_KEY,
      ...(first.databaseUrl !== null && { DATABASE_URL: first.databaseUrl }),
      QUANTD_COMPUTE_THREADS: '1',
    }
    const unasked: string[] = []
    const dataDir = `${first.dataDir}/node`
    const node = await nodeProcess({ dataDir, settings, onUnasked: (message) => unasked.push(message) })
    await node.start()
    const ledger = isPostgres ? sql : sqliteSql(`${dataDir}/quantd.db`)
    try {
      const guest = () => createGuest(node.url)
      const account = await ledgerAccount({ guest }, ledger, { credits: 10_000, hourLimit: LIMIT })
      let passed = 0
      for (let half = 0; half < 2; half++) {
        passed += (await demand([node.url], account.key, 2)).passed
        assert.equal((await ledgerStateOf(ledger, account.id)).hour, Math.min(passed, LIMIT))
        await node.kill9()
        if (half === 0) await node.start()
      }
      assert.equal(passed, LIMIT)
      assert.deepEqual(unasked, [])
    } finally {
      if (ledger !== sql) await ledger.close()
    }
  })
})

describe('nodes whose own clocks are five minutes apart', {
  skip: isPostgres ? false : 'SQLite serves one node',
}, () => {
  it("count by the database's clock: one window, which reopens for all nodes at once", async () => {
    const account = await ledgerAccount(first, sql, { credits: 10_000, hourLimit: LIMIT })
    const shifted = await Promise.all(
      [-5, 0, 5].map((minutes) =>
        nodeProcess({
          dataDir: `${first.dataDir}/shifted${minutes}`,
          settings: {
            QUANTD_MASTER_KEY: TEST_MASTER_KEY,
            DATABASE_URL: first.databaseUrl!,
            QUANTD_COMPUTE_THREADS: '1',
            QUANTD_TEST_CLOCK_SHIFT_MS: String(minutes * 60_000),
          },
          execArgv: ['--import', `${import.meta.dirname}/shifted-clock.ts`],
          onUnasked: () => undefined,
        }),
      ),
    )
    try {
      await Promise.all(shifted.map((node) => node.start()))
      const urls = shifted.map((node) => node.url)
      assert.equal((await demand(urls, account.key, 4)).passed, LIMIT)
      // Move the window into the past, as if its hour were over: it reopens for every node, whatever its clock.
      await sql.query('UPDATE accounts SET hour_started_at = hour_started_at - $1 WHERE id = $2', [
        HOUR_MS,
        account.id,
      ])
      assert.equal((await demand(urls, account.key, 4)).passed, LIMIT)
      // Four minutes before its end the window is closed for all nodes, although one node's clock is past it.
      await sql.query('UPDATE accounts SET hour_started_at = hour_started_at - $1 WHERE id = $2', [
        HOUR_MS - 4 * 60_000,
        account.id,
      ])
      assert.equal((await demand(urls, account.key, 1)).passed, 0)
      const [slow, , fast] = await Promise.all(urls.map(ownClock))
      assert.ok(fast! - slow! > 9 * 60_000, "the nodes' own clocks are not apart")
    } finally {
      await Promise.all(shifted.map((node) => node.kill9()))
    }
  })
})

/** A request id begins with the milliseconds of the clock of the node that made it (UUIDv7). */
async function ownClock(url: string): Promise<number> {
  const { headers } = await request(`${url}/healthz`)
  return Number.parseInt(headers.get('x-request-id')!.replaceAll('-', '').slice(0, 12), 16)
}
