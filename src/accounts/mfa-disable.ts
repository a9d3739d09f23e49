/** Switches the second factor off with one of its codes. */
import Type from 'typebox'
import { Failure } from '../errors.ts'
import { noticeMail } from '../mail/messages.ts'
import { registeredAccount } from './account.ts'
import { accountEndpoint } from './account-endpoint.ts'
import { eventOf, newMail } from './context.ts'
import { flag, mfaCode } from './fields.ts'
import { checkSecondFactor } from './second-factor.ts'

export const mfaDisable = accountEndpoint({
  method: 'POST',
  path: '/user/mfa/disable',
  area: 'Second factor',
  title: 'Switch the second factor off',
  summary: 'Switches the second factor off. Requires a code of the authenticator app or a recovery code.',
  key: 'registered',
  perIp: null,
  query: null,
  input: Type.Object({ code: mfaCode }),
  output: Type.Object({ mfa_enabled: flag('always false') }),
  message: null,
  failures: ['mfa_invalid', 'conflict', 'too_many_attempts'],
  example: { input: { code: '492039' }, output: { mfa_enabled: false } },
  async handle(context, { caller, input, origin }) {
    const account = await registeredAccount(context, caller.accountId)
    if (!account.totp?.enabled) throw notOn()
    await checkSecondFactor(context, account, input.code, origin)
    const { accountId, email } = account
    const mail = newMail(context, email, noticeMail('mfaDisabled', account))
    if (!(await context.store.disableTotp({ accountId, event: eventOf(origin), mail }))) throw notOn()
    context.wakeSender()
    return { mfa_enabled: false }
  },
})

const notOn = () => new Failure('conflict', 'The second factor is not on.')
