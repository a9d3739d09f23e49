/** Starts of the real program that are refused with one line, or that warn in the log. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { MIGRATION_LOCK } from '../../../src/ledger/store/locks.ts'
import { freePort } from '../../support/free-port.ts'
import { environmentOf } from '../../support/node-process.ts'
import { type PlainSql, postgresSql, sqliteSql } from '../../support/plain-sql.ts'
import { createDatabase } from '../../support/postgres.ts'
import { TEST_MASTER_KEY } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const isPostgres = process.env.QUANTD_TEST_DATABASE === 'postgres'
const HOUR_MS = 3_600_000
const SHIFTED_CLOCK = join(import.meta.dirname, '../../ledger-store/shifted-clock.ts')
/** Makes every fsync fail, as some network file systems do. */
const NO_FSYNC = `data:text/javascript,${encodeURIComponent(`
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
fs.fsyncSync = () => { throw Object.assign(new Error('no'), { code: 'EINVAL', syscall: 'fsync' }) }
syncBuiltinESMExports()`)}`

// Memory, where the machine has such a file system.
const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const dataDir = temporaryFolder('starts', parent)
const other = temporaryFolder('starts')
let database: Record<string, string> = {}
let sql: PlainSql

interface Start {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

/** Starts the service, and stops it again once it listens; `onOutput` sees all output so far. */
async function start(
  settings: Record<string, string> = {},
  execArgv: readonly string[] = [],
  onOutput: (output: string, child: ChildProcess) => void = () => undefined,
): Promise<Start> {
  const child = spawn(process.execPath, [...execArgv, 'src/app/quantd.ts', 'serve'], {
    env: {
      ...environmentOf(dataDir),
      QUANTD_MASTER_KEY: TEST_MASTER_KEY,
      ...database,
      ...settings,
    },
  })
  const start = { output: '', errors: '' }
  child.stdout.on('data', (text) => {
    start.output += text
    onOutput(start.output, child)
    if (start.output.includes('listens on')) child.kill('SIGTERM')
  })
  child.stderr.on('data', (text) => {
    start.errors += text
  })
  return await new Promise((resolve) => child.once('close', (code) => resolve({ code, ...start })))
}

/** The start ends with exit code 1 and this line alone. */
async function refused(message: RegExp, settings = {}, execArgv: readonly string[] = []): Promise<void> {
  const { code, errors, output } = await start({ LOG_LEVEL: 'error', ...settings }, execArgv)
  assert.match(errors, message)
  assert.deepEqual([code, errors.trimEnd().split('\n').length, output], [1, 1, ''])
}

const shifted = (ms: number) =>
  [{ QUANTD_TEST_CLOCK_SHIFT_MS: String(ms) }, ['--import', SHIFTED_CLOCK]] as const

before(async () => {
  if (isPostgres) database = { DATABASE_URL: await createDatabase(process.env.QUANTD_TEST_POSTGRES_URL!) }
  const { code, errors } = await start()
  assert.equal(code, 0, errors)
  sql = isPostgres ? postgresSql(database.DATABASE_URL!) : sqliteSql(join(dataDir, 'quantd.db'))
})
after(() => sql.close())

describe('a start is refused with one line', () => {
  it('if the data folder is not writable, with PostgreSQL too', () =>
    refused(/^quantd: The data folder \/proc is not writable by user \d+ \(E\w+\): change its owner, /, {
      QUANTD_DATA_DIR: '/proc',
    }))

  it('if the master key is not that of the database', () =>
    refused(/^quantd: The database was written under another master key: set QUANTD_MASTER_KEY/, {
      QUANTD_MASTER_KEY: randomBytes(32).toString('base64'),
    }))

  it('if the database is not one that can be used', async () => {
    if (isPostgres) {
      const url = new URL(database.DATABASE_URL!)
      url.pathname = '/absent'
      const absent =
        /^quantd: The PostgreSQL database cannot be used: database "absent" does not exist \(3D000\)/
      await refused(absent, { DATABASE_URL: url.href })
      const certificate =
        /^quantd: The PostgreSQL database cannot be used: ENOENT: .*\/none\.pem' \(ENOENT\); see DATABASE_URL\.$/m
      url.search = '?sslmode=verify-full&sslrootcert=/none.pem'
      await refused(certificate, { DATABASE_URL: url.href })
    } else {
      const folder = join(other, 'foreign')
      mkdirSync(folder)
      writeFileSync(join(folder, 'quantd.db'), 'this is no database'.repeat(100))
      await refused(/^quantd: The database .* cannot be opened: file is not a database/, {
        QUANTD_DATA_DIR: folder,
      })
    }
  })

  it('if its tables are not those of quantd', async () => {
    const foreign = isPostgres
      ? await createDatabase(process.env.QUANTD_TEST_POSTGRES_URL!, { isEmpty: true })
      : join(other, 'tables')
    if (!isPostgres) mkdirSync(foreign)
    const tables = isPostgres ? postgresSql(foreign) : sqliteSql(join(foreign, 'quantd.db'))
    await tables.query('CREATE TABLE accounts (id INTEGER)')
    await tables.close()
    await refused(
      /^quantd: The (PostgreSQL )?database .*cannot be (used|opened): .*accounts.* already exists/,
      isPostgres ? { DATABASE_URL: foreign } : { QUANTD_DATA_DIR: foreign },
    )
  })
})

/** A start that waits while the other tests run. */
const waiting = isPostgres ? besideMigration() : null

// These starts end before they reach the database.
const describeOnce = isPostgres ? () => undefined : describe

describeOnce('a start is refused with one line, on any database,', () => {
  it('if the data folder cannot be made, or is a file', async () => {
    await refused(/^quantd: The data folder \/proc\/quantd is not writable by user \d+ \(ENOENT\)/, {
      QUANTD_DATA_DIR: '/proc/quantd',
    })
    for (const folder of ['package.json', 'package.json/data'])
      await refused(/^quantd: The data folder .* is a file or in one: set QUANTD_DATA_DIR to a folder/, {
        QUANTD_DATA_DIR: folder,
      })
  })

  it('if the disk cannot force files to disk', () =>
    refused(
      /^quantd: The disk of the data folder .* cannot force files to disk \(fsync: EINVAL\)/,
      { QUANTD_DATA_DIR: other },
      ['--import', NO_FSYNC],
    ))

  it('if the clock is before this version was made', () =>
    refused(
      /^quantd: The clock of this machine says 19\d\d-.*: set it \(NTP\)/,
      ...shifted(-500_000 * HOUR_MS),
    ))
})

// SQLite is a file, which needs no waiting.
const describePostgres = isPostgres ? describe : () => undefined

describePostgres('a start waits', { concurrency: true }, () => {
  it('for a PostgreSQL that is not up yet, and says so', async () => {
    const address = new URL(database.DATABASE_URL!)
    const relay = createServer((client) => {
      const upstream = connect(Number(address.port), address.hostname)
      for (const socket of [client, upstream]) socket.on('error', () => undefined)
      client.pipe(upstream).pipe(client)
    })
    const port = await freePort()
    const starting = start(
      {
        QUANTD_DATA_DIR: join(other, 'early'),
        DATABASE_URL: address.href.replace(`:${address.port}/`, `:${port}/`),
      },
      [],
      (output) => {
        if (output.includes('the database cannot be used yet') && !relay.listening)
          relay.listen(port, '127.0.0.1')
      },
    )
    const { code, errors, output } = await starting
    relay.close()
    assert.equal(code, 0, errors)
    assert.match(output, /"reason":"Cannot connect to PostgreSQL: .*ECONNREFUSED.*","seconds":\d+/)
  })

  it('for another node that migrates, longer than a request would', async () => {
    const { code, errors } = await waiting!
    assert.equal(code, 0, errors)
  })

  it('and is given up when the service is told to stop', async () => {
    const { code, errors, output } = await start(
      { QUANTD_DATA_DIR: join(other, 'told'), DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/x` },
      [],
      (text, child) => {
        if (text.includes('the database cannot be used yet')) child.kill('SIGTERM')
      },
    )
    assert.equal(code, 0, errors)
    assert.ok(!output.includes('listens on'))
  })
})

/** A start on a new database whose migrations are locked for longer than a request waits. */
async function besideMigration(): Promise<Start> {
  const url = await createDatabase(process.env.QUANTD_TEST_POSTGRES_URL!)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
  const release = sleep(11_000).then(() => client.end())
  const started = await start({ QUANTD_DATA_DIR: join(other, 'second'), DATABASE_URL: url })
  await release
  return started
}

/** Inserts an audit row of this time. */
async function auditRow(id: string, at: number): Promise<void> {
  const row = [`'${id}'`, at, 0, "'event'", "'CLI'", "'x'", 200, 0, 1, "'cli'", "'r'", 0, 0].join(', ')
  await sql.query(
    `INSERT INTO audit (id, at, account_id, kind, method, path, status, credits, calls, ip, request_id, duration_ms, replayed) VALUES (${row})`,
  )
}

const warningsOf = (output: string) =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter(({ level }) => level === 40)

/** A machine so busy that a step of the start takes longer than a new connection to the database may. */
const SLOW_STEP = `data:text/javascript,${encodeURIComponent(`
globalThis.gc = () => {
  const end = performance.now() + 1500
  while (performance.now() < end);
}`)}`

describe('a start on a busy machine', () => {
  it('warns of nothing', async () => {
    const folder = { QUANTD_DATA_DIR: join(other, 'busy') }
    const { code, errors, output } = await start(folder, ['--import', SLOW_STEP])
    assert.equal(code, 0, errors)
    const ownWarnings = warningsOf(output).filter(({ msg }) => !msg.includes('data folder is in memory'))
    assert.deepEqual(ownWarnings, [])
  })
})

describe('a start warns in the log', () => {
  it("of a database's clock that is a year ahead", async () => {
    const year = 365 * 24 * HOUR_MS
    const agedRow = async (age: number) => {
      await sql.query('DELETE FROM audit')
      await auditRow('019', Date.now() - age)
    }
    const warning = async (...clock: [Record<string, string>?, (readonly string[])?]) =>
      warningsOf((await start(...clock)).output).find(({ msg }) => msg.includes('is over 30 days old'))
    // SQLite uses the clock of the machine. The clock of PostgreSQL cannot be set here; its row is made older.
    await agedRow(isPostgres ? year : 0)
    const found = isPostgres ? await warning() : await warning(...shifted(year))
    assert.equal(found?.days, 365)
    await agedRow(year / 24)
    assert.equal(await warning(), undefined)
  })

  it('of a clock that differs, rows in the future, a newer schema, and a folder in memory', async () => {
    await sql.query("INSERT INTO migrations (name) VALUES ('999-future')")
    const soon = Date.now() + 2 * HOUR_MS
    await auditRow('01a', soon)
    const { code, output } = await start(...shifted(isPostgres ? HOUR_MS : 0))
    assert.equal(code, 0)
    const warnings = warningsOf(output)
    const found = (text: string) => warnings.find(({ msg }) => msg.includes(text))
    assert.deepEqual(found('newer version of quantd')?.migrations, ['999-future'])
    assert.equal(found('newest audit row is in the future')?.newest, new Date(soon).toISOString())
    if (isPostgres) assert.ok(Math.abs(found("ahead of the database's")?.seconds - 3_600) < 60)
    if (parent === '/dev/shm') assert.equal(found('data folder is in memory')?.fileSystem, 'tmpfs')
  })
})
