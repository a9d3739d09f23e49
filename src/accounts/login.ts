/** Login: the password, and the second factor where there is one, for the account's present key. */
import { Failure } from '../errors.ts'
import type { Tier } from '../ledger/tiers.ts'
import { API_KEY_PURPOSE, keyBinding } from '../secrets/keys.ts'
import { addressOf } from './address.ts'
import { type AccountContext, eventOf } from './context.ts'
import { checkPassword, checkSecondFactor, type Member, memberOf } from './credentials.ts'
import { userLogin } from './endpoints/keys.ts'
import { evenTime } from './even-time.ts'
import { handler, type Origin } from './handler.ts'
import { perIp } from './limits.ts'

/** Longer than hashing a password takes on a machine that is not overwhelmed. */
const LEAST_MS = 100

/** A key can be replaced between the look at the account and its showing: then there is another to show. */
const MAX_LOOKS = 3

export const loginHandlers = (context: AccountContext) => [
  handler(userLogin, perIp.guesses, async ({ input, origin }) => {
    const proof = () => checkPassword(context, addressOf(input.email), input.password, origin.subject)
    const member = await evenTime(proof, LEAST_MS)
    await checkSecondFactor(context, member, input.mfa_code, origin)
    const { apiKey, credits, tier } = await reveal(context, member, origin)
    return {
      api_key: apiKey,
      user: {
        user_id: member.accountId,
        email: member.email,
        full_name: member.fullName,
        credits,
        account_type: tier as Exclude<Tier, 'guest'>,
      },
    }
  }),
]

async function reveal(context: AccountContext, member: Member, origin: Origin) {
  const { store, vault } = context
  let { key } = member
  for (let look = 1; look <= MAX_LOOKS; look++) {
    if (key === null || key.status === 'suspended') throw suspended()
    const apiKey = vault.open(API_KEY_PURPOSE, key, keyBinding(key.uid, member.uid))
    const { accountId } = member
    const shown = await store.revealKey({ accountId, keyId: key.keyId, event: eventOf(origin) })
    if (shown !== null) return { apiKey, ...shown }
    key = (await memberOf(context, accountId)).key
  }
  throw new Failure('conflict', 'The key is being replaced at this moment; log in again.')
}

const suspended = () =>
  new Failure('key_suspended', 'The key of this account is suspended; ask the operator of the service.')
