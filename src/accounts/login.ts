/** Login: checks the password and, if it is on, the second factor; returns the current key of the account. */
import { keyBeingReplaced, keySuspended, wrongPassword } from '../base/errors/accounts.ts'
import { PADDED_MS } from '../base/limits/callers.ts'
import { Type } from '../base/type.ts'
import type { Tier } from '../ledger/rules/tiers.ts'
import { writeEvent } from '../ledger/store/events.ts'
import { first, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { Origin } from '../protocol/handler.ts'
import { openApiKey } from '../secrets/keys.ts'
import { findAccount, isRegistered, type RegisteredAccount } from './account.ts'
import { type AccountContext, accountEndpoint, eventOf, type OwnAct } from './account-endpoint.ts'
import { addressOf, padResponseTime } from './address.ts'
import { checkPassword, perIp } from './attempts.ts'
import { apiKey, EXAMPLE_KEY, email, mfaCode, password, shownOwner } from './field-schemas.ts'
import { checkSecondFactor } from './second-factor.ts'

export const login = accountEndpoint({
  path: '/user/login',
  area: 'Accounts',
  title: 'Log in',
  summary:
    'Returns the current key of the account. Use it to recover a lost key. If the second factor is on, `mfa_code` is required. If wrong passwords from other client addresses have used up the limit of the address, /user/reset-password ends the wait for the client address that it is sent from.',
  key: 'none',
  perIp: perIp.guesses,
  input: Type.Object({ email, password, mfa_code: Type.Optional(mfaCode) }),
  output: Type.Object({
    api_key: apiKey,
    user: Type.Object(shownOwner, { description: 'the account' }),
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
  async handle(context, { input, origin }) {
    const account = await padResponseTime(
      () => checkPassword(context, addressOf(input.email), input.password, origin.subject),
      PADDED_MS.login,
    )
    await checkSecondFactor(context, account, input.mfa_code, origin)
    return await keyOf(context, account, origin)
  },
})

/** The current key of an account, for its owner. Throws Failure `key_suspended` or `conflict`. */
export async function keyOf(context: AccountContext, account: RegisteredAccount, origin: Origin) {
  const { apiKey, credits, tier } = await currentKey(context, account, origin)
  return {
    api_key: apiKey,
    user: {
      user_id: account.accountId,
      email: account.email,
      full_name: account.fullName,
      credits,
      account_type: tier as Exclude<Tier, 'guest'>,
    },
  }
}

/** The key can be replaced after the account was read; then the new key is read. */
const MAX_TRIES = 3

async function currentKey(context: AccountContext, account: RegisteredAccount, origin: Origin) {
  const { accountId, uid } = account
  let { key } = account
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    if (key === null || key.status === 'suspended') throw keySuspended()
    const apiKey = openApiKey(context.vault, key, uid)
    const shown = await context.store.run(revealKey, { accountId, keyId: key.keyId, event: eventOf(origin) })
    if (shown !== null) return { apiKey, ...shown }
    const present = await context.store.run(findAccount, { accountId })
    // Deleted meanwhile: the address and the password are those of no account any more.
    if (!isRegistered(present)) throw wrongPassword()
    key = present.key
  }
  throw keyBeingReplaced()
}

/** Records that a key was shown. Null: the account has another active key by now. */
export function* revealKey(
  sql: Sql,
  { accountId, event, keyId }: OwnAct & { readonly keyId: number },
): Transaction<{ credits: number; tier: Tier } | null> {
  yield* sql.lock([accountId])
  const now = yield* sql.clock()
  const account = yield* first(
    sql.db
      .selectFrom('accounts')
      .innerJoin('api_keys', 'api_keys.account_id', 'accounts.id')
      .select(['accounts.balance as credits', 'accounts.tier'])
      .where('accounts.id', '=', accountId)
      .where('api_keys.id', '=', keyId)
      .where('api_keys.status', '=', 'active'),
  )
  if (account === undefined) return null
  yield* writeEvent(sql, event, { at: now, accountId, keyId, name: 'key_revealed' })
  return account
}
