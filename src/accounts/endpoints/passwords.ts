/** Endpoints about passwords and the second factor. */
import Type from 'typebox'
import { endpoint } from './endpoint.ts'
import { email, flag, listOf, mfaCode, newPassword, notice, password, text } from './fields.ts'

export const RESET_CODE_SENT = 'Where an account has this address, a reset code is on its way to it.'
export const PASSWORD_RESET = 'The password is changed. Log in with the new one.'
export const PASSWORD_CHANGED = 'The password is changed.'

const resetCode = Type.String({
  description: 'the reset code from the mail: 12 characters',
  minLength: 1,
  maxLength: 64,
})

export const userForgotPassword = endpoint({
  method: 'POST',
  path: '/user/forgot-password',
  area: 'Accounts',
  title: 'Forgot password',
  summary:
    'Sends a reset code to the address, where an account has it. The reply is the same whether or not the address is known.',
  key: 'none',
  query: null,
  input: Type.Object({ email }),
  output: Type.Object({ email: text('the address'), message: notice }),
  message: null,
  failures: ['too_many_attempts'],
  example: {
    input: { email: 'ada@example.org' },
    output: {
      email: 'ada@example.org',
      message: RESET_CODE_SENT,
    },
  },
})

export const userResetPassword = endpoint({
  method: 'POST',
  path: '/user/reset-password',
  area: 'Accounts',
  title: 'Reset the password',
  summary: 'Sets a new password with the code from the mail. The API key stays as it is.',
  key: 'none',
  query: null,
  input: Type.Object({ email, otp: resetCode, password: newPassword }),
  output: Type.Object({ message: notice }),
  message: null,
  failures: ['otp_invalid', 'too_many_attempts', 'overloaded'],
  example: {
    input: { email: 'ada@example.org', otp: 'K7QW2M4XR5TA', password: 'another horse battery staple' },
    output: { message: PASSWORD_RESET },
  },
})

export const userChangePassword = endpoint({
  method: 'POST',
  path: '/user/change-password',
  area: 'Accounts',
  title: 'Change the password',
  summary: 'Sets a new password, given the present one.',
  key: 'registered',
  query: null,
  input: Type.Object({ password, new_password: newPassword }),
  output: Type.Object({ message: notice }),
  message: null,
  failures: ['invalid_credentials', 'conflict', 'too_many_attempts', 'overloaded'],
  example: {
    input: { password: 'correct horse battery staple', new_password: 'another horse battery staple' },
    output: { message: PASSWORD_CHANGED },
  },
})

export const userMfaSetup = endpoint({
  method: 'POST',
  path: '/user/mfa/setup',
  area: 'Second factor',
  title: 'Set up a second factor',
  summary:
    'Returns a secret for an authenticator app (TOTP, RFC 6238: SHA-1, 6 digits, 30 seconds). The second factor is on once a first code is confirmed with /user/mfa/enable.',
  key: 'registered',
  query: null,
  input: Type.Object({ password }),
  output: Type.Object({
    secret: text('the shared secret, base32'),
    otpauth_url: text('the same as an otpauth:// address, for a QR code'),
  }),
  message: null,
  failures: ['invalid_credentials', 'conflict', 'too_many_attempts', 'overloaded'],
  example: {
    input: { password: 'correct horse battery staple' },
    output: {
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      otpauth_url:
        'otpauth://totp/quantd:ada%40example.org?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=quantd',
    },
  },
})

export const userMfaEnable = endpoint({
  method: 'POST',
  path: '/user/mfa/enable',
  area: 'Second factor',
  title: 'Switch the second factor on',
  summary:
    'Confirms the first code of the authenticator app and returns ten recovery codes, each good for one use in place of a code. They are shown this once.',
  key: 'registered',
  query: null,
  input: Type.Object({ code: mfaCode }),
  output: Type.Object({ recovery_codes: listOf(Type.String(), 'ten recovery codes, single use') }),
  message: null,
  failures: ['mfa_invalid', 'conflict', 'too_many_attempts'],
  example: {
    input: { code: '492039' },
    output: {
      recovery_codes: [
        'Q4TZ-9WKM-2XHB',
        '7RNC-V5LD-J3YP',
        'M8FG-T2QA-6SEW',
        'B9XK-4HJU-R7ZD',
        'N3VP-C6MY-8LTQ',
        'W5EA-J2RG-4KXF',
        'H7DS-9BQN-U6CZ',
        'T4LM-P8VY-3WJE',
        'K6GX-R5FA-9HQB',
        'Z2UC-N7TD-M4SV',
      ],
    },
  },
})

export const userMfaDisable = endpoint({
  method: 'POST',
  path: '/user/mfa/disable',
  area: 'Second factor',
  title: 'Switch the second factor off',
  summary: 'Takes a code of the authenticator app, or a recovery code.',
  key: 'registered',
  query: null,
  input: Type.Object({ code: mfaCode }),
  output: Type.Object({ mfa_enabled: flag('false from now on') }),
  message: null,
  failures: ['mfa_invalid', 'conflict', 'too_many_attempts'],
  example: { input: { code: '492039' }, output: { mfa_enabled: false } },
})
