/** Rotation of the master key: beside the running service and under load, with nobody refused. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { compileCache } from '../../scripts/run-node.js'
import { readConfig } from '../../src/app/config/read-config.ts'
import { openLog } from '../../src/app/log.ts'
import { type Service, startService } from '../../src/app/main/service.ts'
import { HOUR_MS } from '../../src/base/time.ts'
import { keyId } from '../../src/ledger/receipts/signing-keys.ts'
import { parseMasterKeys } from '../../src/secrets/master-keys.ts'
import { number, query } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { operator, type Quantd } from '../support/operator.ts'
import { COMPUTED, oneTimeCode, PASSWORD } from '../support/people.ts'
import { testDatabase } from '../support/postgres.ts'
import { closedAfter, createGuest, reached, request } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const REREAD_MS = 100
const newKey = () => randomBytes(32).toString('base64')

interface House {
  readonly dataDir: string
  readonly databaseUrl: string | null
  readonly settings: Record<string, string>
  readonly quantd: Quantd
  /** Writes the master key file: the first key writes, all read. */
  keys(...keys: string[]): void
  start(more?: Record<string, string>): Promise<Service>
}

/** A data folder whose master key file changes, and its service. */
async function house(): Promise<House> {
  const dataDir = temporaryFolder('rotation')
  const databaseUrl = await testDatabase()
  const file = join(dataDir, 'keys')
  const settings = {
    PORT: '0',
    METRICS_PORT: '0',
    QUANTD_DATA_DIR: dataDir,
    QUANTD_MASTER_KEY_FILE: file,
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
  }
  return {
    dataDir,
    databaseUrl,
    settings,
    quantd: operator(settings),
    keys: (...keys) => writeFileSync(file, `${keys.join('\n')}\n`, { mode: 0o600 }),
    start: (more = {}) =>
      startService(readConfig({ ...settings, ...more }), {
        log: openLog('silent'),
        masterKeyRereadMs: REREAD_MS,
      }),
  }
}

const rowsUnderOlder = (h: House, id: string) =>
  number(
    h as never,
    `SELECT (SELECT count(*) FROM api_keys WHERE master_key_id <> '${id}') +
      (SELECT count(*) FROM accounts WHERE totp_master_key_id <> '${id}') +
      (SELECT count(*) FROM recovery_codes WHERE master_key_id <> '${id}') +
      (SELECT count(*) FROM mails WHERE sealed IS NOT NULL AND master_key_id <> '${id}')`,
  )

/** A command in a process of its own, as an operator runs it. */
async function spawned(settings: Record<string, string>, args: readonly string[]) {
  const child = spawn(process.execPath, ['src/app/quantd.ts', ...args], {
    env: { ...compileCache, COMPUTED: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (err += chunk))
  const [code] = await once(child, 'close')
  return { code, out, err }
}

describe('quantd admin rotate-master-key beside a service under load', () => {
  const [old, fresh] = [newKey(), newKey()]
  let h: House
  let service: Service
  const guests: string[] = []
  let member: { email: string; key: string; secret: string; recovery: string[] }
  const call = (path: string, key: string | undefined, body: unknown) =>
    request(service.url + path, { ...(key !== undefined && { key }), body })
  const login = (mfa_code: string) =>
    call('/user/login', undefined, { email: member.email, password: PASSWORD, mfa_code })

  before(async () => {
    h = await house()
    h.keys(old)
    service = await h.start()
    for (let made = 0; made < 400; made += 50)
      guests.push(...(await Promise.all(Array.from({ length: 50 }, () => createGuest(service.url)))))
    const email = 'ada@example.org'
    const { json } = await h.quantd(
      ['admin', 'create', email, '--tier', 'pro', '--credits', '100000', '--password-stdin', '--json'],
      { input: PASSWORD },
    )
    const key = json.api_key
    const { secret } = (await call('/user/mfa/setup', key, { password: PASSWORD })).body.data
    const code = oneTimeCode(secret)
    const { recovery_codes: recovery } = (await call('/user/mfa/enable', key, { code })).body.data
    member = { email, key, secret, recovery }
  })
  after(() => service?.close())

  /** The key that has signed the receipt of a call of now. */
  const receiptKey = async (): Promise<string> => {
    const { headers } = await request(`${service.url}${COMPUTED}`, { key: member.key, body: { wealth: 2 } })
    const path = `/user/receipt?request_id=${headers.get('x-request-id')}`
    const { body, text } = await request(service.url + path, { key: member.key })
    assert.equal(body.success, true, text)
    return body.data.checkpoint.key
  }

  it('refuses nobody while every row flips, twenty requests at a time', async (t) => {
    await receiptKey()
    h.keys(fresh, old)
    // The nodes read it, and write under it once it has settled.
    await pause(5 * REREAD_MS)
    let running = true
    const seen = { requests: 0, failures: [] as string[] }
    const client = async (start: number) => {
      for (let turn = start; running; turn += 20) {
        const key = turn % 3 === 0 ? member.key : guests[turn % guests.length]
        const isProfile = turn % 2 === 0
        const { status, text } = await reached(() =>
          isProfile ? request(`${service.url}/user/profile`, { key }) : call(COMPUTED, key, { wealth: 2 }),
        )
        seen.requests += 1
        // A window or a balance that is used up belongs to a known key; only 401 and 5xx are failures here.
        if (status !== 200 && status !== 402 && status !== 429) seen.failures.push(`${status} ${text}`)
      }
    }
    const clients = Array.from({ length: 20 }, (_, start) => client(start))
    const more = async (requests: number) => {
      const wanted = seen.requests + requests
      await until(() => seen.requests >= wanted, 'requests were answered')
    }
    await more(clients.length)
    const earlier = seen.requests
    const { code, err, out } = await spawned(h.settings, [
      ...['admin', 'rotate-master-key', '--settle', '0', '--json'],
    ])
    const during = seen.requests - earlier
    await more(clients.length)
    running = false
    await Promise.all(clients)
    assert.equal(code, 0, err)
    const result = JSON.parse(out)
    assert.equal(result.rewrapped.api_key, guests.length + 1)
    assert.equal(result.rewrapped.totp_secret, 1)
    assert.equal(result.rewrapped.recovery_code, 10)
    assert.equal(result.rewrapped.signing_key, 1)
    assert.equal(result.old_keys_removable, true)
    assert.equal(await rowsUnderOlder(h, result.master_key_id), 0)
    assert.deepEqual(seen.failures, [])
    assert.ok(during > 0, 'requests were answered during the rotation')
    t.diagnostic(`${during} requests during the rotation, ${seen.failures.length} failures`)
  })

  it('has nothing left to do when it is run again', async () => {
    const { code, json } = await h.quantd(['admin', 'rotate-master-key', '--settle', '0', '--json'])
    assert.equal(code, 0)
    assert.deepEqual(json.rewrapped, {
      api_key: 0,
      totp_secret: 0,
      recovery_code: 0,
      mail: 0,
      webhook: 0,
      team_key_hash: 0,
      signing_key: 0,
    })
    const events = await query(h as never, "SELECT * FROM audit WHERE code = 'master_key_rotated'")
    assert.equal(events.length, 1)
  })

  it('lets the service start with the new key alone: every key, password, TOTP code and recovery code serves', async () => {
    await service.close()
    h.keys(fresh)
    service = await h.start()
    // The minute's requests of a key may be used up by now; a key that is not known would be 401.
    const profiles = [member.key, ...guests].map((key) => request(`${service.url}/user/profile`, { key }))
    for (const { status } of await Promise.all(profiles)) assert.notEqual(status, 401)
    const totp = await login(oneTimeCode(member.secret, 30_000))
    assert.equal(totp.body.data?.api_key, member.key, totp.text)
    assert.equal((await login(member.recovery[0])).status, 200)
    assert.equal((await login(member.recovery[0])).body.error.code, 'mfa_invalid')
  })

  it('leaves the key that signs receipts as it is, and the audit proven', async () => {
    const { code, json } = await h.quantd(['verify-audit', '--json'])
    assert.deepEqual([code, json.faults], [0, []])
    await query(h as never, 'UPDATE accounts SET minute_count = 0')
    const keys = await query(h as never, 'SELECT public_key FROM signing_keys')
    assert.deepEqual(
      [await receiptKey()],
      keys.map((key) => keyId(String(key.public_key))),
    )
  })

  it('makes a start with the old key alone be refused', async () => {
    await service.close()
    h.keys(old)
    await assert.rejects(h.start(), /The database was written under another master key/)
    h.keys(fresh)
    service = await h.start()
  })
})

describe('a rotation over HTTP', () => {
  it('is refused until the new key encrypts, so that it never calls the key in use removable', async (t) => {
    const [old, fresh] = [newKey(), newKey()]
    // The clock of the file of keys stands still at first: a busy machine may take longer for the request than the new key waits.
    const { now } = Date
    let heldAt: number | null = null
    t.mock.method(Date, 'now', () => heldAt ?? now.call(Date))
    const h = await house()
    h.keys(old)
    const port = await freePort()
    const service = closedAfter(await h.start({ QUANTD_OPERATOR_PORT: String(port) }))
    const { json } = await h.quantd(['admin', 'token', 'create', 'root', '--role', 'admin', '--json'])
    const { json: owner } = await h.quantd(['admin', 'create', 'a@example.org', '--json'])
    const rotate = () =>
      request(`http://127.0.0.1:${port}/operator/v1/rotate-master-key`, {
        body: {},
        headers: { authorization: `Bearer ${json.token}` },
      })
    heldAt = Date.now()
    h.keys(fresh, old)
    const early = await rotate()
    heldAt = null
    assert.equal(early.status, 409, early.text)
    assert.match(early.body.message, /does not encrypt on this node yet; nothing was changed/)
    await until(async () => (await rotate()).body.data?.old_keys_removable, 'the rotation was done')
    const { id: newId } = parseMasterKeys(fresh, 'TEST')[0]
    assert.equal((await rotate()).body.data.master_key_id, newId)
    assert.equal(await rowsUnderOlder(h, newId), 0)
    h.keys(fresh)
    await until(async () => (await rotate()).status === 200, 'the old key was removed')
    const answer = await request(`${service.url}/user/profile`, {
      headers: { 'x-api-key': owner.api_key },
    })
    assert.equal(answer.status, 200, answer.text)
  })
})

describe('quantd admin rotate-master-key', () => {
  const [old, fresh] = [newKey(), newKey()]
  let h: House
  before(async () => {
    h = await house()
    h.keys(old)
    for (const name of ['a', 'b', 'c']) await h.quantd(['admin', 'create', `${name}@example.org`])
  })
  const rotate = (...options: string[]) =>
    h.quantd(['admin', 'rotate-master-key', '--settle', '0', '--json', ...options])
  /** A code as a registration has it, under some master key, valid for a while. */
  const plantCode = (masterKeyId: string, lifetimeMs: number) =>
    query(
      h as never,
      `INSERT INTO registrations (uid, address, email, username, full_name, password_hash, code_hash,
         code_master_key_id, code_sent_at, code_expires_at, code_attempts, created_at)
       VALUES ('${randomBytes(4).toString('hex')}', 'x@example.org', 'x@example.org', 'x', 'x', 'x',
         ${h.databaseUrl === null ? "x'00'" : "'\\x00'"}, '${masterKeyId}', 0, ${Date.now() + lifetimeMs}, 0, 0)`,
    )
  const idOf = async () =>
    (await query(h as never, 'SELECT master_key_id AS id FROM api_keys'))[0].id as string

  it('refuses, and changes nothing, while rows are encrypted by a key that is not given', async () => {
    const before = await query(h as never, 'SELECT * FROM api_keys ORDER BY id')
    h.keys(fresh, old)
    await query(h as never, "UPDATE api_keys SET master_key_id = '0123456789abcdef' WHERE id = 2")
    const { code, err } = await rotate()
    assert.equal(code, 1)
    assert.match(err, /1 API keys are encrypted under the master key 0123456789abcdef/)
    await query(h as never, `UPDATE api_keys SET master_key_id = '${before[0].master_key_id}' WHERE id = 2`)
    assert.deepEqual(await query(h as never, 'SELECT * FROM api_keys ORDER BY id'), before)
    h.keys(fresh)
    assert.match((await rotate()).err, /another master key/)
  })

  it('leaves a damaged row as it is, names it, and says that the old key must stay', async () => {
    h.keys(fresh, old)
    const [row] = await query(h as never, 'SELECT sealed FROM api_keys WHERE id = 2')
    const hex = Buffer.from(row!.sealed as Uint8Array).toString('hex')
    const bytes = (text: string) => (h.databaseUrl === null ? `x'${text}'` : `'\\x${text}'`)
    const broken = hex.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
    await query(h as never, `UPDATE api_keys SET sealed = ${bytes(broken)} WHERE id = 2`)
    const { code, json } = await rotate()
    assert.equal(code, 1)
    assert.deepEqual(json.damaged, [{ kind: 'api_key', id: 2 }])
    assert.equal(json.rewrapped.api_key, 2)
    assert.equal(json.old_keys_removable, false)
    await query(h as never, `UPDATE api_keys SET sealed = ${bytes(hex)} WHERE id = 2`)
    const again = await rotate()
    assert.equal(again.code, 0, again.err)
    assert.equal(again.json.rewrapped.api_key, 1)
    assert.equal(again.json.old_keys_removable, true)
  })

  it('waits for mailed codes under the old key, drops them, or says until when they need it', async () => {
    const older = await idOf()
    h.keys(newKey(), fresh)
    const plantedAt = Date.now()
    await plantCode(older, HOUR_MS)
    const left = await rotate('--no-wait')
    assert.deepEqual([left.code, left.json.codes_left.count, left.json.old_keys_removable], [0, 1, false])
    assert.ok(Date.parse(left.json.codes_left.until) >= plantedAt + HOUR_MS)
    const dropped = await rotate('--drop-codes')
    assert.deepEqual([dropped.json.codes_dropped, dropped.json.old_keys_removable], [1, true])
    assert.equal(await number(h as never, 'SELECT count(*) FROM registrations'), 1, 'a new code can be sent')
    const startedAt = performance.now()
    await plantCode(older, 1_500)
    const waited = await rotate()
    assert.equal(waited.json.old_keys_removable, true)
    assert.ok(performance.now() - startedAt > 1_000)
  })

  it('re-encrypts waiting mails, which are then sent with the new key alone', async () => {
    const [before, after] = [newKey(), newKey()]
    const own = await house()
    own.keys(before)
    await own.quantd(['admin', 'create', 'd@example.org'])
    // A server that is away: nobody listens on this port.
    const away = await own.start({ SMTP_URL: 'smtp://127.0.0.1:1' })
    await request(`${away.url}/user/forgot-password`, { body: { email: 'd@example.org' } })
    const waiting = () => number(own as never, 'SELECT count(*) FROM mails WHERE sealed IS NOT NULL')
    await until(async () => (await waiting()) > 0, 'a mail is waiting')
    await away.close()
    own.keys(after, before)
    const { json } = await own.quantd([
      ...['admin', 'rotate-master-key', '--settle', '0', '--drop-codes', '--json'],
    ])
    assert.deepEqual([json.rewrapped.mail, json.codes_dropped, json.old_keys_removable], [1, 1, true])

    own.keys(after)
    const back = await own.start()
    await until(async () => (await waiting()) === 0, 'no mail is waiting')
    await back.close()
    const [file] = readdirSync(join(own.dataDir, 'outbox'))
    assert.match(readFileSync(join(own.dataDir, 'outbox', file!), 'utf8'), /^To: d@example\.org\r$/m)
  })
})
