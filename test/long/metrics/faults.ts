/** Faults of a service on PostgreSQL, and the metrics that each moves, as the table in docs/operations.md says. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../support/free-port.ts'
import { type NodeProcess, nodeProcess } from '../../support/node-process.ts'
import { OPTION } from '../../support/option.ts'
import { postgresSql } from '../../support/plain-sql.ts'
import { createDatabase, type Postgres, startPostgres } from '../../support/postgres.ts'
import { createGuest, request, TEST_MASTER_KEY } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const ROOT = join(import.meta.dirname, '../../..')
const PRICE = '/quantlib/pricing/bs/price'
/** A computation of half a second or more. */
const HEAVY = {
  X: Array.from({ length: 20_000 }, (_, row) => [Math.sin(row), Math.cos(row * row), row % 97]),
  n_trees: 100,
}
const STANDSTILL_MS = 700
/** Shorter than the standstill that a test causes, and far longer than a usual round trip or iteration. */
const LONG_SECONDS = 0.35
/** Less than the time for which a transaction waits for a lock. */
const LOCK_WAIT_SECONDS = 0.25

const dataDir = temporaryFolder('faults')
const moved = new Set<string>()
let postgres: Postgres
let databaseUrl: string
let node: NodeProcess
let metricsUrl: string
let key: string

const scraped = async (): Promise<string> =>
  // Each request has a new connection, because the service may be closing an idle one.
  await (await fetch(metricsUrl, { headers: { connection: 'close' } })).text()

/** The sum of a metric's samples whose labels contain a text. */
const sumOf = (text: string, name: string, label = ''): number =>
  [...text.matchAll(new RegExp(`^${name}(\\{[^}]*\\})? (\\S+)$`, 'gm'))]
    .filter(([, labels = '']) => labels.includes(label))
    .reduce((sum, [, , value]) => sum + Number(value), 0)

const family = (name: string): string => name.replace(/_(bucket|sum|count)$/, '')

/** Waits until a metric has a value that the fault gives it. */
async function moves(name: string, isMoved: (value: number) => boolean, label?: string): Promise<void> {
  let value = Number.NaN
  await until(async () => {
    value = sumOf(await scraped(), name, label)
    return isMoved(value)
  }, `${name} moves`)
  moved.add(family(name))
}

/** Repeats a fault while the work waits for its effect, because a scrape may fall between two faults. */
async function whileRepeating(cause: () => Promise<unknown>, work: () => Promise<void>): Promise<void> {
  let isOver = false
  const causing = (async () => {
    while (!isOver) await cause()
  })()
  try {
    await work()
  } finally {
    isOver = true
    await causing
  }
}

/** Waits until a metric is at least this much above its value in an earlier scrape. */
const grows = (name: string, earlier: string, least: number, label?: string): Promise<void> =>
  moves(name, (value) => value - sumOf(earlier, name, label) >= least, label)

const price = (headers: Record<string, string> = {}) =>
  request(node.url + PRICE, { key, body: OPTION, headers })

/** Takes a lock in another session; the returned function releases it. */
async function locked(statement: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query(statement)
  return async () => {
    await client.query('rollback')
    await client.end()
  }
}

const verifyLedger = (): number | null =>
  spawnSync(process.execPath, [join(ROOT, 'src/app/quantd.ts'), 'admin', 'verify-ledger'], {
    env: {
      PATH: process.env.PATH,
      QUANTD_DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      QUANTD_MASTER_KEY: TEST_MASTER_KEY,
    },
  }).status

describe('a fault', () => {
  before(async () => {
    postgres = await startPostgres()
    databaseUrl = await createDatabase(postgres.url)
    const metricsPort = await freePort()
    metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`
    node = await nodeProcess({
      dataDir,
      settings: {
        DATABASE_URL: databaseUrl,
        QUANTD_MASTER_KEY: TEST_MASTER_KEY,
        METRICS_PORT: String(metricsPort),
        SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
        QUANTD_COMPUTE_THREADS: '1',
        QUANTD_TIERS: 'guest=10000/10000',
        QUANTD_INITIAL_CREDITS: 'guest=10000',
      },
      onUnasked: (message) => assert.fail(message),
    })
    await node.start()
    key = await createGuest(node.url)
  })
  after(async () => {
    await node?.kill9()
    await postgres?.stop()
  })

  it('of a client, a wrong key, is counted by route, status and code', async () => {
    const earlier = await scraped()
    assert.equal((await request(node.url + PRICE, { key: `${key.slice(0, -1)}_`, body: OPTION })).status, 401)
    await grows('quantd_http_requests_total', earlier, 1, 'status="401"')
    await grows('quantd_failures_total', earlier, 1, 'code="api_key_invalid"')
    await grows('quantd_authentication_failures_total', earlier, 1, 'code="api_key_invalid"')
  })

  it('of a network, a lost reply, is a replay of a result that was charged once', async () => {
    const earlier = await scraped()
    for (let count = 0; count < 2; count += 1)
      assert.equal((await price({ 'idempotency-key': 'lost' })).status, 200)
    await grows('quantd_idempotent_replays_total', earlier, 1)
    await grows('quantd_credits_charged_total', earlier, 1)
  })

  it('of sizing, more calls at once than a commit takes one by one, makes larger groups', async () => {
    const earlier = await scraped()
    await Promise.all(Array.from({ length: 64 }, () => price()))
    const text = await scraped()
    const more = (name: string) => sumOf(text, name) - sumOf(earlier, name)
    assert.ok(more('quantd_ledger_group_entries_sum') > more('quantd_ledger_group_entries_count'))
    moved.add('quantd_ledger_group_entries')
  })

  it('of sizing, more heavy work than threads, makes tasks wait', async () => {
    const earlier = await scraped()
    const heavy = Array.from({ length: 4 }, () =>
      request(`${node.url}/quantlib/ml/clustering/isolation-forest`, { key, body: HEAVY }),
    )
    await Promise.all([
      moves('quantd_compute_tasks_running', (value) => value >= 1),
      moves('quantd_compute_tasks_waiting', (value) => value >= 1),
      moves('quantd_compute_threads', (value) => value >= 1),
    ])
    // 503 where a busy machine does not compute all of them within 30 s.
    for (const reply of await Promise.all(heavy)) assert.ok([200, 503].includes(reply.status), reply.text)
    await grows('quantd_compute_wait_seconds_sum', earlier, 0.01)
    await grows('process_cpu_seconds_total', earlier, 0.1)
  })

  it('of a database, a row locked by another session, makes requests and commits slow', async () => {
    const earlier = await scraped()
    const release = await locked('select * from accounts for update')
    try {
      // A call waits for the lock for some hundred milliseconds and is then answered with 503.
      await whileRepeating(price, () => moves('quantd_http_requests_in_flight', (value) => value >= 1))
    } finally {
      await release()
    }
    await until(async () => (await price()).status === 200, 'the service prices again')
    await grows('quantd_http_request_duration_seconds_sum', earlier, LOCK_WAIT_SECONDS, PRICE)
    await grows('quantd_ledger_commit_duration_seconds_sum', earlier, LOCK_WAIT_SECONDS)
  })

  it('of a database, one that stands still, makes its round trip long', async () => {
    const standStill = async () => {
      const release = await locked('lock table mails in access exclusive mode')
      await sleep(STANDSTILL_MS)
      await release()
    }
    await whileRepeating(standStill, () =>
      moves('quantd_database_round_trip_seconds', (value) => value >= LONG_SECONDS),
    )
  })

  it('of a database, its end, fails commits and is seen at the next scrape', async () => {
    const earlier = await scraped()
    postgres.kill9()
    assert.equal((await price()).status, 503)
    await grows('quantd_failures_total', earlier, 1, 'code="unavailable"')
    await moves('quantd_database_up', (value) => value === 0)
    await postgres.start()
    await moves('quantd_database_up', (value) => value === 1)
    await until(async () => (await price()).status === 200, 'the service prices again')
  })

  it('of a disk, one that refuses writes, fails commits', async () => {
    const earlier = await scraped()
    const name = new URL(databaseUrl).pathname.slice(1)
    const server = postgresSql(postgres.url)
    const readOnly = async (value: string): Promise<void> => {
      await server.query(`alter database ${name} set default_transaction_read_only = ${value}`)
      // The setting holds for new sessions.
      await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    }
    await readOnly('on')
    await until(async () => (await price()).status === 503, 'calls are refused')
    await grows('quantd_ledger_commit_failures_total', earlier, 1)
    const body = { username: 'eve', email: 'eve@example.org', password: 'correct horse battery' }
    const refused = await request(`${node.url}/user/register`, { body })
    assert.equal(refused.body.error.code, 'unavailable', refused.text)
    await readOnly('off')
    await until(async () => (await price()).status === 200, 'the service prices again')
  })

  it('of a disk, a file that takes much of it, leaves less', async () => {
    const MIB = 2 ** 20
    const free = sumOf(await scraped(), 'quantd_disk_free_bytes')
    const file = join(dataDir, 'large')
    writeFileSync(file, Buffer.alloc(256 * MIB, 1))
    try {
      await moves('quantd_disk_free_bytes', (value) => value <= free - 128 * MIB)
    } finally {
      rmSync(file)
    }
  })

  it('of the mail server leaves mails waiting', async () => {
    const body = { username: 'ada', email: 'ada@example.org', password: 'correct horse battery' }
    assert.equal((await request(`${node.url}/user/register`, { body })).status, 200)
    await moves('quantd_mails_waiting', (value) => value === 1)
    await moves('quantd_mails_oldest_age_seconds', (value) => value > 0.5)
    // The registration, its mail, and counters of attempts.
    await moves('quantd_unpaid_rows', (value) => value >= 3)
  })

  it('of a row, a lot that holds more than its grant, breaks an assertion', async () => {
    const earlier = await scraped()
    const sql = postgresSql(databaseUrl)
    const [own] = await sql.query<{ id: number }>('select min(id) as id from accounts')
    const end = Date.now() + 3_600_000
    await sql.query('insert into lots (account_id, granted, remaining, expires_at) values ($1, 1, 20, $2)', [
      own!.id,
      end,
    ])
    await sql.query('update accounts set lots_expire_at = $1', [end])
    assert.equal((await price()).status, 500)
    await grows('quantd_ledger_broken_assertions_total', earlier, 1, 'assertion="lot"')
    await sql.query('delete from lots')
    await sql.query('update accounts set lots_expire_at = null')
    await sql.close()
    assert.equal((await price()).status, 200)
  })

  it('of a person, a balance changed by hand, is found by the check of the ledger', async () => {
    assert.equal(verifyLedger(), 0)
    await moves('quantd_ledger_check_timestamp_seconds', (value) => value > 0)
    await postgresSql(databaseUrl).query('update accounts set balance = balance + 1')
    assert.equal(verifyLedger(), 1)
    await moves('quantd_ledger_check_differing_accounts', (value) => value >= 1)
  })

  it('of the machine, a process that gets no processor, is a delay of the event loop', async () => {
    const stop = async () => {
      node.signal('SIGSTOP')
      await sleep(STANDSTILL_MS)
      node.signal('SIGCONT')
      // A scrape resets the measurement, which begins with the timer's next run.
      await sleep(STANDSTILL_MS)
    }
    await whileRepeating(stop, () =>
      moves('nodejs_eventloop_lag_max_seconds', (value) => value >= LONG_SECONDS),
    )
  })

  it('of an upgrade shows in the version of the node', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    await moves('quantd_build_info', (value) => value === 1, `version="${version}"`)
  })

  it('moves every metric of the service, in the table of the operations page too', async () => {
    const exposed = [...(await scraped()).matchAll(/^# TYPE (quantd_\S+) /gm)].map(([, name]) => name!)
    assert.deepEqual([...moved].filter((name) => name.startsWith('quantd_')).sort(), exposed.sort())
    const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')
    const rows = [...page.matchAll(/^\| `(quantd_\w+)`.* \| .+ \|$/gm)].map(([, name]) => name!)
    assert.deepEqual(rows.sort(), exposed)
  })
})
