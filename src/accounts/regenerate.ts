/** Regeneration: a new key in place of the one the request came with. */
import { Failure, INVALID_KEY } from '../errors.ts'
import { noticeMail } from '../mail/messages.ts'
import { sealKey } from '../secrets/keys.ts'
import { type AccountContext, eventOf, newMail } from './context.ts'
import { checkSecondFactor, memberOf } from './credentials.ts'
import { REGENERATED, userRegenerateApiKey } from './endpoints/keys.ts'
import { handler } from './handler.ts'

export const regenerateHandlers = (context: AccountContext) => [
  handler(userRegenerateApiKey, null, async ({ caller, input, origin }) => {
    const { accountId, keyId } = caller!
    const member = await memberOf(context, accountId)
    await checkSecondFactor(context, member, input.mfa_code, origin)
    const { apiKey, stored } = sealKey(context.vault, 'user', member.uid)
    const replaced = await context.store.replaceKey({
      accountId,
      oldKeyId: keyId,
      key: stored,
      event: eventOf(origin),
      mail: newMail(context, member.email, noticeMail('keyRegenerated', member)),
    })
    // Of two regenerations at once the second comes with a key that has stopped working.
    if (!replaced) throw new Failure('api_key_invalid', INVALID_KEY)
    context.wakeSender()
    return { api_key: apiKey, message: REGENERATED }
  }),
]
