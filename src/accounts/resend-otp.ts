/** Sends a new code for a registration: that of the token, else the newest of the address. */
import Type, { type Static } from 'typebox'
import { verificationMail } from '../mail/messages.ts'
import type { Origin } from '../pipeline/handler.ts'
import { accountEndpoint } from './account-endpoint.ts'
import { addressOf, oneSpelling } from './address.ts'
import type { AccountContext } from './context.ts'
import { email, notice, registrationToken, text } from './fields.ts'
import { allowed, perIp, tooManyMails } from './limits.ts'
import { CODE_SENT, codeMail, newCode, tokenHashes } from './mailed-codes.ts'
import { padResponseTime } from './response-padding.ts'

const input = Type.Object({ email, registration: Type.Optional(registrationToken) })

export const resendOtp = accountEndpoint({
  method: 'POST',
  path: '/user/resend-otp',
  area: 'Accounts',
  title: 'Send the code again',
  summary:
    'Sends a new code for the registration that `registration` names, or for the newest of the address. Within 60 seconds of the last mail the reply is the same, but no mail is sent.',
  key: 'none',
  perIp: perIp.mails,
  query: null,
  input,
  output: Type.Object({ email: text('the address'), message: notice }),
  message: null,
  failures: ['too_many_attempts'],
  example: { input: { email: 'ada@example.org' }, output: { email: 'ada@example.org', message: CODE_SENT } },
  async handle(context, { input, origin }) {
    await padResponseTime(() => renew(context, input, origin))
    return { email: input.email, message: CODE_SENT }
  },
})

/** Without a registration a decoy mail is written, so that the work is the same. */
async function renew(
  context: AccountContext,
  { email, registration: token }: Static<typeof input>,
  origin: Origin,
): Promise<void> {
  const address = addressOf(email)
  const tokens = tokenHashes(context, token)
  const pending = await context.store.pendingRegistration({ address, tokens })
  const { code, stored } = newCode(context, 'registration', pending?.uid)
  const text = verificationMail({ username: pending?.username ?? '', code })
  const recipient = { address, email: pending?.email ?? oneSpelling(email), isDecoy: pending === null }
  const counted = await context.store.renewRegistration({
    address,
    registration: pending,
    kept: stored.kept,
    ...codeMail(context, 'registration', recipient, text, origin),
  })
  allowed(counted, tooManyMails)
  context.wakeSender()
}
