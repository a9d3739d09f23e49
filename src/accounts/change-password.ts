/** A new password for who knows the present one. */

import { Failure } from '../errors.ts'
import { noticeMail } from '../mail/messages.ts'
import { checkPassword, memberOf } from './credentials.ts'
import { type Desk, eventOf, newMail } from './desk.ts'
import { PASSWORD_CHANGED, userChangePassword } from './endpoints/passwords.ts'
import { handler } from './handler.ts'

export const changePasswordHandlers = (desk: Desk) => [
  handler(userChangePassword, null, async ({ caller, input, origin }) => {
    const { address } = await memberOf(desk, caller!.accountId)
    const member = await checkPassword(desk, address, input.password, origin.ip)
    const changed = await desk.store.changePassword({
      accountId: member.accountId,
      oldHash: member.passwordHash,
      passwordHash: await desk.passwords.hash(input.new_password, '/new_password'),
      event: eventOf(origin),
      mail: newMail(desk, member.email, noticeMail('passwordChanged', member)),
    })
    if (!changed)
      throw new Failure('conflict', 'The password was changed by another request meanwhile; log in.')
    desk.wakeSender()
    return { message: PASSWORD_CHANGED }
  }),
]
