/** Guest keys: 24 hours, 50 credits, no e-mail address. */
import { uuidv7 } from '../ids.ts'
import { GUEST_CREDITS, GUEST_LIFETIME_MS } from '../ledger/tiers.ts'
import { type KeyMaker, sealKey } from '../secrets/keys.ts'
import type { Store } from '../store/store.ts'
import { guestCreate } from './endpoints/keys.ts'
import { handler } from './handler.ts'

const HOUR_MS = 3_600_000

export const guestHandlers = (store: Store, keys: KeyMaker) => [
  handler(guestCreate, { scope: 'ip guest', limit: 1_000, windowMs: HOUR_MS }, async ({ input, origin }) => {
    const uid = uuidv7()
    const { apiKey, stored } = sealKey(keys, 'guest', uid)
    const { expiresAt } = await store.createGuest({
      uid,
      key: stored,
      credits: GUEST_CREDITS,
      lifetimeMs: GUEST_LIFETIME_MS,
      device: { id: input.device_id, name: input.device_name, platform: input.platform },
      event: { auditId: uuidv7(), ...origin },
    })
    return {
      api_key: apiKey,
      credit_balance: GUEST_CREDITS,
      expires_at: new Date(expiresAt).toISOString(),
    }
  }),
]
