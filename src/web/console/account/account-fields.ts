/** The fields of account forms. */
import type { DescribedField } from '../field.tsx'

type More = Pick<DescribedField, 'description' | 'inputmode'>

const field = (name: string, kind: string, autocomplete: string, more: More = {}): DescribedField => ({
  name,
  kind,
  required: true,
  autocomplete,
  ...more,
})

export const email = field('email', 'email', 'email')
export const username = field('username', 'text', 'name')
export const password = field('password', 'password', 'current-password')

const LENGTH = { description: '8 to 128 characters' }
export const chosenPassword = field('password', 'password', 'new-password', LENGTH)
export const newPassword = field('new_password', 'password', 'new-password', LENGTH)

const code = (name: string, description: string, more?: More) =>
  field(name, 'text', 'one-time-code', { description, ...more })
const DIGITS = { inputmode: 'numeric' } as const
export const mailCode = code('otp', 'six digits, from the mail', DIGITS)
export const resetCode = code('otp', 'twelve letters and digits, from the mail')
export const appCode = code('code', 'six digits, from the app', DIGITS)
export const secondFactor = code('mfa_code', 'six digits from the app, or a recovery code')
