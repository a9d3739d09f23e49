/** The ledger's rules: one pure function that admits and settles a group of calls, in arrival order. */
import type { FailureCode } from '../failure.ts'
import { IDEMPOTENCY_MS, MAX_REPLAYS, MINUTE_REQUESTS } from '../limits.ts'
import {
  addInFlight,
  bind,
  change,
  type Draft,
  inFlight,
  liveBinding,
  openDraft,
  standing,
  unknown,
} from './draft.ts'
import { limitsOf, type WindowName, windowMs } from './tiers.ts'
import type {
  Admission,
  Binding,
  Call,
  Entry,
  LedgerSnapshot,
  Outcome,
  Verdict,
  Window,
  Writes,
} from './types.ts'
import { add, current, endOf, lastToEnd } from './windows.ts'

/**
 * Decides entry by entry: each sees the changes of those before it, so that of five calls on a balance of three,
 * three pass. The caller has locked the accounts, and applies the writes.
 */
export function decide(
  snapshot: LedgerSnapshot,
  entries: readonly Entry[],
): { verdicts: Verdict[]; writes: Writes } {
  const draft = openDraft(snapshot, entries)
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

function enter(draft: Draft, entry: Entry): Verdict {
  switch (entry.step) {
    case 'admit': {
      const verdict = admit(draft, entry.call)
      if (verdict.ok && !verdict.replayed) addInFlight(draft, entry.call.accountId, entry.call.cost)
      return verdict
    }
    case 'peek':
      return peek(draft, entry.call)
    case 'settle':
      if (!entry.admission.replay) addInFlight(draft, entry.call.accountId, -entry.call.cost)
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
  if (binding !== null && binding.replays >= MAX_REPLAYS)
    return refuse(draft, call, 'rate_limited', { at: binding.expiresAt, limit: 'replays' })
  const replay = binding !== null
  if (replay || call.kind === 'account') {
    if (minute.count + 1 > MINUTE_REQUESTS)
      return refuse(draft, call, 'rate_limited', endOf(minute, 'minute'))
    change(draft, { ...account, minute: add(minute, 1) })
    return pass(draft, call, { replay, epoch, hourStartedAt: 0, dayStartedAt: 0 }, replay, 0)
  }

  // Waiting does not help against an empty balance, so it is reported before a full window.
  if (account.balance - inFlight(draft, account.id) < call.cost)
    return refuse(draft, call, 'credits_exhausted')
  const limits = limitsOf(account, draft.snapshot.tiers)
  const hour = current(account.hour, 'hour', now)
  const day = current(account.day, 'day', now)
  const isDayFull = limits.day !== null && day.count + 1 > limits.day
  const isHourFull = hour.count + 1 > limits.hour
  if (isDayFull || isHourFull)
    return refuse(draft, call, 'rate_limited', lastToEnd(isHourFull ? hour : null, isDayFull ? day : null))

  change(draft, { ...account, hour: add(hour, 1), day: add(day, 1) })
  const admission = { replay, epoch, hourStartedAt: hour.startedAt, dayStartedAt: day.startedAt }
  return pass(draft, call, admission, false, 0)
}

/** Admits, then takes the count back at once. */
function peek(draft: Draft, call: Call): Verdict {
  const before = draft.accounts.get(call.accountId)
  const verdict = admit(draft, withBoundHash(draft, call))
  if (before === undefined) return verdict
  draft.accounts.set(before.id, before)
  return { ...verdict, standing: standing(draft, before) }
}

/** The call as if it repeated the request that its idempotency key is bound to, if it is. */
function withBoundHash(draft: Draft, call: Call): Call {
  const binding = liveBinding(draft, call)
  return binding === null
    ? call
    : { ...call, idempotency: { key: binding.idempotencyKey, requestHash: binding.requestHash } }
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
    bind(draft, { ...binding, replays: binding.replays + 1 })
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

const newBinding = (
  draft: Draft,
  call: Call,
  idempotency: { key: string; requestHash: string },
): Binding => ({
  accountId: call.accountId,
  idempotencyKey: idempotency.key,
  requestHash: idempotency.requestHash,
  auditId: call.id,
  expiresAt: draft.snapshot.now + IDEMPOTENCY_MS,
  replays: 0,
})

/** A call that is refused at settlement gives its slot back, in the windows that still exist. */
function giveBack(draft: Draft, call: Call, admission: Admission): void {
  const account = draft.accounts.get(call.accountId)
  if (account === undefined || call.kind === 'account') return
  const less = (window: Window, startedAt: number): Window =>
    window.startedAt === startedAt ? add(window, -1) : window
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
    calls: outcome.calls,
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
  until: { readonly at: number; readonly limit: WindowName | 'replays' } | null = null,
): Verdict {
  const minute = Math.floor(draft.snapshot.now / windowMs.minute) * windowMs.minute
  const id = `${call.keyId} ${call.ip} ${code}`
  const count = (draft.refusals.get(id)?.count ?? 0) + 1
  draft.refusals.set(id, { keyId: call.keyId, accountId: call.accountId, ip: call.ip, code, minute, count })
  const account = draft.accounts.get(call.accountId)
  return {
    ok: false,
    code,
    retryAt: until?.at ?? null,
    ...(until !== null && { limit: until.limit }),
    standing: account === undefined ? null : standing(draft, account),
  }
}

function pass(draft: Draft, call: Call, admission: Admission, replayed: boolean, charged: number): Verdict {
  const account = draft.accounts.get(call.accountId)
  const after = account === undefined ? unknown(draft) : standing(draft, account)
  return { ok: true, admission, replayed, charged, standing: after }
}
