/** Checks the second factor: a TOTP code or a recovery code, each accepted once, with limits on wrong guesses. */
import { secondFactorNeeded, wrongSecondFactor } from '../base/errors/accounts.ts'
import { type CountedAttempt, countAttempt, forgive } from '../ledger/store/attempts.ts'
import { writeEvent } from '../ledger/store/events.ts'
import { rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { Origin } from '../protocol/handler.ts'
import { matchingStep, readDigits, recoveryCodeMatches } from '../secrets/codes.ts'
import type { Sealed } from '../secrets/vault.ts'
import type { RegisteredAccount } from './account.ts'
import { type AccountContext, eventOf, type OwnAct } from './account-endpoint.ts'
import { subjectOf } from './address.ts'
import { allowed, recoveryCodeLimit, totpLimit } from './attempts.ts'

/** Purpose of the encrypted TOTP secret, which is bound to the uid of its account. */
const PURPOSE = 'totp secret'

export const sealTotpSecret = ({ vault }: AccountContext, { uid }: RegisteredAccount, secret: string) =>
  vault.seal(PURPOSE, secret, [uid])

/**
 * Returns at once if the account has no second factor on; else checks the code.
 * Throws Failure `mfa_required`, `mfa_invalid` or `too_many_attempts`.
 */
export async function checkSecondFactor(
  context: AccountContext,
  account: RegisteredAccount,
  typed: string | undefined,
  origin: Origin,
): Promise<void> {
  if (account.totp === null || !account.totp.enabled) return
  if (typed === undefined) throw secondFactorNeeded()
  const right =
    readDigits(typed) === null
      ? await useRecoveryCode(context, account, typed, origin)
      : await useTotp(context, account, typed)
  if (!right) throw wrongSecondFactor()
}

/**
 * The TOTP step of a first code, for an account whose second factor is set up but not on yet.
 * Throws Failure `mfa_invalid` or `too_many_attempts`.
 */
export async function checkFirstCode(context: AccountContext, account: RegisteredAccount, typed: string) {
  const { counted, step } = await guessTotp(context, account, typed)
  if (step === null) throw wrongSecondFactor()
  return { counted, step }
}

/** Counts the guess, then compares it. Returns its time step; null: the code is wrong. */
async function guessTotp({ store, vault }: AccountContext, account: RegisteredAccount, typed: string) {
  const { address, totp, uid } = account
  const { counted, now } = allowed(await store.run(countAttempt, [totpLimit(subjectOf(vault, address))]))
  const digits = readDigits(typed)
  const step = digits === null ? null : matchingStep(vault.open(PURPOSE, totp!, [uid]), digits, now)
  return { counted, step }
}

async function useTotp(context: AccountContext, account: RegisteredAccount, typed: string): Promise<boolean> {
  const { counted, step } = await guessTotp(context, account, typed)
  if (step === null) return false
  return await context.store.run(takeTotpStep, { accountId: account.accountId, step, counted })
}

async function useRecoveryCode(
  { store, vault }: AccountContext,
  { accountId, address, uid }: RegisteredAccount,
  typed: string,
  origin: Origin,
): Promise<boolean> {
  const limit = recoveryCodeLimit(subjectOf(vault, address), origin.subject)
  const { counted } = allowed(await store.run(countAttempt, [limit]))
  const stored = await store.run(recoveryCodes, accountId)
  const [found] = stored.filter((code) => recoveryCodeMatches(vault, uid, code, typed))
  if (found === undefined) return false
  return await store.run(takeRecoveryCode, { accountId, id: found.id, counted, event: eventOf(origin) })
}

/** The time step at which a TOTP code was right. */
export interface TotpStep {
  readonly accountId: number
  readonly step: number
  readonly counted: readonly CountedAttempt[]
}

/** Marks a time step as used. False: it, or a later one, was used before. */
export function* takeTotpStep(sql: Sql, { accountId, counted, step }: TotpStep): Transaction<boolean> {
  yield* sql.lock([accountId])
  const taken = yield* rows(
    sql.db
      .updateTable('accounts')
      .set({ totp_last_step: step })
      .where('id', '=', accountId)
      .where('totp_enabled_at', 'is not', null)
      .where((where) => where.or([where('totp_last_step', 'is', null), where('totp_last_step', '<', step)]))
      .returning('id'),
  )
  if (taken.length === 0) return false
  yield* forgive(sql, counted)
  return true
}

export function* recoveryCodes(
  sql: Sql,
  accountId: number,
): Transaction<readonly (Sealed & { readonly id: number })[]> {
  return yield* rows(
    sql.db
      .selectFrom('recovery_codes')
      .select(['id', 'master_key_id as masterKeyId', 'sealed'])
      .where('account_id', '=', accountId),
  )
}

/** Marks a recovery code as used. False: it was used before. */
export function* takeRecoveryCode(
  sql: Sql,
  { accountId, counted, event, id }: OwnAct & Pick<TotpStep, 'counted'> & { readonly id: number },
): Transaction<boolean> {
  const taken = yield* rows(
    sql.db
      .deleteFrom('recovery_codes')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .returning('id'),
  )
  if (taken.length === 0) return false
  yield* forgive(sql, counted)
  const now = yield* sql.clock()
  yield* writeEvent(sql, event, { at: now, accountId, keyId: null, name: 'recovery_code_used' })
  return true
}
