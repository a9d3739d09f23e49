/** The profile of the account that the key belongs to. */

import { isoTime } from '../base/time.ts'
import { Type } from '../base/type.ts'
import { callersAccount } from './account.ts'
import { accountEndpoint } from './account-endpoint.ts'
import { amount, flag, instant, keyStatus, shownOwner } from './field-schemas.ts'

const registeredProfile = Type.Object({
  ...shownOwner,
  created_at: instant('when the account was created'),
  mfa_enabled: flag('whether the second factor is on'),
  api_key_created_at: instant('when the key was created'),
  api_key_status: keyStatus,
})

const guestProfile = Type.Object({
  account_type: Type.Enum(['guest'], { description: 'always guest' }),
  credits: amount('current balance'),
  expires_at: instant('when the key expires: after 24 hours'),
  api_key_created_at: instant('when the key was created'),
  api_key_status: keyStatus,
})

export const profile = accountEndpoint({
  path: '/user/profile',
  area: 'Accounts',
  title: 'Profile',
  summary: 'Returns the account that the key belongs to. Guests have no user_id, address or name.',
  key: 'any',
  output: Type.Union([registeredProfile, guestProfile]),
  example: {
    output: {
      user_id: 1,
      email: 'ada@example.org',
      full_name: 'ada',
      credits: 349,
      account_type: 'free',
      created_at: '2026-01-01T12:00:00.000Z',
      mfa_enabled: false,
      api_key_created_at: '2026-01-01T12:00:00.000Z',
      api_key_status: 'active',
    },
  },
  async handle(context, { caller }) {
    const account = await callersAccount(context, caller.accountId)
    const key = {
      api_key_created_at: isoTime(account.key.createdAt),
      api_key_status: account.key.status,
    }
    if (account.tier === 'guest')
      return {
        account_type: 'guest' as const,
        credits: account.credits,
        expires_at: isoTime(account.expiresAt!),
        ...key,
      }
    return {
      user_id: account.accountId,
      email: account.email!,
      full_name: account.fullName!,
      credits: account.credits,
      account_type: account.tier,
      created_at: isoTime(account.createdAt),
      mfa_enabled: account.totp?.enabled ?? false,
      ...key,
    }
  },
})
