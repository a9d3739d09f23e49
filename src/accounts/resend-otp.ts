/** Sends a new code for a registration: that of the token, else the newest of the address. */

import type { Static } from 'typebox'
import { tooManyMails } from '../base/errors/accounts.ts'
import { CODE_LIFETIME_MS } from '../base/limits/callers.ts'
import { Type } from '../base/type.ts'
import type { Attempt } from '../ledger/store/attempts.ts'
import { first, type ResultOf, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { Origin } from '../protocol/handler.ts'
import type { StoredHash } from '../secrets/vault.ts'
import { type AccountContext, accountEndpoint } from './account-endpoint.ts'
import { addressOf, lockAddress, oneSpelling, padResponseTime } from './address.ts'
import { allowed, perIp } from './attempts.ts'
import { email, notice, registrationToken, text } from './field-schemas.ts'
import { verificationMail } from './mail/messages.ts'
import { queueMail } from './mail/outbox.ts'
import {
  CODE_SENT,
  type CodeMail,
  codeMail,
  countRepeatedMail,
  newCode,
  tokenHashes,
} from './mailed-codes.ts'

const input = Type.Object({ email, registration: Type.Optional(registrationToken) })

export const resendOtp = accountEndpoint({
  path: '/user/resend-otp',
  area: 'Accounts',
  title: 'Send the code again',
  summary:
    'Sends a new code for the registration that `registration` names, or for the newest of the address. Within 60 seconds of the last mail the reply is the same, but no mail is sent.',
  key: 'none',
  perIp: perIp.mails,
  input,
  output: Type.Object({ email: text('the address'), message: notice }),
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
  const pending = await context.store.run(pendingRegistration, { address, tokens })
  const { code, stored } = newCode(context, 'registration', pending?.uid)
  const text = verificationMail({ username: pending?.username ?? '', code })
  const recipient = { address, email: pending?.email ?? oneSpelling(email), isDecoy: pending === null }
  const counted = await context.store.run(renewRegistration, {
    address,
    registration: pending,
    storedHash: stored.storedHash,
    ...codeMail(context, 'registration', recipient, text, origin),
  })
  allowed(counted, tooManyMails)
  context.wakeSender()
}

/** A registration by the keyed hashes of its token (none: no token was sent), else the newest of the address. */
interface RegistrationReference {
  readonly address: string
  readonly tokens: readonly Uint8Array[]
}

/** `byToken`: whether the registration was found by its token. Null: no registration of the address awaits its code. */
export function* pendingRegistration(sql: Sql, { address, tokens }: RegistrationReference) {
  const pending = sql.db
    .selectFrom('registrations')
    .select(['uid', 'email', 'username'])
    .where('address', '=', address)
  if (tokens.length > 0) {
    const named = yield* first(pending.where('token_hash', 'in', [...tokens]))
    if (named !== undefined) return { ...named, byToken: true }
  }
  const newest = yield* first(pending.orderBy('id', 'desc').limit(1))
  return newest === undefined ? null : { ...newest, byToken: false }
}

/** A new code for a registration. Null: there is none, and `mail` is for a decoy recipient. */
interface RenewedCode extends CodeMail {
  readonly address: string
  readonly registration: Pick<ResultOf<typeof pendingRegistration>, 'uid' | 'byToken'> | null
  readonly storedHash: StoredHash
}

/** Gives a registration a new code, unless a code was mailed to the address too recently or too often. */
export function* renewRegistration(sql: Sql, renewed: RenewedCode): Transaction<Attempt> {
  const { address, storedHash, mail, registration } = renewed
  yield* lockAddress(sql, address)
  const now = yield* sql.clock()
  const { answer, isSent } = yield* countRepeatedMail(sql, renewed, now)
  if (!isSent) return answer
  const uid = registration?.uid ?? ''
  const changed = yield* rows(
    sql.db
      .updateTable('registrations')
      .set({
        code_hash: storedHash.hash,
        code_master_key_id: storedHash.masterKeyId,
        code_sent_at: now,
        code_expires_at: now + CODE_LIFETIME_MS,
        code_attempts: 0,
        code_is_own: registration?.byToken ? 1 : 0,
      })
      .where('uid', '=', uid)
      .returning('id'),
  )
  // A registration that was confirmed meanwhile has no code to mail.
  if (registration === null || changed.length > 0) yield* queueMail(sql, mail, now)
  return answer
}
