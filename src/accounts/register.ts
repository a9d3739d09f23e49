/** Registration: a pending row and a code by mail, or word to its owner that the address has an account. */
import { uuidv7 } from '../ids.ts'
import { accountExistsMail, verificationMail } from '../mail/messages.ts'
import { apiKeyKind } from '../secrets/api-keys.ts'
import { oneTimeCode } from '../secrets/codes.ts'
import type { AccountRecord, NewRegistration } from '../store/store.ts'
import { addressOf, subjectOf } from './address.ts'
import { type AccountContext, newMail } from './context.ts'
import { CODE_SENT, userRegister, userResendOtp } from './endpoints/keys.ts'
import { evenTime } from './even-time.ts'
import { handler } from './handler.ts'
import { codeTerms, mailLimit, perIp } from './limits.ts'

interface Applicant {
  readonly username: string
  readonly email: string
  readonly full_name?: string
}

/** An address can get an account between the look at it and the registration: then the mail is another one. */
const MAX_LOOKS = 3

export const registerHandlers = (context: AccountContext) => [
  handler(userRegister, perIp.register, async ({ input }) => {
    const passwordHash = await context.passwords.hash(input.password)
    const guestKeyId = await findGuestKey(context, input.guest_api_key)
    await evenTime(() => register(context, input, passwordHash, guestKeyId))
    return { email: input.email, message: CODE_SENT }
  }),
  handler(userResendOtp, perIp.guesses, async ({ input }) => {
    await evenTime(() => resend(context, input.email))
    return { email: input.email, message: CODE_SENT }
  }),
]

/** Whether it is still usable is seen when the registration is confirmed. */
async function findGuestKey(
  { store, vault }: AccountContext,
  apiKey: string | undefined,
): Promise<number | null> {
  if (apiKey === undefined || apiKeyKind(apiKey) !== 'guest') return null
  const found = await store.lookup(vault.lookupHashes(apiKey).map(({ hash }) => hash))
  return found.find((key) => key !== null)?.keyId ?? null
}

async function register(
  context: AccountContext,
  applicant: Applicant,
  passwordHash: string,
  guestKeyId: number | null,
): Promise<void> {
  const address = addressOf(applicant.email)
  for (let look = 1; look <= MAX_LOOKS; look++) {
    const account = await context.store.findAccount({ address })
    const registration = draft(context, applicant, account, passwordHash, guestKeyId)
    if (await context.store.register(registration)) break
  }
  context.wakeSender()
}

function draft(
  context: AccountContext,
  { email, full_name, username }: Applicant,
  account: AccountRecord | null,
  passwordHash: string,
  guestKeyId: number | null,
): NewRegistration {
  const address = addressOf(email)
  const code = oneTimeCode.make()
  const uid = uuidv7()
  const text =
    account === null
      ? verificationMail({ username, code })
      : accountExistsMail({ username: account.username ?? '' })
  return {
    address,
    accountId: account?.accountId ?? null,
    pending: {
      code: { uid, kept: oneTimeCode.keep(context.vault, uid, code) },
      email,
      username,
      fullName: full_name ?? username,
      passwordHash,
      guestKeyId,
    },
    mail: newMail(context, account?.email ?? email, text),
    mailLimit: mailLimit('registration', subjectOf(context.vault, address)),
    terms: codeTerms,
  }
}

/** A mail is written in any case, and queued where it has somebody to go to. */
async function resend(context: AccountContext, email: string): Promise<void> {
  const { store, vault } = context
  const address = addressOf(email)
  const pending = await store.pendingRegistration(address)
  const code = oneTimeCode.make()
  await store.renewRegistration({
    address,
    uid: pending?.uid ?? null,
    kept: oneTimeCode.keep(vault, pending?.uid ?? uuidv7(), code),
    mail: newMail(
      context,
      pending?.email ?? email,
      verificationMail({ username: pending?.username ?? '', code }),
    ),
    mailLimit: mailLimit('registration', subjectOf(vault, address)),
    terms: codeTerms,
  })
  context.wakeSender()
}
