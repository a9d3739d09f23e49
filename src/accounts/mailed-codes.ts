/** The check of a code that came by mail: counted first, compared after. */
import { Failure } from '../errors.ts'
import type { oneTimeCode } from '../secrets/codes.ts'
import type { CountedAttempt, MailedCode, Store } from '../store/store.ts'
import { subjectOf } from './address.ts'
import type { AccountContext } from './context.ts'
import { ATTEMPTS_PER_CODE, allowed, codeLimit } from './limits.ts'

export interface RightCode {
  readonly code: MailedCode
  readonly counted: readonly CountedAttempt[]
}

/** Throws Failure `otp_invalid` or `too_many_attempts`. */
export async function checkMailedCode(
  { vault }: AccountContext,
  guess: Store['guessRegistration'],
  kind: typeof oneTimeCode,
  address: string,
  typed: string,
): Promise<RightCode> {
  const limit = codeLimit(subjectOf(vault, address))
  const { codes, counted } = allowed(await guess({ address, limit, attemptsPerCode: ATTEMPTS_PER_CODE }))
  // All are compared, so that the time does not tell which.
  const [code] = codes.filter(({ kept, uid }) => kind.matches(vault, uid, kept, typed))
  if (code === undefined) throw wrongCode()
  return { code, counted }
}

/** Wrong, used and expired codes answer alike. */
export const wrongCode = () =>
  new Failure('otp_invalid', 'The code is wrong, used or expired; ask for a new one.')
