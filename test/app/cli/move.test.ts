/** `quantd move`: a SQLite database with everything that the service stores, in PostgreSQL with the same replies. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { accountEndpoints } from '../../../src/accounts/endpoints.ts'
import { plain } from '../../../src/derive/schemas.ts'
import { AUDIT_PROVEN_FROM } from '../../../src/ledger/store/facts.ts'
import { openSqlite } from '../../../src/ledger/store/sqlite/open.ts'
import { operatorEndpoints } from '../../../src/operators/http/endpoints.ts'
import { type DatabasePlace, number, query, tableColumns } from '../../support/database.ts'
import { freePort } from '../../support/free-port.ts'
import { operator, settingsOf } from '../../support/operator.ts'
import { oneTimeCode, PASSWORD, peopleOf } from '../../support/people.ts'
import { createDatabase, startPostgres } from '../../support/postgres.ts'
import { type Answer, closedAfter, request, startTestService } from '../../support/service.ts'
import { tablesBefore } from '../../support/tables-before.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const CLI = join(import.meta.dirname, '../../../src/app/quantd.ts')
const PRICE = '/quantlib/pricing/bs/price'
const BODY = '{"spot":100,"strike":105,"risk_free_rate":0.03,"volatility":0.2,"time_to_maturity":0.5}'

const root = temporaryFolder('move')
const server = await startPostgres()
after(() => server.stop())

const folder = (): string => mkdtempSync(join(root, 'data-'))
const emptyDatabase = () => createDatabase(server.url, { isEmpty: true })
/** The place of a database of its own, for a folder. */
const target = async (dataDir: string) => ({ dataDir, databaseUrl: await emptyDatabase() })
const on = (place: DatabasePlace) => operator(settingsOf(place))

/** A service with its data in this folder, which outlives it. */
async function serviceOn(place: DatabasePlace, more: Record<string, string> = {}) {
  const service = await startTestService({ QUANTD_IP_LIMITS: 'off', ...settingsOf(place), ...more })
  return Object.assign(service, place, peopleOf({ ...service, dataDir: place.dataDir }))
}
type Served = Awaited<ReturnType<typeof serviceOn>>

/** A data folder with the tables of this version. */
async function newFolder(): Promise<string> {
  const dataDir = folder()
  await openSqlite({ file: join(dataDir, 'quantd.db') }).close()
  return dataDir
}

function change(dataDir: string, ...statements: string[]): void {
  const db = new Database(join(dataDir, 'quantd.db'))
  for (const statement of statements) db.exec(statement)
  db.close()
}

describe('a moved service', () => {
  it('answers every read with the same bytes, and keys, replays, codes and receipts work', async () => {
    const dataDir = folder()
    const operatorPort = await freePort()
    const more = { QUANTD_OPERATOR_PORT: String(operatorPort), QUANTD_WEBHOOK_PRIVATE: 'on' }
    const before = await serviceOn({ dataDir, databaseUrl: null }, more)
    const lived = await live(before, operatorPort)
    const readers = { ...lived, operatorPort }
    await before.close()
    const again = await serviceOn({ dataDir, databaseUrl: null }, more)
    const first = await everyRead(again, readers)
    await again.close()

    const place = await target(dataDir)
    const { stderr, stdout } = await promisify(execFile)(process.execPath, [CLI, 'move'], {
      env: { PATH: process.env.PATH, ...settingsOf(place) },
    })
    assert.match(stdout, /every balance agrees with the ledger\n/)
    assert.match(stdout, /nothing was altered\n/)
    assert.match(stdout, /Moved \d+ rows of \d+ tables in [\d.]+ s/)
    assert.match(stderr, /Checking the ledger and the audit/)

    const moved = closedAfter(await serviceOn(place, more))
    const second = await everyRead(moved, readers)
    assert.deepEqual(second, first)
    await goOn(moved, lived)
    for (const words of [['admin', 'verify-ledger'], ['verify-audit']]) {
      const { code, out } = await on(place)(words)
      assert.equal(code, 0, out)
    }
  })
})

/** What people and an operator do at a service, so that most tables have rows. */
async function live(service: Served, operatorPort: number) {
  const { act, headers } = await operatorOf(service, operatorPort)
  const guest = await service.guest()
  await service.compute(guest)
  const taken = await service.guest()
  await service.compute(taken)
  const ada = await service.person({ guest_api_key: taken })
  const { secret, recovery_codes: codes } = await secondFactor(service, ada.key)
  await service.failToCompute(ada.key)
  const priced = await pay(service, ada.key, { 'idempotency-key': 'once' })
  const { key: teamKey, id } = await done(service, '/user/keys/create', ada.key, {
    name: 'notebook',
    credit_cap: 9,
    mfa_code: codes[0],
  })
  await service.compute(teamKey)
  await done(service, '/user/keys/rotate', ada.key, { id, overlap_seconds: 600, mfa_code: codes[1] })
  await service.call('/quantlib/batch', {
    key: ada.key,
    body: { calls: [{ path: PRICE, body: JSON.parse(BODY) }] },
  })
  await act('webhooks/create', { url: 'http://127.0.0.1:9/' })
  const end = new Date(Date.now() + 86_400_000).toISOString()
  await act('grants', { account: ada.email, credits: 70, reference: 'lot', expires_at: end })
  const bea = await service.person()
  await act('grants', { account: bea.email, credits: 50, reference: 'paid' })
  // Credits that are gone, so that a reversal makes a debt.
  const spent =
    "INSERT INTO ledger (at, account_id, kind, amount) SELECT 1, id, 'expired', -balance FROM accounts"
  await query(service, `${spent} WHERE email = '${bea.email}'`)
  await query(service, `UPDATE accounts SET balance = 0 WHERE email = '${bea.email}'`)
  await act('grants/reverse', { reference: 'paid', credits: 20, reversal_reference: 'back' })
  const gone = await service.person()
  await service.compute(gone.key)
  await done(service, '/user/delete', gone.key, { password: PASSWORD })
  await service.register('waiting@example.org')
  await service.forgotPassword(bea.email)
  await service.login(bea.email, 'a wrong password of somebody')
  await act('plan/set', { based_on: 0, low_credits: 7 }).catch(() => undefined)
  return { ada, bea, guest, teamKey, secret, codes, priced, headers }
}
type Lived = Awaited<ReturnType<typeof live>>

async function operatorOf(place: DatabasePlace, port: number) {
  const { json } = await on(place)([...['admin', 'token', 'create', 'mover', '--role', 'admin', '--json']])
  const headers = { authorization: `Bearer ${json.token}` }
  const act = async (path: string, body?: object) => {
    const answer = await request(`http://127.0.0.1:${port}/operator/v1/${path}`, {
      headers,
      ...(body && { body }),
    })
    assert.equal(answer.status, 200, `${path}: ${answer.text}`)
    return answer.body.data
  }
  return { act, headers }
}

async function secondFactor(service: Served, key: string) {
  const { secret } = await done(service, '/user/mfa/setup', key, { password: PASSWORD })
  return { secret, ...(await done(service, '/user/mfa/enable', key, { code: oneTimeCode(secret) })) }
}

async function done(service: Served, path: string, key: string, body: object) {
  const answer = await service.call(path, { key, body })
  assert.equal(answer.status, 200, `${path}: ${answer.text}`)
  return answer.body.data
}

const pay = (service: Served, key: string, headers: Record<string, string> = {}) =>
  service.call(PRICE, { key, raw: BODY, headers })

/** An id of requests, which replies to failed ones contain. */
const FIXED = { 'x-request-id': 'read' }

/** What a node says about itself and the present, in which deliveries are tried again. */
const OF_THE_NODE = ['/operator/v1/activity', '/operator/v1/health', '/operator/v1/webhooks/deliveries']

/** The text of a reply, without what the reads themselves have left: rows of the audit, and the time at which a key was last used. */
const withoutReads = ({ body }: Answer): string =>
  JSON.stringify(body, (name, value) =>
    name === 'last_used_at'
      ? undefined
      : Array.isArray(value)
        ? value.filter(
            (item) => ![item?.request_id, item?.values?.request_id].includes(FIXED['x-request-id']),
          )
        : value,
  )

/** The text of every reply to a read, by path, of owners and of the operator. */
async function everyRead(
  service: Served,
  { ada, bea, guest, headers, operatorPort, priced, teamKey }: Lived & { operatorPort: number },
) {
  const texts: Record<string, string> = {}
  const reads = accountEndpoints.filter(({ method }) => method === 'GET').map(({ path }) => path)
  for (const key of [ada.key, bea.key, guest, teamKey])
    for (const path of [...reads, '/.well-known/quantd-keys.json']) {
      const id = path.endsWith('receipt') ? `?request_id=${priced.headers.get('x-request-id')}` : ''
      texts[`${key} ${path}`] = withoutReads(await service.call(path + id, { key, headers: FIXED }))
    }
  const values = {
    day: '2026-01-01',
    month: '2026-11',
    q: 'person',
    path: PRICE,
    account: ada.email,
    id: '1',
  }
  for (const { method, path, query: fields } of operatorEndpoints) {
    if (method !== 'GET' || OF_THE_NODE.includes(path)) continue
    const names = Object.keys(plain(fields ?? {}).properties ?? {})
    const asked = Object.entries(values).filter(([name]) => names.includes(name))
    const url = `http://127.0.0.1:${operatorPort}${path}?${new URLSearchParams(asked)}`
    texts[path] = withoutReads(await request(url, { headers: { ...FIXED, ...headers } }))
  }
  return texts
}

/** The moved service goes on where the former one ended. */
async function goOn(service: Served, { ada, bea, codes, priced, secret, teamKey }: Lived): Promise<void> {
  assert.equal((await pay(service, ada.key)).status, 200)
  assert.equal((await service.compute(teamKey)).status, 200)
  const replayed = await pay(service, ada.key, { 'idempotency-key': 'once' })
  assert.equal(replayed.headers.get('idempotent-replayed'), 'true')
  assert.equal(replayed.text, priced.text)
  const login = await service.login(ada.email, PASSWORD, { mfa_code: oneTimeCode(secret, 30_000) })
  assert.equal(login.body.data?.api_key, ada.key, login.text)
  const used = await service.login(ada.email, PASSWORD, { mfa_code: codes[0] })
  assert.equal(used.status, 401, 'a recovery code that was used stays used')
  const other = await service.login(ada.email, PASSWORD, { mfa_code: codes[2] })
  assert.equal(other.status, 200, other.text)
  const reset = await service.letterNumber(2, bea.email)
  assert.equal((await service.resetPassword(bea.email, reset.code!)).status, 200)

  const file = (name: string, text: string): string => {
    writeFileSync(join(service.dataDir, name), text)
    return join(service.dataDir, name)
  }
  const receipt = await service.call(`/user/receipt?request_id=${priced.headers.get('x-request-id')}`, {
    key: ada.key,
  })
  const keys = await service.call('/.well-known/quantd-keys.json')
  const { code, err, out } = await on(service)([
    ...['verify-receipt', file('receipt.json', receipt.text), '--keys', file('keys.json', keys.text)],
    ...['--request', file('body.json', BODY), '--reply', file('reply.json', priced.text)],
  ])
  assert.equal(code, 0, err)
  assert.match(out, /request and reply are those of the call/)
}

/** Values that are easily changed on the way. */
const TEXTS = ['', 'NULL', '"\\ {a,b}', 'Ünï\n\r\t✓ 𝒳', "'; --", ' x ']
const BYTES = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
const NUMBERS = [0, 1, -1, 2 ** 31 - 1, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER]
/** The values that the conditions of tables allow. */
const ALLOWED: Readonly<Record<string, string | number>> = {
  status: 'active',
  cap_period: 'day',
  role: 'admin',
  state: 'waiting',
  account_id: 1,
  endpoint_id: 1,
  balance: 5,
  debt: 1,
  remaining: 1,
  expired: 1,
  credits: 1,
  reversed: 1,
  stream: 7,
  group_number: 7,
  number: 7,
  leaves: 7,
  signed: 7,
}

/** Rows with such values in every table but that of migrations: one for each text, where keys allow it. */
function fill(dataDir: string): void {
  const db = new Database(join(dataDir, 'quantd.db'))
  const tables = db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
    )
    .pluck()
    .all() as string[]
  for (const table of tables.filter((name) => name !== 'migrations')) {
    const columns = db.pragma(`table_info("${table}")`) as {
      name: string
      type: string
      notnull: 0 | 1
      pk: number
    }[]
    const insert = db.prepare(
      `INSERT OR IGNORE INTO "${table}" VALUES (${columns.map(() => '?').join(', ')})`,
    )
    TEXTS.forEach((text, n) => {
      const values = columns.map(({ name, notnull, pk, type }) => {
        if (name === 'id' && type === 'INTEGER') return n + 1
        if (notnull === 0 && pk === 0 && n === TEXTS.length - 1) return null
        const allowed =
          table === 'operator_tokens' || name !== 'status' || table === 'api_keys' ? ALLOWED[name] : undefined
        if (allowed !== undefined) return allowed
        if (type === 'BLOB') return Buffer.concat([BYTES, Buffer.of(n)])
        return type === 'TEXT' ? text : NUMBERS[n]
      })
      insert.run(values)
    })
  }
  db.close()
}

/** The rows of a table as texts, in an order that both databases have. */
const rowsOf = async (place: DatabasePlace, table: string): Promise<string[]> =>
  (await query(place, `SELECT * FROM "${table}"`))
    .map((row) =>
      JSON.stringify(
        Object.entries(row)
          .map(([name, value]) => [
            name,
            value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value),
          ])
          .sort(),
      ),
    )
    .sort()

describe('the rows', () => {
  it('of every table that the migrations make are moved, with values that are easily changed', async () => {
    const dataDir = await newFolder()
    fill(dataDir)
    const place = await target(dataDir)
    const { code, err, json } = await on(place)(['move', '--accept-faults', '--json'])
    assert.equal(code, 0, err)
    const tables = [...(await tableColumns(place)).keys()].filter((name) => name !== 'migrations')
    assert.deepEqual(Object.keys(json.tables).sort(), tables.sort())
    for (const table of tables) {
      const rows = await rowsOf({ dataDir, databaseUrl: null }, table)
      assert.ok(rows.length > 0, `${table} was filled`)
      assert.deepEqual(await rowsOf(place, table), rows, table)
      assert.equal(json.tables[table], rows.length)
    }
  })

  it('of a table that a later migration adds are moved without a change of the command', async () => {
    const dataDir = await newFolder()
    const place = await target(dataDir)
    change(
      dataDir,
      'CREATE TABLE added (name TEXT PRIMARY KEY, at INTEGER)',
      "INSERT INTO added VALUES ('a', 1)",
    )
    const missing = await on(place)(['move'])
    assert.equal(missing.code, 1)
    assert.match(missing.err, /relation "added" does not exist/)
    await query(place, 'CREATE TABLE added (name TEXT PRIMARY KEY, at BIGINT)')
    assert.equal((await on(place)(['move'])).code, 0)
    assert.deepEqual(await rowsOf(place, 'added'), ['[["at","1"],["name","a"]]'])
  })

  it('get no id again that a deleted row had', async () => {
    const dataDir = await newFolder()
    change(
      dataDir,
      "INSERT INTO accounts (id, uid, tier, balance, created_at) VALUES (41, 'u', 'guest', 0, 1)",
      'DELETE FROM accounts',
    )
    const place = await target(dataDir)
    assert.equal((await on(place)(['move'])).code, 0)
    const service = closedAfter(await serviceOn(place))
    await service.guest()
    assert.equal(await number(place, 'SELECT max(id) FROM accounts'), 42)
  })

  it('that PostgreSQL cannot hold stop the move, which names table and column', async () => {
    const dataDir = await newFolder()
    change(dataDir, "INSERT INTO facts (name, value) VALUES ('f', '1' || char(0))")
    const place = await target(dataDir)
    const { code, err } = await on(place)(['move'])
    assert.equal(code, 1)
    assert.match(err, /A row of the table facts has a value in value that PostgreSQL cannot hold as text\./)
    change(dataDir, 'DELETE FROM facts', "INSERT INTO plans VALUES (1, 1.5, 'a', NULL, '{}')")
    assert.match((await on(place)(['move'])).err, /the table plans has a value in at .* as integer\./)
  })
})

describe('a move that is killed', () => {
  it('leaves a database that no service uses and no other move disturbs, and is run again', async () => {
    const dataDir = await newFolder()
    change(
      dataDir,
      `INSERT INTO audit (id, at, account_id, kind, method, path, status, credits, calls, ip, request_id, duration_ms, replayed)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
       SELECT 'row-' || i, i, 1, 'account', 'GET', '/user/profile', 200, 0, 1, '192.0.2.1', 'request-' || i, 1, 0 FROM n`,
      // The rows are older than the proofs.
      `INSERT INTO facts (name, value) VALUES ('${AUDIT_PROVEN_FROM}', '200001')`,
    )
    const place = await target(dataDir)
    const copy = { ...place, dataDir: folder() }
    cpSync(dataDir, copy.dataDir, { recursive: true })
    const child = spawn(process.execPath, [CLI, 'move'], {
      env: { PATH: process.env.PATH, ...settingsOf(place) },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let told = ''
    child.stderr.on('data', (piece) => {
      told += piece
    })
    await until(() => told.includes('… audit: 100000 rows'), 'half of the audit was sent')
    child.kill('SIGSTOP')
    assert.match((await on(copy)(['move'])).err, /Another move .* is running/)
    await assert.rejects(serviceOn(copy), /A move into the database in DATABASE_URL has begun/)
    child.kill('SIGKILL')
    await once(child, 'exit')

    await assert.rejects(serviceOn(place), /has begun .* run `quantd move` again/)
    const listed = await on(place)(['admin', 'list'])
    assert.equal(listed.code, 1)
    assert.match(listed.err, /^quantd: A move into the database .* has begun \(20.*Z\) and not ended/)
    for (const [table] of await tableColumns(place))
      if (!['facts', 'migrations'].includes(table))
        assert.equal(await number(place, `SELECT count(*) FROM ${table}`), 0, table)

    const isMoved = async () => (await on(place)(['move'])).code === 0
    await until(isMoved, 'the move was run again')
    assert.equal(await number(place, 'SELECT count(*) FROM audit'), 200_000)
    await (await serviceOn(place)).close()
  })
})

describe('a move is refused', () => {
  const refusal = async (place: DatabasePlace, more: Record<string, string> = {}) => {
    const { code, err } = await operator({ ...settingsOf(place), ...more })(['move'])
    assert.ok(err.endsWith('.\n'), err)
    return { code, err }
  }

  it('without a database to move to, or to move', async () => {
    const dataDir = await newFolder()
    assert.deepEqual(await refusal({ dataDir, databaseUrl: null }), {
      code: 2,
      err: 'quantd: DATABASE_URL must name the PostgreSQL database to move to. Nothing was moved.\n',
    })
    const empty = await refusal(await target(folder()))
    assert.equal(empty.code, 1)
    assert.match(empty.err, /There is no SQLite database in .*: set QUANTD_DATA_DIR/)
  })

  it('while a service uses the folder, and a service does not start during the move', async () => {
    const dataDir = folder()
    closedAfter(await serviceOn({ dataDir, databaseUrl: null }))
    const { code, err } = await refusal(await target(dataDir))
    assert.equal(code, 1)
    assert.match(err, new RegExp(`is in use by process ${process.pid}: stop that service first\\.`))
  })

  it('to a database that has rows, which stays as it was', async () => {
    const place = await target(await newFolder())
    const service = await serviceOn({ ...place, dataDir: folder() })
    const key = await service.guest()
    const { code, err } = await refusal(place)
    assert.equal(code, 1)
    assert.match(err, /is in use: its table \w+ has rows\. Make a new database\./)
    assert.equal((await service.compute(key)).status, 200)
    await service.close()
  })

  it('but not to one whose tables verify-ledger has made', async () => {
    const place = await target(await newFolder())
    assert.equal((await on(place)(['admin', 'verify-ledger'])).code, 0)
    assert.equal((await on(place)(['move'])).code, 0)
  })

  it('under another master key', async () => {
    const dataDir = folder()
    await (await serviceOn({ dataDir, databaseUrl: null })).close()
    const other = { QUANTD_MASTER_KEY: Buffer.alloc(32, 8).toString('base64') }
    assert.match((await refusal(await target(dataDir), other)).err, /was written under another master key/)
  })

  it('with the tables of another version, naming the command that migrates them', async () => {
    const older = folder()
    mkdirSync(older, { recursive: true })
    change(older, ...tablesBefore('006-since-0.1.0', 'sqlite'))
    const place = await target(older)
    assert.match(
      (await refusal(place)).err,
      /of an earlier version: run `quantd admin verify-ledger` without/,
    )
    assert.equal((await on({ dataDir: older, databaseUrl: null })(['admin', 'verify-ledger'])).code, 0)
    assert.equal((await on(place)(['move'])).code, 0)
    const newer = await newFolder()
    change(newer, "INSERT INTO migrations VALUES ('999-later')")
    assert.match(
      (await refusal(await target(newer))).err,
      /of a newer version \(999-later\): move it with that version\./,
    )
  })

  it('with a wrong DATABASE_URL, in one line', async () => {
    const dataDir = await newFolder()
    const missing = await refusal({ dataDir, databaseUrl: server.url.replace(/\w+$/, 'missing') })
    assert.match(
      missing.err,
      /^.*\nquantd: The PostgreSQL database cannot be used: .* "missing" does not exist \(3D000\)/,
    )
    const away = await refusal({ dataDir, databaseUrl: 'postgres://quantd@127.0.0.1:1/quantd' })
    assert.match(away.err, /Cannot connect to PostgreSQL: connect ECONNREFUSED/)
  })

  it('where the ledger has faults, unless they are accepted', async () => {
    const dataDir = await newFolder()
    change(dataDir, "INSERT INTO accounts (uid, tier, balance, created_at) VALUES ('u', 'guest', 7, 1)")
    const place = await target(dataDir)
    assert.match((await refusal(place)).err, /The checks found 1 fault in .* --accept-faults moves/)
    const accepted = await on(place)(['move', '--accept-faults'])
    assert.equal(accepted.code, 0, accepted.err)
    assert.match(accepted.out, /account 1 holds 7 credits; its ledger says 0/)
  })

  it('if another process writes to the source meanwhile', async () => {
    const dataDir = await newFolder()
    const place = await target(dataDir)
    const isWritten = { done: false }
    const { quantdProgram } = await import('../../../src/app/cli/program.ts')
    const told: string[] = []
    let exit = 0
    const program = await quantdProgram(
      {
        program: 'quantd',
        environment: settingsOf(place),
        interactive: false,
        write: async () => undefined,
        tell: (line) => {
          told.push(line)
          if (isWritten.done || !line.startsWith('…')) return
          isWritten.done = true
          change(dataDir, "INSERT INTO facts (name, value) VALUES ('late', '1')")
        },
        ask: async () => '',
        input: async () => '',
        exitWith: (code) => {
          exit = code
        },
      },
      ['move'],
    )
    change(dataDir, "INSERT INTO facts (name, value) VALUES ('early', '1')")
    await program.parseAsync(['move'], { from: 'user' })
    assert.equal(exit, 1)
    assert.match(told.at(-1)!, /was changed meanwhile, perhaps by a command: run the move again\./)
    assert.equal((await on(place)(['move'])).code, 0)
  })
})
