/** Regeneration: a new key in place of the one the request came with. */
import { Failure, INVALID_KEY } from '../errors.ts'
import { noticeMail } from '../mail/messages.ts'
import { sealKey } from '../secrets/keys.ts'
import { checkSecondFactor, memberOf } from './credentials.ts'
import { type Desk, eventOf, newMail } from './desk.ts'
import { REGENERATED, userRegenerateApiKey } from './endpoints/keys.ts'
import { handler } from './handler.ts'

export const regenerateHandlers = (desk: Desk) => [
  handler(userRegenerateApiKey, null, async ({ caller, input, origin }) => {
    const { accountId, keyId } = caller!
    const member = await memberOf(desk, accountId)
    await checkSecondFactor(desk, member, input.mfa_code, origin)
    const { apiKey, stored } = sealKey(desk.vault, 'user', member.uid)
    const replaced = await desk.store.replaceKey({
      accountId,
      oldKeyId: keyId,
      key: stored,
      event: eventOf(origin),
      mail: newMail(desk, member.email, noticeMail('keyRegenerated', member)),
    })
    // Of two regenerations at once the second comes with a key that has stopped working.
    if (!replaced) throw new Failure('api_key_invalid', INVALID_KEY)
    desk.wakeSender()
    return { api_key: apiKey, message: REGENERATED }
  }),
]
