/** The ledger's rules: one pure function that admits and settles a group of calls, in arrival order. */
import {
  IDEMPOTENCY_MS,
  MAX_REPLAYS,
  MINUTE_REQUESTS,
  MINUTE_REQUESTS_OF_TEAM_KEYS,
} from '../../base/limits/callers.ts'
import { assertSound } from './assertions.ts'
import {
  bind,
  bookWork,
  change,
  changeTeamKey,
  countInFlight,
  type Draft,
  debit,
  expireLots,
  inFlight,
  isWithinCap,
  liveBinding,
  openDraft,
  pass,
  refuse,
  spendOnKey,
  standing,
  teamKeyOf,
} from './draft.ts'
import { capLeft } from './team-keys.ts'
import { add, current, endOf, lastToEnd, limitsOf, type Window, windowMs, workLimitOf } from './tiers.ts'
import type {
  Admission,
  AuditRow,
  Binding,
  Call,
  Entry,
  LedgerSnapshot,
  Outcome,
  TeamKey,
  Verdict,
  Writes,
} from './types.ts'

/**
 * Decides entry by entry. Each entry sees the changes of those before it, so three of five calls pass on a balance of
 * three. The caller has locked the accounts of the snapshot, and applies the writes. Throws BrokenAssertion.
 */
export function decide(
  snapshot: LedgerSnapshot,
  entries: readonly Entry[],
): { verdicts: Verdict[]; writes: Writes } {
  const draft = openDraft(snapshot, entries)
  const verdicts = entries.map((entry) => enter(draft, entry))
  const writes = {
    accounts: [...draft.changed].map((id) => draft.accounts.get(id)!),
    teamKeys: [...draft.changedTeamKeys].map((id) => draft.teamKeys.get(id)!),
    lots: [...draft.changedLots.values()],
    expired: draft.expired,
    audit: draft.audit,
    bindings: [...draft.bound.values()],
    refusals: [...draft.refusals.values()],
    events: draft.events,
  }
  assertSound(snapshot, entries, writes)
  return { verdicts, writes }
}

function enter(draft: Draft, entry: Entry): Verdict {
  expireLots(draft, entry.call.accountId)
  switch (entry.step) {
    case 'admit': {
      const verdict = admit(draft, entry.call)
      if (verdict.ok && !verdict.replayed) countInFlight(draft, entry.call, 1)
      return verdict
    }
    case 'peek':
      return peek(draft, entry.call)
    case 'settle':
      if (!entry.admission.replay) countInFlight(draft, entry.call, -1)
      return (
        alreadyWritten(draft, entry.call) ??
        untraceable(draft, entry.call, entry.outcome) ??
        book(draft, entry.call, entry.admission, entry.outcome)
      )
    case 'admitAndSettle': {
      const written = alreadyWritten(draft, entry.call)
      if (written !== null) return written
      const admitted = admit(draft, entry.call)
      return admitted.ok ? book(draft, entry.call, admitted.admission, entry.outcome) : admitted
    }
    case 'refusal':
      return refuse(draft, entry.call, entry.code)
  }
}

/** The windows of an admission that counts in none. */
const NO_WINDOWS = { hourStartedAt: 0, dayStartedAt: 0, keyHourStartedAt: 0 }

/** The verdict on a call whose audit row was written by an earlier attempt, which had an unknown outcome; null: no such row. */
function alreadyWritten(draft: Draft, call: Call): Verdict | null {
  const row = draft.snapshot.written.get(call.id)
  if (row === undefined) return null
  const admission = {
    replay: row.replayed,
    epoch: draft.snapshot.epoch,
    ...NO_WINDOWS,
  }
  return pass(draft, call, admission, { replayed: row.replayed, charged: row.credits })
}

/**
 * Refuses a success of which an earlier attempt left no row: it was rolled back or refused. A refused call was taken out of
 * its windows, which must not happen twice, and it must not be charged while no window counts it.
 */
const untraceable = (draft: Draft, call: Call, outcome: Outcome): Verdict | null =>
  draft.snapshot.isRepeated && outcome.code === null ? refuse(draft, call, 'unavailable') : null

/** The refusal of a call whose key may not call any more; null: it may. */
function refusalOfKey(draft: Draft, call: Call): Verdict | null {
  const account = draft.accounts.get(call.accountId)
  const key = draft.snapshot.keys.get(call.keyId)
  if (account === undefined || key === undefined || key.status !== 'active' || hasEnded(draft, call))
    return refuse(draft, call, 'api_key_invalid')
  if (!account.verified) return refuse(draft, call, 'account_unverified')
  const hasExpired = account.expiresAt !== null && account.expiresAt <= draft.snapshot.now
  return hasExpired ? refuse(draft, call, 'guest_key_expired') : null
}

/** Counts a call in its windows, or refuses it with nothing consumed. */
function admit(draft: Draft, call: Call): Verdict {
  const refusal = refusalOfKey(draft, call)
  if (refusal !== null) return refusal
  const { now, epoch } = draft.snapshot
  const account = draft.accounts.get(call.accountId)!

  const minute = current(account.minute, 'minute', now)
  const binding = liveBinding(draft, call)
  if (binding !== null && binding.requestHash !== call.idempotency?.requestHash)
    return refuse(draft, call, 'idempotency_conflict')
  if (binding !== null && binding.replays >= MAX_REPLAYS)
    return refuse(draft, call, 'rate_limited', { at: binding.expiresAt, limit: 'replays' })
  const replay = binding !== null
  if (replay || call.kind === 'account') {
    const teamKey = teamKeyOf(draft, call)
    if (minute.count + 1 > (teamKey === null ? MINUTE_REQUESTS : MINUTE_REQUESTS_OF_TEAM_KEYS))
      return refuse(draft, call, 'rate_limited', endOf(minute, 'minute'))
    change(draft, { ...account, minute: add(minute, 1) })
    if (teamKey !== null) changeTeamKey(draft, used(teamKey, now))
    return pass(draft, call, { replay, epoch, ...NO_WINDOWS }, { replayed: replay })
  }

  // Waiting does not help against an empty balance, so it is reported before a full window.
  if (account.balance - inFlight(draft, account) < call.cost) return refuse(draft, call, 'credits_exhausted')
  const teamKey = teamKeyOf(draft, call)
  if (teamKey !== null && !isWithinCap(draft, teamKey, call.cost))
    return refuse(draft, call, 'key_cap_exhausted')
  const limits = limitsOf(account, draft.snapshot.tiers)
  const hour = current(account.hour, 'hour', now)
  const day = current(account.day, 'day', now)
  const keyHour = teamKey === null ? null : current(teamKey.hour, 'hour', now)
  const isHourFull = hour.count + 1 > limits.hour
  const isDayFull = limits.day !== null && day.count + 1 > limits.day
  const isKeyFull = isFull(teamKey, keyHour)
  const work = current(account.work, 'work', now)
  const isWorkFull = work.count >= 1e6 * workLimitOf(account, draft.snapshot.work)
  if (isHourFull || isDayFull || isKeyFull || isWorkFull) {
    const full = {
      hour: isHourFull && hour,
      day: isDayFull && day,
      key_hour: isKeyFull && keyHour,
      work: isWorkFull && work,
    }
    return refuse(draft, call, 'rate_limited', lastToEnd(full))
  }

  change(draft, { ...account, hour: add(hour, 1), day: add(day, 1) })
  if (teamKey !== null && keyHour !== null)
    changeTeamKey(draft, { ...used(teamKey, now), hour: add(keyHour, 1) })
  const admission = {
    replay,
    epoch,
    hourStartedAt: hour.startedAt,
    dayStartedAt: day.startedAt,
    keyHourStartedAt: keyHour?.startedAt ?? 0,
  }
  return pass(draft, call, admission)
}

/** Whether the call's team key has expired, or the overlap of its rotation is over; a key without a lineage has ended, too. */
function hasEnded({ snapshot: { lineageKeys, now, teamKeys } }: Draft, { keyId, teamKeyId }: Call): boolean {
  if (teamKeyId === null) return false
  const ends = [lineageKeys.get(keyId)?.endsAt, teamKeys.get(teamKeyId)?.expiresAt]
  return ends.some((end) => end === undefined || (end !== null && end <= now))
}

const isFull = (teamKey: TeamKey | null, hour: Window | null): boolean =>
  teamKey !== null && hour !== null && teamKey.hourlyLimit !== null && hour.count + 1 > teamKey.hourlyLimit

const used = (teamKey: TeamKey, now: number): TeamKey => ({
  ...teamKey,
  lastUsedAt: Math.floor(now / windowMs.minute) * windowMs.minute,
})

/**
 * Admits, then undoes the changes of the admission. A call whose body is not received yet passes if its idempotency key is
 * bound: only the body tells whether the key conflicts, which takes precedence over every limit.
 */
function peek(draft: Draft, call: Call): Verdict {
  if (call.idempotency?.requestHash === '' && liveBinding(draft, call) !== null)
    return (
      refusalOfKey(draft, call) ??
      pass(draft, call, { replay: true, epoch: draft.snapshot.epoch, ...NO_WINDOWS }, { replayed: true })
    )
  const before = draft.accounts.get(call.accountId)
  const keyBefore = teamKeyOf(draft, call)
  const verdict = admit(draft, call)
  if (before === undefined) return verdict
  draft.accounts.set(before.id, before)
  if (keyBefore !== null) draft.teamKeys.set(keyBefore.id, keyBefore)
  return { ...verdict, standing: standing(draft, before, keyBefore) }
}

/** Settles a call, and books its processor time. */
function book(draft: Draft, call: Call, admission: Admission, outcome: Outcome): Verdict {
  bookWork(draft, call, outcome)
  return settle(draft, call, admission, outcome)
}

/** Charges a success, or refuses it; writes the audit row of every admitted call. */
function settle(draft: Draft, call: Call, admission: Admission, outcome: Outcome): Verdict {
  if (admission.epoch !== draft.snapshot.epoch) return refuse(draft, call, 'unavailable')
  if (outcome.code !== null) {
    writeAudit(draft, call, outcome, { credits: 0, replayed: admission.replay })
    return pass(draft, call, admission, { replayed: admission.replay })
  }
  const binding = liveBinding(draft, call)
  if (binding !== null) {
    if (!admission.replay) giveBack(draft, call, admission)
    if (binding.requestHash !== call.idempotency?.requestHash)
      return refuse(draft, call, 'idempotency_conflict')
    bind(draft, { ...binding, replays: binding.replays + 1 })
    writeAudit(draft, call, outcome, { credits: 0, replayed: true })
    return pass(draft, call, admission, { replayed: true })
  }
  if (admission.replay) {
    // Since the admission, a refund released the idempotency key, or it expired: the call is charged, so it must be counted.
    const admitted = admit(draft, call)
    return admitted.ok ? settle(draft, call, admitted.admission, outcome) : admitted
  }
  const account = draft.accounts.get(call.accountId)
  if (account === undefined) return refuse(draft, call, 'api_key_invalid')
  const teamKey = teamKeyOf(draft, call)
  const left = teamKey === null ? null : capLeft(teamKey, draft.snapshot.now)
  const isCapped = left !== null && left < outcome.credits
  if (account.balance < outcome.credits || isCapped) {
    giveBack(draft, call, admission)
    // The account may have been deleted, or the guest taken over, since the admission, with the credits.
    return (
      refusalOfKey(draft, call) ?? refuse(draft, call, isCapped ? 'key_cap_exhausted' : 'credits_exhausted')
    )
  }
  if (outcome.credits > 0) debit(draft, account, outcome.credits)
  if (teamKey !== null && outcome.credits > 0) spendOnKey(draft, teamKey, outcome.credits)
  if (call.idempotency !== null) bind(draft, newBinding(draft, call, call.idempotency))
  writeAudit(draft, call, outcome, { credits: outcome.credits, replayed: false })
  return pass(draft, call, admission, { charged: outcome.credits })
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

/** Takes a call that is refused at settlement out of the windows that counted it, as far as they still run. */
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
  const teamKey = teamKeyOf(draft, call)
  if (teamKey !== null)
    changeTeamKey(draft, { ...teamKey, hour: less(teamKey.hour, admission.keyHourStartedAt) })
}

function writeAudit(
  draft: Draft,
  call: Call,
  outcome: Outcome,
  { credits, replayed }: Pick<AuditRow, 'credits' | 'replayed'>,
): void {
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
    content: outcome.content ?? null,
  })
}
