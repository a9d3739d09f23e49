/** Registration: a pending row and a code by mail, or word to its owner that the address has an account. */
import { uuidv7 } from '../ids.ts'
import { accountExistsMail, verificationMail } from '../mail/messages.ts'
import { apiKeyKind } from '../secrets/api-keys.ts'
import { oneTimeCode } from '../secrets/codes.ts'
import type { AccountRecord, NewRegistration } from '../store/store.ts'
import { addressOf, subjectOf } from './address.ts'
import { type Desk, newMail } from './desk.ts'
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

export const registerHandlers = (desk: Desk) => [
  handler(userRegister, perIp.register, async ({ input }) => {
    const passwordHash = await desk.passwords.hash(input.password)
    const guestKeyId = await findGuestKey(desk, input.guest_api_key)
    await evenTime(() => register(desk, input, passwordHash, guestKeyId))
    return { email: input.email, message: CODE_SENT }
  }),
  handler(userResendOtp, perIp.guesses, async ({ input }) => {
    await evenTime(() => resend(desk, input.email))
    return { email: input.email, message: CODE_SENT }
  }),
]

/** Whether it is still usable is seen when the registration is confirmed. */
async function findGuestKey({ store, vault }: Desk, apiKey: string | undefined): Promise<number | null> {
  if (apiKey === undefined || apiKeyKind(apiKey) !== 'guest') return null
  const found = await store.lookup(vault.lookupHashes(apiKey).map(({ hash }) => hash))
  return found.find((key) => key !== null)?.keyId ?? null
}

async function register(
  desk: Desk,
  applicant: Applicant,
  passwordHash: string,
  guestKeyId: number | null,
): Promise<void> {
  const address = addressOf(applicant.email)
  for (let look = 1; look <= MAX_LOOKS; look++) {
    const account = await desk.store.findAccount({ address })
    const registration = draft(desk, applicant, account, passwordHash, guestKeyId)
    if (await desk.store.register(registration)) break
  }
  desk.wakeSender()
}

function draft(
  desk: Desk,
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
      code: { uid, kept: oneTimeCode.keep(desk.vault, uid, code) },
      email,
      username,
      fullName: full_name ?? username,
      passwordHash,
      guestKeyId,
    },
    mail: newMail(desk, account?.email ?? email, text),
    mailLimit: mailLimit('registration', subjectOf(desk.vault, address)),
    terms: codeTerms,
  }
}

/** A mail is written in any case, and queued where it has somebody to go to. */
async function resend(desk: Desk, email: string): Promise<void> {
  const { store, vault } = desk
  const address = addressOf(email)
  const pending = await store.pendingRegistration(address)
  const code = oneTimeCode.make()
  await store.renewRegistration({
    address,
    uid: pending?.uid ?? null,
    kept: oneTimeCode.keep(vault, pending?.uid ?? uuidv7(), code),
    mail: newMail(
      desk,
      pending?.email ?? email,
      verificationMail({ username: pending?.username ?? '', code }),
    ),
    mailLimit: mailLimit('registration', subjectOf(vault, address)),
    terms: codeTerms,
  })
  desk.wakeSender()
}
