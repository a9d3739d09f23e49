/** The records about a person: exported whole, erased whole; the ledger adds up without him. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { keptColumns } from '../../src/accounts/kept-records.ts'
import { ENDING_CALLS_MS } from '../../src/base/limits/operation.ts'
import { number, query, tableColumns, tableTexts, unbalanced } from '../support/database.ts'
import { useOperators } from '../support/operators.ts'
import { COMPUTED, freshEmail, oneTimeCode, PASSWORD, refused, times } from '../support/people.ts'
import type { CallOptions } from '../support/service.ts'
import { tidied } from '../support/tidied.ts'
import { until } from '../support/until.ts'

const {
  act: operators,
  quantd,
  service,
} = await useOperators({
  QUANTD_TRUSTED_PROXIES: '127.0.0.1/32',
  QUANTD_TWO_PERSONS: 'grant:1000,plan',
})

let orders = 0
const DAY_MS = 86_400_000
let offsetMs = 0
const advance = (ms: number) => {
  offsetMs += ms
  service.advance(ms)
}

/** A person of whom every table knows something, at an address of his own. */
async function known(name: string, ip: string) {
  const post = (path: string, options: CallOptions) =>
    service.call(path, { ...options, headers: { 'x-forwarded-for': ip, ...options.headers } })
  const email = `${name}.${freshEmail()}`
  const device = { device_id: `${name}-id`, device_name: `${name}'s laptop`, platform: `${name}-os` }
  const guest = (await post('/guest/create', { body: device })).body.data.api_key
  await post(COMPUTED, { key: guest, body: { wealth: 2 } })
  const more = { username: name, full_name: `${name} Family`, password: PASSWORD, guest_api_key: guest }
  await post('/user/register', { body: { email, ...more } })
  const { code: otp } = await service.letterNumber(1, email)
  const { body } = await post('/user/verify-otp', { body: { email, otp } })
  const key = body.data.api_key as string
  const headers = { 'idempotency-key': `${name}-idempotent`, 'x-request-id': 'ticket-4711' }
  assert.equal((await post(COMPUTED, { key, body: { wealth: 2 }, headers })).status, 200)
  const team = (await post('/user/keys/create', { key, body: { name: `${name}'s notebook` } })).body.data
  assert.equal((await post(COMPUTED, { key: team.key, body: { wealth: 3 } })).status, 200)
  await post('/user/profile', { key: team.key })
  await post('/user/notices', { key, body: { credits: [0] } })
  await post('/user/login', { body: { email, password: 'not the password' } })
  await post('/user/forgot-password', { body: { email } })
  for (const args of [
    [
      'grant',
      email,
      '40',
      '--reference',
      `order ${++orders}`,
      '--expires',
      '2090-01-01',
      '--note',
      `for ${name}`,
    ],
    ['grant', email, '7', '--note', `for ${name}`],
  ])
    assert.equal((await quantd(['admin', ...args])).code, 0)
  // One waits for a second operator, one is rejected.
  for (const credits of [1_000, 2_000]) {
    const grant = { account: email, credits, reference: `order ${++orders}`, note: `for ${name}` }
    const waits = await operators('grants', grant)
    assert.equal(waits.status, 202, waits.text)
    const id = Number(waits.body.error.details[0].message)
    if (credits === 2_000) assert.equal((await operators('approvals/reject', { id })).status, 200)
  }
  const secret = (await post('/user/mfa/setup', { key, body: { password: PASSWORD } })).body.data.secret
  const code = oneTimeCode(secret, offsetMs)
  const enabled = await post('/user/mfa/enable', { key, body: { code } })
  const id = await number(service, `SELECT id FROM accounts WHERE username = '${name}'`)
  const [mfa_code] = enabled.body.data.recovery_codes
  return { email, guest, id, ip, key, mfa_code, name, post, secret, team }
}

/** The texts that some table still contains, each as `table: text`. */
const remains = async (texts: readonly string[], except: readonly string[] = []): Promise<string[]> =>
  [...(await tableTexts(service))].flatMap(([table, all]) =>
    except.includes(table)
      ? []
      : texts
          .filter((text) => all.toLowerCase().includes(text.toLowerCase()))
          .map((text) => `${table}: ${text}`),
  )

/**
 * Tables of people that hold nothing of this one, of whom each should: a table that is added is either known by the people of
 * these tests, or of no account. @param found where texts of him are, as `remains` returns them
 */
async function emptyOf(accountId: number, found: string): Promise<string[]> {
  const empty: string[] = []
  for (const [table, names] of await tableColumns(service)) {
    if (NOT_OF_ACCOUNTS.includes(table) || /^audit_/.test(table) || found.includes(`${table}: `)) continue
    const isOwn = names.includes('account_id')
    const own = `SELECT count(*) FROM "${table}" WHERE account_id = ${accountId}`
    if (!isOwn || (await number(service, own)) === 0) empty.push(table)
  }
  return empty
}

const exported = async (key: string, mfa_code?: string) => {
  const records: { kind: string; values: Record<string, unknown> }[] = []
  for (let query = mfa_code === undefined ? '' : `?mfa_code=${mfa_code}`; ; ) {
    const { body } = await service.call(`/user/export${query}`, { key })
    records.push(...body.data.records)
    if (body.data.next_cursor === null) return records
    query = `?cursor=${body.data.next_cursor}`
  }
}

/** Columns that no export has: secrets, hashes, and what only the service counts with. */
const NOT_EXPORTED: Readonly<Record<string, readonly string[]>> = {
  accounts: [
    ...['uid', 'address', 'password_hash', 'totp_sealed', 'totp_master_key_id', 'totp_last_step'],
    ...['minute_started_at', 'minute_count', 'hour_started_at', 'hour_count', 'day_started_at', 'day_count'],
    ...['work_started_at', 'work_micros'],
    ...['lots_expire_at', 'deleted_at', 'erased_until'],
  ],
  api_keys: ['uid', 'account_id', 'hash', 'master_key_id', 'sealed'],
  team_keys: ['account_id', 'spent_from', 'hour_started_at', 'hour_count', 'told_end'],
  registrations: [
    ...['uid', 'address', 'password_hash', 'guest_key_id', 'token_hash', 'code_is_own'],
    ...['code_hash', 'code_master_key_id', 'code_attempts'],
  ],
  password_resets: ['uid', 'code_hash', 'code_master_key_id'],
  recovery_codes: ['account_id', 'master_key_id', 'sealed'],
  notices: ['account_id', 'waits'],
  mails: ['master_key_id', 'sealed', 'sent_at'],
  ledger: ['account_id'],
  lots: ['account_id'],
  bindings: ['account_id', 'request_hash'],
  webhook_events: ['account_id', 'queued_at'],
  // Records that name operators.
  approvals: ['path', 'account_id', 'asked_by', 'person', 'reason', 'decided_by'],
  refusals: ['account_id'],
  failed_attempts: ['account_id'],
}
/** Tables of no account, or of sums of rows that are exported. */
const NOT_OF_ACCOUNTS = [
  ...['attempts', 'facts', 'hash_keys', 'ledger_references', 'migrations', 'operator_tokens', 'usage_closed'],
  ...['plans', 'lone_acts'],
  ...['usage_days', 'checkpoints', 'signing_keys', 'webhook_deliveries', 'webhook_endpoints', 'addresses'],
]

describe('the export of an account', () => {
  it('has every column of every table but secrets, and nothing of others', async () => {
    const person = await known('Zephyrine', '203.0.113.70')
    const other = await known('Balthasar', '203.0.113.80')
    const kept = keptColumns()
    for (const [table, names] of await tableColumns(service)) {
      if (NOT_OF_ACCOUNTS.includes(table) || /^audit/.test(table)) continue
      const missing = names.filter(
        (name) => !kept.get(table)?.includes(name) && !NOT_EXPORTED[table]?.includes(name),
      )
      assert.deepEqual(missing, [], table)
    }
    const records = await exported(person.key, person.mfa_code)
    const kinds = new Set(records.map(({ kind }) => kind))
    for (const kind of [
      'account',
      'api_key',
      'team_key',
      'ledger',
      'lot',
      'event',
      'refusal',
      'failed_attempt',
    ])
      assert.ok(kinds.has(kind), kind)
    const text = JSON.stringify(records)
    for (const known of [
      person.email,
      'Zephyrine Family',
      "Zephyrine's notebook",
      'Zephyrine-idempotent',
      person.ip,
    ])
      assert.ok(text.includes(known), known)
    for (const secret of [
      person.key,
      person.team.key,
      person.secret,
      other.email,
      other.ip,
      '"hash"',
      'sealed',
    ])
      assert.ok(!text.includes(secret), secret)
    const calls = records.filter(({ kind, values }) => kind === 'history' && values.kind === 'computation')
    assert.equal(calls.length, 3, 'with that of the guest')
    const grants = records.filter(({ kind, values }) => kind === 'ledger' && values.kind === 'grant')
    assert.deepEqual(grants.map(({ values }) => values.amount).toSorted(), [350, 40, 50, 7].toSorted())
  })

  it('comes in bounded pages, which have each row exactly once', async () => {
    const { key } = await service.person()
    const calls = Array.from({ length: 1_000 }, () => ({ path: COMPUTED, body: { wealth: 2 } }))
    for (const many of [200, 149])
      await service.call('/quantlib/batch', { key, body: { calls: calls.slice(0, many) } })
    const id = await number(service, 'SELECT max(id) FROM accounts')
    const row = `SELECT 'x' || n, ${Date.now()} - n, ${id}, 'computation', 'GET', '/', 200, 0, 1, '', 'r', 0, 0`
    const numbers = 'WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 2500)'
    await query(
      service,
      `INSERT INTO audit (id, at, account_id, kind, method, path, status, credits, calls, ip, request_id, duration_ms, replayed)
       ${numbers} ${row} FROM s`,
    )
    const first = await service.call('/user/export', { key })
    assert.equal(first.body.data.records.length, 1_000)
    const ids = (await exported(key)).filter(({ kind }) => kind === 'history').map(({ values }) => values.id)
    assert.equal(ids.filter((one) => String(one).startsWith('x')).length, 2_500)
    assert.equal(new Set(ids).size, ids.length)
  })

  it('needs the second factor, for its first page', async () => {
    const { key, mfa_code, post } = await known('Rosamund', '203.0.113.71')
    const page = (query: string) => post(`/user/export?${query}`, { key })
    refused(await page(''), 401, 'mfa_required')
    refused(await page('mfa_code=AAAA-AAAA-AAAA'), 401, 'mfa_invalid')
    const calls = Array.from({ length: 300 }, () => ({ path: COMPUTED, body: { wealth: 2 } }))
    assert.equal((await post('/quantlib/batch', { key, body: { calls } })).status, 200)
    const id = await number(service, `SELECT id FROM accounts WHERE username = 'Rosamund'`)
    const numbers = 'WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 1500)'
    await query(
      service,
      `INSERT INTO audit (id, at, account_id, kind, method, path, status, credits, calls, ip, request_id, duration_ms, replayed)
       ${numbers} SELECT 'R' || n, ${Date.now()} - n, ${id}, 'computation', 'GET', '/', 200, 0, 1, '', 'r', 0, 0 FROM s`,
    )
    const first = await page(`mfa_code=${mfa_code}`)
    assert.equal(first.status, 200, first.text)
    const next = `cursor=${first.body.data.next_cursor}`
    assert.equal((await page(next)).status, 200)
    refused(await page(`mfa_code=${mfa_code}`), 401, 'mfa_invalid')
    const other = await service.person()
    refused(await service.call(`/user/export?${next}`, { key: other.key }), 422, 'invalid_input')
    advance(2 * 3_600_000)
    refused(await page(next), 422, 'invalid_input')
  })

  it('refuses cursors that it did not make, team keys and guests, and is limited as other account endpoints', async () => {
    const { key } = await service.person()
    const cursor = (place: unknown) => Buffer.from(JSON.stringify(place)).toString('base64url')
    for (const place of [
      [99, null],
      [-1, null],
      [0, ['x']],
      [0, [1, 2]],
      [0, [1.5]],
      [9, ['\0']],
      {},
      7,
      [0, 5],
    ])
      refused(await service.call(`/user/export?cursor=${cursor(place)}`, { key }), 422, 'invalid_input')
    const team = (await service.call('/user/keys/create', { key, body: { name: 'n' } })).body.data.key
    refused(await service.call('/user/export', { key: team }), 403, 'key_forbidden')
    refused(await service.call('/user/export', { key: await service.guest() }), 403, 'guest_forbidden')
    await times(120, () => service.call('/user/profile', { key }))
    refused(await service.call('/user/export', { key }), 429, 'rate_limited')
  })
})

describe('the deletion of an account', () => {
  it('needs the password and the second factor', async () => {
    const { key, mfa_code, post } = await known('Melusine', '203.0.113.75')
    const remove = (body: object) => post('/user/delete', { key, body })
    refused(await remove({ password: 'wrong password' }), 401, 'invalid_credentials')
    refused(await remove({ password: PASSWORD }), 401, 'mfa_required')
    refused(await remove({ password: PASSWORD, mfa_code: 'AAAA-AAAA-AAAA' }), 401, 'mfa_invalid')
    refused(await remove({}), 422, 'invalid_input')
    assert.equal((await remove({ password: PASSWORD, mfa_code })).status, 200)
  })

  for (const by of ['its owner', 'an operator'])
    it(`by ${by} leaves no trace of him in any table, and a ledger that adds up`, async () => {
      const name = by === 'its owner' ? 'Perpetua' : 'Ermintrude'
      const person = await known(name, '203.0.113.77')
      const other = await known(`Un${name.length}related`, '203.0.113.99')
      const { id } = person
      const secrets = (
        await query(
          service,
          `SELECT hash AS secret FROM api_keys WHERE account_id = ${id}
           UNION ALL SELECT sealed FROM recovery_codes WHERE account_id = ${id}
           UNION ALL SELECT totp_sealed FROM accounts WHERE id = ${id}`,
        )
      ).map(({ secret }) => Buffer.from(secret as Uint8Array).toString('latin1'))
      const [hash] = await query(service, `SELECT password_hash FROM accounts WHERE id = ${id}`)
      const texts = [name, person.ip, String(hash!.password_hash), person.team.prefix, ...secrets]
      await service.letterCount(other.email)
      await query(
        service,
        `INSERT INTO mails (id, recipient, master_key_id, created_at, attempts, next_at)
         VALUES ('waits ${name}', '${person.email}', '', ${Date.now() + offsetMs}, 0, ${Number.MAX_SAFE_INTEGER})`,
      )
      const before = (await remains(texts)).join('\n').toLowerCase()
      for (const text of texts) assert.ok(before.includes(text.toLowerCase()), `${text} is known before`)
      assert.deepEqual(await emptyOf(id, before), ['registrations'], 'which end when an address is confirmed')
      const ledger = await query(service, `SELECT amount FROM ledger WHERE account_id = ${id} ORDER BY id`)
      const calls = await number(
        service,
        `SELECT count(*) FROM audit WHERE account_id = ${id} AND kind = 'computation'`,
      )
      const spoken = await remains([other.name, other.ip])

      if (by === 'its owner') {
        const { mfa_code } = person
        const gone = await person.post('/user/delete', {
          key: person.key,
          body: { password: PASSWORD, mfa_code },
        })
        assert.equal(gone.status, 200, gone.text)
        assert.match((await service.letterNumber(4, person.email)).subject, /account was deleted/)
      } else assert.equal((await quantd(['admin', 'delete-account', person.email, '--yes'])).code, 0)

      for (const key of [person.key, person.team.key, person.guest])
        refused(await service.compute(key), 401, 'api_key_invalid')
      await service.letterCount(person.email)
      advance(ENDING_CALLS_MS)
      await tidied(service)
      // Counters of wrong guesses end by themselves.
      assert.deepEqual(await remains(texts, ['attempts']), [])
      assert.deepEqual(await remains([other.name, other.ip]), spoken, 'nothing of another is gone')

      assert.deepEqual(
        (await query(service, `SELECT amount FROM ledger WHERE account_id = ${id} ORDER BY id`)).slice(
          0,
          ledger.length,
        ),
        ledger,
      )
      assert.equal(
        await number(service, `SELECT count(*) FROM audit WHERE account_id = ${id} AND kind = 'computation'`),
        calls,
      )
      assert.equal(await number(service, `SELECT balance FROM accounts WHERE id = ${id}`), 0)
      assert.deepEqual(await unbalanced(service), [])
      assert.equal((await quantd(['admin', 'verify-ledger'])).code, 0)
      for (const args of [
        ['show', String(id)],
        ['grant', String(id), '5'],
        ['set-tier', String(id), 'pro'],
        ['delete-account', String(id), '--yes'],
      ])
        assert.match((await quantd(['admin', ...args])).err, /There is no account/)
      advance(DAY_MS)
      await tidied(service)
      assert.deepEqual(await remains([...texts.slice(1), person.email]), [])
    })

  if (service.databaseUrl === null)
    it('leaves none of his data in the files of a database that runs', async () => {
      const person = await known('Wilhelmine', '203.0.113.78')
      const [hash] = await query(service, `SELECT password_hash FROM accounts WHERE id = ${person.id}`)
      const texts = [person.name, person.email, String(hash!.password_hash)]
      const kept = () => {
        const files = ['quantd.db', 'quantd.db-wal'].map((name) =>
          readFileSync(join(service.dataDir, name), 'latin1').toLowerCase(),
        )
        return texts.filter((text) => files.some((bytes) => bytes.includes(text.toLowerCase())))
      }
      assert.deepEqual(kept(), texts)
      const { mfa_code } = person
      const gone = await person.post('/user/delete', {
        key: person.key,
        body: { password: PASSWORD, mfa_code },
      })
      assert.equal(gone.status, 200, gone.text)
      await service.letterNumber(4, person.email)
      await service.letterCount(person.email)
      advance(ENDING_CALLS_MS)
      await tidied(service)
      await until(() => kept().length === 0, 'his data left the files')
    })

  it('leaves the address free for another account', async () => {
    const { email, key } = await service.person()
    assert.equal((await service.call('/user/delete', { key, body: { password: PASSWORD } })).status, 200)
    refused(await service.login(email), 401, 'invalid_credentials')
    await service.register(email)
    const { code } = await service.letterNumber(3, email)
    assert.equal((await service.verify(email, code!)).status, 200)
  })
})
