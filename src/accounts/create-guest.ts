/** Creates a guest key: valid for 24 hours, 50 credits, no e-mail address. */
import Type from 'typebox'
import { uuidv7 } from '../ids.ts'
import { GUEST_LIFETIME_MS } from '../ledger/tiers.ts'
import { sealKey } from '../secrets/keys.ts'
import { accountEndpoint } from './account-endpoint.ts'
import { eventOf } from './context.ts'
import { amount, apiKey, deviceField, instant } from './fields.ts'
import { perIp } from './limits.ts'

export const createGuest = accountEndpoint({
  method: 'POST',
  path: '/guest/create',
  area: 'Guest keys',
  title: 'Create a guest key',
  summary:
    'Returns a key that is valid for 24 hours and has 50 credits. No e-mail address is needed. Guest keys are limited to 60 computations per hour and 50 per day.',
  key: 'none',
  perIp: perIp.guest,
  query: null,
  input: Type.Object({
    device_id: deviceField('identifier of the device; you choose it'),
    device_name: deviceField('name of the device, for people'),
    platform: deviceField('operating system or runtime'),
  }),
  output: Type.Object({
    api_key: apiKey,
    credit_balance: amount('credits of the key'),
    expires_at: instant('when the key expires: after 24 hours'),
  }),
  message: null,
  failures: ['closed', 'too_many_attempts'],
  example: {
    input: { device_id: 'd-1', device_name: 'laptop', platform: 'linux' },
    output: {
      api_key: 'qd_guest_9mT2xKq7Lw0ZbRc4VnYf8HsDj1Pa6GtUe3QiXo5SvBk',
      credit_balance: 50,
      expires_at: '2026-01-02T12:00:00.000Z',
    },
  },
  async handle({ initialCredits, store, vault }, { input, origin }) {
    const uid = uuidv7()
    const { apiKey, stored } = sealKey(vault, 'guest', uid)
    const { expiresAt } = await store.createGuest({
      uid,
      key: stored,
      credits: initialCredits.guest,
      lifetimeMs: GUEST_LIFETIME_MS,
      device: { id: input.device_id, name: input.device_name, platform: input.platform },
      event: eventOf(origin),
    })
    return {
      api_key: apiKey,
      credit_balance: initialCredits.guest,
      expires_at: new Date(expiresAt).toISOString(),
    }
  },
})
