/** A new password for who knows the present one. */

import { Failure } from '../errors.ts'
import { noticeMail } from '../mail/messages.ts'
import { type AccountContext, eventOf, newMail } from './context.ts'
import { checkPassword, memberOf } from './credentials.ts'
import { PASSWORD_CHANGED, userChangePassword } from './endpoints/passwords.ts'
import { handler } from './handler.ts'

export const changePasswordHandlers = (context: AccountContext) => [
  handler(userChangePassword, null, async ({ caller, input, origin }) => {
    const { address } = await memberOf(context, caller!.accountId)
    const member = await checkPassword(context, address, input.password, origin.subject)
    const changed = await context.store.changePassword({
      accountId: member.accountId,
      oldHash: member.passwordHash,
      passwordHash: await context.passwords.hash(input.new_password, '/new_password'),
      event: eventOf(origin),
      mail: newMail(context, member.email, noticeMail('passwordChanged', member)),
    })
    if (!changed)
      throw new Failure('conflict', 'The password was changed by another request meanwhile; log in.')
    context.wakeSender()
    return { message: PASSWORD_CHANGED }
  }),
]
