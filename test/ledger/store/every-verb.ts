/** A call of every verb, for tests that look at the statements of all. */
import { findAccount } from '../../../src/accounts/account.ts'
import { countFailedAttempt } from '../../../src/accounts/attempts.ts'
import { finishReset, replacePassword, requestReset } from '../../../src/accounts/change-password.ts'
import { addGuest } from '../../../src/accounts/create-guest.ts'
import { holding, windowUse } from '../../../src/accounts/credits.ts'
import { deleteOwn, eraseMore } from '../../../src/accounts/delete-account.ts'
import { keptPage } from '../../../src/accounts/kept-records.ts'
import { revealKey } from '../../../src/accounts/login.ts'
import { claimMails, settleMail } from '../../../src/accounts/mail/outbox.ts'
import { guessRegistration, guessReset } from '../../../src/accounts/mailed-codes.ts'
import { disableTotp, enableTotp, offerTotp } from '../../../src/accounts/mfa.ts'
import {
  awaitFall,
  crossedThresholds,
  queueNotice,
  replaceNotices,
  thresholdsOf,
} from '../../../src/accounts/notices.ts'
import { programKey } from '../../../src/accounts/programs.ts'
import { replaceKey } from '../../../src/accounts/regenerate-api-key.ts'
import { addRegistration } from '../../../src/accounts/register.ts'
import { pendingRegistration, renewRegistration } from '../../../src/accounts/resend-otp.ts'
import { recoveryCodes, takeRecoveryCode, takeTotpStep } from '../../../src/accounts/second-factor.ts'
import { bindAccount, boundAccount, openVouched } from '../../../src/accounts/sign-on.ts'
import { addTeamKey } from '../../../src/accounts/team-keys/create.ts'
import { endTeamKey } from '../../../src/accounts/team-keys/end.ts'
import { teamKey, teamKeys } from '../../../src/accounts/team-keys/lineages.ts'
import { replaceTeamKey } from '../../../src/accounts/team-keys/rotate.ts'
import { changeTeamKey } from '../../../src/accounts/team-keys/update.ts'
import { firstDay, usage } from '../../../src/accounts/usage-pages.ts'
import { addPage, claimDay, keepSums, tellDay, usageSums } from '../../../src/accounts/usage-sums.ts'
import { confirmRegistration } from '../../../src/accounts/verify-otp.ts'
import { operatorActs } from '../../../src/app/main/background.ts'
import { bringForward, deleteExpired, expireKeys, expireLots, tidy } from '../../../src/app/main/clean-up.ts'
import { startState } from '../../../src/app/main/start-checks.ts'
import { unpaidRows } from '../../../src/app/main/unpaid-guard.ts'
import { SPECIFIED_PLAN } from '../../../src/base/limits/callers.ts'
import { refund } from '../../../src/ledger/metering/refunds.ts'
import { countAttempt, forgive } from '../../../src/ledger/store/attempts.ts'
import {
  auditPage,
  failedAttemptPage,
  newestAudit,
  refusalPage,
} from '../../../src/ledger/store/audit-pages.ts'
import { keepHashKey, keepOnce } from '../../../src/ledger/store/facts.ts'
import { logPosition } from '../../../src/ledger/store/postgres/reader.ts'
import type { Sql, Transaction } from '../../../src/ledger/store/sql.ts'
import type { Reader, Store, Verb } from '../../../src/ledger/store/store.ts'
import {
  createAccount,
  endAccount,
  replaceOwnKey,
  resetSecondFactor,
  setLimits,
  setSuspended,
  setTier,
} from '../../../src/operators/account-changes.ts'
import { accountsPage } from '../../../src/operators/account-list.ts'
import { accountsOf, accountView, movements } from '../../../src/operators/accounts.ts'
import { refusedCounts, spanOf, withoutCredits } from '../../../src/operators/activity.ts'
import { beginAlert, endAlert, firingAlerts, seeNode } from '../../../src/operators/alerts/coordination.ts'
import { tellTest } from '../../../src/operators/alerts/notice.ts'
import {
  approvalOf,
  approvalsPage,
  askApproval,
  confirmApproval,
  rejectApproval,
} from '../../../src/operators/approvals.ts'
import type { AdminChange } from '../../../src/operators/audit-event.ts'
import { callDetails, callsWith } from '../../../src/operators/calls.ts'
import { activeAccounts, readCosts } from '../../../src/operators/costs.ts'
import { grantCredits, isReferenceUsed, reverseGrant } from '../../../src/operators/grants.ts'
import { sendMailNow, waitingMails } from '../../../src/operators/http/mail-endpoints.ts'
import { checkLedger, recordLedgerCheck } from '../../../src/operators/ledger-check.ts'
import { changePlan, newestPlan, planHistory } from '../../../src/operators/plans.ts'
import {
  dropCodes,
  finishRotation,
  olderCodes,
  rewrap,
  secretCounts,
  secretsPage,
} from '../../../src/operators/sealed-secrets.ts'
import { readStatement } from '../../../src/operators/statements.ts'
import {
  addOperatorToken,
  beginSession,
  countForbidden,
  endSession,
  operatorTokens,
  revokeOperatorToken,
  usedSession,
  usedToken,
} from '../../../src/operators/tokens.ts'
import { auditSpan, usageDayPage, usageTotals } from '../../../src/operators/usage-days.ts'
import { monitoredState, watchedState, writeNote } from '../../../src/operators/watched-state.ts'
import {
  claimDeliveries,
  deliveryPage,
  endpoints,
  queueDeliveries,
  recordAttempt,
} from '../../../src/operators/webhooks/deliveries.ts'
import { addEndpoint, deleteEndpoint, listEndpoints, replay } from '../../../src/operators/webhooks.ts'

const bytes = Buffer.alloc(32, 1)
const TOKEN = { createdAt: 0, expiresAt: null, revokedAt: null, lastUsedAt: null, person: 'token 1' }
const confirmTier = (sql: Sql, { accountId, event, id }: AdminChange & { readonly id: number }) =>
  confirmApproval(sql, { id, event }, setTier(sql, { accountId, event, tier: 'pro' }))
const LIMITS = { hour: 1, day: 1 }
const TIERS = { guest: LIMITS, free: LIMITS, basic: LIMITS, standard: LIMITS, pro: LIMITS }
const MONTH = { name: '2026-01', from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 1, 1) }
const sealed = { masterKeyId: 'm', sealed: bytes }
/** Lists of accounts in each order, with each filter. */
const LISTS = [
  { order: 'newest', filter: {} },
  { order: 'oldest', filter: { type: 'registered', state: 'active' } },
  { order: 'most_credits', filter: { type: 'free', state: 'suspended', credits: { least: 1, most: 9 } } },
  { order: 'least_credits', filter: { state: 'revoked' }, after: { value: 1, id: 1 } },
  { order: 'last_used', filter: { text: 'ada example.org', used: { from: 1, to: 9 } } },
  { order: 'longest_unused', filter: { text: 'qd_team_abcd' } },
  { order: 'newest', filter: { text: 'k', hashes: [bytes] } },
] as const
const calledBy = (accountId: number, keyId: number) => ({
  id: '019b7a3c-8f10-7c55-9d6e-0f2b3a4c5d6e',
  at: 1,
  accountId,
  keyId,
  path: '/p',
  content: bytes,
})
let count = 0
const uid = () => `uid-${++count}`
const shown = { prefix: 'qd_user_abcd', last4: 'wxyz' }
const key = () => ({ uid: uid(), hash: Buffer.from(uid().padEnd(32)), ...sealed, ...shown })
const event = () => ({ auditId: uid(), ip: '::1', requestId: 'r', method: 'POST', path: '/', actor: 'root' })
const mail = () => ({ id: uid(), to: 'a@example.org', ...sealed })
const code = (bound = uid()) => ({ uid: bound, storedHash: { masterKeyId: 'm', hash: bytes } })
const limit = { scope: 's', subject: 'x', limit: 100, windowMs: 60_000 }
const pause = (scope: string) => ({ scope, subject: 'x', limit: 9, windowMs: 60_000 })
const codeMail = (scope: string) => ({
  mail: mail(),
  mailLimits: [{ ...limit, unless: limit }],
  mailReserve: [limit],
  pause: pause(scope),
})
const guess = { address: 'new@example.org', limit, tokens: [] }
const owner = { email: 'a@example.org', username: 'u', fullName: 'f', passwordHash: 'p' }
const account = () => ({
  uid: uid(),
  ...owner,
  tier: 'free' as const,
  credits: 5,
  key: key(),
  event: event(),
})
const settings = {
  name: 'n',
  paths: null,
  allowedIps: null,
  creditCap: 9,
  capPeriod: 'day' as const,
  hourlyLimit: 9,
  expiresAt: null,
}
const teamKeyRow = () => ({
  uid: uid(),
  hash: Buffer.from(uid().padEnd(32)),
  prefix: 'qd_team_abcd',
  last4: 'wxyz',
})
const teamChange = ({ accountId }: Ids) => ({ accountId, event: event() })
const alert = { name: 'n', node: '', since: 1, summary: 's' }
const range = { from: 0, to: 9e15, requestId: null, limit: 10 }
export const usageQuery = (accountId: number, filter: object) => ({
  accountId,
  limit: 10,
  before: { at: 9e15, id: 'z' },
  filter,
})

/** The account that most verbs work on, its key, and the key of a guest. They are read anew for each verb. */
export interface Ids {
  accountId: number
  keyId: number
  guestKeyId: number
}

/** A verb, and arguments for it. */
export interface Example {
  readonly verb: string
  readonly isRead: boolean
  start(sql: Sql): Transaction<unknown>
}

const call = <Args extends readonly unknown[]>(
  verb: Verb<Args, unknown>,
  args: () => [...NoInfer<Args>],
  isRead = false,
): Example => ({ verb: verb.name, isRead, start: (sql) => verb(sql, ...args()) })

/** A verb that the command line runs on a connection for reads. */
const read = <Args extends readonly unknown[]>(verb: Verb<Args, unknown>, args: () => [...NoInfer<Args>]) =>
  call(verb, args, true)

/** The arguments of every verb, ordered so that later verbs find the rows that earlier ones wrote. */
export function everyVerb(ids: Ids): readonly Example[] {
  const change = () => ({ accountId: ids.accountId, event: event(), mail: mail() })
  return [
    call(addGuest, () => [
      {
        uid: uid(),
        key: key(),
        credits: 5,
        event: event(),
        device: { id: 'd', name: 'n', platform: 'p' },
      },
    ]),
    call(createAccount, () => [{ ...account(), address: 'a@example.org' }]),
    call(countAttempt, () => [[limit]]),
    call(forgive, () => [[{ ...limit, startedAt: 0 }]]),
    call(addRegistration, () => [
      {
        address: guess.address,
        accountId: null,
        ...codeMail('registration pause'),
        pending: {
          ...owner,
          code: code('pending'),
          guestKeyId: ids.guestKeyId,
          tokenHash: bytes,
          client: 'c',
        },
      },
    ]),
    call(pendingRegistration, () => [{ address: guess.address, tokens: [Buffer.alloc(32, 2), bytes] }]),
    call(renewRegistration, () => [
      {
        address: guess.address,
        storedHash: code().storedHash,
        ...codeMail('registration pause'),
        registration: { uid: 'pending', byToken: true },
      },
    ]),
    call(guessRegistration, () => [guess]),
    call(confirmRegistration, () => [
      {
        address: guess.address,
        code: code('pending'),
        accountUid: uid(),
        key: key(),
        credits: 5,
        counted: [],
        event: event(),
        takeoverAuditId: uid(),
        tokens: [bytes],
        client: 'c',
        unusablePassword: 'p',
      },
    ]),
    call(requestReset, () => [
      { address: 'a@example.org', accountId: ids.accountId, code: code('reset'), ...codeMail('reset pause') },
    ]),
    call(guessReset, () => [{ ...guess, address: 'a@example.org' }]),
    call(finishReset, () => [
      { ...change(), code: code('reset'), passwordHash: 'q', counted: [], ended: [limit], started: limit },
    ]),
    call(replacePassword, () => [{ ...change(), oldHash: 'q', passwordHash: 'r' }]),
    call(offerTotp, () => [{ accountId: ids.accountId, secret: sealed, event: event() }]),
    call(enableTotp, () => [{ ...change(), step: 1, counted: [], secret: sealed, recoveryCodes: [sealed] }]),
    call(takeTotpStep, () => [{ accountId: ids.accountId, step: 2, counted: [] }]),
    call(recoveryCodes, () => [ids.accountId]),
    call(takeRecoveryCode, () => [{ accountId: ids.accountId, id: 1, counted: [], event: event() }]),
    call(disableTotp, () => [change()]),
    call(resetSecondFactor, () => [{ accountId: ids.accountId, event: event() }]),
    call(findAccount, () => [{ address: 'a@example.org' }]),
    call(openVouched, () => [
      {
        uid: uid(),
        key: key(),
        credits: 5,
        provider: 'p',
        signOn: '["i","s"]',
        event: event(),
        owner: { ...owner, address: 'vouched@example.org' },
      },
    ]),
    call(programKey, () => [
      {
        signOn: '["i","s"]',
        hashOf: () => Buffer.from(uid().padEnd(32)),
        limits: { creditCap: null, capPeriod: 'total' as const, hourlyLimit: null },
        event: event(),
      },
    ]),
    call(boundAccount, () => ['["i","s"]']),
    call(bindAccount, () => [
      { address: 'a@example.org', signOn: '["i","t"]', provider: 'p', event: event() },
    ]),
    call(revealKey, () => [{ accountId: ids.accountId, keyId: ids.keyId, event: event() }]),
    call(replaceKey, () => [{ ...change(), oldKeyId: ids.keyId, key: key(), mailLimit: limit }]),
    call(addTeamKey, () => [{ ...teamChange(ids), key: teamKeyRow(), settings }]),
    call(replaceNotices, () => [{ ...teamChange(ids), credits: [9, 1] }]),
    call(thresholdsOf, () => [ids.accountId]),
    call(crossedThresholds, () => []),
    call(awaitFall, () => [{ accountId: ids.accountId, threshold: 9, waits: 0, mailedAt: null }]),
    call(queueNotice, () => [{ accountId: ids.accountId, threshold: 9, waits: 1, mailedAt: null }, mail()]),
    call(teamKeys, () => [ids.accountId]),
    call(teamKey, () => [ids.accountId, 1]),
    call(changeTeamKey, () => [
      { ...teamChange(ids), id: 1, settings: { ...settings, capPeriod: 'month' as const } },
    ]),
    call(replaceTeamKey, () => [{ ...teamChange(ids), id: 1, key: teamKeyRow(), overlapMs: 60_000 }]),
    call(endTeamKey, () => [{ ...teamChange(ids), id: 1 }]),
    call(endpoints, () => []),
    call(queueDeliveries, () => [10]),
    read(deliveryPage, () => [{ endpointId: 1, state: undefined, before: null, limit: 9 }]),
    call(claimDeliveries, () => [1, 10]),
    call(recordAttempt, () => [1, { isDone: false, status: 500, retryInMs: 1 }]),
    call(addEndpoint, () => [
      { ...sealed, uid: uid(), url: 'https://a.example', types: null, event: event() },
    ]),
    read(listEndpoints, () => []),
    call(replay, () => [{ id: 1, which: { from: 0, to: 9e15 }, event: event() }]),
    call(deleteEndpoint, () => [{ id: 1, event: event() }]),
    call(addOperatorToken, () => [
      {
        name: 'n',
        role: 'admin' as const,
        hash: bytes,
        expiresAt: null,
        madeWith: { id: 1, person: 'token 1' },
        event: event(),
      },
    ]),
    call(askApproval, () => [
      {
        act: 'delete' as const,
        path: '/p',
        input: '{}',
        accountId: ids.accountId,
        person: 'token 1',
        reason: null,
        event: event(),
      },
    ]),
    read(approvalsPage, () => [{ before: 9, limit: 9, waiting: true }]),
    read(approvalOf, () => [1]),
    call(rejectApproval, () => [{ id: 1, event: event() }]),
    call(confirmTier, () => [{ ...change(), id: 1 }]),
    read(isReferenceUsed, () => ['r']),
    call(usedToken, () => [bytes]),
    call(countForbidden, () => [{ event: event(), role: 'viewer' as const, needed: 'admin' as const }]),
    call(beginSession, () => [
      {
        token: { ...TOKEN, id: 1, name: 'n', role: 'admin' as const },
        hash: Buffer.alloc(32, 3),
        lifeMs: 60_000,
        event: event(),
      },
    ]),
    call(usedSession, () => [Buffer.alloc(32, 3)]),
    call(endSession, () => [{ id: 2, event: event() }]),
    call(writeNote, () => [{ what: 'backup' as const, masterKeyId: 'm', event: event() }]),
    read(watchedState, () => []),
    ...[null, 1].flatMap((accountId) => [
      read(spanOf, () => [{ accountId, from: 0, to: 60_000 }]),
      read(refusedCounts, () => [{ accountId, from: 0, to: 60_000 }]),
    ]),
    read(withoutCredits, () => []),
    read(windowUse, () => [ids.accountId, SPECIFIED_PLAN]),
    read(movements, () => [ids.accountId]),
    read(waitingMails, () => [{ after: { createdAt: 1, id: 'm' }, limit: 9 }]),
    call(sendMailNow, () => [{ id: 'm', event: event() }]),
    read(operatorTokens, () => []),
    read(readStatement, () => [{ accountId: ids.accountId, month: MONTH }]),
    read(newestPlan, () => []),
    read(planHistory, () => [{ before: 9, limit: 9 }]),
    call(changePlan, () => [
      {
        basedOn: 0,
        change: { low_credits: 7 },
        note: null,
        event: event(),
        settings: {
          ...SPECIFIED_PLAN,
          tiers: TIERS,
          lowCredits: 0,
          costs: {},
          price: null,
          initialCredits: { registered: 1, guest: 1 },
        },
      },
    ]),
    read(activeAccounts, () => [{ ...MONTH, after: 0, limit: 9 }]),
    read(readCosts, () => [{ ...MONTH, accountId: ids.accountId }]),
    read(accountsOf, () => [[ids.accountId]]),
    call(revokeOperatorToken, () => [{ id: 1, event: event() }]),
    call(setSuspended, () => [{ accountId: ids.accountId, event: event(), suspended: true }]),
    call(setTier, () => [{ accountId: ids.accountId, event: event(), tier: 'pro' as const }]),
    call(setLimits, () => [{ accountId: ids.accountId, event: event(), hour: 7 }]),
    call(grantCredits, () => [
      {
        accountId: ids.accountId,
        event: event(),
        credits: 7,
        note: 'n',
        reference: 'r',
        expiresAt: 4e12,
      },
    ]),
    call(reverseGrant, () => [{ reference: 'r', credits: 3, reversalReference: 's', event: event() }]),
    call(holding, () => [ids.accountId, 1, SPECIFIED_PLAN]),
    call(usage, () => [
      usageQuery(ids.accountId, { path: '/', status: 'failure', teamKeyId: 1, range: { from: 0, to: 9e15 } }),
    ]),
    call(firstDay, () => []),
    read(usageSums, () => [ids.accountId]),
    call(keepSums, () => [
      [
        {
          accountId: ids.accountId,
          from: 0,
          until: 2,
          sums: [{ day: 1, path: '/', teamKeyId: 0, calls: 1, credits: 1 }],
        },
      ],
    ]),
    call(refund, () => [[{ auditId: 'x', accountId: ids.accountId }]]),
    call(claimMails, () => [10, 1_000]),
    call(settleMail, () => ['x', 'error', 1_000]),
    call(settleMail, () => ['x', null, null]),
    call(keepOnce, () => ['name', 'value']),
    call(keepHashKey, () => ['name', sealed]),
    call(rewrap, () => [
      'api_key' as const,
      [{ id: 1, from: sealed, to: sealed, key: { hash: bytes, ...shown } }],
    ]),
    read(secretsPage, () => [{ kind: 'api_key' as const, currentId: 'n', after: null, limit: 10 }]),
    ...LISTS.map((list) => read(accountsPage, () => [{ limit: 9, after: null, ...list }])),
    read(callsWith, () => ['019b7a3c-8f10-7c55-9d6e-0f2b3a4c5d6e']),
    read(callDetails, () => [calledBy(ids.accountId, ids.keyId)]),
    read(accountView, () => [{ accountId: ids.accountId }]),
    read(newestAudit, () => []),
    read(auditPage, () => [{ ...range, accountId: ids.accountId, after: { at: 1, id: 'a' } }]),
    call(monitoredState, () => []),
    call(unpaidRows, () => [1_000]),
    call(logPosition, () => []),
    call(operatorActs, () => [60_000]),
    call(startState, () => []),
    call(recordLedgerCheck, () => [0]),
    read(refusalPage, () => [
      { ...range, accountId: ids.accountId, after: { at: 1, keyId: 1, ip: '', code: '' } },
    ]),
    read(checkLedger, () => [ids.accountId]),
    call(countFailedAttempt, () => [
      { address: 'a@example.org', subject: 's', ip: '', path: '/', code: 'c' },
    ]),
    read(failedAttemptPage, () => [
      {
        ...range,
        accountId: ids.accountId,
        after: { at: 1, ip: '', path: '', code: '', detail: '{"subject":"s"}' },
      },
    ]),
    call(deleteExpired, () => [1_000]),
    call(expireLots, () => []),
    call(expireKeys, () => []),
    call(bringForward, () => []),
    call(claimDay, () => []),
    read(addPage, () => [{ at: 0, id: '' }, 86_400_000, new Map()]),
    call(tellDay, () => [0, new Map([[ids.accountId, { calls: 1, credits: 1 }]])]),
    call(replaceOwnKey, () => [{ ...change(), key: key() }]),
    read(secretCounts, () => []),
    read(olderCodes, () => ['n']),
    call(dropCodes, () => ['n']),
    call(finishRotation, () => [{ currentId: 'm', fingerprint: 'g', event: event() }]),
    read(auditSpan, () => []),
    read(usageDayPage, () => [{ day: 0, after: { at: 1, id: 'x' }, limit: 9 }]),
    read(usageTotals, () => [0]),
    read(keptPage, () => [ids.accountId, { step: 0, after: null }]),
    call(seeNode, () => ['a', 'running' as const]),
    call(beginAlert, () => [alert, { mails: [mail()], event: null }]),
    call(endAlert, () => [alert, { mails: [], event: null }]),
    read(firingAlerts, () => []),
    call(tellTest, () => [{ mails: [mail()], event: null }, event()]),
    call(replaceOwnKey, () => [{ ...teamChange(ids), key: key() }]),
    call(deleteOwn, () => [{ ...change(), passwordHash: 'p' }]),
    call(endAccount, () => [{ accountId: ids.accountId, event: event() }]),
    call(eraseMore, () => [null]),
    call(eraseMore, () => [ids.accountId]),
  ]
}

/** Runs every verb in turn, on a database without accounts. */
export async function runEveryVerb(store: Store, reads: Reader): Promise<void> {
  const ids = { accountId: 0, keyId: 0, guestKeyId: 1 }
  for (const { isRead, start, verb } of everyVerb(ids)) {
    if (verb === deleteExpired.name) {
      await tidy(store, 1_000)
      continue
    }
    const result = await (isRead ? reads : store).run(start)
    if (verb !== createAccount.name) continue
    ids.accountId = (result as { accountId: number }).accountId
    ids.keyId = (await store.run(findAccount, { accountId: ids.accountId }))!.key!.keyId
  }
}
