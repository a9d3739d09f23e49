/** Endpoints that hand out keys: guest creation, registration, verification, login, regeneration. */
import Type from 'typebox'
import { endpoint } from './endpoint.ts'
import {
  accountType,
  amount,
  apiKey,
  deviceField,
  email,
  fullName,
  instant,
  mfaCode,
  newPassword,
  notice,
  otp,
  password,
  text,
  username,
  whole,
} from './fields.ts'

const EXAMPLE_KEY = 'qd_user_4fPqZ0s8Vw2LkTtYb6NhXc9RjAe1GmUo3DiQv7SxKzB'
export const CODE_SENT = 'A code is on its way to this address. It is valid for 10 minutes.'
export const VERIFIED = 'The address is verified. Keep this key: it does not expire.'
export const REGENERATED = 'This is your new key. The old one has stopped working.'

export const guestCreate = endpoint({
  method: 'POST',
  path: '/guest/create',
  area: 'Guest keys',
  title: 'Create a guest key',
  summary:
    'Makes a key that is valid for 24 hours and holds 50 credits; no e-mail address needed. Guest keys are limited to 60 computations an hour and 50 a day.',
  key: 'none',
  query: null,
  input: Type.Object({
    device_id: deviceField('identifier of the device, of your own making'),
    device_name: deviceField('name a person knows the device by'),
    platform: deviceField('operating system or runtime'),
  }),
  output: Type.Object({
    api_key: apiKey,
    credit_balance: amount('credits on the key'),
    expires_at: instant('end of the key’s 24 hours'),
  }),
  message: null,
  failures: ['too_many_attempts'],
  example: {
    input: { device_id: 'd-1', device_name: 'laptop', platform: 'linux' },
    output: {
      api_key: 'qd_guest_9mT2xKq7Lw0ZbRc4VnYf8HsDj1Pa6GtUe3QiXo5SvBk',
      credit_balance: 50,
      expires_at: '2026-01-02T12:00:00.000Z',
    },
  },
})

export const userRegister = endpoint({
  method: 'POST',
  path: '/user/register',
  area: 'Accounts',
  title: 'Register',
  summary:
    'Starts a registration: a one-time code goes to the address. The reply is the same whether or not the address is known. A guest key given along is turned into this account on verification: its remaining credits and its history move over, and the guest key ends.',
  key: 'none',
  query: null,
  input: Type.Object({
    username,
    email,
    password: newPassword,
    full_name: Type.Optional(fullName),
    guest_api_key: Type.Optional(text('a guest key to take over; an unusable one is ignored')),
  }),
  output: Type.Object({ email: text('the address the code was sent to'), message: notice }),
  message: null,
  failures: ['too_many_attempts', 'overloaded'],
  example: {
    input: { username: 'ada', email: 'ada@example.org', password: 'correct horse battery staple' },
    output: { email: 'ada@example.org', message: CODE_SENT },
  },
})

export const userVerifyOtp = endpoint({
  method: 'POST',
  path: '/user/verify-otp',
  area: 'Accounts',
  title: 'Verify the address',
  summary:
    'Confirms the registration with the code from the mail and returns the account’s permanent key. The new account holds 350 credits. Codes: 6 digits, 10 minutes, one use, 5 attempts.',
  key: 'none',
  query: null,
  input: Type.Object({ email, otp }),
  output: Type.Object({ api_key: apiKey, message: notice }),
  message: null,
  failures: ['otp_invalid', 'too_many_attempts'],
  example: {
    input: { email: 'ada@example.org', otp: '123456' },
    output: {
      api_key: EXAMPLE_KEY,
      message: VERIFIED,
    },
  },
})

export const userResendOtp = endpoint({
  method: 'POST',
  path: '/user/resend-otp',
  area: 'Accounts',
  title: 'Send the code again',
  summary:
    'Sends a fresh code for the newest registration of the address. Within 60 seconds of the last mail the reply is the same and no second mail is sent.',
  key: 'none',
  query: null,
  input: Type.Object({ email }),
  output: Type.Object({ email: text('the address'), message: notice }),
  message: null,
  failures: ['too_many_attempts'],
  example: { input: { email: 'ada@example.org' }, output: { email: 'ada@example.org', message: CODE_SENT } },
})

export const userLogin = endpoint({
  method: 'POST',
  path: '/user/login',
  area: 'Accounts',
  title: 'Log in',
  summary:
    'Returns the account’s current key: a lost key is recovered this way. With a second factor switched on, `mfa_code` is needed too.',
  key: 'none',
  query: null,
  input: Type.Object({ email, password, mfa_code: Type.Optional(mfaCode) }),
  output: Type.Object({
    api_key: apiKey,
    user: Type.Object(
      {
        user_id: whole('the account’s number'),
        email: text('the address'),
        full_name: text('full name'),
        credits: amount('current balance'),
        account_type: accountType(),
      },
      { description: 'the account' },
    ),
  }),
  message: 'Login successful',
  failures: [
    'invalid_credentials',
    'mfa_required',
    'mfa_invalid',
    'key_suspended',
    'too_many_attempts',
    'overloaded',
  ],
  example: {
    input: { email: 'ada@example.org', password: 'correct horse battery staple' },
    output: {
      api_key: EXAMPLE_KEY,
      user: { user_id: 1, email: 'ada@example.org', full_name: 'ada', credits: 350, account_type: 'free' },
    },
  },
})

export const userRegenerateApiKey = endpoint({
  method: 'POST',
  path: '/user/regenerate-api-key',
  area: 'Accounts',
  title: 'Replace the key',
  summary:
    'Returns a new key; the old one is refused from the very next request. No body is needed, except `mfa_code` where a second factor is switched on. Not for guest keys.',
  key: 'registered',
  query: null,
  input: Type.Object({ mfa_code: Type.Optional(mfaCode) }),
  output: Type.Object({ api_key: apiKey, message: notice }),
  message: null,
  failures: ['mfa_required', 'mfa_invalid', 'too_many_attempts'],
  example: {
    input: {},
    output: {
      api_key: EXAMPLE_KEY,
      message: REGENERATED,
    },
  },
})
