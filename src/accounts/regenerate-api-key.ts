/** Replaces the key that the request was made with by a new one. */
import Type from 'typebox'
import { bucketOf } from '../buckets.ts'
import { Failure, INVALID_KEY } from '../errors.ts'
import { noticeMail } from '../mail/messages.ts'
import { sealKey } from '../secrets/keys.ts'
import { registeredAccount } from './account.ts'
import { accountEndpoint } from './account-endpoint.ts'
import { subjectOf } from './address.ts'
import { eventOf, newMail } from './context.ts'
import { apiKey, EXAMPLE_KEY, mfaCode, notice } from './fields.ts'
import { keyNoticeLimit } from './limits.ts'
import { checkSecondFactor } from './second-factor.ts'

const REGENERATED = 'This is your new key. The old key no longer works.'

export const regenerateApiKey = accountEndpoint({
  method: 'POST',
  path: '/user/regenerate-api-key',
  area: 'Accounts',
  title: 'Replace the key',
  summary:
    'Returns a new key; the old key is refused from the next request on. The body may be absent unless the second factor is on, which requires `mfa_code`. Guest keys cannot be replaced.',
  key: 'registered',
  perIp: null,
  query: null,
  input: Type.Object({ mfa_code: Type.Optional(mfaCode) }),
  output: Type.Object({ api_key: apiKey, message: notice }),
  message: null,
  failures: ['mfa_required', 'mfa_invalid', 'too_many_attempts'],
  example: { input: {}, output: { api_key: EXAMPLE_KEY, message: REGENERATED } },
  async handle(context, { caller, input, origin }) {
    const { accountId, keyId } = caller
    const account = await registeredAccount(context, accountId)
    await checkSecondFactor(context, account, input.mfa_code, origin)
    const { apiKey, stored } = sealKey(context.vault, 'user', account.uid, bucketOf(accountId))
    const replaced = await context.store.replaceKey({
      accountId,
      oldKeyId: keyId,
      key: stored,
      event: eventOf(origin),
      mail: newMail(context, account.email, noticeMail('keyRegenerated', account)),
      mailLimit: keyNoticeLimit(subjectOf(context.vault, account.address)),
    })
    // A simultaneous regeneration has revoked the key of this request.
    if (!replaced) throw new Failure('api_key_invalid', INVALID_KEY)
    context.wakeSender()
    return { api_key: apiKey, message: REGENERATED }
  },
})
