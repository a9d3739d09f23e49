/** A forgotten password: a code by mail, and a new password in exchange for it. */
import { uuidv7 } from '../ids.ts'
import { noticeMail, passwordResetMail } from '../mail/messages.ts'
import { resetCode } from '../secrets/codes.ts'
import { addressOf, subjectOf } from './address.ts'
import { type AccountContext, eventOf, newMail } from './context.ts'
import {
  PASSWORD_RESET,
  RESET_CODE_SENT,
  userForgotPassword,
  userResetPassword,
} from './endpoints/passwords.ts'
import { evenTime } from './even-time.ts'
import { handler, type Origin } from './handler.ts'
import { codeTerms, mailLimit, perIp } from './limits.ts'
import { checkMailedCode, wrongCode } from './mailed-codes.ts'

export const resetPasswordHandlers = (context: AccountContext) => [
  handler(userForgotPassword, perIp.guesses, async ({ input }) => {
    await evenTime(() => forgot(context, input.email))
    return { email: input.email, message: RESET_CODE_SENT }
  }),
  handler(userResetPassword, perIp.guesses, async ({ input, origin }) => {
    await evenTime(() => reset(context, input, origin))
    return { message: PASSWORD_RESET }
  }),
]

/** A mail is written in any case, and queued where it has somebody to go to. */
async function forgot(context: AccountContext, email: string): Promise<void> {
  const { store, vault } = context
  const address = addressOf(email)
  const account = await store.findAccount({ address })
  const code = resetCode.make()
  const uid = uuidv7()
  await store.requestReset({
    address,
    accountId: account?.accountId ?? null,
    code: { uid, kept: resetCode.keep(vault, uid, code) },
    mail: newMail(
      context,
      account?.email ?? email,
      passwordResetMail({ username: account?.username ?? '', code }),
    ),
    mailLimit: mailLimit('reset', subjectOf(vault, address)),
    terms: codeTerms,
  })
  context.wakeSender()
}

async function reset(
  context: AccountContext,
  { email, otp, password }: { email: string; otp: string; password: string },
  origin: Origin,
): Promise<void> {
  const { passwords, store } = context
  const address = addressOf(email)
  const { code, counted } = await checkMailedCode(context, store.guessReset, resetCode, address, otp)
  const account = await store.findAccount({ address })
  if (account === null) throw wrongCode()
  const done = await store.finishReset({
    accountId: account.accountId,
    code,
    passwordHash: await passwords.hash(password),
    counted,
    event: eventOf(origin),
    mail: newMail(
      context,
      account.email ?? email,
      noticeMail('passwordChanged', { username: account.username ?? '' }),
    ),
  })
  if (!done) throw wrongCode()
  context.wakeSender()
}
