/** The verdict on an entry, with the account's standing after it. */
import type { FailureCode } from '../failure.ts'
import { type Draft, standing, teamKeyOf, unknown } from './draft.ts'
import { type WindowName, windowMs } from './tiers.ts'
import type { Admission, Call, Verdict } from './types.ts'

/** Refuses a call, and counts the refusal for the audit. */
export function refuse(
  draft: Draft,
  call: Pick<Call, 'accountId' | 'keyId' | 'teamKeyId' | 'ip'>,
  code: FailureCode,
  until: { readonly at: number; readonly limit: WindowName | 'replays' } | null = null,
): Verdict {
  const minute = Math.floor(draft.snapshot.now / windowMs.minute) * windowMs.minute
  const id = `${call.keyId} ${call.ip} ${code}`
  const count = (draft.refusals.get(id)?.count ?? 0) + 1
  draft.refusals.set(id, { keyId: call.keyId, accountId: call.accountId, ip: call.ip, code, minute, count })
  const account = draft.accounts.get(call.accountId)
  const teamKey = teamKeyOf(draft, call)
  return {
    ok: false,
    code,
    retryAt: until?.at ?? null,
    ...(until !== null && { limit: until.limit }),
    standing: account === undefined ? null : standing(draft, account, teamKey),
  }
}

export function pass(
  draft: Draft,
  call: Call,
  admission: Admission,
  replayed: boolean,
  charged: number,
): Verdict {
  const account = draft.accounts.get(call.accountId)
  const after = account === undefined ? unknown(draft) : standing(draft, account, teamKeyOf(draft, call))
  return { ok: true, admission, replayed, charged, standing: after }
}
