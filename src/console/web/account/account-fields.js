/** The fields of account forms. */

const field = (name, kind, more = {}) => ({ name, kind, required: true, ...more })

export const email = field('email', 'email', { autocomplete: 'email' })
export const username = field('username', 'text', { autocomplete: 'name' })
export const password = field('password', 'password', { autocomplete: 'current-password' })
export const chosenPassword = field('password', 'password', {
  autocomplete: 'new-password',
  description: '8 to 128 characters',
})
export const newPassword = field('new_password', 'password', {
  autocomplete: 'new-password',
  description: '8 to 128 characters',
})
export const mailCode = field('otp', 'text', {
  autocomplete: 'one-time-code',
  inputmode: 'numeric',
  description: 'six digits, from the mail',
})
export const resetCode = field('otp', 'text', {
  autocomplete: 'one-time-code',
  description: 'twelve letters and digits, from the mail',
})
export const appCode = field('code', 'text', {
  autocomplete: 'one-time-code',
  inputmode: 'numeric',
  description: 'six digits, from the app',
})
export const secondFactor = field('mfa_code', 'text', {
  autocomplete: 'one-time-code',
  description: 'six digits from the app, or a recovery code',
})
