/**
 * Entries and verdicts as arrays without the names of their fields, in which they travel between processes as JSON. Objects
 * would take twice the processor time, and structured clones four times.
 */
import type { Admission, Call, Entry, Outcome, Standing, Verdict } from '../ledger/types.ts'

export type PackedEntry = ReturnType<typeof packEntry>
export type PackedVerdict = ReturnType<typeof packVerdict>

export function packEntry(entry: Entry) {
  switch (entry.step) {
    case 'admitAndSettle':
      return [entry.step, packCall(entry.call), packOutcome(entry.outcome)] as const
    case 'settle':
      return [
        entry.step,
        packCall(entry.call),
        packOutcome(entry.outcome),
        packAdmission(entry.admission),
      ] as const
    case 'refusal': {
      const { accountId, ip, keyId } = entry.call
      return [entry.step, [accountId, keyId, ip], entry.code] as const
    }
    default:
      return [entry.step, packCall(entry.call)] as const
  }
}

export function unpackEntry(packed: PackedEntry): Entry {
  switch (packed[0]) {
    case 'admitAndSettle':
      return { step: packed[0], call: callFrom(packed[1]), outcome: outcomeFrom(packed[2]) }
    case 'settle':
      return {
        step: packed[0],
        call: callFrom(packed[1]),
        outcome: outcomeFrom(packed[2]),
        admission: admissionFrom(packed[3]),
      }
    case 'refusal': {
      const [step, [accountId, keyId, ip], code] = packed
      return { step, call: { accountId, keyId, ip }, code }
    }
    default:
      return { step: packed[0], call: callFrom(packed[1]) }
  }
}

export const packVerdict = (verdict: Verdict) =>
  verdict.ok
    ? ([
        true,
        packStanding(verdict.standing),
        verdict.charged,
        verdict.replayed,
        packAdmission(verdict.admission),
      ] as const)
    : ([
        false,
        verdict.standing === null ? null : packStanding(verdict.standing),
        verdict.code,
        verdict.retryAt,
        verdict.limit ?? null,
      ] as const)

export function unpackVerdict(packed: PackedVerdict): Verdict {
  if (packed[0]) {
    const [ok, standing, charged, replayed, admission] = packed
    return {
      ok,
      admission: admissionFrom(admission),
      replayed,
      charged,
      standing: standingFrom(standing),
    }
  }
  const [ok, standing, code, retryAt, limit] = packed
  return {
    ok,
    code,
    retryAt,
    ...(limit !== null && { limit }),
    standing: standing === null ? null : standingFrom(standing),
  }
}

const packCall = (call: Call) =>
  [
    call.id,
    call.accountId,
    call.keyId,
    call.kind,
    call.method,
    call.path,
    call.ip,
    call.requestId,
    call.cost,
    call.idempotency === null ? null : ([call.idempotency.key, call.idempotency.requestHash] as const),
  ] as const

const callFrom = (packed: ReturnType<typeof packCall>): Call => {
  const [id, accountId, keyId, kind, method, path, ip, requestId, cost, bound] = packed
  const idempotency = bound === null ? null : { key: bound[0], requestHash: bound[1] }
  return { id, accountId, keyId, kind, method, path, ip, requestId, cost, idempotency }
}

const packOutcome = ({ calls, code, credits, durationMs, parts, status }: Outcome) =>
  [status, code, credits, calls, durationMs, parts] as const

const outcomeFrom = (packed: ReturnType<typeof packOutcome>): Outcome => {
  const [status, code, credits, calls, durationMs, parts] = packed
  return { status, code, credits, calls, durationMs, parts }
}

const packAdmission = ({ dayStartedAt, epoch, hourStartedAt, replay }: Admission) =>
  [replay, epoch, hourStartedAt, dayStartedAt] as const

const admissionFrom = (packed: ReturnType<typeof packAdmission>): Admission => {
  const [replay, epoch, hourStartedAt, dayStartedAt] = packed
  return { replay, epoch, hourStartedAt, dayStartedAt }
}

const packStanding = ({ credits, inFlight, isGuest, now, windows }: Standing) =>
  [
    now,
    credits,
    inFlight,
    isGuest,
    windows.map(({ limit, name, remaining, resetAt }) => [name, limit, remaining, resetAt] as const),
  ] as const

const standingFrom = (packed: ReturnType<typeof packStanding>): Standing => {
  const [now, credits, inFlight, isGuest, windows] = packed
  return {
    now,
    credits,
    inFlight,
    isGuest,
    windows: windows.map(([name, limit, remaining, resetAt]) => ({ name, limit, remaining, resetAt })),
  }
}
