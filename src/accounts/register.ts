/** Starts a registration: stores it and mails its code, or mails the owner of the address that it has an account. */

import { tooManyMails } from '../base/errors/accounts.ts'
import { CODE_LIFETIME_MS } from '../base/limits/callers.ts'
import { Type } from '../base/type.ts'
import { type Attempt, countAttempt } from '../ledger/store/attempts.ts'
import { rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { Origin } from '../protocol/handler.ts'
import { type MailedCode, newRegistrationToken } from '../secrets/codes.ts'
import { apiKeyKind } from '../secrets/keys.ts'
import { type AccountRecord, findAccount } from './account.ts'
import { type AccountContext, accountEndpoint } from './account-endpoint.ts'
import { addressOf, lockAddress, oneSpelling, padResponseTime } from './address.ts'
import { allowed, perIp } from './attempts.ts'
import { email, fullName, newPassword, notice, text, username } from './field-schemas.ts'
import { accountExistsMail, verificationMail } from './mail/messages.ts'
import { queueMail } from './mail/outbox.ts'
import { CODE_SENT, type CodeMail, codeMail, countMail, newCode } from './mailed-codes.ts'
import type { Owner } from './open-account.ts'

export const register = accountEndpoint({
  path: '/user/register',
  area: 'Accounts',
  title: 'Register',
  summary:
    'Starts a registration and sends a one-time code to the address. The reply does not tell whether the address already has an account. Send its `registration` with the code to /user/verify-otp: then exactly this registration, with its password, is confirmed, whoever else registered the address. A guest key in `guest_api_key` is merged into the account on verification: its remaining credits and its history move to the account, and the guest key stops working.',
  key: 'none',
  perIp: perIp.mails,
  input: Type.Object({
    username,
    email,
    password: newPassword,
    full_name: Type.Optional(fullName),
    guest_api_key: Type.Optional(text('guest key to merge into the account; ignored if it is not usable')),
  }),
  output: Type.Object({
    email: text('address that the code was sent to'),
    message: notice,
    registration: text('names this registration; keep it secret, and send it to /user/verify-otp'),
  }),
  failures: ['closed', 'too_many_attempts', 'overloaded'],
  example: {
    input: { username: 'ada', email: 'ada@example.org', password: 'correct horse battery staple' },
    output: {
      email: 'ada@example.org',
      message: CODE_SENT,
      registration: 'Zt4Lw9Qx2Rb7Nc0Kf5Hd8Vg3Ys6Pm1Ja4Ue9Xo2Ti7B',
    },
  },
  async handle(context, { input, origin }) {
    const passwordHash = await context.passwords.hash(input.password)
    const guestKeyId = await findGuestKey(context, input.guest_api_key)
    const token = newRegistrationToken()
    const applicant = { ...input, passwordHash, guestKeyId, token }
    await padResponseTime(() => storeRegistration(context, applicant, origin))
    return { email: input.email, message: CODE_SENT, registration: token }
  },
})

interface Applicant {
  readonly username: string
  readonly email: string
  readonly full_name?: string
  readonly passwordHash: string
  readonly guestKeyId: number | null
  readonly token: string
}

/** Whether the key is still usable is checked when the registration is confirmed. */
async function findGuestKey(
  { store, vault }: AccountContext,
  apiKey: string | undefined,
): Promise<number | null> {
  if (apiKey === undefined || apiKeyKind(apiKey) !== 'guest') return null
  const hashes = vault.lookupHashes(apiKey).map(({ hash }) => hash)
  const found = await store.lookup(hashes)
  return found.find((key) => key !== null)?.keyId ?? null
}

/** The address can get an account between `findAccount` and `register`; then another mail is needed. */
const MAX_TRIES = 3

async function storeRegistration(
  context: AccountContext,
  applicant: Applicant,
  origin: Origin,
): Promise<void> {
  const address = addressOf(applicant.email)
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const account = await context.store.run(findAccount, { address })
    const counted = await context.store.run(addRegistration, draft(context, applicant, account, origin))
    if (counted === null) continue
    allowed(counted, tooManyMails)
    break
  }
  context.wakeSender()
}

function draft(
  context: AccountContext,
  { full_name, guestKeyId, passwordHash, token, username, ...applicant }: Applicant,
  account: AccountRecord | null,
  origin: Origin,
): NewRegistration {
  const address = addressOf(applicant.email)
  const email = oneSpelling(applicant.email)
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
      tokenHash: context.vault.mac('registration', token).hash,
      client: origin.subject,
      email,
      username,
      fullName: full_name ?? username,
      passwordHash,
      guestKeyId,
    },
    ...codeMail(
      context,
      'registration',
      { address, email: account?.email ?? email, isDecoy: false },
      text,
      origin,
    ),
  }
}

interface NewRegistration extends CodeMail {
  readonly address: string
  /** The account that `mail` was written for. Null: no account had the address, and `pending` is stored. */
  readonly accountId: number | null
  readonly pending: Omit<Owner, 'address'> & {
    readonly code: MailedCode
    /** Keyed hash of the token that the reply returns. */
    readonly tokenHash: Uint8Array
    readonly client: string
    readonly guestKeyId: number | null
  }
}

/** The end of a code that was not mailed: it can never be entered. */
const NEVER = 0

/**
 * Stores a registration and queues its mail, or only the mail if the address has an account. Beyond the limit on mails
 * nothing is queued, but the registration is still stored, so that it counts as one of the address. Null: the caller was
 * wrong about whether the address has an account, and nothing was done.
 */
export function* addRegistration(sql: Sql, registration: NewRegistration): Transaction<Attempt | null> {
  const { accountId, address, mail, pause, pending } = registration
  yield* lockAddress(sql, address)
  const now = yield* sql.clock()
  if ((yield* sql.addresses.accountIdOf(address)) !== accountId) return null
  const counted = yield* countMail(sql, registration)
  if (counted.ok) {
    yield* countAttempt(sql, [pause])
    yield* queueMail(sql, mail, now)
  }
  if (accountId !== null) return counted
  // A registration without a mail is stored once for each client, so that no client can fill the table.
  if (!counted.ok)
    yield* rows(
      sql.db
        .deleteFrom('registrations')
        .where('address', '=', address)
        .where('client', '=', pending.client)
        .where('code_sent_at', '=', NEVER),
    )
  yield* rows(
    sql.db.insertInto('registrations').values({
      uid: pending.code.uid,
      address,
      email: pending.email,
      username: pending.username,
      full_name: pending.fullName,
      password_hash: pending.passwordHash,
      guest_key_id: pending.guestKeyId,
      code_hash: pending.code.storedHash.hash,
      code_master_key_id: pending.code.storedHash.masterKeyId,
      code_sent_at: counted.ok ? now : NEVER,
      code_expires_at: counted.ok ? now + CODE_LIFETIME_MS : NEVER,
      code_attempts: 0,
      created_at: now,
      token_hash: pending.tokenHash,
      client: pending.client,
      code_is_own: 1,
    }),
  )
  return counted
}
