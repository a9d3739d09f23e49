/** Sends a new code for the newest registration of an address. */
import Type from 'typebox'
import { verificationMail } from '../mail/messages.ts'
import { accountEndpoint } from './account-endpoint.ts'
import { addressOf } from './address.ts'
import type { AccountContext } from './context.ts'
import { email, notice, text } from './fields.ts'
import { perIp } from './limits.ts'
import { CODE_SENT, codeMail, newCode } from './mailed-codes.ts'
import { padResponseTime } from './response-padding.ts'

export const resendOtp = accountEndpoint({
  method: 'POST',
  path: '/user/resend-otp',
  area: 'Accounts',
  title: 'Send the code again',
  summary:
    'Sends a new code for the newest registration of the address. Within 60 seconds of the last mail the reply is the same, but no mail is sent.',
  key: 'none',
  perIp: perIp.guesses,
  query: null,
  input: Type.Object({ email }),
  output: Type.Object({ email: text('the address'), message: notice }),
  message: null,
  failures: ['too_many_attempts'],
  example: { input: { email: 'ada@example.org' }, output: { email: 'ada@example.org', message: CODE_SENT } },
  async handle(context, { input }) {
    await padResponseTime(() => renew(context, input.email))
    return { email: input.email, message: CODE_SENT }
  },
})

/** Writes a mail even if there is no registration, so that the work is the same; the store then drops it. */
async function renew(context: AccountContext, email: string): Promise<void> {
  const address = addressOf(email)
  const pending = await context.store.pendingRegistration(address)
  const { code, stored } = newCode(context, 'registration', pending?.uid)
  const text = verificationMail({ username: pending?.username ?? '', code })
  await context.store.renewRegistration({
    address,
    uid: pending?.uid ?? null,
    kept: stored.kept,
    ...codeMail(context, 'registration', { address, email: pending?.email ?? email }, text),
  })
  context.wakeSender()
}
