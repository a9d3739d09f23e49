/** quantd admin: what an operator does takes effect on the running service at once, and leaves a trace. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { userInfo } from 'node:os'
import { describe, it } from 'node:test'
import { operatorEndpoints } from '../../../../src/operators/http/endpoints.ts'
import { number, query } from '../../../support/database.ts'
import { operator, settingsOf } from '../../../support/operator.ts'
import { oneTimeCode, PASSWORD, useService } from '../../../support/people.ts'

const service = await useService()
const quantd = operator(settingsOf(service))
let made = 0

const login = (email: string) => service.call('/user/login', { body: { email, password: PASSWORD } })
const admin = (...args: string[]) => quantd(['admin', ...args])

async function account(...options: string[]): Promise<{ id: string; email: string; key: string }> {
  const email = `Person${++made}@example.org`
  const { code, err, json } = await quantd(
    ['admin', 'create', email, '--password-stdin', '--json', ...options],
    { input: `${PASSWORD}\n` },
  )
  assert.equal(code, 0, err)
  return { id: String(json.account_id), email, key: json.api_key }
}

describe('quantd admin create', () => {
  it('makes an account that computes and logs in at once, with its key kept recoverable', async () => {
    const { email, key } = await account('--tier', 'basic', '--credits', '7', '--username', 'Ada')
    const computed = await service.compute(key)
    assert.equal(computed.status, 200, computed.text)
    assert.equal(computed.headers.get('x-credits-remaining'), '6')
    assert.equal(computed.headers.get('x-ratelimit-limit'), '1000')
    const { body } = await login(email.toLowerCase())
    assert.equal(body.data.api_key, key)
    assert.equal(body.data.user.full_name, 'Ada')
    assert.equal(body.data.user.account_type, 'basic')
  })

  it('generates a password that logs in, and sends no mail', async () => {
    const mails = await query(service, 'SELECT id FROM mails')
    const { json } = await admin('create', 'generated@example.org', '--json')
    const password = json.password
    const answer = await service.call('/user/login', { body: { email: 'generated@example.org', password } })
    assert.equal(answer.body.data.api_key, json.api_key)
    assert.equal((await query(service, 'SELECT id FROM mails')).length, mails.length)
  })

  it('refuses an address that has an account, whatever its case, with exit code 1', async () => {
    const { email } = await account()
    const { code, err, out } = await admin('create', email.toUpperCase())
    assert.deepEqual([code, out], [1, ''])
    assert.match(err, /^quantd: The address .* already has an account\.\n$/)
  })

  it('names its own arguments and options, and their rules, where a value is refused', async () => {
    for (const [args, sentence] of [
      [['nobody'], /'email'\. It does not have the expected form \(e-mail address/],
      [['a@example.org', '--full-name', ''], /--full-name <text>' .* It must have at least 1 character/],
      [['nobody'], /^quantd: value 'nobody' is invalid for argument 'email'\./],
      [['a@example.org', '--credits', '1.5'], /'--credits <n>'.* It must be a whole number from 0 to \d+\./],
    ] as const)
      assert.match((await admin('create', ...args)).err, sentence)
  })

  it('takes what registration takes, and calls anything else a usage error', async () => {
    for (const wrong of [
      ['no-address'],
      ['a@b', '--tier', 'guest'],
      ['a@example.org', '--credits', '-1'],
      ['a@example.org', '--username', 'two\nlines'],
      [],
    ])
      assert.equal((await admin('create', ...wrong)).code, 2, wrong.join(' '))
    const short = await quantd(['admin', 'create', 'a@example.org', '--password-stdin'], { input: 'short' })
    assert.equal(short.code, 2)
    assert.equal((await admin('show', 'a@example.org')).code, 1)
  })
})

describe('quantd admin suspend and unsuspend', () => {
  it('act on the very next request, and are repeatable', async () => {
    const { email, id, key } = await account()
    assert.equal((await service.compute(key)).status, 200)
    assert.equal((await admin('suspend', email, '--json')).json.changed, true)
    const refused = await service.compute(key)
    assert.equal(refused.status, 401)
    assert.equal(refused.body.message, 'Invalid or expired API key')
    assert.equal((await login(email)).body.error.code, 'key_suspended')
    const again = await admin('suspend', id, '--json')
    assert.deepEqual([again.code, again.json.changed, again.json.api_key_status], [0, false, 'suspended'])
    assert.equal((await admin('unsuspend', email)).code, 0)
    assert.equal((await service.compute(key)).status, 200)
  })

  it('never bring a revoked key back', async () => {
    const { email, key } = await account()
    const { body } = await service.call('/user/regenerate-api-key', { method: 'POST', key })
    await admin('suspend', email)
    await admin('unsuspend', email)
    assert.equal((await service.compute(key)).status, 401)
    assert.equal((await service.compute(body.data.api_key)).status, 200)
  })
})

describe('quantd admin set-tier and set-limits', () => {
  it('change the windows of the next request', async () => {
    const { email, key } = await account()
    const limit = async () => (await service.compute(key)).headers.get('ratelimit-policy')
    assert.equal(await limit(), '"hour";q=500;w=3600')
    await admin('set-tier', email, 'pro')
    assert.equal(await limit(), '"hour";q=5000;w=3600')
    await admin('set-limits', email, '--hour', '4', '--day', '100')
    assert.equal(await limit(), '"hour";q=4;w=3600, "day";q=100;w=86400')
    assert.equal(await limit(), '"hour";q=4;w=3600, "day";q=100;w=86400')
    assert.equal((await service.compute(key)).status, 429)
    await admin('set-limits', email, '--hour', 'default')
    assert.equal(await limit(), '"hour";q=5000;w=3600, "day";q=100;w=86400')
    await admin('set-limits', email, 'default')
    assert.equal(await limit(), '"hour";q=5000;w=3600')
  })

  it('call what they cannot read a usage error', async () => {
    const { email } = await account()
    for (const wrong of [
      ['set-tier', email, 'guest'],
      ['set-tier', email],
      ['set-limits', email],
      ['set-limits', email, '--hour', '0'],
      ['set-limits', email, 'default', '--day', '5'],
      ['set-limits', email, 'nothing'],
      ['set-tier', 'neither-address-nor-number', 'pro'],
    ])
      assert.equal((await admin(...wrong)).code, 2, wrong.join(' '))
  })
})

describe('quantd admin grant', () => {
  it('adds credits that the owner sees with their note', async () => {
    const { email, key } = await account('--credits', '1')
    await service.compute(key)
    assert.equal((await service.compute(key)).status, 402)
    const { json } = await admin('grant', email, '20', '--note', 'invoice 7', '--json')
    assert.deepEqual(json, { account_id: json.account_id, granted: 20, credits: 20 })
    assert.equal((await service.compute(key)).status, 200)
    const { body } = await service.call('/user/credits', { key })
    assert.equal(body.data.credits, 19)
    assert.deepEqual(
      body.data.grants.map((one: { credits: number; reason: string }) => [one.credits, one.reason]),
      [
        [1, 'account_creation'],
        [20, 'invoice 7'],
      ],
    )
  })

  it('takes whole positive numbers only, and nothing for guests', async () => {
    const { email } = await account()
    for (const wrong of ['0', '-5', '1.5', '1e3', 'many', ''])
      assert.equal((await admin('grant', email, wrong)).code, 2, wrong)
    await service.guest()
    const id = await number(service, "SELECT max(id) AS id FROM accounts WHERE tier = 'guest'")
    for (const refused of [
      ['grant', String(id), '10'],
      ['set-tier', String(id), 'pro'],
      ['set-limits', String(id), '--hour', '100'],
      ['reset-mfa', String(id), '--yes'],
    ]) {
      const { code, err } = await admin(...refused)
      assert.equal(code, 1, refused.join(' '))
      assert.match(err, /is a guest/)
    }
  })
})

describe('quantd admin reset-mfa', () => {
  it('lets someone who lost the second factor in by the password alone', async () => {
    const { email, key } = await account()
    const { body } = await service.call('/user/mfa/setup', { key, body: { password: PASSWORD } })
    const code = oneTimeCode(body.data.secret)
    const enabled = await service.call('/user/mfa/enable', { key, body: { code } })
    assert.equal(enabled.status, 200, enabled.text)
    assert.equal((await login(email)).body.error.code, 'mfa_required')

    assert.equal((await admin('reset-mfa', email)).code, 2, 'nobody can be asked')
    assert.equal((await login(email)).body.error.code, 'mfa_required')
    for (const changed of [true, false])
      assert.equal((await admin('reset-mfa', email, '--yes', '--json')).json.changed, changed)
    assert.equal((await login(email)).status, 200)
    const [row] = await query(service, `SELECT * FROM accounts WHERE address = '${email.toLowerCase()}'`)
    assert.equal(row!.totp_sealed, null)
    assert.deepEqual(await query(service, `SELECT 1 FROM recovery_codes WHERE account_id = ${row!.id}`), [])
  })
})

describe('quantd admin delete-account', () => {
  it('asks first, and does nothing where nobody can be asked or the answer is not yes', async () => {
    const { email, key } = await account()
    const unasked = await admin('delete-account', email)
    assert.equal(unasked.code, 2)
    assert.match(unasked.err, /--yes/)
    const declined = await quantd(['admin', 'delete-account', email], { answer: 'y' })
    assert.equal(declined.code, 1)
    assert.match(declined.err, /cannot be undone/)
    assert.equal((await service.compute(key)).status, 200)
    assert.equal((await quantd(['admin', 'delete-account', email], { answer: 'yes' })).code, 0)
    assert.equal((await service.compute(key)).status, 401)
  })

  it('deletes the guest whose history the account had taken over, too', async () => {
    const { id } = await account()
    await service.guest()
    const guest = await number(service, "SELECT max(id) FROM accounts WHERE tier = 'guest'")
    await query(service, `UPDATE accounts SET linked_to = ${id}, expires_at = NULL WHERE id = ${guest}`)
    await admin('delete-account', id, '--yes')
    assert.match((await admin('show', String(guest))).err, /There is no account/)
  })
})

describe('quantd admin list', () => {
  it('gives every account once, in pages or in all', async () => {
    for (let i = 0; i < 5; i++) await service.guest()
    const ids = (await admin('list', '--json')).json.map((one: { account_id: number }) => one.account_id)
    const rows = await query(service, 'SELECT id FROM accounts WHERE deleted_at IS NULL ORDER BY id')
    assert.deepEqual(
      ids,
      rows.map(({ id }) => Number(id)),
    )
    const paged: number[] = []
    for (let after = 0; ; after = paged.at(-1)!) {
      const { out } = await admin('list', '--json', '--limit', '3', '--after', String(after))
      const page = out.trimEnd().split('\n').filter(Boolean)
      paged.push(...page.map((line) => JSON.parse(line).account_id))
      if (page.length < 3) break
    }
    assert.deepEqual(paged, ids)
    const text = await admin('list', '--limit', '2')
    assert.equal(text.out.trimEnd().split('\n').length, 3)
    assert.match(text.err, /--after/)
  })

  it('has a column for the time when a guest key expires, and one for e-mail addresses', async () => {
    await service.guest()
    const { out } = await admin('list')
    const [heading, ...lines] = out.trimEnd().split('\n')
    assert.deepEqual(heading!.trim().split(/ {2,}/).slice(-3), ['created', 'expires', 'e-mail'])
    const guest = lines.findLast((line) => / guest /.test(line))
    assert.match(guest!, / active {5}\d{4}-\d\d-\d\d {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}-$/)
    for (const line of lines) assert.match(line, /(-|- \(taken over by account \d+\)|\S+@\S+)$/)
  })
})

describe('every verb of quantd admin', () => {
  const named = ['show', 'suspend', 'unsuspend', 'verify-ledger', 'delete-account', 'reset-mfa']
  const withValue = [
    ['set-tier', 'pro'],
    ['set-limits', 'default'],
    ['grant', '5'],
  ]

  it('has a help text with examples, and --json', async () => {
    for (const { verb } of operatorEndpoints) {
      if (verb === null) continue
      const { code, out } = await admin(...verb.split(' '), '--help')
      assert.equal(code, 0)
      assert.match(out, new RegExp(`Examples:\\n {2}# .+\\n {2}quantd admin ${verb}`), verb)
      assert.match(out, /--json/)
    }
  })

  it('is one sentence in the list of commands', async () => {
    const { out } = await admin('--help')
    const listed = out.slice(out.indexOf('Commands:')).match(/^ {2}\w\S* .+$/gm)!
    assert.ok(listed.length > 20)
    for (const line of listed) assert.ok(line.length < 200 && !/\. [A-Z]/.test(line), line)
  })

  it('tells of an account that is not there by exit code 1 and one line, as JSON where that is asked', async () => {
    for (const [verb, ...value] of [...named.map((verb) => [verb]), ...withValue])
      for (const who of ['nobody@example.org', '999999999']) {
        const { code, err, out } = await admin(verb!, who, ...value)
        assert.deepEqual([code, out], [1, ''], verb)
        assert.match(err, /^quantd: (No account has the address nobody|There is no account 999999999).*\n$/)
      }
    const { err } = await admin('show', 'nobody@example.org', '--json')
    assert.deepEqual(JSON.parse(err), { error: 'No account has the address nobody@example.org.' })
  })

  it('that changes something is an event in the audit, with the operator and no address', async () => {
    const { email, id } = await account()
    await admin('suspend', email)
    await admin('unsuspend', email)
    await admin('set-tier', email, 'standard')
    await admin('set-limits', email, '--hour', '9')
    await admin('grant', email, '3')
    await admin('delete-account', email, '--yes')
    const rows = await query(
      service,
      `SELECT * FROM audit WHERE account_id = ${id} AND kind = 'event' ORDER BY at, id`,
    )
    assert.deepEqual(
      rows.map((row) => [row.path, row.code]),
      [
        ['admin create', 'account_created'],
        ['admin suspend', 'key_suspended'],
        ['admin unsuspend', 'key_unsuspended'],
        ['admin set-tier', 'tier_changed'],
        ['admin set-limits', 'limits_changed'],
        ['admin grant', 'credits_granted'],
        ['admin delete-account', 'account_deleted'],
      ],
    )
    for (const row of rows) {
      assert.deepEqual([row.ip, row.method], ['cli', 'CLI'])
      const detail = String(row.detail)
      assert.equal(JSON.parse(detail).actor, userInfo().username)
      assert.ok(!detail.toLowerCase().includes(email.toLowerCase()))
    }
  })
})

describe('quantd admin on a PostgreSQL server that does not take a connection in time', {
  skip: process.env.QUANTD_TEST_DATABASE !== 'postgres' && 'PostgreSQL only',
}, () => {
  /** Grants a credit by way of a proxy that never answers one of the connections; returns how many there were. */
  async function connectionsOfGrant(email: string, unanswered: number): Promise<number> {
    let connections = 0
    const url = new URL(service.databaseUrl!)
    const port = Number(url.port)
    const proxy = createServer((client) => {
      client.on('error', () => undefined)
      if (++connections === unanswered) return
      const server = connect(port, url.hostname).on('error', () => undefined)
      client.pipe(server).pipe(client)
    })
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    url.port = String((proxy.address() as AddressInfo).port)
    const { code, err } = await operator({ ...settingsOf(service), DATABASE_URL: url.href })([
      ...['admin', 'grant', email, '1'],
    ])
    proxy.close()
    assert.equal(code, 0, err)
    return connections
  }

  it('tries again', async () => {
    const { email } = await account()
    // The first one is given time anyhow.
    let number = 2
    while ((await connectionsOfGrant(email, number)) >= number) number++
    assert.ok(number > 2)
  })
})

describe('quantd admin on a folder without a database', () => {
  it('says so, and makes none', async () => {
    if (service.databaseUrl !== null) return
    const elsewhere = operator({ QUANTD_DATA_DIR: `${service.dataDir}/empty` })
    const { code, err } = await elsewhere(['admin', 'list'])
    assert.equal(code, 1)
    assert.match(err, /There is no database in .*empty/)
    assert.equal((await elsewhere(['admin', 'list'])).code, 1)
  })

  it('tells of a bad setting as the service does', async () => {
    const { code, err } = await operator({ QUANTD_DATA_DIRS: '/tmp' })(['admin', 'list'])
    assert.equal(code, 1)
    assert.match(err, /QUANTD_DATA_DIRS is not a setting/)
  })
})
