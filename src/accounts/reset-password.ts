/** A forgotten password: a code by mail, and a new password in exchange for it. */
import { uuidv7 } from '../ids.ts'
import { noticeMail, passwordResetMail } from '../mail/messages.ts'
import { resetCode } from '../secrets/codes.ts'
import { addressOf, subjectOf } from './address.ts'
import { type Desk, eventOf, newMail } from './desk.ts'
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

export const resetPasswordHandlers = (desk: Desk) => [
  handler(userForgotPassword, perIp.guesses, async ({ input }) => {
    await evenTime(() => forgot(desk, input.email))
    return { email: input.email, message: RESET_CODE_SENT }
  }),
  handler(userResetPassword, perIp.guesses, async ({ input, origin }) => {
    await evenTime(() => reset(desk, input, origin))
    return { message: PASSWORD_RESET }
  }),
]

/** A mail is written in any case, and queued where it has somebody to go to. */
async function forgot(desk: Desk, email: string): Promise<void> {
  const { store, vault } = desk
  const address = addressOf(email)
  const account = await store.findAccount({ address })
  const code = resetCode.make()
  const uid = uuidv7()
  await store.requestReset({
    address,
    accountId: account?.accountId ?? null,
    code: { uid, kept: resetCode.keep(vault, uid, code) },
    mail: newMail(
      desk,
      account?.email ?? email,
      passwordResetMail({ username: account?.username ?? '', code }),
    ),
    mailLimit: mailLimit('reset', subjectOf(vault, address)),
    terms: codeTerms,
  })
  desk.wakeSender()
}

async function reset(
  desk: Desk,
  { email, otp, password }: { email: string; otp: string; password: string },
  origin: Origin,
): Promise<void> {
  const { passwords, store } = desk
  const address = addressOf(email)
  const { code, counted } = await checkMailedCode(desk, store.guessReset, resetCode, address, otp)
  const account = await store.findAccount({ address })
  if (account === null) throw wrongCode()
  const done = await store.finishReset({
    accountId: account.accountId,
    code,
    passwordHash: await passwords.hash(password),
    counted,
    event: eventOf(origin),
    mail: newMail(
      desk,
      account.email ?? email,
      noticeMail('passwordChanged', { username: account.username ?? '' }),
    ),
  })
  if (!done) throw wrongCode()
  desk.wakeSender()
}
