/** Checks an e-mail address and its password, with limits on wrong guesses. */

import { type KeyedQueue, keyedQueue } from '../base/bounded-queue.ts'
import { wrongPassword } from '../base/errors/accounts.ts'
import { tooManyLogins } from '../base/errors/requests.ts'
import { countAttempt, forgive } from '../ledger/store/attempts.ts'
import { findAccount, isRegistered, type RegisteredAccount } from './account.ts'
import type { AccountContext } from './account-endpoint.ts'
import { subjectOf } from './address.ts'
import { allowed, passwordLimits } from './attempts.ts'

/** Serializes the checks of one address, so that simultaneous logins are not counted as guesses. */
export const openPasswordQueue = (): KeyedQueue =>
  keyedQueue({ concurrent: 1, waiting: 256, onFull: tooManyLogins })

/**
 * Returns the account of this address if the password is right. Unknown addresses cost the same work.
 * Throws Failure `invalid_credentials`, `too_many_attempts` or `overloaded`.
 */
export async function checkPassword(
  { passwordQueue, passwords, store, vault }: AccountContext,
  address: string,
  password: string,
  client: string,
): Promise<RegisteredAccount> {
  const subject = subjectOf(vault, address)
  return await passwordQueue(subject, async () => {
    const { counted } = allowed(await store.run(countAttempt, passwordLimits(subject, client)))
    const account = await store.run(findAccount, { address })
    const hash = isRegistered(account) ? account.passwordHash : null
    const right = await passwords.verify(hash, password).catch(async (error) => {
      await store.run(forgive, counted)
      throw error
    })
    if (!right) throw wrongPassword()
    await store.run(forgive, counted)
    return account as RegisteredAccount
  })
}
