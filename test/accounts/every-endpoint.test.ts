/** Every endpoint of accounts succeeds once, on each database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountEndpoints } from '../../src/accounts/endpoints.ts'
import { freshEmail, MINUTE_MS, NEW_PASSWORD, oneTimeCode, PASSWORD, useService } from '../support/people.ts'

const service = await useService()

test('a person comes as a guest, registers, uses every endpoint and deletes the account', async () => {
  const called = new Set<string>()
  let key = await service.guest()
  called.add('/guest/create')
  /** The data of an endpoint that succeeds. */
  const done = async (path: string, body?: object) => {
    const answer = await service.call(path, { key, ...(body && { body }) })
    assert.equal(answer.status, 200, `${path}: ${answer.text}`)
    called.add(path.split('?')[0])
    return answer.body.data
  }

  const email = freshEmail()
  const mailed = async (count: number) => (await service.letterNumber(count, email)).code!
  const person = { username: 'ada', email, password: PASSWORD, guest_api_key: key }
  const { registration } = await done('/user/register', person)
  await mailed(1)
  service.advance(MINUTE_MS)
  await done('/user/resend-otp', { email })
  key = (await done('/user/verify-otp', { email, otp: await mailed(2), registration })).api_key
  assert.equal((await done('/user/login', { email, password: PASSWORD })).api_key, key)

  await done('/user/forgot-password', { email })
  await done('/user/reset-password', { email, otp: await mailed(3), password: NEW_PASSWORD })
  await done('/user/change-password', { password: NEW_PASSWORD, new_password: PASSWORD })
  key = (await done('/user/regenerate-api-key', {})).api_key
  const { secret } = await done('/user/mfa/setup', { password: PASSWORD })
  await done('/user/mfa/enable', { code: oneTimeCode(secret, MINUTE_MS) })
  await done('/user/mfa/disable', { code: oneTimeCode(secret, 1.5 * MINUTE_MS) })

  const { id } = await done('/user/keys/create', { name: 'notebook', credit_cap: 2 })
  await done('/user/keys/update', { id, credit_cap: 3 })
  const rotated = await done('/user/keys/rotate', { id })
  assert.equal((await service.compute(rotated.key)).status, 200)
  assert.equal((await done('/user/keys')).items[0].spent, 1)
  await done('/user/keys/revoke', { id })

  const computed = await service.compute(key)
  assert.equal((await done('/user/credits')).credits, 398)
  assert.deepEqual(await done('/user/notices', { credits: [10] }), await done('/user/notices'))
  assert.equal((await done('/user/usage')).items[0].credits, 1)
  assert.equal((await done('/user/usage/summary')).by_endpoint[0].credits, 2)
  await done(`/user/receipt?request_id=${computed.headers.get('x-request-id')}`)
  assert.equal((await done('/user/profile')).email, email)
  await done('/user/export')
  await done('/user/delete', { password: PASSWORD })
  assert.equal((await service.compute(key)).status, 401)
  assert.deepEqual(new Set(accountEndpoints.map(({ path }) => path)).difference(called), new Set())
})
