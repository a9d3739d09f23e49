/** The two proofs of who somebody is: the password, and the code of the second factor. */
import { Failure } from '../errors.ts'
import { readDigits, recoveryCodeMatches } from '../secrets/codes.ts'
import { matchingStep } from '../secrets/totp.ts'
import type { AccountRecord, CountedAttempt } from '../store/store.ts'
import { subjectOf } from './address.ts'
import { type AccountContext, eventOf } from './context.ts'
import type { Origin } from './handler.ts'
import { allowed, passwordLimits, secondFactorLimit } from './limits.ts'

/** A registered account: it has an address and a password. */
export interface Member extends AccountRecord {
  readonly address: string
  readonly email: string
  readonly username: string
  readonly fullName: string
  readonly passwordHash: string
}

const isMember = (account: AccountRecord | null): account is Member =>
  account !== null && account.passwordHash !== null && account.verified

/** The account of a caller whose key is a registered one. */
export async function memberOf({ store }: AccountContext, accountId: number): Promise<Member> {
  const account = await store.findAccount({ accountId })
  // Deleted since the key was looked up.
  if (!isMember(account)) throw new Failure('api_key_invalid', 'Invalid or expired API key')
  return account
}

/**
 * The account at this address, its password proved. The same work is done for an address that nobody has.
 * Throws Failure `invalid_credentials`, `too_many_attempts` or `overloaded`.
 */
export async function checkPassword(
  context: AccountContext,
  address: string,
  password: string,
  ip: string,
): Promise<Member> {
  const { passwords, store, turns, vault } = context
  const subject = subjectOf(vault, address)
  return await turns(subject, async () => {
    const { counted } = allowed(await store.attempt(passwordLimits(subject, ip)))
    const account = await store.findAccount({ address })
    const hash = isMember(account) ? account.passwordHash : null
    const right = await passwords.verify(hash, password).catch(async (error) => {
      await store.forgive(counted)
      throw error
    })
    if (!right) throw new Failure('invalid_credentials', 'The e-mail address or the password is wrong.')
    await store.forgive(counted)
    return account as Member
  })
}

/**
 * Demands the second factor where the account has one on: a TOTP code that was not used before, or a recovery code.
 * Throws Failure `mfa_required`, `mfa_invalid` or `too_many_attempts`.
 */
export async function checkSecondFactor(
  context: AccountContext,
  member: Member,
  typed: string | undefined,
  origin: Origin,
): Promise<void> {
  if (member.totp === null || !member.totp.enabled) return
  if (typed === undefined)
    throw new Failure('mfa_required', 'This account has a second factor; send its code as mfa_code.')
  const { counted, now } = await countSecondFactor(context, member)
  const digits = readDigits(typed)
  const right =
    digits === null
      ? await useRecoveryCode(context, member, typed, counted, origin)
      : await useTotp(context, member, digits, counted, now)
  if (!right) throw wrongSecondFactor()
}

export const countSecondFactor = async ({ store, vault }: AccountContext, { address }: Member) =>
  allowed(await store.attempt([secondFactorLimit(subjectOf(vault, address))]))

export const wrongSecondFactor = () =>
  new Failure('mfa_invalid', 'The code of the second factor is wrong, used or expired.')

export const totpSecretOf = ({ vault }: AccountContext, { totp, uid }: Member): string =>
  vault.open('totp secret', totp!, [uid])

async function useTotp(
  context: AccountContext,
  member: Member,
  digits: string,
  counted: readonly CountedAttempt[],
  now: number,
): Promise<boolean> {
  const step = matchingStep(totpSecretOf(context, member), digits, now)
  if (step === null) return false
  return await context.store.takeTotpStep({ accountId: member.accountId, step, counted })
}

async function useRecoveryCode(
  { store, vault }: AccountContext,
  { accountId, uid }: Member,
  typed: string,
  counted: readonly CountedAttempt[],
  origin: Origin,
): Promise<boolean> {
  const kept = await store.recoveryCodes(accountId)
  const [found] = kept.filter((code) => recoveryCodeMatches(vault, uid, code, typed))
  if (found === undefined) return false
  return await store.takeRecoveryCode({ accountId, id: found.id, counted, event: eventOf(origin) })
}
