/** The verbs whose statements both databases share, by their names in the Store. */

import type { Sql, Transaction } from '../sql.ts'
import type { Store } from '../store.ts'
import { replaceKey, revealKey } from './account-keys.ts'
import { createAccount, deleteAccount } from './admin-accounts.ts'
import { grantCredits, resetSecondFactor, setLimits, setSuspended, setTier } from './admin-changes.ts'
import { dropCodes, finishRotation, rewrap } from './admin-rotation.ts'
import { attempt, forgive } from './attempts.ts'
import { confirmRegistration } from './confirm-registration.ts'
import { keepOnce } from './facts.ts'
import { findAccount } from './find-account.ts'
import { createGuest } from './guests.ts'
import { claimMails, mailAbandoned, mailFailed, mailSent } from './outbox.ts'
import { changePassword, finishReset, guessReset, requestReset } from './passwords.ts'
import { refund } from './refunds.ts'
import { guessRegistration, pendingRegistration, register, renewRegistration } from './registrations.ts'
import {
  disableTotp,
  enableTotp,
  offerTotp,
  recoveryCodes,
  takeRecoveryCode,
  takeTotpStep,
} from './second-factors.ts'
import { tidy } from './tidy.ts'
import { inTurns, type Run } from './turns.ts'
import { grants, usage } from './usage.ts'
import { usageSums } from './usage-sums.ts'

export const verbs = {
  attempt,
  changePassword,
  claimMails,
  confirmRegistration,
  createAccount,
  createGuest,
  deleteAccount,
  disableTotp,
  dropCodes,
  enableTotp,
  findAccount,
  finishReset,
  finishRotation,
  forgive,
  grantCredits,
  grants,
  guessRegistration,
  guessReset,
  keepOnce,
  mailAbandoned,
  mailFailed,
  mailSent,
  offerTotp,
  pendingRegistration,
  recoveryCodes,
  refund,
  register,
  renewRegistration,
  replaceKey,
  requestReset,
  resetSecondFactor,
  revealKey,
  rewrap,
  setLimits,
  setSuspended,
  setTier,
  takeRecoveryCode,
  takeTotpStep,
  tidy,
  usage,
  usageSums,
}

type Verbs = typeof verbs

export type { Run }

/** One connection of PostgreSQL's pool stays free for whoever asks whether the database is there. */
const CONCURRENT = 7

/** The shared part of a Store over a way to run transactions. */
export function sharedVerbs(sql: Sql, run: Run): Pick<Store, keyof Verbs> {
  const runInTurn = inTurns(run, CONCURRENT)
  const bound = Object.entries(verbs).map(([name, verb]) => [
    name,
    (...args: unknown[]) =>
      runInTurn(() => (verb as (sql: Sql, ...args: unknown[]) => Transaction<unknown>)(sql, ...args)),
  ])
  return Object.fromEntries(bound) as Pick<Store, keyof Verbs>
}
