/** The profile of registered accounts and of guests. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refused, useService } from '../support/people.ts'

const service = await useService()
const ada = await service.person({ full_name: 'Ada Lovelace' })

describe('GET /user/profile', () => {
  it('tells of the account and its key', async () => {
    const { key } = ada
    const { data } = (await service.call('/user/profile', { key })).body
    const { api_key_created_at, created_at, user_id, ...rest } = data
    assert.ok(Number.isInteger(user_id))
    for (const instant of [api_key_created_at, created_at])
      assert.equal(new Date(instant).toISOString(), instant)
    assert.deepEqual(rest, {
      email: ada.email,
      full_name: 'Ada Lovelace',
      credits: 350,
      account_type: 'free',
      mfa_enabled: false,
      api_key_status: 'active',
    })
  })

  it('tells when the present key was made, not the account', async () => {
    const { key } = await service.person()
    service.advance(5_000)
    const { body } = await service.regenerate(key)
    const { data } = (await service.call('/user/profile', { key: body.data.api_key })).body
    assert.ok(Date.parse(data.api_key_created_at) - Date.parse(data.created_at) >= 5_000)
  })

  it('tells a guest what a guest has', async () => {
    const { data } = (await service.call('/user/profile', { key: await service.guest() })).body
    assert.deepEqual(Object.keys(data).sort(), [
      'account_type',
      'api_key_created_at',
      'api_key_status',
      'credits',
      'expires_at',
    ])
    assert.equal(data.account_type, 'guest')
    assert.equal(data.credits, 50)
    assert.equal(Date.parse(data.expires_at) - Date.parse(data.api_key_created_at), 24 * 3_600_000)
  })

  it('is refused where no key is sent', async () => {
    refused(await service.call('/user/profile'), 401, 'api_key_missing')
  })
})
