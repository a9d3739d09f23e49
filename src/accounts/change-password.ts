/** Sets a new password, given the current one and, if it is on, the second factor. */
import Type from 'typebox'
import { Failure } from '../errors.ts'
import { noticeMail } from '../mail/messages.ts'
import { registeredAccount } from './account.ts'
import { accountEndpoint } from './account-endpoint.ts'
import { eventOf, newMail } from './context.ts'
import { mfaCode, newPassword, notice, password } from './fields.ts'
import { checkPassword } from './password-check.ts'
import { checkSecondFactor } from './second-factor.ts'

const PASSWORD_CHANGED = 'The password was changed.'

export const changePassword = accountEndpoint({
  method: 'POST',
  path: '/user/change-password',
  area: 'Accounts',
  title: 'Change the password',
  summary:
    'Sets a new password. The current password is required and, if the second factor is on, `mfa_code`.',
  key: 'registered',
  perIp: null,
  query: null,
  input: Type.Object({ password, new_password: newPassword, mfa_code: Type.Optional(mfaCode) }),
  output: Type.Object({ message: notice }),
  message: null,
  failures: [
    'invalid_credentials',
    'mfa_required',
    'mfa_invalid',
    'conflict',
    'too_many_attempts',
    'overloaded',
  ],
  example: {
    input: { password: 'correct horse battery staple', new_password: 'another horse battery staple' },
    output: { message: PASSWORD_CHANGED },
  },
  async handle(context, { caller, input, origin }) {
    const { address } = await registeredAccount(context, caller.accountId)
    const account = await checkPassword(context, address, input.password, origin.subject)
    const passwordHash = await context.passwords.hash(input.new_password, '/new_password')
    await checkSecondFactor(context, account, input.mfa_code, origin)
    const changed = await context.store.changePassword({
      accountId: account.accountId,
      oldHash: account.passwordHash,
      passwordHash,
      event: eventOf(origin),
      mail: newMail(context, account.email, noticeMail('passwordChanged', account)),
    })
    if (!changed)
      throw new Failure('conflict', 'Another request has just changed the password; log in again.')
    context.wakeSender()
    return { message: PASSWORD_CHANGED }
  },
})
