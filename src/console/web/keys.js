/** The page where a key is got, entered, recovered and put away. */
import { copyButton } from './copy.js'
import { h } from './dom.js'
import { field } from './field.js'
import { form } from './form.js'
import { guestButton, thisDevice } from './guest.js'
import { problem } from './problem.js'
import { hold, isGuest, key, onChange } from './session.js'

export function keyPage() {
  return [
    h('h1', {}, 'API key'),
    h('p', { class: 'lead' }, 'The key is kept in this browser tab only, and forgotten when it is closed.'),
    present(),
    h(
      'div',
      { class: 'cards' },
      h('div', { class: 'stack' }, guestCard(), pasteCard()),
      loginCard(),
      registerCard(),
    ),
  ]
}

/** The key in use. */
function present() {
  const box = h('div', { 'aria-live': 'polite' })
  const update = () => {
    if (key() === null) return box.replaceChildren(h('p', {}, 'There is no key in use.'))
    const { apiKey, expiresAt } = key()
    const away = h('button', { type: 'button', class: 'small quiet' }, 'Forget this key')
    away.addEventListener('click', () => hold(null))
    box.replaceChildren(
      h(
        'div',
        { class: 'callout' },
        h(
          'p',
          {},
          h('strong', {}, isGuest() ? 'Guest key in use' : 'Your key is in use'),
          expiresAt === null ? '' : `, until ${new Date(expiresAt).toLocaleString()}`,
        ),
        h('p', { class: 'key' }, h('code', {}, apiKey)),
        h(
          'p',
          { class: 'actions' },
          copyButton(() => apiKey, 'Copy the key'),
          away,
          h('a', { href: '#/' }, 'Compute something'),
        ),
      ),
    )
  }
  onChange(update)
  update()
  return box
}

const card = (title, ...children) => h('section', { class: 'card' }, h('h2', {}, title), ...children)

const textField = (name, label, more = {}) => ({
  name,
  label,
  kind: 'text',
  required: true,
  description: '',
  bounds: '',
  ...more,
})
const email = textField('email', 'E-mail address', { kind: 'email', autocomplete: 'email' })
const password = textField('password', 'Password', { kind: 'password', autocomplete: 'current-password' })
const newPassword = textField('password', 'New password', {
  kind: 'password',
  autocomplete: 'new-password',
  description: '8 to 128 characters',
})
const code = textField('otp', 'Code from the mail', { autocomplete: 'one-time-code' })

function guestCard() {
  const values = thisDevice()
  const parts = Object.entries({
    device_id: 'Device id',
    device_name: 'Device name',
    platform: 'Platform',
  }).map(([name, label]) => field(textField(name, label, { example: values[name] })))
  const device = () => Object.fromEntries(parts.map((part) => [part.name, part.value() ?? '']))
  return card(
    'As a guest',
    h('p', {}, '24 hours, 50 credits, no e‑mail address.'),
    h(
      'details',
      {},
      h('summary', {}, 'What is sent about this device'),
      parts.map(({ element }) => element),
    ),
    h('p', { class: 'actions' }, guestButton(device)),
  )
}

function pasteCard() {
  const part = field(
    textField('key', 'API key', { kind: 'password', description: 'begins with qd_user_ or qd_guest_' }),
  )
  const element = h(
    'form',
    { novalidate: true },
    part.element,
    h('div', { class: 'actions' }, h('button', { type: 'submit' }, 'Use this key')),
  )
  element.addEventListener('submit', (event) => {
    event.preventDefault()
    const given = part.value()?.trim() ?? ''
    if (!/^qd_(user|guest)_[A-Za-z0-9]{43}$/.test(given)) {
      part.showError('This does not have the form of a key.')
      part.control.focus()
      return
    }
    hold(given)
    part.control.value = ''
  })
  return card('I have a key', element)
}

/** A form with a place for what came of it. */
function asking({ path, fields, action, quiet, done }) {
  const outcome = h('div', { 'aria-live': 'polite' })
  const { element } = form({
    path,
    action,
    quiet,
    fields,
    onReply: (reply, left, sent) => {
      if (!reply.success) return outcome.replaceChildren(problem(reply, left))
      outcome.replaceChildren(h('p', { class: 'done' }, done(reply, sent)))
    },
  })
  element.append(outcome)
  return element
}

function loginCard() {
  const mfa = textField('mfa_code', 'MFA code', {
    required: false,
    autocomplete: 'one-time-code',
  })
  return card(
    'Log in',
    asking({
      path: '/user/login',
      action: 'Log in',
      fields: [email, password, mfa],
      done: ({ data }) => {
        hold(data.api_key, { credits: data.user.credits })
        return `Welcome, ${data.user.full_name}.`
      },
    }),
    h(
      'details',
      {},
      h('summary', {}, 'I forgot the password'),
      asking({
        path: '/user/forgot-password',
        action: 'Send a reset code',
        quiet: true,
        fields: [email],
        done: ({ data }) => data.message,
      }),
      asking({
        path: '/user/reset-password',
        action: 'Set the new password',
        fields: [email, code, newPassword],
        done: ({ data }) => data.message,
      }),
    ),
  )
}

function registerCard() {
  const verify = asking({
    path: '/user/verify-otp',
    action: 'Verify',
    fields: [email, code],
    done: ({ data }) => {
      hold(data.api_key)
      return data.message
    },
  })
  const again = asking({
    path: '/user/resend-otp',
    action: 'Send the code again',
    quiet: true,
    fields: [email],
    done: ({ data }) => data.message,
  })
  const second = h('details', {}, h('summary', {}, 'I have a code'), verify, again)
  const first = asking({
    path: '/user/register',
    action: 'Register',
    fields: [
      textField('username', 'Name', { autocomplete: 'name' }),
      email,
      { ...newPassword, label: 'Password' },
    ],
    done: ({ data }, sent) => {
      second.open = true
      for (const input of second.querySelectorAll('input[name="email"]')) input.value = sent.email
      second.querySelector('input[name="otp"]').focus()
      return data.message
    },
  })
  return card('Register', h('p', {}, 'A permanent key and 350 credits.'), first, second)
}
