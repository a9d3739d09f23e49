/** Accounts as lines for a person. */
import { limitsOf, type Tiers } from '../../ledger/tiers.ts'
import { instant } from '../../operator/account-json.ts'
import type { AccountView, FoundAccount } from '../../operator/views.ts'

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
      `${lot.remaining} at ${instant(lot.expiresAt)}`,
    ]),
    ['API key', account.keyStatus && `${account.keyStatus}, created ${instant(account.keyCreatedAt)}`],
    ['limits', `${hour} an hour${day === null ? '' : `, ${day} a day`}${own}`],
    ['second factor', account.mfaEnabledAt === null ? 'off' : `on since ${instant(account.mfaEnabledAt)}`],
    ['created', instant(account.createdAt)],
    ['expires', instant(account.expiresAt)],
    ['taken over by', account.linkedTo],
  ]
  return lines
    .filter(([, value]) => value !== null)
    .map(([label, value]) => `${label.padEnd(14)} ${value}`)
    .join('\n')
}

export const listHeading = row(['account', 'type', 'credits', 'API key', 'created', 'expires', 'e-mail'])

export const listLine = (account: AccountView): string =>
  row([
    account.accountId,
    account.tier,
    account.credits,
    account.keyStatus ?? 'none',
    instant(account.createdAt).slice(0, 10),
    instant(account.expiresAt)?.replace('T', ' ').slice(0, 16) ?? '-',
    account.email ?? (account.linkedTo === null ? '-' : `- (taken over by account ${account.linkedTo})`),
  ])

function row([account, tier, credits, key, created, expires, email]: readonly unknown[]): string {
  const columns = [String(account).padStart(9), String(tier).padEnd(8), String(credits).padStart(11)]
  const dates = [String(created).padEnd(10), String(expires).padEnd(16)]
  return [...columns, String(key).padEnd(9), ...dates, email].join('  ')
}
