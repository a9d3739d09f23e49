/** A group of entries while it is decided: the rows of its snapshot, with the changes so far. */
import { limitsOf, windowMs } from './tiers.ts'
import {
  type AuditRow,
  type Binding,
  bindingId,
  type Call,
  type Entry,
  type LedgerAccount,
  type LedgerSnapshot,
  type RefusalCount,
  type Standing,
} from './types.ts'
import { current } from './windows.ts'

export interface Draft {
  readonly snapshot: LedgerSnapshot
  readonly accounts: Map<number, LedgerAccount>
  readonly bindings: Map<string, Binding>
  /** Credits of calls in flight, by account. */
  readonly inFlight: Map<number, number>
  readonly changed: Set<number>
  readonly bound: Map<string, Binding>
  readonly audit: AuditRow[]
  readonly refusals: Map<string, RefusalCount>
}

export const openDraft = (snapshot: LedgerSnapshot, entries: readonly Entry[]): Draft => ({
  snapshot,
  accounts: new Map(snapshot.accounts),
  bindings: new Map(snapshot.bindings),
  inFlight: inFlightOf(entries),
  changed: new Set(),
  bound: new Map(),
  audit: [],
  refusals: new Map(),
})

function inFlightOf(entries: readonly Entry[]): Map<number, number> {
  const credits = new Map<number, number>()
  for (const { call, inFlight } of entries) if (inFlight !== undefined) credits.set(call.accountId, inFlight)
  return credits
}

export function change(draft: Draft, account: LedgerAccount): void {
  draft.accounts.set(account.id, account)
  draft.changed.add(account.id)
}

export const inFlight = (draft: Draft, accountId: number): number => draft.inFlight.get(accountId) ?? 0

export const addInFlight = (draft: Draft, accountId: number, credits: number): void => {
  draft.inFlight.set(accountId, Math.max(0, inFlight(draft, accountId) + credits))
}

export function liveBinding(draft: Draft, call: Call): Binding | null {
  if (call.idempotency === null) return null
  const binding = draft.bindings.get(bindingId(call.accountId, call.idempotency.key))
  return binding !== undefined && binding.expiresAt > draft.snapshot.now ? binding : null
}

export function bind(draft: Draft, binding: Binding): void {
  const id = bindingId(binding.accountId, binding.idempotencyKey)
  draft.bindings.set(id, binding)
  draft.bound.set(id, binding)
}

export const unknown = ({ snapshot: { now } }: Draft): Standing => ({
  now,
  credits: 0,
  inFlight: 0,
  isGuest: false,
  windows: [],
})

export function standing(draft: Draft, account: LedgerAccount): Standing {
  const { now, tiers } = draft.snapshot
  const limits = limitsOf(account, tiers)
  const windows: Standing['windows'][number][] = []
  for (const name of ['hour', 'day'] as const) {
    const limit = limits[name]
    if (limit === null) continue
    const { startedAt, count } = current(account[name], name, now)
    windows.push({ name, limit, remaining: Math.max(0, limit - count), resetAt: startedAt + windowMs[name] })
  }
  const { balance, id, tier } = account
  return { now, credits: balance, inFlight: inFlight(draft, id), isGuest: tier === 'guest', windows }
}
