/** How an account stands: its profile and its credits. */
import { Failure, INVALID_KEY } from '../errors.ts'
import type { Tier } from '../ledger/tiers.ts'
import type { AccountRecord } from '../store/store.ts'
import type { AccountContext } from './context.ts'
import { userCredits, userProfile } from './endpoints/standing.ts'
import { handler } from './handler.ts'

export const profileHandlers = (context: AccountContext) => [
  handler(userProfile, null, async ({ caller }) => {
    const account = await accountOf(context, caller!.accountId)
    const key = {
      api_key_created_at: isoTime(account.key!.createdAt),
      api_key_status: account.key!.status,
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
      account_type: account.tier as Exclude<Tier, 'guest'>,
      created_at: isoTime(account.createdAt),
      mfa_enabled: account.totp?.enabled ?? false,
      ...key,
    }
  }),
  handler(userCredits, null, async ({ caller }) => {
    const grants = await context.store.grants(caller!.accountId)
    const { credits } = await accountOf(context, caller!.accountId)
    const granted = grants.reduce((sum, grant) => sum + grant.credits, 0)
    return {
      credits,
      granted,
      // The ledger's identity: balance = grants + transfers + refunds − debits.
      spent: granted - credits,
      grants: grants.map(({ at, credits, reason }) => ({ at: isoTime(at), credits, reason })),
    }
  }),
]

async function accountOf({ store }: AccountContext, accountId: number): Promise<AccountRecord> {
  const account = await store.findAccount({ accountId })
  // Deleted, or its key revoked, since the key was looked up.
  if (account === null || account.key === null) throw new Failure('api_key_invalid', INVALID_KEY)
  return account
}

const isoTime = (epochMs: number): string => new Date(epochMs).toISOString()
