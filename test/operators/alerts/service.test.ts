/** Alerts of a running service: a wrong balance is mailed and posted, shown to operators, and over once it is corrected. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { EVENT_TYPES } from '../../../src/ledger/event-types.ts'
import { query } from '../../support/database.ts'
import { freePort } from '../../support/free-port.ts'
import { type HttpPeer, httpPeer } from '../../support/http-peer.ts'
import { operator, type Quantd, settingsOf } from '../../support/operator.ts'
import { request, startTestService, type TestService } from '../../support/service.ts'
import { parseMessage, smtpPeer } from '../../support/smtp-peer.ts'
import { until } from '../../support/until.ts'

const ALERTS = 'mail:ops@example.org,webhook'

describe('a service that tells alerts', () => {
  let service: TestService
  let smtp: Awaited<ReturnType<typeof smtpPeer>>
  let quantd: Quantd
  let ask: (path: string, body?: object) => ReturnType<typeof request>
  const posted: { type: string; data: Record<string, unknown> }[] = []
  let receiver: HttpPeer
  before(async () => {
    smtp = await smtpPeer()
    const port = await freePort()
    const settings = { QUANTD_ALERTS: ALERTS, QUANTD_WEBHOOK_PRIVATE: 'on' }
    service = await startTestService(
      { ...settings, SMTP_URL: smtp.url, QUANTD_OPERATOR_PORT: String(port) },
      { alertsEveryMs: 50 },
    )
    quantd = operator({ ...settingsOf(service), ...settings })
    receiver = await httpPeer((response, { body }) => {
      posted.push(JSON.parse(body))
      response.end()
    })
    const types = ['--types', 'alert.firing,alert.resolved']
    assert.equal((await quantd(['admin', 'webhook', 'create', receiver.url, ...types])).code, 0)
    const { json } = await quantd(['admin', 'token', 'create', 'alerts', '--role', 'admin', '--json'])
    ask = (path, body) =>
      request(`http://127.0.0.1:${port}/operator/v1/${path}`, {
        ...(body !== undefined && { body }),
        headers: { authorization: `Bearer ${json.token}` },
      })
  })
  after(async () => {
    receiver.close()
    await service.close()
    await smtp.close()
  })

  const mails = () =>
    smtp.deliveries.map(({ source, to }) => {
      const { headers, parts } = parseMessage(source)
      return { to, subject: headers.subject!, text: parts['text/plain'] }
    })

  it('mails, posts and shows that the ledger differs, and reports the end', async () => {
    await quantd(['admin', 'create', 'ada@example.org'])
    await query(service, "UPDATE accounts SET balance = balance + 1 WHERE address = 'ada@example.org'")
    assert.equal((await quantd(['admin', 'verify-ledger'])).code, 1)
    await until(() => mails().length === 1 && posted.length === 1, 'the alert came by mail and webhook')
    const [{ subject, text, to }] = mails() as [{ subject: string; text: string; to: readonly string[] }]
    assert.deepEqual([subject, to], ['Alert: QuantdLedgerDiffers', ['ops@example.org']])
    assert.match(text, /1 balances differ from the ledger\.[\s\S]*Run quantd admin verify-ledger/)
    const [{ data, type }] = posted as [(typeof posted)[number]]
    assert.deepEqual(
      [type, data.alert, data.node, data.account_id],
      ['alert.firing', 'QuantdLedgerDiffers', null, undefined],
    )
    assert.deepEqual(Object.keys(data), Object.keys(EVENT_TYPES['alert.firing'].example))
    const shown = { alert: 'QuantdLedgerDiffers', severity: 'critical', node: null, since: data.since }
    const items = [{ ...shown, summary: '1 balances differ from the ledger.' }]
    assert.deepEqual((await ask('alerts')).body.data, { on: true, items })
    assert.deepEqual((await ask('health')).body.data.alerts, items)
    assert.deepEqual((await quantd(['admin', 'alerts', 'list', '--json'])).json, { on: true, items })
    await query(service, "UPDATE accounts SET balance = balance - 1 WHERE address = 'ada@example.org'")
    assert.equal((await quantd(['admin', 'verify-ledger'])).code, 0)
    await until(() => mails().length === 2 && posted.length === 2, 'its end came')
    assert.equal(mails()[1].subject, 'Over: QuantdLedgerDiffers')
    assert.equal(posted[1].type, 'alert.resolved')
    assert.deepEqual((await ask('health')).body.data.alerts, [])
  })

  it('sends a test by the command and by the endpoint, which say where it is off', async () => {
    const sent = { mails: 1, webhook: true }
    const before = [mails().length, posted.length] as const
    assert.deepEqual((await quantd(['admin', 'alerts', 'test', '--json'])).json, sent)
    assert.deepEqual((await ask('alerts/test', {})).body.data, sent)
    await until(() => mails().length === before[0] + 2 && posted.length === before[1] + 2, 'both tests came')
    assert.match(mails().at(-1)!.text, /This is a test: nothing is wrong/)
    const off = operator(settingsOf(service))
    const { code, err } = await off(['admin', 'alerts', 'test'])
    assert.equal(code, 1)
    assert.match(err, /set QUANTD_ALERTS/)
    assert.equal((await off(['admin', 'alerts', 'list', '--json'])).json.on, false)
    assert.match((await off(['admin', 'alerts', 'list'])).out, /set QUANTD_ALERTS/)
    for (const verb of ['alerts', 'approvals'])
      assert.equal((await quantd(['admin', verb, 'list'])).out, 'None.\n', verb)
  })
})
