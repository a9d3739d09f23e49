/** While the disk is nearly full, or too many rows of strangers are kept, requests without a key are refused, and keys go on. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { providerSettings, startProvider } from '../support/identity-provider.ts'
import { operator, settingsOf } from '../support/operator.ts'
import { COMPUTED, PASSWORD, type PeopleService, refused, startWithoutIpLimits } from '../support/people.ts'
import { request } from '../support/service.ts'
import { tidied } from '../support/tidied.ts'
import { until } from '../support/until.ts'

const DEVICE = { device_id: 'd', device_name: 'n', platform: 'p' }
const DAY_MS = 86_400_000
/** Every endpoint that takes no key. */
const WITHOUT_KEY: readonly (readonly [string, object])[] = [
  ['/guest/create', DEVICE],
  ['/user/register', { username: 'ada', email: 'ada@example.org', password: PASSWORD }],
  ['/user/resend-otp', { email: 'ada@example.org' }],
  ['/user/verify-otp', { email: 'ada@example.org', otp: '123456' }],
  ['/user/login', { email: 'ada@example.org', password: PASSWORD }],
  ['/user/forgot-password', { email: 'ada@example.org' }],
  ['/user/reset-password', { email: 'ada@example.org', otp: 'ABCDEFGHIJKL', password: PASSWORD }],
]

/** A service where requests without a key are refused, and the key of an account that an operator has made. */
async function fullService(
  settings: Record<string, string>,
  isFull: (service: PeopleService) => Promise<unknown>,
) {
  const service = await startWithoutIpLimits(settings, { unpaidEveryMs: 20 })
  await isFull(service)
  const quantd = operator(settingsOf(service))
  const { err, json } = await quantd(['admin', 'create', 'grace@example.org', '--json'])
  assert.ok(json?.api_key, err)
  return { service, key: json.api_key }
}

async function refusesWithoutKey(service: PeopleService, key: string, reason: RegExp): Promise<void> {
  for (const [path, body] of WITHOUT_KEY) {
    const answer = await service.callOnce(path, { body })
    refused(answer, 503, 'unavailable')
    assert.match(answer.body.message, reason, path)
    assert.match(answer.body.message, /calls with a key go on/, path)
    assert.equal(answer.headers.get('retry-after'), '60')
  }
  assert.equal((await service.call(COMPUTED, { key, body: { wealth: 2 } })).status, 200)
  assert.equal((await service.call('/user/profile', { key })).status, 200)
}

describe('requests without a key', () => {
  it('are refused on a disk with less room than the limit, and the metrics show the room', async () => {
    const metricsPort = await freePort()
    const settings = { METRICS_PORT: String(metricsPort), QUANTD_MIN_FREE_MIB: '1048576' }
    const { key, service } = await fullService(settings, async () => undefined)
    await refusesWithoutKey(service, key, /disk of this service is nearly full/)
    const { text } = await request(`http://127.0.0.1:${metricsPort}/metrics`)
    assert.match(text, /^quantd_disk_free_bytes \d+/m)
    assert.match(text, /^quantd_unpaid_rows \d+$/m)
    await service.close()
  })

  it('are refused at a sign-on too, before the person is sent to the provider and at the return', async () => {
    const provider = await startProvider(['http://127.0.0.1/user/sign-on/callback'])
    const { service } = await fullService(
      { QUANTD_MIN_FREE_MIB: '1048576', ...providerSettings(provider), OIDC_ACCOUNTS: 'on' },
      async () => undefined,
    )
    for (const path of ['/user/sign-on', '/user/sign-on/callback?code=a&state=b']) {
      const { headers, status, text } = await request(service.url + path)
      assert.equal(status, 503, path)
      assert.match(text, /disk of this service is nearly full/)
      assert.equal(headers.get('retry-after'), '60')
      assert.equal(headers.get('set-cookie'), null)
    }
    await service.close()
    await provider.close()
  })

  it('are refused while as many rows as the limit wait, and accepted when these are deleted', async () => {
    const { key, service } = await fullService({ QUANTD_MAX_UNPAID_ROWS: '3' }, async (service) => {
      await service.register('ada@example.org')
      const guest = () => service.callOnce('/guest/create', { body: DEVICE })
      await until(async () => (await guest()).status === 503, 'the limit was noticed')
    })
    await refusesWithoutKey(service, key, /too many unconfirmed registrations/)
    service.advance(9 * DAY_MS)
    const isAccepted = async () => {
      await tidied(service)
      return (await service.callOnce('/guest/create', { body: DEVICE })).status === 200
    }
    await until(isAccepted, 'a guest is created')
    await service.close()
  })
})
