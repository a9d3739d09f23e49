/** Confirms a registration with its mailed code: creates the account and its permanent key. */

import type { Static } from 'typebox'
import { wrongMailedCode } from '../base/errors/accounts.ts'
import { uuidv7 } from '../base/ids.ts'
import { Type } from '../base/type.ts'
import { type CountedAttempt, forgive } from '../ledger/store/attempts.ts'
import { type EventOrigin, writeEvent } from '../ledger/store/events.ts'
import { rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { Origin } from '../protocol/handler.ts'
import type { MailedCode } from '../secrets/codes.ts'
import { type StoredKey, sealKey } from '../secrets/keys.ts'
import { type AccountContext, accountEndpoint, eventOf } from './account-endpoint.ts'
import { addressOf, lockAddress, padResponseTime } from './address.ts'
import { perIp } from './attempts.ts'
import { apiKey, EXAMPLE_KEY, email, notice, otp, registrationToken } from './field-schemas.ts'
import { checkMailedCode, tokenHashes } from './mailed-codes.ts'
import { endGuest, lockUsableGuest, openAccount } from './open-account.ts'

const VERIFIED = 'The address is verified. Store this key safely; it does not expire.'
const WITHOUT_PASSWORD = `${VERIFIED} The account has no password yet, because this request does not prove that you chose the one that was registered: set a password with /user/forgot-password.`

const input = Type.Object({ email, otp, registration: Type.Optional(registrationToken) })

export const verifyOtp = accountEndpoint({
  path: '/user/verify-otp',
  area: 'Accounts',
  title: 'Verify the address',
  summary:
    'Confirms the registration with the mailed code and returns the permanent key of the new account, which starts with the credits that the operator has set (350 by default). A code has 6 digits, is valid for 10 minutes, can be used once and allows 5 attempts. With `registration`, exactly that registration is confirmed. Without it, the one whose mail carried the code is; its password is then kept only if it is the only registration of the address, its code was mailed at registration, and both requests come from the same client address. Otherwise the account has no password until one is set with /user/forgot-password, and the message says so.',
  key: 'none',
  perIp: perIp.guesses,
  input,
  output: Type.Object({ api_key: apiKey, message: notice }),
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
  const tokens = tokenHashes(context, token)
  const { code, counted } = await checkMailedCode(context, 'registration', {
    address,
    typed: otp,
    origin,
    tokens,
  })
  const accountUid = uuidv7()
  const { apiKey, stored } = sealKey(context.vault, 'user', accountUid)
  const confirmed = await context.store.run(confirmRegistration, {
    address,
    code,
    tokens,
    client: origin.subject,
    unusablePassword: context.passwords.unusable(),
    accountUid,
    key: stored,
    credits: context.initialCredits().registered,
    counted,
    event: eventOf(origin),
    takeoverAuditId: uuidv7(),
  })
  if (confirmed === null) throw wrongMailedCode()
  return { apiKey, ...confirmed }
}

interface ConfirmedRegistration {
  readonly address: string
  /** The code that was right. */
  readonly code: MailedCode
  /** Keyed hashes of the registration's token, one per master key; none: no token was sent. */
  readonly tokens: readonly Uint8Array[]
  /** The client address of the confirmation, as limits count it. */
  readonly client: string
  /** Hash that no password matches, for an account whose password is not taken from its registration. */
  readonly unusablePassword: string
  readonly accountUid: string
  readonly key: StoredKey
  readonly credits: number
  readonly counted: readonly CountedAttempt[]
  readonly event: EventOrigin
  /** Id of the audit row that records the takeover of a guest. */
  readonly takeoverAuditId: string
}

/**
 * Opens the account and deletes the registrations of the address. A right code proves control of the mailbox, but not who
 * chose the password: anybody can register any address. So the token decides which registration is confirmed. Without a token,
 * the code decides, and the password and the guest of its registration are used only if nobody else can have sent them
 * (`isOwn`). Returns whether the account has the password of the registration; null: the code was replaced meanwhile, or the
 * address has an account by now.
 */
export function* confirmRegistration(
  sql: Sql,
  confirmed: ConfirmedRegistration,
): Transaction<{ hasPassword: boolean } | null> {
  const { accountUid, address, client, code, credits, event, key, takeoverAuditId, tokens } = confirmed
  yield* lockAddress(sql, address)
  const pending = yield* rows(
    sql.db
      .selectFrom('registrations')
      .select([
        'uid',
        'email',
        'username',
        'full_name as fullName',
        'password_hash as passwordHash',
        'guest_key_id as guestKeyId',
        'client',
        'code_is_own as codeIsOwn',
        'code_hash as codeHash',
        'token_hash as tokenHash',
      ])
      .where('address', '=', address),
  )
  const ofCode = pending.find(
    ({ codeHash, uid }) => uid === code.uid && isSame(codeHash, code.storedHash.hash),
  )
  if (ofCode === undefined) return null
  const ofToken = pending.find(({ tokenHash }) => tokens.some((token) => isSame(tokenHash, token)))
  // The address has one registration, and the code is the one that was mailed when this client made it. With a second
  // registration the owner may have entered the code of the wrong mail; a code that was mailed again without the token may
  // have been requested by somebody else.
  const isOwn = pending.length === 1 && ofCode.codeIsOwn === 1 && ofCode.client === client
  const hasPassword = ofToken !== undefined || isOwn
  const { guestKeyId, ...registration } = ofToken ?? ofCode
  // The mail showed the username to its reader, but not the full name.
  const { email, username } = registration
  const owner = hasPassword
    ? { address, email, username, fullName: registration.fullName, passwordHash: registration.passwordHash }
    : { address, email, username, fullName: username, passwordHash: confirmed.unusablePassword }
  const guest = hasPassword && guestKeyId !== null ? yield* lockUsableGuest(sql, guestKeyId) : null
  const now = yield* sql.clock()
  const grant = { credits, reason: 'verification' }
  const transferred = guest?.credits ?? 0
  const account = { uid: accountUid, tier: 'free', key, grant, transferred, owner } as const
  const opened = yield* openAccount(sql, account, now)
  if (opened === null) return null
  const facts = { password: hasPassword ? 'of the registration' : 'none' }
  yield* writeEvent(sql, event, { at: now, ...opened, name: 'account_verified', facts })
  if (guest !== null) {
    yield* endGuest(sql, guest, opened.accountId, now)
    const facts = { guest: guest.accountId, credits: guest.credits }
    const origin = { ...event, auditId: takeoverAuditId }
    yield* writeEvent(sql, origin, { at: now, ...opened, name: 'guest_taken_over', facts })
  }
  yield* rows(sql.db.deleteFrom('registrations').where('address', '=', address))
  yield* forgive(sql, confirmed.counted)
  return { hasPassword }
}

/** Keyed hashes: comparing them reveals nothing about the secrets. */
const isSame = (hash: Uint8Array | null, other: Uint8Array): boolean =>
  hash !== null && Buffer.compare(hash, other) === 0
