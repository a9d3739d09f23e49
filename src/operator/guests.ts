/** The changes that are made of registered accounts only. */

const REASONS = {
  tier: 'its type cannot be changed',
  limits: 'its limits cannot be changed',
  key: 'its key cannot be replaced',
  credits: 'it cannot be granted credits',
  second_factor: 'it has no second factor',
} as const

export type RegisteredOnly = keyof typeof REASONS

export const guestRefusal = (accountId: number, change: RegisteredOnly): string =>
  `Account ${accountId} is a guest: ${REASONS[change]}.`
