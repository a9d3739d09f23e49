/** Sends a reset code to an address that has an account. */
import Type from 'typebox'
import { passwordResetMail } from '../mail/messages.ts'
import type { Origin } from '../pipeline/handler.ts'
import { accountEndpoint } from './account-endpoint.ts'
import { addressOf, oneSpelling } from './address.ts'
import type { AccountContext } from './context.ts'
import { email, notice, text } from './fields.ts'
import { allowed, perIp, tooManyMails } from './limits.ts'
import { codeMail, newCode } from './mailed-codes.ts'
import { padResponseTime } from './response-padding.ts'

const RESET_CODE_SENT = 'If this address has an account, a reset code has been sent to it.'

export const forgotPassword = accountEndpoint({
  method: 'POST',
  path: '/user/forgot-password',
  area: 'Accounts',
  title: 'Forgot password',
  summary:
    'Sends a reset code to the address if it has an account. The reply does not tell whether it has one.',
  key: 'none',
  perIp: perIp.mails,
  query: null,
  input: Type.Object({ email }),
  output: Type.Object({ email: text('the address'), message: notice }),
  message: null,
  failures: ['too_many_attempts'],
  example: {
    input: { email: 'ada@example.org' },
    output: { email: 'ada@example.org', message: RESET_CODE_SENT },
  },
  async handle(context, { input, origin }) {
    await padResponseTime(() => sendCode(context, input.email, origin))
    return { email: input.email, message: RESET_CODE_SENT }
  },
})

/** Without an account a decoy mail is written, so that the work is the same, for this request and the mail sender. */
async function sendCode(context: AccountContext, email: string, origin: Origin): Promise<void> {
  const address = addressOf(email)
  const account = await context.store.findAccount({ address })
  const { code, stored } = newCode(context, 'reset')
  const text = passwordResetMail({ username: account?.username ?? '', code })
  const recipient = { address, email: account?.email ?? oneSpelling(email), isDecoy: account === null }
  const counted = await context.store.requestReset({
    address,
    accountId: account?.accountId ?? null,
    code: stored,
    ...codeMail(context, 'reset', recipient, text, origin),
  })
  allowed(counted, tooManyMails)
  context.wakeSender()
}
