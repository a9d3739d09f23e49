/** The second factor: set up, switched on with a first code, switched off with a code. */
import { Failure } from '../errors.ts'
import { noticeMail } from '../mail/messages.ts'
import { keepRecoveryCode, newRecoveryCodes, readDigits } from '../secrets/codes.ts'
import { matchingStep, newTotpSecret, otpauthUrl } from '../secrets/totp.ts'
import { type AccountContext, eventOf, newMail } from './context.ts'
import {
  checkPassword,
  checkSecondFactor,
  countSecondFactor,
  type Member,
  memberOf,
  totpSecretOf,
  wrongSecondFactor,
} from './credentials.ts'
import { userMfaDisable, userMfaEnable, userMfaSetup } from './endpoints/passwords.ts'
import { handler, type Origin } from './handler.ts'

export const mfaHandlers = (context: AccountContext) => [
  handler(userMfaSetup, null, async ({ caller, input, origin }) => {
    const { address } = await memberOf(context, caller!.accountId)
    const member = await checkPassword(context, address, input.password, origin.subject)
    const { accountId, email, uid } = member
    const secret = newTotpSecret()
    const sealed = context.vault.seal('totp secret', secret, [uid])
    if (!(await context.store.offerTotp({ accountId, secret: sealed, event: eventOf(origin) }))) throw isOn()
    return { secret, otpauth_url: otpauthUrl({ issuer: context.issuer, account: email, secret }) }
  }),
  handler(userMfaEnable, null, async ({ caller, input, origin }) => {
    const member = await memberOf(context, caller!.accountId)
    if (member.totp?.enabled) throw isOn()
    if (member.totp === null)
      throw new Failure('conflict', 'There is no second factor to switch on; set one up first.')
    return { recovery_codes: await enable(context, member, input.code, origin) }
  }),
  handler(userMfaDisable, null, async ({ caller, input, origin }) => {
    const member = await memberOf(context, caller!.accountId)
    if (!member.totp?.enabled) throw isOff()
    await checkSecondFactor(context, member, input.code, origin)
    const { accountId, email } = member
    const mail = newMail(context, email, noticeMail('mfaDisabled', member))
    if (!(await context.store.disableTotp({ accountId, event: eventOf(origin), mail }))) throw isOff()
    context.wakeSender()
    return { mfa_enabled: false }
  }),
]

async function enable(
  context: AccountContext,
  member: Member,
  typed: string,
  origin: Origin,
): Promise<string[]> {
  const { counted, now } = await countSecondFactor(context, member)
  const digits = readDigits(typed)
  const step = digits === null ? null : matchingStep(totpSecretOf(context, member), digits, now)
  if (step === null) throw wrongSecondFactor()
  const codes = newRecoveryCodes()
  const enabled = await context.store.enableTotp({
    accountId: member.accountId,
    secret: member.totp!,
    step,
    counted,
    recoveryCodes: codes.map((code) => keepRecoveryCode(context.vault, member.uid, code)),
    event: eventOf(origin),
    mail: newMail(context, member.email, noticeMail('mfaEnabled', member)),
  })
  if (!enabled)
    throw new Failure('conflict', 'The second factor was changed by another request meanwhile; try again.')
  context.wakeSender()
  return codes
}

const isOn = () => new Failure('conflict', 'A second factor is switched on already; switch it off first.')
const isOff = () => new Failure('conflict', 'No second factor is switched on.')
