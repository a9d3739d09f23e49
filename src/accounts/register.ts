/** Starts a registration: stores it and mails its code, or mails the owner of the address that it has an account. */
import Type from 'typebox'
import { accountExistsMail, verificationMail } from '../mail/messages.ts'
import { apiKeyKind } from '../secrets/api-keys.ts'
import type { AccountRecord, NewRegistration } from '../store/store.ts'
import { accountEndpoint } from './account-endpoint.ts'
import { addressOf } from './address.ts'
import type { AccountContext } from './context.ts'
import { email, fullName, newPassword, notice, text, username } from './fields.ts'
import { perIp } from './limits.ts'
import { CODE_SENT, codeMail, newCode } from './mailed-codes.ts'
import { padResponseTime } from './response-padding.ts'

export const register = accountEndpoint({
  method: 'POST',
  path: '/user/register',
  area: 'Accounts',
  title: 'Register',
  summary:
    'Starts a registration and sends a one-time code to the address. The reply does not tell whether the address already has an account. A guest key in `guest_api_key` is merged into the account on verification: its remaining credits and its history move to the account, and the guest key stops working.',
  key: 'none',
  perIp: perIp.register,
  query: null,
  input: Type.Object({
    username,
    email,
    password: newPassword,
    full_name: Type.Optional(fullName),
    guest_api_key: Type.Optional(text('guest key to merge into the account; ignored if it is not usable')),
  }),
  output: Type.Object({ email: text('address that the code was sent to'), message: notice }),
  message: null,
  failures: ['too_many_attempts', 'overloaded'],
  example: {
    input: { username: 'ada', email: 'ada@example.org', password: 'correct horse battery staple' },
    output: { email: 'ada@example.org', message: CODE_SENT },
  },
  async handle(context, { input }) {
    const passwordHash = await context.passwords.hash(input.password)
    const guestKeyId = await findGuestKey(context, input.guest_api_key)
    await padResponseTime(() => storeRegistration(context, input, passwordHash, guestKeyId))
    return { email: input.email, message: CODE_SENT }
  },
})

interface Applicant {
  readonly username: string
  readonly email: string
  readonly full_name?: string
}

/** Whether the key is still usable is checked when the registration is confirmed. */
async function findGuestKey(
  { store, vault }: AccountContext,
  apiKey: string | undefined,
): Promise<number | null> {
  if (apiKey === undefined || apiKeyKind(apiKey) !== 'guest') return null
  const found = await store.lookup(vault.lookupHashes(apiKey).map(({ hash }) => hash))
  return found.find((key) => key !== null)?.keyId ?? null
}

/** The address can get an account between `findAccount` and `register`; then another mail is needed. */
const MAX_TRIES = 3

async function storeRegistration(
  context: AccountContext,
  applicant: Applicant,
  passwordHash: string,
  guestKeyId: number | null,
): Promise<void> {
  const address = addressOf(applicant.email)
  for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
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
  const { code, stored } = newCode(context, 'registration')
  const text =
    account === null
      ? verificationMail({ username, code })
      : accountExistsMail({ username: account.username ?? '' })
  return {
    address,
    accountId: account?.accountId ?? null,
    pending: {
      code: stored,
      email,
      username,
      fullName: full_name ?? username,
      passwordHash,
      guestKeyId,
    },
    ...codeMail(context, 'registration', { address, email: account?.email ?? email }, text),
  }
}
