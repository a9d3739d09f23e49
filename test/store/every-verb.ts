/** A call of every verb, for tests that look at the statements of all. */
import type { adminReads, verbs } from '../../src/store/verbs/index.ts'

/** The bucket of each key that a verb creates. */
export const KEY_BUCKET = 5

const bytes = Buffer.alloc(32, 1)
const sealed = { masterKeyId: 'm', sealed: bytes }
let count = 0
const uid = () => `uid-${++count}`
const key = () => ({ uid: uid(), hash: Buffer.from(uid().padEnd(32)), bucket: KEY_BUCKET, ...sealed })
const event = () => ({ auditId: uid(), ip: '::1', requestId: 'r', method: 'POST', path: '/', actor: 'root' })
const mail = () => ({ id: uid(), to: 'a@example.org', ...sealed })
const code = (bound = uid()) => ({ uid: bound, kept: { masterKeyId: 'm', hash: bytes } })
const limit = { scope: 's', subject: 'x', limit: 100, windowMs: 60_000 }
const pause = (scope: string) => ({ scope, subject: 'x', limit: 9, windowMs: 60_000 })
const codeMail = (scope: string) => ({
  ...{ mail: mail(), mailLimits: [{ ...limit, unless: limit }], lifetimeMs: 60_000, pause: pause(scope) },
})
const guess = { address: 'new@example.org', limit, attemptsPerCode: 9 }
const owner = { email: 'a@example.org', username: 'u', fullName: 'f', passwordHash: 'p' }
const account = () => ({
  uid: uid(),
  ...owner,
  tier: 'free' as const,
  credits: 5,
  key: key(),
  event: event(),
})
const range = { from: 0, to: 9e15, requestId: null, limit: 10 }
export const usagePage = (accountId: number, filter: object) => ({
  ...{ accountId, limit: 10, before: { at: 9e15, id: 'z' }, filter },
})

/** The account that most verbs work on, its key, and the key of a guest. They are read anew for each verb. */
export interface Ids {
  accountId: number
  keyId: number
  guestKeyId: number
}

type Calls = { readonly [Name in keyof (typeof verbs & typeof adminReads)]: () => readonly unknown[] }

/** The arguments of every verb, ordered so that later verbs find the rows that earlier ones wrote. */
export function everyVerb(ids: Ids): Calls {
  const change = () => ({ accountId: ids.accountId, event: event(), mail: mail() })
  return {
    createGuest: () => [
      {
        ...{ uid: uid(), key: key(), credits: 5, lifetimeMs: 1e9, event: event() },
        device: { id: 'd', name: 'n', platform: 'p' },
      },
    ],
    createAccount: () => [{ ...account(), address: 'a@example.org' }],
    attempt: () => [[limit]],
    forgive: () => [[{ ...limit, startedAt: 0 }]],
    register: () => [
      {
        ...{ address: guess.address, accountId: null, ...codeMail('registration pause') },
        pending: {
          ...owner,
          code: code('pending'),
          guestKeyId: ids.guestKeyId,
          tokenHash: bytes,
          client: 'c',
        },
      },
    ],
    pendingRegistration: () => [{ address: guess.address, tokens: [Buffer.alloc(32, 2), bytes] }],
    renewRegistration: () => [
      {
        ...{ address: guess.address, kept: code().kept, ...codeMail('registration pause') },
        registration: { uid: 'pending', byToken: true },
      },
    ],
    guessRegistration: () => [guess],
    confirmRegistration: () => [
      {
        ...{ address: guess.address, code: code('pending'), accountUid: uid(), key: key(), credits: 5 },
        ...{ counted: [], event: event(), takeoverAuditId: uid(), tokens: [bytes], client: 'c' },
        unusablePassword: 'p',
      },
    ],
    requestReset: () => [
      { address: 'a@example.org', accountId: ids.accountId, code: code('reset'), ...codeMail('reset pause') },
    ],
    guessReset: () => [{ ...guess, address: 'a@example.org' }],
    finishReset: () => [
      { ...change(), code: code('reset'), passwordHash: 'q', counted: [], ended: [limit], started: limit },
    ],
    changePassword: () => [{ ...change(), oldHash: 'q', passwordHash: 'r' }],
    offerTotp: () => [{ accountId: ids.accountId, secret: sealed, event: event() }],
    enableTotp: () => [{ ...change(), step: 1, counted: [], secret: sealed, recoveryCodes: [sealed] }],
    takeTotpStep: () => [{ accountId: ids.accountId, step: 2, counted: [] }],
    recoveryCodes: () => [ids.accountId],
    takeRecoveryCode: () => [{ accountId: ids.accountId, id: 1, counted: [], event: event() }],
    disableTotp: () => [change()],
    resetSecondFactor: () => [{ accountId: ids.accountId, event: event() }],
    findAccount: () => [{ address: 'a@example.org' }],
    revealKey: () => [{ accountId: ids.accountId, keyId: ids.keyId, event: event() }],
    replaceKey: () => [{ ...change(), oldKeyId: ids.keyId, key: key(), mailLimit: limit }],
    setSuspended: () => [{ accountId: ids.accountId, event: event(), suspended: true }],
    setTier: () => [{ accountId: ids.accountId, event: event(), tier: 'pro' }],
    setLimits: () => [{ accountId: ids.accountId, event: event(), hour: 7 }],
    grantCredits: () => [{ accountId: ids.accountId, event: event(), credits: 7, note: 'n', reference: 'r' }],
    grants: () => [ids.accountId],
    usage: () => [usagePage(ids.accountId, { path: '/', status: 'failure', range: { from: 0, to: 9e15 } })],
    usageSums: () => [ids.accountId],
    refund: () => [[{ auditId: 'x', accountId: ids.accountId }]],
    claimMails: () => [10, 1_000],
    mailFailed: () => ['x', 'error', 1_000],
    mailSent: () => ['x'],
    mailAbandoned: () => ['x', 'error'],
    keepOnce: () => ['name', 'value'],
    rewrap: () => ['api_key', [{ id: 1, from: sealed, to: sealed, hash: bytes }]],
    secretsPage: () => [{ kind: 'api_key', currentId: 'n', after: null, limit: 10 }],
    accountsPage: () => [{ after: 0, limit: 10 }],
    accountView: () => [{ accountId: ids.accountId }],
    newestAudit: () => [],
    auditPage: () => [{ ...range, accountId: ids.accountId, after: { at: 1, id: 'a' } }],
    monitoredState: () => [],
    logPosition: () => [],
    operatorActs: () => [60_000],
    startState: () => [],
    recordLedgerCheck: () => [0],
    refusalPage: () => [{ ...range, accountId: ids.accountId, after: { at: 1, keyId: 1, ip: '', code: '' } }],
    checkLedger: () => [ids.accountId],
    countFailedAttempt: () => [{ address: 'a@example.org', subject: 's', ip: '', path: '/', code: 'c' }],
    failedAttemptPage: () => [
      {
        ...range,
        accountId: ids.accountId,
        after: { at: 1, ip: '', path: '', code: '', detail: '{"subject":"s"}' },
      },
    ],
    tidy: () => [{ auditRetentionMs: 1_000 }],
    secretCounts: () => [],
    codeCounts: () => [],
    dropCodes: () => ['n'],
    finishRotation: () => [{ currentId: 'm', fact: 'f', fingerprint: 'g', event: event() }],
    deleteAccount: () => [{ accountId: ids.accountId, event: event() }],
  }
}
