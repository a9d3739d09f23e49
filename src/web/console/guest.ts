/** Creates guest keys, which the browser stores until they expire. */
import type { GuestCreateData } from '../../../clients/typescript/types.ts'
import type { Reply } from './replies.ts'
import { hold, send } from './session.ts'
import { tabStorage } from './tab-storage.ts'

let asked: Promise<Reply<GuestCreateData>> | null = null

/** Creates a guest key and uses it; resolves with the reply. A second click meanwhile creates no second key. */
export function becomeGuest() {
  asked ??= guestKey().finally(() => {
    asked = null
  })
  return asked
}

async function guestKey() {
  const reply = await send<GuestCreateData>('/guest/create', JSON.stringify(thisDevice()))
  if (reply.success)
    hold(reply.data.api_key, {
      expiresAt: reply.data.expires_at,
      until: reply.data.expires_at,
      credits: reply.data.credit_balance,
    })
  return reply
}

const thisDevice = () => ({
  device_id: deviceId(),
  device_name: `${browser()} on ${platform()}`,
  platform: platform(),
})

/** A random id, the same for the session of the tab. */
function deviceId() {
  const stored = tabStorage.getItem('quantd-device')
  if (stored !== null) return stored
  const bytes = crypto.getRandomValues(new Uint8Array(8))
  const made = `web-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
  tabStorage.setItem('quantd-device', made)
  return made
}

const browser = () =>
  ['Firefox', 'Edg', 'Chrome', 'Safari']
    .find((name) => navigator.userAgent.includes(name))
    ?.replace('Edg', 'Edge') ?? 'Browser'

const platform = () =>
  (navigator as Navigator & { readonly userAgentData?: { readonly platform: string } }).userAgentData
    ?.platform ||
  navigator.platform ||
  'web'
