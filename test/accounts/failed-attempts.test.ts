/** Failed logins, codes, resets and second factors: counted in the audit, and in the log without an address or a secret. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import { number, query } from '../support/database.ts'
import { operator, settingsOf } from '../support/operator.ts'
import {
  freshEmail,
  PASSWORD,
  refused,
  startWithoutIpLimits,
  times,
  useService,
  wrongCode,
} from '../support/people.ts'

const service = await useService()

const counted = (path: string) =>
  query(
    service,
    `SELECT code, account_id, sum(count) AS count FROM failed_attempts WHERE path = '${path}'
     GROUP BY code, account_id ORDER BY code, account_id`,
  )

describe('failed attempts', () => {
  it('at passwords are counted by code, for known and unknown addresses, in few rows', async () => {
    const { email } = await service.person()
    const unknown = freshEmail()
    await times(15, (i) => service.login(email, `wrong ${i}`))
    await times(3, (i) => service.login(unknown, `wrong ${i}`))
    const id = await number(service, `SELECT id FROM accounts WHERE address = '${email}'`)
    const found = (await counted('/user/login')).map(({ code, account_id, count }) => [
      code,
      account_id === null ? null : Number(account_id),
      Number(count),
    ])
    assert.deepEqual(
      found.filter(([, account]) => account === null),
      [['invalid_credentials', null, 3]],
    )
    assert.deepEqual(
      found.filter(([, account]) => account === id),
      [
        ['invalid_credentials', id, 10],
        ['too_many_attempts', id, 5],
      ],
    )
    // A minute may end meanwhile.
    assert.ok((await number(service, `SELECT count(*) FROM failed_attempts WHERE account_id = ${id}`)) <= 4)
    const shown = JSON.stringify(await query(service, 'SELECT * FROM failed_attempts'))
    assert.ok(!shown.includes(unknown) && !shown.includes(email))
  })

  it('at codes and resets are counted too', async () => {
    const email = freshEmail()
    await service.register(email)
    const { code } = await service.letterNumber(1, email)
    refused(await service.verify(email, wrongCode(code!)), 401, 'otp_invalid')
    const reset = { email, otp: 'AAAAAAAAAAAA', password: PASSWORD }
    refused(await service.call('/user/reset-password', { body: reset }), 401, 'otp_invalid')
    for (const path of ['/user/verify-otp', '/user/reset-password'])
      assert.equal(Number((await counted(path))[0].count), 1, path)
  })

  it('with a key have an audit row each', async () => {
    const { key } = await service.person()
    const wrong = { password: 'wrong one', new_password: 'another good one' }
    const answer = await service.call('/user/change-password', { key, body: wrong })
    refused(answer, 401, 'invalid_credentials')
    const id = answer.headers.get('x-request-id')
    const rows = await query(service, `SELECT code, status FROM audit WHERE request_id = '${id}'`)
    assert.deepEqual(
      rows.map((row) => ({ ...row, status: Number(row.status) })),
      [{ code: 'invalid_credentials', status: 401 }],
    )
  })

  it('are in the export of the whole audit and of one account', async () => {
    const { email } = await service.person()
    await times(4, (i) => service.login(email, `wrong ${i}`))
    const quantd = operator(settingsOf(service))
    const exported = async (...options: string[]) =>
      (await quantd(['admin', 'export-audit', ...options])).out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    const [all, own] = [await exported(), await exported('--account', email)]
    const failed = own.filter(({ kind }) => kind === 'failed_attempt')
    assert.equal(
      failed.reduce((sum, { calls }) => sum + calls, 0),
      4,
    )
    assert.ok(
      failed.every(({ code, detail }) => code === 'invalid_credentials' && detail.subject.length === 64),
    )
    const total = await number(service, 'SELECT sum(count) FROM failed_attempts')
    const counts = all.filter(({ kind }) => kind === 'failed_attempt').map(({ calls }) => calls)
    assert.equal(
      counts.reduce((sum, calls) => sum + calls, 0),
      total,
    )
    assert.deepEqual(
      all.map(({ at }) => at),
      all.map(({ at }) => at).sort(),
    )
    assert.ok(all.some(({ kind }) => kind === 'event'))
  })

  it('are logged once a minute, without an address, a password or a code', async () => {
    const lines: string[] = []
    const log = pino({}, { write: (line) => void lines.push(line) })
    const logged = await startWithoutIpLimits({}, { log })
    const email = freshEmail()
    try {
      for (let i = 0; i < 2; i++)
        refused(await logged.login(email, 'my secret password'), 401, 'invalid_credentials')
    } finally {
      await logged.close()
    }
    const told = lines.filter((line) => line.includes('"failed attempt"'))
    // Two if a minute ended in between.
    assert.ok(told.length === 1 || told.length === 2)
    const { accountId, code, ip } = JSON.parse(told[0])
    assert.deepEqual([code, ip, accountId], ['invalid_credentials', '127.0.0.1', null])
    assert.doesNotMatch(told.join(), /secret|@/)
  })
})
