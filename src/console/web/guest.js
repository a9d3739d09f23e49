/** A button that creates a guest key. */
import { h } from './dom.js'
import { problem } from './problem.js'
import { hold, send } from './session.js'

/** `device`: returns the fields to send. */
export function guestButton(device = thisDevice) {
  const button = h('button', { type: 'button' }, 'Get a guest key')
  button.addEventListener('click', async () => {
    if (button.getAttribute('aria-disabled') === 'true') return
    button.setAttribute('aria-disabled', 'true')
    const reply = await send('/guest/create', JSON.stringify(device()))
    button.removeAttribute('aria-disabled')
    button.parentElement.querySelector('.problem')?.remove()
    if (reply.success) {
      hold(reply.data.api_key, { expiresAt: reply.data.expires_at, credits: reply.data.credit_balance })
      document.querySelector('main form button[type="submit"]')?.focus()
    } else button.after(problem(reply, reply.error?.details))
  })
  return button
}

/** Default values of the three device fields. */
export const thisDevice = () => ({
  device_id: deviceId(),
  device_name: `${browser()} on ${platform()}`,
  platform: platform(),
})

/** A random id per session. */
function deviceId() {
  const stored = sessionStorage.getItem('quantd-device')
  if (stored !== null) return stored
  const bytes = crypto.getRandomValues(new Uint8Array(8))
  const made = `web-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
  sessionStorage.setItem('quantd-device', made)
  return made
}

const browser = () =>
  ['Firefox', 'Edg', 'Chrome', 'Safari']
    .find((name) => navigator.userAgent.includes(name))
    ?.replace('Edg', 'Edge') ?? 'Browser'

const platform = () => navigator.userAgentData?.platform || navigator.platform || 'web'
