/** An account as lines for a person. */

import { limitsOf, type Tiers } from '../ledger/tiers.ts'
import { isoTime } from '../time.ts'
import type { FoundAccount } from './views.ts'

/** One line per label and value. */
export function accountText(account: FoundAccount, tiers: Tiers): string {
  const { day, hour } = limitsOf(account, tiers)
  const own = account.hourLimit !== null || account.dayLimit !== null ? ' (set for this account)' : ''
  const lines: [string, unknown][] = [
    ['account', account.accountId],
    ['e-mail', account.email],
    ['username', account.username],
    ['full name', account.fullName],
    ['type', account.tier],
    ['credits', `${account.credits} (granted ${account.granted}, spent ${account.spent})`],
    ['debt', account.debt > 0 ? account.debt : null],
    ...account.lots.map((lot): [string, unknown] => [
      'expiring',
      `${lot.remaining} at ${isoTime(lot.expiresAt)}`,
    ]),
    ['API key', account.keyStatus && `${account.keyStatus}, created ${isoTime(account.keyCreatedAt)}`],
    ['limits', `${hour} an hour${day === null ? '' : `, ${day} a day`}${own}`],
    ['second factor', account.mfaEnabledAt === null ? 'off' : `on since ${isoTime(account.mfaEnabledAt)}`],
    ['created', isoTime(account.createdAt)],
    ['expires', isoTime(account.expiresAt)],
    ['taken over by', account.linkedTo],
  ]
  return lines
    .filter(([, value]) => value !== null)
    .map(([label, value]) => `${label.padEnd(14)} ${value}`)
    .join('\n')
}
