/** The page where a key is created, entered, recovered and forgotten. */
import { copyButton } from './copy.js'
import { h } from './dom.js'
import { field } from './field.js'
import { form } from './form.js'
import { guestButton, thisDevice } from './guest.js'
import { labelOf } from './labels.js'
import { problem } from './problem.js'
import { hold, isGuest, key, onChange } from './session.js'

export function keyPage() {
  return [
    h('h1', {}, 'API key'),
    h('p', { class: 'lead' }, 'The key is stored in this browser tab only. Closing the tab removes it.'),
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
    if (key() === null) return box.replaceChildren(h('p', {}, 'No key is in use.'))
    const { apiKey, expiresAt } = key()
    const forget = h('button', { type: 'button', class: 'small quiet' }, 'Forget this key')
    forget.addEventListener('click', () => hold(null))
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
          forget,
          h('a', { href: '#/' }, 'Go to the computations'),
        ),
      ),
    )
  }
  onChange(update)
  update()
  return box
}

const card = (title, ...children) => h('section', { class: 'card' }, h('h2', {}, title), ...children)

const textField = (name, more = {}) => ({
  name,
  label: labelOf(name),
  kind: 'text',
  required: true,
  description: '',
  bounds: '',
  ...more,
})
const email = textField('email', { kind: 'email', autocomplete: 'email' })
const password = textField('password', { kind: 'password', autocomplete: 'current-password' })
const newPassword = textField('password', {
  label: 'New password',
  kind: 'password',
  autocomplete: 'new-password',
  description: '8 to 128 characters',
})
const code = textField('otp', {
  autocomplete: 'one-time-code',
  description: 'from the mail',
})

function guestCard() {
  const values = thisDevice()
  const parts = Object.entries(values).map(([name, example]) => field(textField(name, { example })))
  const device = () => Object.fromEntries(parts.map((part) => [part.name, part.value() ?? '']))
  return card(
    'Guest key',
    h('p', {}, 'Needs no e‑mail address, is valid for 24 hours and holds 50 credits.'),
    h(
      'details',
      {},
      h('summary', {}, 'Device information that is sent'),
      parts.map(({ element }) => element),
    ),
    h('p', { class: 'actions' }, guestButton(device)),
  )
}

function pasteCard() {
  const part = field(
    textField('key', {
      label: 'API key',
      kind: 'password',
      description: 'begins with qd_user_ or qd_guest_',
    }),
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
      part.showError(
        'This is not an API key: a key begins with qd_user_ or qd_guest_, followed by 43 letters and digits.',
      )
      part.control.focus()
      return
    }
    hold(given)
    part.control.value = ''
  })
  return card('I have a key', element)
}

/** A form that shows the outcome below itself. */
function asking({ path, fields, action, quiet, done, added }) {
  const outcome = h('div', { 'aria-live': 'polite' })
  const { element } = form({
    path,
    action,
    quiet,
    fields,
    added,
    onReply: (reply, left, sent) => {
      if (!reply.success) return outcome.replaceChildren(problem(reply, left))
      outcome.replaceChildren(h('p', { class: 'done' }, done(reply, sent)))
    },
  })
  element.append(outcome)
  return element
}

function loginCard() {
  const mfa = textField('mfa_code', {
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
      h('summary', {}, 'I forgot my password'),
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

const STORED = 'quantd-registration'

/** The token of this tab's registration: with it the code confirms this registration and no other of the address. */
const tokenFor = ({ email }) => {
  const made = JSON.parse(sessionStorage.getItem(STORED) ?? 'null')
  return made?.email === email ? { registration: made.registration } : {}
}

function registerCard() {
  const verify = asking({
    path: '/user/verify-otp',
    action: 'Verify',
    fields: [email, code],
    added: tokenFor,
    done: ({ data }) => {
      sessionStorage.removeItem(STORED)
      hold(data.api_key)
      return data.message
    },
  })
  const again = asking({
    path: '/user/resend-otp',
    action: 'Send the code again',
    quiet: true,
    fields: [email],
    added: tokenFor,
    done: ({ data }) => data.message,
  })
  const second = h('details', {}, h('summary', {}, 'I have a code'), verify, again)
  const first = asking({
    path: '/user/register',
    action: 'Register',
    fields: [textField('username', { autocomplete: 'name' }), email, { ...newPassword, label: 'Password' }],
    done: ({ data }, sent) => {
      const { registration } = data
      sessionStorage.setItem(STORED, JSON.stringify({ email: sent.email, registration }))
      second.open = true
      for (const input of second.querySelectorAll('input[name="email"]')) input.value = sent.email
      second.querySelector('input[name="otp"]').focus()
      return data.message
    },
  })
  return card('Register', h('p', {}, 'You receive a permanent key and 350 credits.'), first, second)
}
