/** Creates a guest key: valid for 24 hours, 50 credits, no e-mail address. */

import { uuidv7 } from '../base/ids.ts'
import { GUEST_LIFETIME_MS } from '../base/limits/callers.ts'
import { isoTime } from '../base/time.ts'
import { Type } from '../base/type.ts'
import { type EventOrigin, writeEvent } from '../ledger/store/events.ts'
import type { Sql, Transaction } from '../ledger/store/sql.ts'
import { type StoredKey, sealKey } from '../secrets/keys.ts'
import { accountEndpoint, eventOf } from './account-endpoint.ts'
import { perIp } from './attempts.ts'
import { amount, apiKey, deviceField, instant } from './field-schemas.ts'
import { type Device, openAccount } from './open-account.ts'

export const createGuest = accountEndpoint({
  path: '/guest/create',
  area: 'Guest keys',
  title: 'Create a guest key',
  summary:
    'Returns a key that is valid for 24 hours and has 50 credits. No e-mail address is needed. Guest keys are limited to 60 computations per hour and 50 per day.',
  key: 'none',
  perIp: perIp.guest,
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
    const credits = initialCredits().guest
    const uid = uuidv7()
    const { apiKey, stored } = sealKey(vault, 'guest', uid)
    const expiresAt = await store.run(addGuest, {
      uid,
      key: stored,
      credits,
      device: { id: input.device_id, name: input.device_name, platform: input.platform },
      event: eventOf(origin),
    })
    return {
      api_key: apiKey,
      credit_balance: credits,
      expires_at: isoTime(expiresAt),
    }
  },
})

interface NewGuest {
  readonly uid: string
  readonly key: StoredKey
  readonly credits: number
  readonly device: Device
  readonly event: EventOrigin
}

/** Creates a guest account; returns its end in epoch milliseconds on the database's clock. */
export function* addGuest(sql: Sql, guest: NewGuest): Transaction<number> {
  const { credits, device, event, key, uid } = guest
  const now = yield* sql.clock()
  const expiresAt = now + GUEST_LIFETIME_MS
  const grant = { credits, reason: 'guest_creation' }
  // Only an address can conflict, and a guest has none.
  const opened = (yield* openAccount(sql, { uid, tier: 'guest', key, grant, expiresAt, device }, now))!
  yield* writeEvent(sql, event, { at: now, ...opened, name: 'guest_created' })
  return expiresAt
}
