/** Entries and verdicts in the frames in which they travel between processes. */
import type { FailureCode } from '../errors.ts'
import type { WindowName } from '../ledger/tiers.ts'
import type { Admission, Call, Entry, Outcome, Standing, Verdict } from '../ledger/types.ts'
import type { FrameReader, FrameWriter } from './frames.ts'

const STEPS = ['admitAndSettle', 'admit', 'settle', 'peek', 'refusal'] as const

export function writeEntry(to: FrameWriter, entry: Entry): void {
  to.number(STEPS.indexOf(entry.step))
  if (entry.step === 'refusal') {
    to.number(entry.call.accountId)
    to.number(entry.call.keyId)
    to.text(entry.call.ip)
    to.text(entry.code)
    return
  }
  writeCall(to, entry.call)
  if (entry.step === 'admitAndSettle' || entry.step === 'settle') writeOutcome(to, entry.outcome)
  if (entry.step === 'settle') writeAdmission(to, entry.admission)
}

export function readEntry(from: FrameReader): Entry {
  const step = STEPS[from.number()]!
  switch (step) {
    case 'admitAndSettle':
      return { step, call: readCall(from), outcome: readOutcome(from) }
    case 'settle':
      return { step, call: readCall(from), outcome: readOutcome(from), admission: readAdmission(from) }
    case 'refusal': {
      const call = { accountId: from.number(), keyId: from.number(), ip: from.text() }
      return { step, call, code: from.text() as FailureCode }
    }
    default:
      return { step, call: readCall(from) }
  }
}

export function writeVerdict(to: FrameWriter, verdict: Verdict): void {
  to.flag(verdict.ok)
  if (verdict.ok) {
    writeAdmission(to, verdict.admission)
    to.flag(verdict.replayed)
    to.number(verdict.charged)
    writeStanding(to, verdict.standing)
    return
  }
  to.text(verdict.code)
  to.number(verdict.retryAt)
  to.text(verdict.limit ?? null)
  to.flag(verdict.standing !== null)
  if (verdict.standing !== null) writeStanding(to, verdict.standing)
}

export function readVerdict(from: FrameReader): Verdict {
  if (from.flag())
    return {
      ok: true,
      admission: readAdmission(from),
      replayed: from.flag(),
      charged: from.number(),
      standing: readStanding(from),
    }
  const code = from.text() as FailureCode
  const retryAt = from.numberOrNull()
  const limit = from.textOrNull() as WindowName | 'replays' | null
  const standing = from.flag() ? readStanding(from) : null
  return { ok: false, code, retryAt, ...(limit !== null && { limit }), standing }
}

function writeCall(to: FrameWriter, call: Call): void {
  to.uniqueText(call.id)
  to.number(call.accountId)
  to.number(call.keyId)
  to.text(call.kind)
  to.text(call.method)
  to.text(call.path)
  to.text(call.ip)
  // null: made by the service, the same as the id.
  to.text(call.requestId === call.id ? null : call.requestId)
  to.number(call.cost)
  to.text(call.idempotency?.key ?? null)
  if (call.idempotency !== null) to.text(call.idempotency.requestHash)
}

function readCall(from: FrameReader): Call {
  const id = from.text()
  const accountId = from.number()
  const keyId = from.number()
  const kind = from.text() as Call['kind']
  const method = from.text()
  const path = from.text()
  const ip = from.text()
  const requestId = from.textOrNull() ?? id
  const cost = from.number()
  const key = from.textOrNull()
  const idempotency = key === null ? null : { key, requestHash: from.text() }
  return { id, accountId, keyId, kind, method, path, ip, requestId, cost, idempotency }
}

function writeOutcome(to: FrameWriter, outcome: Outcome): void {
  to.number(outcome.status)
  to.text(outcome.code)
  to.number(outcome.credits)
  to.number(outcome.calls)
  to.number(outcome.durationMs)
  to.text(outcome.parts)
}

const readOutcome = (from: FrameReader): Outcome => ({
  status: from.number(),
  code: from.textOrNull() as FailureCode | null,
  credits: from.number(),
  calls: from.number(),
  durationMs: from.number(),
  parts: from.textOrNull(),
})

function writeAdmission(to: FrameWriter, admission: Admission): void {
  to.flag(admission.replay)
  to.text(admission.epoch)
  to.number(admission.hourStartedAt)
  to.number(admission.dayStartedAt)
}

const readAdmission = (from: FrameReader): Admission => ({
  replay: from.flag(),
  epoch: from.text(),
  hourStartedAt: from.number(),
  dayStartedAt: from.number(),
})

function writeStanding(to: FrameWriter, standing: Standing): void {
  to.number(standing.now)
  to.number(standing.credits)
  to.number(standing.inFlight)
  to.flag(standing.isGuest)
  to.number(standing.windows.length)
  for (const { limit, name, remaining, resetAt } of standing.windows) {
    to.text(name)
    to.number(limit)
    to.number(remaining)
    to.number(resetAt)
  }
}

function readStanding(from: FrameReader): Standing {
  const now = from.number()
  const credits = from.number()
  const inFlight = from.number()
  const isGuest = from.flag()
  const windows: Standing['windows'][number][] = []
  for (let left = from.number(); left > 0; left--)
    windows.push({
      name: from.text() as WindowName,
      limit: from.number(),
      remaining: from.number(),
      resetAt: from.number(),
    })
  return { now, credits, inFlight, isGuest, windows }
}
