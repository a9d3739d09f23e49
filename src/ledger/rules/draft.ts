/** The state in which a group of entries is decided: the rows of its snapshot, with the changes so far. */
import type { FailureCode } from '../../base/failure.ts'
import { creditsFallen, endOf, expire, grantExpired, nextExpiry, spendLots, sumOf } from './lots.ts'
import { capExhausted, capLeft, capResetsAt, spend } from './team-keys.ts'
import { add, current, limitsOf, type Window, type WindowName, windowMs, workLimitOf } from './tiers.ts'
import {
  type Admission,
  type AuditRow,
  type Binding,
  bindingId,
  type Call,
  type CostsInFlight,
  type Entry,
  type LedgerAccount,
  type LedgerEvent,
  type LedgerSnapshot,
  type Lot,
  type Outcome,
  type RefusalCount,
  type Standing,
  type TeamKey,
  type Verdict,
} from './types.ts'

export interface Draft {
  readonly snapshot: LedgerSnapshot
  readonly accounts: Map<number, LedgerAccount>
  readonly bindings: Map<string, Binding>
  readonly teamKeys: Map<number, TeamKey>
  readonly lots: Map<number, readonly Lot[]>
  /** The costs of calls in flight, by account. */
  readonly inFlight: Map<number, CostsInFlight>
  /** The costs of the calls in flight of team keys, by lineage. */
  readonly keyInFlight: Map<number, CostsInFlight>
  readonly changed: Set<number>
  readonly changedTeamKeys: Set<number>
  readonly changedLots: Map<number, Lot>
  readonly expired: Lot[]
  readonly bound: Map<string, Binding>
  readonly audit: AuditRow[]
  readonly refusals: Map<string, RefusalCount>
  readonly events: LedgerEvent[]
}

export const openDraft = (snapshot: LedgerSnapshot, entries: readonly Entry[]): Draft => ({
  snapshot,
  accounts: new Map(snapshot.accounts),
  bindings: new Map(snapshot.bindings),
  teamKeys: new Map(snapshot.teamKeys),
  lots: new Map(snapshot.lots),
  ...inFlightOf(entries),
  changed: new Set(),
  changedTeamKeys: new Set(),
  changedLots: new Map(),
  expired: [],
  bound: new Map(),
  audit: [],
  refusals: new Map(),
  events: [],
})

function inFlightOf(entries: readonly Entry[]): Pick<Draft, 'inFlight' | 'keyInFlight'> {
  const costs = new Map<number, CostsInFlight>()
  const keyCosts = new Map<number, CostsInFlight>()
  for (const entry of entries) {
    if (entry.inFlight !== undefined) costs.set(entry.call.accountId, entry.inFlight)
    if (entry.step !== 'refusal' && entry.call.teamKeyId !== null && entry.keyInFlight !== undefined)
      keyCosts.set(entry.call.teamKeyId, entry.keyInFlight)
  }
  return { inFlight: costs, keyInFlight: keyCosts }
}

export function change(draft: Draft, account: LedgerAccount): void {
  draft.accounts.set(account.id, account)
  draft.changed.add(account.id)
}

export function changeTeamKey(draft: Draft, key: TeamKey): void {
  draft.teamKeys.set(key.id, key)
  draft.changedTeamKeys.add(key.id)
}

/** The lineage of the call's key; null: the account's own key. */
export const teamKeyOf = ({ teamKeys }: Draft, { teamKeyId }: Pick<Call, 'teamKeyId'>): TeamKey | null =>
  teamKeyId === null ? null : (teamKeys.get(teamKeyId) ?? null)

/** The credits of the balance that calls in flight may take. */
export const inFlight = (draft: Draft, { balance, id }: LedgerAccount): number =>
  reserved(draft.inFlight.get(id) ?? NONE_IN_FLIGHT, balance)

/** Counts a call that was admitted, or one that is settled, in what is in flight. */
export function countInFlight(draft: Draft, { accountId, cost, teamKeyId }: Call, calls: 1 | -1): void {
  const { inFlight, keyInFlight } = draft
  inFlight.set(accountId, changed(inFlight.get(accountId) ?? NONE_IN_FLIGHT, cost, calls))
  if (teamKeyId !== null)
    keyInFlight.set(teamKeyId, changed(keyInFlight.get(teamKeyId) ?? NONE_IN_FLIGHT, cost, calls))
}

/** The rest of the cap of a team key, less the credits of its calls in flight; null: the key has no cap. */
function leftOfCap(draft: Draft, key: TeamKey): number | null {
  const left = capLeft(key, draft.snapshot.now)
  return left === null ? null : left - reserved(draft.keyInFlight.get(key.id) ?? NONE_IN_FLIGHT, left)
}

/** Whether the rest of the cap, less the credits of calls in flight, covers the cost of one more call. */
export function isWithinCap(draft: Draft, key: TeamKey, cost: number): boolean {
  const left = leftOfCap(draft, key)
  return left === null || left >= cost
}

/** Takes credits from the balance, which must cover them, and from the account's lots as far as these have any. */
export function debit(draft: Draft, account: LedgerAccount, credits: number): void {
  const balance = account.balance - credits
  draft.events.push(...creditsFallen(account, balance, draft.snapshot))
  if (account.lotsExpireAt === null) change(draft, { ...account, balance })
  else changeLots(draft, { ...account, balance }, spendLots(draft.lots.get(account.id) ?? [], credits))
}

/** Counts credits against the cap of a team key. */
export function spendOnKey(draft: Draft, key: TeamKey, credits: number): void {
  const spent = spend(key, credits, draft.snapshot.now)
  draft.events.push(...capExhausted(key, spent, draft.snapshot.now))
  changeTeamKey(draft, spent)
}

/** Takes the rest of the account's expired lots from its balance. */
export function expireLots(draft: Draft, accountId: number): void {
  const account = draft.accounts.get(accountId)
  if (account === undefined || account.lotsExpireAt === null || account.lotsExpireAt > draft.snapshot.now)
    return
  const { expired, live } = expire(draft.lots.get(accountId) ?? [], draft.snapshot.now)
  draft.expired.push(...expired)
  const balance = account.balance - sumOf(expired)
  draft.events.push(...expired.map((lot) => grantExpired(lot, draft.snapshot.now)))
  draft.events.push(...creditsFallen(account, balance, draft.snapshot))
  const ended = expired.map(endOf)
  changeLots(draft, { ...account, balance }, [...ended, ...live])
}

function changeLots(draft: Draft, account: LedgerAccount, lots: readonly Lot[]): void {
  const before = draft.lots.get(account.id) ?? []
  lots.forEach((lot, index) => {
    if (lot !== before[index]) draft.changedLots.set(lot.id, lot)
  })
  draft.lots.set(
    account.id,
    lots.filter(({ remaining }) => remaining > 0),
  )
  change(draft, { ...account, lotsExpireAt: nextExpiry(lots) })
}

/** Books the processor time of a call, whatever its outcome. */
export function bookWork(draft: Draft, { accountId }: Call, { workMicros = 0 }: Outcome): void {
  const account = draft.accounts.get(accountId)
  if (account === undefined || workMicros === 0) return
  change(draft, { ...account, work: add(current(account.work, 'work', draft.snapshot.now), workMicros) })
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

const unknown = ({ snapshot: { now } }: Draft): Standing => ({
  now,
  credits: 0,
  inFlight: 0,
  isGuest: false,
  workLimit: 0,
  windows: [],
})

export function standing(draft: Draft, account: LedgerAccount, teamKey: TeamKey | null): Standing {
  const { now, tiers } = draft.snapshot
  const limits = limitsOf(account, tiers)
  const windows: Standing['windows'][number][] = []
  const show = (name: WindowName, limit: number | null, window: Window): void => {
    if (limit === null) return
    const { startedAt, count } = current(window, name, now)
    windows.push({ name, limit, remaining: Math.max(0, limit - count), resetAt: startedAt + windowMs[name] })
  }
  show('hour', limits.hour, account.hour)
  show('day', limits.day, account.day)
  if (teamKey !== null) show('key_hour', teamKey.hourlyLimit, teamKey.hour)
  const { balance, tier } = account
  const left = teamKey === null ? null : leftOfCap(draft, teamKey)
  return {
    now,
    credits: balance,
    inFlight: inFlight(draft, account),
    isGuest: tier === 'guest',
    workLimit: workLimitOf(account, draft.snapshot.work),
    windows,
    ...(teamKey !== null && left !== null && { cap: { left, resetsAt: capResetsAt(teamKey, now) } }),
  }
}

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
  { charged = 0, replayed = false }: { readonly charged?: number; readonly replayed?: boolean } = {},
): Verdict {
  const account = draft.accounts.get(call.accountId)
  const after = account === undefined ? unknown(draft) : standing(draft, account, teamKeyOf(draft, call))
  return { ok: true, admission, replayed, charged, standing: after }
}

export const NONE_IN_FLIGHT: CostsInFlight = new Map()

/**
 * The credits of a balance, or of the rest of a cap, that calls in flight may take. A call that costs more than there is takes
 * nothing: a reversal took away what it was admitted for.
 */
function reserved(costs: CostsInFlight, credits: number): number {
  let sum = 0
  for (const [cost, calls] of costs) if (cost <= credits) sum += cost * calls
  return Math.min(sum, credits)
}

/** The costs after calls of a cost have begun, or have ended. @param calls negative: they have ended */
export function changed(costs: CostsInFlight, cost: number, calls: 1 | -1): CostsInFlight {
  const left = (costs.get(cost) ?? 0) + calls
  const after = new Map(costs)
  if (left > 0 && cost > 0) after.set(cost, left)
  else after.delete(cost)
  return after
}
