/** Confirms a registration with its mailed code: creates the account and its permanent key. */
import Type from 'typebox'
import { uuidv7 } from '../ids.ts'
import { REGISTRATION_CREDITS } from '../ledger/tiers.ts'
import { sealKey } from '../secrets/keys.ts'
import { accountEndpoint } from './account-endpoint.ts'
import { addressOf } from './address.ts'
import { type AccountContext, eventOf } from './context.ts'
import { apiKey, EXAMPLE_KEY, email, notice, otp } from './fields.ts'
import type { Origin } from './handler.ts'
import { perIp } from './limits.ts'
import { checkMailedCode, wrongCode } from './mailed-codes.ts'
import { padResponseTime } from './response-padding.ts'

const VERIFIED = 'The address is verified. Store this key safely; it does not expire.'

export const verifyOtp = accountEndpoint({
  method: 'POST',
  path: '/user/verify-otp',
  area: 'Accounts',
  title: 'Verify the address',
  summary:
    'Confirms the registration with the mailed code and returns the permanent key of the new account, which starts with 350 credits. A code has 6 digits, is valid for 10 minutes, can be used once and allows 5 attempts.',
  key: 'none',
  perIp: perIp.guesses,
  query: null,
  input: Type.Object({ email, otp }),
  output: Type.Object({ api_key: apiKey, message: notice }),
  message: null,
  failures: ['otp_invalid', 'too_many_attempts'],
  example: {
    input: { email: 'ada@example.org', otp: '123456' },
    output: { api_key: EXAMPLE_KEY, message: VERIFIED },
  },
  async handle(context, { input, origin }) {
    const apiKey = await padResponseTime(() => verify(context, input.email, input.otp, origin))
    return { api_key: apiKey, message: VERIFIED }
  },
})

async function verify(context: AccountContext, email: string, otp: string, origin: Origin): Promise<string> {
  const address = addressOf(email)
  const { code, counted } = await checkMailedCode(context, 'registration', address, otp)
  const accountUid = uuidv7()
  const { apiKey, stored } = sealKey(context.vault, 'user', accountUid)
  const confirmed = await context.store.confirmRegistration({
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
