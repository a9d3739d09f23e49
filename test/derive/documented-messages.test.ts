/** The messages in the reference are those that the service sends, for every code that HTTP can provoke. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FailureCode, failures } from '../../src/base/failure.ts'
import { failureMessages, failureReply } from '../../src/derive/general-rules.ts'
import { query } from '../support/database.ts'
import { OPTION } from '../support/option.ts'
import {
  COMPUTED,
  freshEmail,
  oneTimeCode,
  PASSWORD,
  type Person,
  times,
  useService,
} from '../support/people.ts'
import type { Answer, CallOptions } from '../support/service.ts'

const PRICE = '/quantlib/pricing/bs/price'
const DAY_MS = 86_400_000

const service = await useService({ QUANTD_BODY_LIMIT: '100000' })

const price = async (options: CallOptions = {}) =>
  service.call(PRICE, { key: await service.guest(), body: OPTION, ...options })

async function teamKey(settings: object): Promise<string> {
  const { key } = await service.person()
  const { body } = await service.call('/user/keys/create', { key, body: { name: 'n', ...settings } })
  return body.data.key
}

async function withSecondFactor(): Promise<Person> {
  const someone = await service.person()
  const { body } = await service.setUpSecondFactor(someone.key)
  const enabled = await service.enableSecondFactor(someone.key, oneTimeCode(body.data.secret))
  assert.equal(enabled.status, 200, enabled.text)
  return someone
}

const provoked: Readonly<Partial<Record<FailureCode, () => Promise<Answer>>>> = {
  route_not_found: () => service.call(`${PRICE}s`),
  method_not_allowed: () => service.call(PRICE),
  api_key_missing: () => service.call(PRICE, { body: OPTION }),
  api_key_invalid: () => price({ key: `qd_user_${'a'.repeat(43)}` }),
  account_unverified: async () => price({ key: await service.guestWith('verified_at = NULL') }),
  guest_forbidden: async () =>
    service.call('/user/regenerate-api-key', { method: 'POST', key: await service.guest() }),
  key_forbidden: async () => price({ key: await teamKey({ paths: [COMPUTED] }) }),
  key_cap_exhausted: async () => {
    const key = await teamKey({ credit_cap: 1 })
    await price({ key })
    return price({ key })
  },
  not_found: async () =>
    service.call('/user/keys/revoke', { key: (await service.person()).key, body: { id: 999_999 } }),
  body_too_large: () => price({ raw: ' '.repeat(100_001) }),
  unsupported_media_type: () => price({ headers: { 'content-type': 'text/plain' } }),
  rate_limited: async () => {
    const key = await service.guestWith('day_limit = 1000')
    await times(60, () => service.call(COMPUTED, { key, body: { wealth: -1 } }))
    return price({ key })
  },
  credits_exhausted: async () => price({ key: await service.guestWith('balance = 0') }),
  invalid_json: () => price({ raw: '{\n  "spot": 100,\n}' }),
  invalid_input: () => price({ body: { ...OPTION, volatility: 'high' } }),
  idempotency_conflict: async () => {
    const options = { key: await service.guest(), headers: { 'idempotency-key': 'k' } }
    await price(options)
    return price({ ...options, body: { ...OPTION, spot: 101 } })
  },
  invalid_credentials: async () => service.login((await service.person()).email, 'not the password'),
  otp_invalid: async () => {
    const email = freshEmail()
    await service.register(email)
    return service.verify(email, 'xxxxxx')
  },
  mfa_required: async () => service.login((await withSecondFactor()).email),
  mfa_invalid: async () =>
    service.login((await withSecondFactor()).email, PASSWORD, { mfa_code: 'AAAAAAAAAA' }),
  key_suspended: async () => {
    const { email } = await service.person()
    await query(
      service,
      "UPDATE api_keys SET status = 'suspended' WHERE account_id = (SELECT max(id) FROM accounts)",
    )
    return service.login(email)
  },
  conflict: async () => {
    const { key } = await withSecondFactor()
    return service.setUpSecondFactor(key)
  },
  too_many_attempts: async () => {
    const { email } = await service.person()
    await times(10, () => service.login(email, 'not the password'))
    return service.login(email)
  },
  // The last: it moves the clock.
  guest_key_expired: async () => {
    const key = await service.guest()
    service.advance(DAY_MS)
    return price({ key })
  },
}

/** Values differ from the example's: seconds to wait, limits in bytes. */
const withoutDigits = (message: string): string => message.replaceAll(/\d+/g, 'N')

describe('the message in the reference is the one that is sent', () => {
  for (const [code, provoke] of Object.entries(provoked))
    it(`for ${code}`, async () => {
      const { body, status, text } = await provoke()
      assert.equal(body.error?.code, code, text)
      assert.equal(status, failures[code as FailureCode].status)
      assert.equal(withoutDigits(body.message), withoutDigits(failureMessages[code]))
      assert.deepEqual(Object.keys(body.error), Object.keys(failureReply(code).error))
    })

  it('for all codes but those of malformed HTTP, or of a service that is closed, overloaded, cut off or at fault', () => {
    const others = Object.keys(failures).filter((code) => !(code in provoked))
    const ofHttp = ['request_timeout', 'headers_too_large', 'not_implemented']
    assert.deepEqual(others, [
      ...ofHttp,
      'closed',
      'token_invalid',
      'sign_on_failed',
      'role_forbidden',
      'second_person_needed',
      'overloaded',
      'unavailable',
      'internal',
    ])
  })
})
