/** Replaces the key that the request was made with by a new one. */
import { keyInvalid } from '../base/errors/requests.ts'
import { Type } from '../base/type.ts'
import { type AttemptLimit, countAttempt } from '../ledger/store/attempts.ts'
import { writeEvent } from '../ledger/store/events.ts'
import type { Sql, Transaction } from '../ledger/store/sql.ts'
import { type StoredKey, sealKey } from '../secrets/keys.ts'
import { registeredAccount } from './account.ts'
import { type AccountChange, accountEndpoint, eventOf } from './account-endpoint.ts'
import { subjectOf } from './address.ts'
import { keyNoticeLimit } from './attempts.ts'
import { apiKey, EXAMPLE_KEY, mfaCode, notice } from './field-schemas.ts'
import { noticeMail } from './mail/messages.ts'
import { newMail, queueMail } from './mail/outbox.ts'
import { succeedKey } from './open-account.ts'
import { checkSecondFactor } from './second-factor.ts'

const REGENERATED = 'This is your new key. The old key no longer works.'

export const regenerateApiKey = accountEndpoint({
  path: '/user/regenerate-api-key',
  area: 'Accounts',
  title: 'Replace the key',
  summary:
    'Returns a new key; the old key is refused from the next request on. The body may be absent unless the second factor is on, which requires `mfa_code`. Guest keys cannot be replaced.',
  key: 'registered',
  input: Type.Object({ mfa_code: Type.Optional(mfaCode) }),
  output: Type.Object({ api_key: apiKey, message: notice }),
  failures: ['mfa_required', 'mfa_invalid', 'too_many_attempts'],
  example: { input: {}, output: { api_key: EXAMPLE_KEY, message: REGENERATED } },
  async handle(context, { caller, input, origin }) {
    const { accountId, keyId } = caller
    const account = await registeredAccount(context, accountId)
    await checkSecondFactor(context, account, input.mfa_code, origin)
    const { apiKey, stored } = sealKey(context.vault, 'user', account.uid)
    const replaced = await context.store.run(replaceKey, {
      accountId,
      oldKeyId: keyId,
      key: stored,
      event: eventOf(origin),
      mail: newMail(context, account.email, noticeMail('keyRegenerated', account)),
      mailLimit: keyNoticeLimit(subjectOf(context.vault, account.address)),
    })
    // A simultaneous regeneration has revoked the key of this request.
    if (!replaced) throw keyInvalid()
    context.wakeSender()
    return { api_key: apiKey, message: REGENERATED }
  },
})

/** Revokes a key and creates another; its mail is queued unless its limit is reached. False: the old key was not active. */
export function* replaceKey(
  sql: Sql,
  {
    accountId,
    event,
    key,
    mail,
    mailLimit,
    oldKeyId,
  }: AccountChange & {
    readonly oldKeyId: number
    readonly key: StoredKey
    readonly mailLimit: AttemptLimit
  },
): Transaction<boolean> {
  yield* sql.lock([accountId])
  const now = yield* sql.clock()
  const replaced = yield* succeedKey(sql, { accountId, key, oldKeyId }, now)
  if (replaced === null) return false
  const { keyId, revoked } = replaced
  if ((yield* countAttempt(sql, [mailLimit])).ok) yield* queueMail(sql, mail, now)
  const facts = { revoked }
  yield* writeEvent(sql, event, { at: now, accountId, keyId, name: 'key_regenerated', facts })
  return true
}
