/** Verification: the code from the mail turns a registration into an account with a permanent key. */
import { uuidv7 } from '../ids.ts'
import { REGISTRATION_CREDITS } from '../ledger/tiers.ts'
import { oneTimeCode } from '../secrets/codes.ts'
import { sealKey } from '../secrets/keys.ts'
import { addressOf } from './address.ts'
import { type AccountContext, eventOf } from './context.ts'
import { userVerifyOtp, VERIFIED } from './endpoints/keys.ts'
import { evenTime } from './even-time.ts'
import { handler, type Origin } from './handler.ts'
import { perIp } from './limits.ts'
import { checkMailedCode, wrongCode } from './mailed-codes.ts'

export const verifyHandlers = (context: AccountContext) => [
  handler(userVerifyOtp, perIp.guesses, async ({ input, origin }) => {
    const apiKey = await evenTime(() => verify(context, input.email, input.otp, origin))
    return { api_key: apiKey, message: VERIFIED }
  }),
]

async function verify(context: AccountContext, email: string, otp: string, origin: Origin): Promise<string> {
  const { store, vault } = context
  const address = addressOf(email)
  const { code, counted } = await checkMailedCode(context, store.guessRegistration, oneTimeCode, address, otp)
  const accountUid = uuidv7()
  const { apiKey, stored } = sealKey(vault, 'user', accountUid)
  const confirmed = await store.confirmRegistration({
    address,
    code,
    accountUid,
    key: stored,
    credits: REGISTRATION_CREDITS,
    counted,
    event: eventOf(origin),
    takeoverAuditId: uuidv7(),
  })
  if (!confirmed) throw wrongCode()
  return apiKey
}
