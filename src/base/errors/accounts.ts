/** The text of every failure of the account endpoints, and of sign-on by a provider, which people read in a page. */
import { Failure } from '../failure.ts'
import { tooManyAttempts } from './requests.ts'

export const wrongPassword = () =>
  new Failure('invalid_credentials', 'The e-mail address or the password is wrong.')
export const wrongMailedCode = () =>
  new Failure('otp_invalid', 'The code is wrong, already used or expired; request a new one.')
export const secondFactorNeeded = () =>
  new Failure('mfa_required', 'This account has a second factor; send its code as mfa_code.')
export const wrongSecondFactor = () =>
  new Failure(
    'mfa_invalid',
    'The code of the second factor is wrong, already used or expired; send the next one, or a recovery code.',
  )
export const secondFactorAlreadyOn = () =>
  new Failure('conflict', 'The second factor is already on; switch it off first.')
export const secondFactorNotOn = () => new Failure('conflict', 'The second factor is not on.')
export const secondFactorNotSetUp = () =>
  new Failure('conflict', 'No second factor is set up; call /user/mfa/setup first.')
export const secondFactorChanged = () =>
  new Failure('conflict', 'Another request has just changed the second factor; try again.')
export const passwordChanged = () =>
  new Failure('conflict', 'Another request has just changed the password; log in again.')
export const keyBeingReplaced = () =>
  new Failure('conflict', 'The key is being replaced by another request; log in again.')
export const keySuspended = () =>
  new Failure('key_suspended', 'The key of this account is suspended; ask the operator of the service.')

export const tooManyWrongAttempts = (seconds: number) => tooManyAttempts('attempts', seconds)
/** The same whether or not the address is known. */
export const tooManyMails = (seconds: number) => tooManyAttempts('mails', seconds)
export const tooManyFromAddress = (seconds: number) => tooManyAttempts('address_requests', seconds)

export const noSuchTeamKey = () =>
  new Failure('not_found', 'This account has no team key with this id; the list of its keys has their ids.')
export const teamKeyEnded = () =>
  new Failure('conflict', 'This team key was revoked or has expired; create another one.')
export const tooManyTeamKeys = (limit: number) =>
  new Failure(
    'conflict',
    `This account has ${limit} team keys, those in an overlap counted, which is the limit; revoke one first.`,
  )
/** @param index of the path in the list */
export const unknownTeamKeyPath = (index: number) => {
  const problem = 'must be the path of a computation, for example /quantlib/pricing/bs/price'
  return new Failure('invalid_input', `paths: item ${index + 1} ${problem}.`, {
    details: [{ path: `/paths/${index}`, message: problem }],
  })
}
export const notAnIpRange = (index: number) => {
  const problem = 'must be an IP address or a range of addresses, for example 192.0.2.0/24 or 2001:db8::/48'
  return new Failure('invalid_input', `allowed_ips: item ${index + 1} ${problem}.`, {
    details: [{ path: `/allowed_ips/${index}`, message: problem }],
  })
}
export const periodWithoutCap = () => {
  const problem = 'needs credit_cap, the credits that the key may spend in this period'
  return new Failure('invalid_input', `cap_period ${problem}.`, {
    details: [{ path: '/cap_period', message: problem }],
  })
}
export const noSuchCall = () =>
  new Failure('not_found', 'No computation of this account has this request id.')
export const noReceipt = () =>
  new Failure(
    'conflict',
    'This call has no receipt: it was recorded before the service made them, or was changed since.',
  )
export const receiptNotReady = () =>
  new Failure('unavailable', 'The receipt is not signed yet; try again.', { retryAfterSeconds: 1 })

export const signOnExpired = () =>
  new Failure(
    'sign_on_failed',
    'This sign-on was not begun in this browser, was used before, or took longer than 10 minutes: begin again.',
  )
export const signOnRefused = (provider: string) =>
  new Failure(
    'sign_on_failed',
    `${provider} did not sign you on, or its answer was not accepted: begin again. The operator of this service finds the reason in its log.`,
  )
export const providerAway = (provider: string) =>
  new Failure('unavailable', `${provider} cannot be reached now: try again later, or log in another way.`, {
    retryAfterSeconds: 30,
  })
export const noRole = (name: string, claim: string) =>
  new Failure(
    'role_forbidden',
    `You are signed on as ${name}, who has no role here: an administrator of your provider gives one by the claim ${claim}.`,
  )
export const accountOfAnother = (provider: string) =>
  new Failure(
    'sign_on_failed',
    `The account of your e-mail address belongs to another person of ${provider}: log in with its password, or ask the operator.`,
  )
export const programsHaveNoKey = () =>
  new Failure(
    'conflict',
    'This key stands for the programs that sign on at the provider, which send no key: there is nothing to rotate.',
  )
export const addressNotVerified = (provider: string) =>
  new Failure(
    'sign_on_failed',
    `${provider} does not say that your e-mail address is verified: verify it there, then sign on again.`,
  )
