/** The verbs that both databases run, by their names in the Store and in the AdminReader. */
import { replaceKey, revealKey } from './account-keys.ts'
import { createAccount, deleteAccount } from './admin-accounts.ts'
import { auditPage, newestAudit, operatorActs, refusalPage } from './admin-audit.ts'
import { grantCredits, resetSecondFactor, setLimits, setSuspended, setTier } from './admin-changes.ts'
import { checkLedger } from './admin-ledger-check.ts'
import { dropCodes, finishRotation, rewrap } from './admin-rotation.ts'
import { codeCounts, secretCounts, secretsPage } from './admin-secrets.ts'
import { accountsPage, accountView } from './admin-views.ts'
import { attempt, forgive } from './attempts.ts'
import { confirmRegistration } from './confirm-registration.ts'
import { createGuest } from './create-guest.ts'
import { keepOnce } from './facts.ts'
import { countFailedAttempt, failedAttemptPage } from './failed-attempts.ts'
import { findAccount } from './find-account.ts'
import { logPosition } from './log-position.ts'
import { monitoredState, recordLedgerCheck } from './monitored.ts'
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
import { startState } from './start-state.ts'
import { tidy } from './tidy.ts'
import { grants, usage } from './usage.ts'
import { usageSums } from './usage-sums.ts'

export type { NewAccount } from './admin-accounts.ts'
export type { AuditLine, AuditRange, OperatorAct } from './admin-audit.ts'
export type { ChangeOutcome, GrantOutcome } from './admin-changes.ts'
export type { LedgerCheck, LedgerFault } from './admin-ledger-check.ts'
export type { RewrappedSecret } from './admin-rotation.ts'
export type { CodeCount, KeptSecret, SecretCount, SecretKind } from './admin-secrets.ts'
export type { AccountView } from './admin-views.ts'
export type { Confirmation, ConfirmedRegistration } from './confirm-registration.ts'
export type { NewGuest } from './create-guest.ts'
export type { AccountRecord } from './find-account.ts'
export type { MonitoredState } from './monitored.ts'
export type { ClaimedMail } from './outbox.ts'
export type { NewReset } from './passwords.ts'
export type { NewRegistration, PendingRegistration, RenewedCode } from './registrations.ts'
export type { Replication } from './replication.ts'
export type { TotpStep } from './second-factors.ts'
export type { StartState } from './start-state.ts'
export type { Tidied } from './tidy.ts'
export type { UsagePage, UsageQuery } from './usage.ts'
export type { UsageSum } from './usage-sums.ts'

/** Of the Store. */
export const verbs = {
  attempt,
  changePassword,
  claimMails,
  confirmRegistration,
  countFailedAttempt,
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
  logPosition,
  mailAbandoned,
  mailFailed,
  mailSent,
  monitoredState,
  offerTotp,
  operatorActs,
  pendingRegistration,
  recordLedgerCheck,
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
  startState,
  takeRecoveryCode,
  takeTotpStep,
  tidy,
  usage,
  usageSums,
}

/** Of the AdminReader. */
export const adminReads = {
  accountsPage,
  accountView,
  auditPage,
  checkLedger,
  codeCounts,
  failedAttemptPage,
  newestAudit,
  refusalPage,
  secretCounts,
  secretsPage,
}
