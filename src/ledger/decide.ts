/** The ledger's rules: one pure function that admits and settles a group of calls, in arrival order. */
import type { FailureCode } from '../errors.ts'
import { BINDING_LIFETIME_MS, limitsOf, MINUTE_LIMIT, type WindowName, windowMs } from './tiers.ts'
import {
  type Admission,
  type AuditRow,
  type Binding,
  bindingId,
  type Call,
  type Entry,
  type LedgerAccount,
  type LedgerSnapshot,
  type Outcome,
  type RefusalCount,
  type Standing,
  type Verdict,
  type Window,
  type Writes,
} from './types.ts'

/**
 * Decides entry by entry: each sees the changes of those before it, so that of five calls on a balance of three,
 * three pass. The caller has locked the accounts, and applies the writes.
 */
export function decide(
  snapshot: LedgerSnapshot,
  entries: readonly Entry[],
): { verdicts: Verdict[]; writes: Writes } {
  const draft = openDraft(snapshot)
  const verdicts = entries.map((entry) => enter(draft, entry))
  return {
    verdicts,
    writes: {
      accounts: [...draft.changed].map((id) => draft.accounts.get(id)!),
      audit: draft.audit,
      bindings: [...draft.bound.values()],
      refusals: [...draft.refusals.values()],
    },
  }
}

interface Draft {
  readonly snapshot: LedgerSnapshot
  readonly accounts: Map<number, LedgerAccount>
  readonly bindings: Map<string, Binding>
  readonly changed: Set<number>
  readonly bound: Map<string, Binding>
  readonly audit: AuditRow[]
  readonly refusals: Map<string, RefusalCount>
}

const openDraft = (snapshot: LedgerSnapshot): Draft => ({
  snapshot,
  accounts: new Map(snapshot.accounts),
  bindings: new Map(snapshot.bindings),
  changed: new Set(),
  bound: new Map(),
  audit: [],
  refusals: new Map(),
})

function enter(draft: Draft, entry: Entry): Verdict {
  switch (entry.step) {
    case 'admit':
      return admit(draft, entry.call)
    case 'peek':
      return peek(draft, entry.call)
    case 'settle':
      return (
        alreadyWritten(draft, entry.call) ??
        untraceable(draft, entry.call, entry.outcome) ??
        settle(draft, entry.call, entry.admission, entry.outcome)
      )
    case 'admitAndSettle': {
      const written = alreadyWritten(draft, entry.call)
      if (written !== null) return written
      const admitted = admit(draft, entry.call)
      return admitted.ok ? settle(draft, entry.call, admitted.admission, entry.outcome) : admitted
    }
    case 'refusal':
      return refuse(draft, entry.call, entry.code)
  }
}

/** Of a group that is entered again because its outcome was unknown: the rows that its first attempt wrote stand. */
function alreadyWritten(draft: Draft, call: Call): Verdict | null {
  const row = draft.snapshot.written.get(call.id)
  if (row === undefined) return null
  const admission = {
    replay: row.replayed,
    epoch: draft.snapshot.epoch,
    hourStartedAt: 0,
    dayStartedAt: 0,
  }
  return pass(draft, call, admission, row.replayed, row.credits)
}

/**
 * A success that left no row was rolled back or refused. A refused one gave its slot back, which must not happen twice,
 * and it must not be charged without a slot.
 */
const untraceable = (draft: Draft, call: Call, outcome: Outcome): Verdict | null =>
  draft.snapshot.again && outcome.code === null ? refuse(draft, call, 'unavailable') : null

/** Counts a call in its windows, or refuses it with nothing consumed. */
function admit(draft: Draft, call: Call): Verdict {
  const { now, epoch } = draft.snapshot
  const account = draft.accounts.get(call.accountId)
  const key = draft.snapshot.keys.get(call.keyId)
  if (account === undefined || key === undefined || key.status !== 'active')
    return refuse(draft, call, 'api_key_invalid')
  if (!account.verified) return refuse(draft, call, 'account_unverified')
  if (account.expiresAt !== null && account.expiresAt <= now) return refuse(draft, call, 'guest_key_expired')

  const minute = current(account.minute, 'minute', now)
  const binding = liveBinding(draft, call)
  if (binding !== null && binding.requestHash !== call.idempotency?.requestHash)
    return refuse(draft, call, 'idempotency_conflict')
  const replay = binding !== null
  if (replay || call.kind === 'account') {
    if (minute.count + 1 > MINUTE_LIMIT)
      return refuse(draft, call, 'rate_limited', minute.startedAt + windowMs.minute)
    change(draft, { ...account, minute: add(minute, 1) })
    return pass(draft, call, { replay, epoch, hourStartedAt: 0, dayStartedAt: 0 }, replay, 0)
  }

  const limits = limitsOf(account)
  const hour = current(account.hour, 'hour', now)
  const day = current(account.day, 'day', now)
  const full: number[] = []
  if (hour.count + call.units > limits.hour) full.push(hour.startedAt + windowMs.hour)
  if (limits.day !== null && day.count + call.units > limits.day) full.push(day.startedAt + windowMs.day)
  if (full.length > 0) return refuse(draft, call, 'rate_limited', Math.max(...full))
  if (account.balance < call.cost) return refuse(draft, call, 'credits_exhausted')

  change(draft, { ...account, hour: add(hour, call.units), day: add(day, call.units) })
  const admission = { replay, epoch, hourStartedAt: hour.startedAt, dayStartedAt: day.startedAt }
  return pass(draft, call, admission, false, 0)
}

/** Admits, then takes the count back at once. */
function peek(draft: Draft, call: Call): Verdict {
  const before = draft.accounts.get(call.accountId)
  const verdict = admit(draft, call)
  if (before !== undefined) draft.accounts.set(before.id, before)
  return verdict
}

/** Charges a success, or refuses it; writes the audit row of every admitted call. */
function settle(draft: Draft, call: Call, admission: Admission, outcome: Outcome): Verdict {
  if (admission.epoch !== draft.snapshot.epoch) return refuse(draft, call, 'unavailable')
  if (outcome.code !== null) {
    writeAudit(draft, call, outcome, 0, admission.replay)
    return pass(draft, call, admission, admission.replay, 0)
  }
  const binding = liveBinding(draft, call)
  if (binding !== null) {
    if (!admission.replay) giveBack(draft, call, admission)
    if (binding.requestHash !== call.idempotency?.requestHash)
      return refuse(draft, call, 'idempotency_conflict')
    if (!binding.replayed) bind(draft, { ...binding, replayed: true })
    writeAudit(draft, call, outcome, 0, true)
    return pass(draft, call, admission, true, 0)
  }
  if (admission.replay) {
    // A refund released its idempotency key meanwhile, or the key expired: it is charged, so it must be counted.
    const admitted = admit(draft, call)
    return admitted.ok ? settle(draft, call, admitted.admission, outcome) : admitted
  }
  const account = draft.accounts.get(call.accountId)
  if (account === undefined) return refuse(draft, call, 'api_key_invalid')
  if (account.balance < outcome.credits) {
    giveBack(draft, call, admission)
    return refuse(draft, call, 'credits_exhausted')
  }
  if (outcome.credits > 0) change(draft, { ...account, balance: account.balance - outcome.credits })
  if (call.idempotency !== null) bind(draft, newBinding(draft, call, call.idempotency))
  writeAudit(draft, call, outcome, outcome.credits, false)
  return pass(draft, call, admission, false, outcome.credits)
}

function liveBinding(draft: Draft, call: Call): Binding | null {
  if (call.idempotency === null) return null
  const binding = draft.bindings.get(bindingId(call.accountId, call.idempotency.key))
  return binding !== undefined && binding.expiresAt > draft.snapshot.now ? binding : null
}

const newBinding = (
  draft: Draft,
  call: Call,
  idempotency: { key: string; requestHash: string },
): Binding => ({
  accountId: call.accountId,
  idempotencyKey: idempotency.key,
  requestHash: idempotency.requestHash,
  auditId: call.id,
  expiresAt: draft.snapshot.now + BINDING_LIFETIME_MS,
  replayed: false,
})

function bind(draft: Draft, binding: Binding): void {
  const id = bindingId(binding.accountId, binding.idempotencyKey)
  draft.bindings.set(id, binding)
  draft.bound.set(id, binding)
}

/** A call that is refused at settlement gives its window slots back, if the windows still exist. */
function giveBack(draft: Draft, call: Call, admission: Admission): void {
  const account = draft.accounts.get(call.accountId)
  if (account === undefined || call.kind === 'account') return
  const less = (window: Window, startedAt: number): Window =>
    window.startedAt === startedAt ? add(window, -call.units) : window
  change(draft, {
    ...account,
    hour: less(account.hour, admission.hourStartedAt),
    day: less(account.day, admission.dayStartedAt),
  })
}

function writeAudit(draft: Draft, call: Call, outcome: Outcome, credits: number, replayed: boolean): void {
  draft.audit.push({
    id: call.id,
    at: draft.snapshot.now,
    accountId: call.accountId,
    keyId: call.keyId,
    kind: call.kind,
    method: call.method,
    path: call.path,
    status: outcome.status,
    code: outcome.code,
    credits,
    calls: call.units,
    ip: call.ip,
    requestId: call.requestId,
    durationMs: outcome.durationMs,
    replayed,
    detail: outcome.parts,
  })
}

function refuse(
  draft: Draft,
  call: Pick<Call, 'accountId' | 'keyId' | 'ip'>,
  code: FailureCode,
  retryAt: number | null = null,
): Verdict {
  const minute = Math.floor(draft.snapshot.now / windowMs.minute) * windowMs.minute
  const id = `${call.keyId} ${call.ip} ${code}`
  const count = (draft.refusals.get(id)?.count ?? 0) + 1
  draft.refusals.set(id, { keyId: call.keyId, accountId: call.accountId, ip: call.ip, code, minute, count })
  const account = draft.accounts.get(call.accountId)
  return { ok: false, code, retryAt, standing: account === undefined ? null : standing(draft, account) }
}

function pass(draft: Draft, call: Call, admission: Admission, replayed: boolean, charged: number): Verdict {
  const account = draft.accounts.get(call.accountId)
  const after =
    account === undefined ? { now: draft.snapshot.now, credits: 0, windows: [] } : standing(draft, account)
  return { ok: true, admission, replayed, charged, standing: after }
}

function standing(draft: Draft, account: LedgerAccount): Standing {
  const { now } = draft.snapshot
  const limits = limitsOf(account)
  const windows: Standing['windows'][number][] = []
  for (const name of ['hour', 'day'] as const) {
    const limit = limits[name]
    if (limit === null) continue
    const { startedAt, count } = current(account[name], name, now)
    windows.push({ name, limit, remaining: Math.max(0, limit - count), resetAt: startedAt + windowMs[name] })
  }
  return { now, credits: account.balance, windows }
}

function change(draft: Draft, account: LedgerAccount): void {
  draft.accounts.set(account.id, account)
  draft.changed.add(account.id)
}

/** The window that `now` falls in: the stored one, or a new one that starts now. */
const current = (window: Window, name: WindowName, now: number): Window =>
  now < window.startedAt + windowMs[name] && window.startedAt > 0 ? window : { startedAt: now, count: 0 }

const add = (window: Window, count: number): Window => ({ ...window, count: window.count + count })
