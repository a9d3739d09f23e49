/** Starts of the real program that are refused with one line, or that warn in the log. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type PlainSql, postgresSql, sqliteSql } from '../../proofs/torture/plain-sql.ts'
import { createDatabase } from '../postgres.ts'
import { TEST_MASTER_KEY } from '../service.ts'

const isPostgres = process.env.QUANTD_TEST_DATABASE === 'postgres'
const HOUR_MS = 3_600_000
const SHIFTED_CLOCK = join(import.meta.dirname, '../ledger-store/shifted-clock.ts')
/** Makes every fsync fail, as some network file systems do. */
const NO_FSYNC = `data:text/javascript,${encodeURIComponent(`
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
fs.fsyncSync = () => { throw Object.assign(new Error('no'), { code: 'EINVAL', syscall: 'fsync' }) }
syncBuiltinESMExports()`)}`

// Memory, where the machine has such a file system.
const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const dataDir = mkdtempSync(join(parent, 'quantd-starts-'))
const other = mkdtempSync(join(tmpdir(), 'quantd-starts-'))
let database: Record<string, string> = {}
let sql: PlainSql

interface Start {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

/** Starts the service, and stops it again once it listens. */
async function start(
  settings: Record<string, string> = {},
  execArgv: readonly string[] = [],
): Promise<Start> {
  const child = spawn(process.execPath, [...execArgv, 'src/cli.ts', 'serve'], {
    env: {
      ...{ PATH: process.env.PATH, PORT: '0', METRICS_PORT: '0', QUANTD_DATA_DIR: dataDir },
      ...{ QUANTD_MASTER_KEY: TEST_MASTER_KEY, ...database, ...settings },
    },
  })
  const start = { output: '', errors: '' }
  child.stdout.on('data', (text) => {
    start.output += text
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
after(async () => {
  await sql.close()
  for (const folder of [dataDir, other]) rmSync(folder, { recursive: true, force: true })
})

describe('a start is refused with one line', () => {
  it('if the data folder is not writable, with PostgreSQL too', () =>
    refused(/^quantd: The data folder \/proc is not writable by user \d+ \(E\w+\): change its owner, /, {
      QUANTD_DATA_DIR: '/proc',
    }))

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
      ? await createDatabase(process.env.QUANTD_TEST_POSTGRES_URL!)
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

describe('a start warns in the log', () => {
  it('of a clock that differs, rows in the future, a newer schema, and a folder in memory', async () => {
    await sql.query("INSERT INTO migrations (name) VALUES ('999-future')")
    const soon = Date.now() + 2 * HOUR_MS
    const row = ["'01a'", soon, "'event'", "'CLI'", "'x'", 200, 0, 1, "'cli'", "'r'", 0, 0].join(', ')
    await sql.query(
      `INSERT INTO audit (id, at, kind, method, path, status, credits, calls, ip, request_id, duration_ms, replayed) VALUES (${row})`,
    )
    const { code, output } = await start(...shifted(isPostgres ? HOUR_MS : 0))
    assert.equal(code, 0)
    const warnings = output
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
      .filter(({ level }) => level === 40)
    const found = (text: string) => warnings.find(({ msg }) => msg.includes(text))
    assert.deepEqual(found('newer version of quantd')?.migrations, ['999-future'])
    assert.equal(found('newest audit row is in the future')?.newest, new Date(soon).toISOString())
    if (isPostgres) assert.ok(Math.abs(found("ahead of the database's")?.seconds - 3_600) < 60)
    if (parent === '/dev/shm') assert.equal(found('data folder is in memory')?.fileSystem, 'tmpfs')
  })
})
