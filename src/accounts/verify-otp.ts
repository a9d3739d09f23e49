/** Confirms a registration with its mailed code: creates the account and its permanent key. */
import Type, { type Static } from 'typebox'
import { uuidv7 } from '../ids.ts'
import type { Origin } from '../pipeline/handler.ts'
import { sealKey } from '../secrets/keys.ts'
import { accountEndpoint } from './account-endpoint.ts'
import { addressOf } from './address.ts'
import { type AccountContext, eventOf } from './context.ts'
import { apiKey, EXAMPLE_KEY, email, notice, otp, registrationToken } from './fields.ts'
import { perIp } from './limits.ts'
import { checkMailedCode, tokenHashes, wrongCode } from './mailed-codes.ts'
import { padResponseTime } from './response-padding.ts'

const VERIFIED = 'The address is verified. Store this key safely; it does not expire.'
const WITHOUT_PASSWORD = `${VERIFIED} The account has no password yet, because this request does not prove that you chose the one that was registered: set a password with /user/forgot-password.`

const input = Type.Object({ email, otp, registration: Type.Optional(registrationToken) })

export const verifyOtp = accountEndpoint({
  method: 'POST',
  path: '/user/verify-otp',
  area: 'Accounts',
  title: 'Verify the address',
  summary:
    'Confirms the registration with the mailed code and returns the permanent key of the new account, which starts with the credits that the operator has set (350 by default). A code has 6 digits, is valid for 10 minutes, can be used once and allows 5 attempts. With `registration`, exactly that registration is confirmed. Without it, the one whose mail carried the code is; its password is then kept only if it is the only registration of the address, its code was mailed at registration, and both requests come from the same client address. Otherwise the account has no password until one is set with /user/forgot-password, and the message says so.',
  key: 'none',
  perIp: perIp.guesses,
  query: null,
  input,
  output: Type.Object({ api_key: apiKey, message: notice }),
  message: null,
  failures: ['otp_invalid', 'too_many_attempts'],
  example: {
    input: { email: 'ada@example.org', otp: '123456' },
    output: { api_key: EXAMPLE_KEY, message: VERIFIED },
  },
  async handle(context, { input, origin }) {
    const { apiKey, hasPassword } = await padResponseTime(() => verify(context, input, origin))
    return { api_key: apiKey, message: hasPassword ? VERIFIED : WITHOUT_PASSWORD }
  },
})

async function verify(
  context: AccountContext,
  { email, otp, registration: token }: Static<typeof input>,
  origin: Origin,
) {
  const address = addressOf(email)
  const { code, counted } = await checkMailedCode(context, 'registration', address, otp, origin)
  const accountUid = uuidv7()
  const { apiKey, stored } = sealKey(context.vault, 'user', accountUid)
  const confirmed = await context.store.confirmRegistration({
    address,
    code,
    tokens: tokenHashes(context, token),
    client: origin.subject,
    unusablePassword: context.passwords.unusable(),
    accountUid,
    key: stored,
    credits: context.initialCredits.registered,
    counted,
    event: eventOf(origin),
    takeoverAuditId: uuidv7(),
  })
  if (confirmed === null) throw wrongCode()
  return { apiKey, ...confirmed }
}
