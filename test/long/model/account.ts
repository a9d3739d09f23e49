/** The model of an account: its credits, the credits that its keys may spend, and the expected reply to a call. */

export const MINUTE = 60_000
export const HOUR = 3_600_000
export const DAY = 86_400_000
/** QUANTD_LOW_CREDITS of the service. */
export const LOW_CREDITS = 20

export interface Window {
  startedAt: number
  count: number
}

interface Lot {
  remaining: number
  expired: number
  readonly expiresAt: number
}

/** A grant of an operator. */
export interface Grant {
  readonly reference: string
  readonly credits: number
  reversed: number
  readonly reversals: { readonly reference: string; readonly credits: number }[]
  /** Null: it does not expire. */
  readonly lot: Lot | null
}

/** The model of a team key's lineage: its keys, and the time of each credit that they spent. */
export interface TeamKey {
  readonly id: number
  readonly keys: { readonly text: string; endsAt: number | null }[]
  cap: number | null
  period: 'total' | 'day' | 'month'
  readonly hourlyLimit: number | null
  readonly expiresAt: number | null
  isRevoked: boolean
  hour: Window
  readonly spent: Date[]
}

export interface Account {
  readonly id: number
  key: string
  keyId: number
  readonly oldKeys: string[]
  suspended: boolean
  /** The end of a guest account, 24 hours after its beginning; a guest has 60 calls an hour and 50 a day. */
  expiresAt: number | null
  isGuest: boolean
  hourLimit: number
  dayLimit: number | null
  /** Grants less what expired and was taken back. */
  given: number
  debited: number
  debt: number
  readonly grants: Grant[]
  readonly teamKeys: TeamKey[]
  readonly eventCounts: Record<string, number>
  computations: number
  hour: Window
  day: Window
  minute: Window
  /** The processor time; `count` is 1 once it is used up. Calls of the model use hardly any. */
  work: Window
  readonly bound: Map<string, { wealth: number; text: string; expiresAt: number; replays: number }>
}

/** The expected state of the service. Its clock differs from the database's by the few milliseconds of a call. */
export interface Model {
  now: number
  accounts: Account[]
  /** Created by the service; its keys replace those of other accounts. */
  operations: number
}

export const emptyWindow = (): Window => ({ startedAt: 0, count: 0 })

export const open = (window: Window, length: number, now: number): Window =>
  window.startedAt > 0 && now < window.startedAt + length ? window : { startedAt: now, count: 0 }

export const balanceOf = ({ debited, debt, given }: Account): number => given - debited + debt

/** Whether its own key may manage team keys. */
export const isMember = ({ key }: Account): boolean => key.startsWith('qd_user_')

/** The lots with credits left, the soonest to expire first. */
const lotsOf = ({ grants }: Account): Lot[] =>
  grants
    .flatMap(({ lot }) => (lot === null || lot.remaining === 0 ? [] : [lot]))
    .sort((a, b) => a.expiresAt - b.expiresAt)

export const sumOfLots = (account: Account): number =>
  lotsOf(account).reduce((sum, { remaining }) => sum + remaining, 0)

const countEvent = ({ isGuest, eventCounts }: Account, type: string): void => {
  if (!isGuest) eventCounts[type] = (eventCounts[type] ?? 0) + 1
}

/** Makes a change that lowers the balance, with its events. */
function fall(account: Account, change: () => void): void {
  const before = balanceOf(account)
  change()
  const after = balanceOf(account)
  if (before > LOW_CREDITS && after <= LOW_CREDITS) countEvent(account, 'credits.low')
  if (before > 0 && after <= 0) countEvent(account, 'credits.exhausted')
}

/** Spends one credit, from the lot that expires first, or without lots from the other credits. */
export function spendOne(account: Account): void {
  const [soonest] = lotsOf(account)
  if (soonest !== undefined) soonest.remaining -= 1
  fall(account, () => {
    account.debited += 1
  })
}

export function expireLots(account: Account, now: number): void {
  for (const lot of lotsOf(account)) {
    if (lot.expiresAt > now) continue
    lot.expired = lot.remaining
    lot.remaining = 0
    countEvent(account, 'grant.expired')
    fall(account, () => {
      account.given -= lot.expired
    })
  }
}

export function grantCredits(
  account: Account,
  reference: string,
  credits: number,
  expiresAt: number | null,
): void {
  const paid = Math.min(account.debt, credits)
  account.given += credits
  account.debt -= paid
  const lot = expiresAt === null ? null : { remaining: credits - paid, expired: 0, expiresAt }
  account.grants.push({ reference, credits, reversed: 0, reversals: [], lot })
  countEvent(account, 'grant.created')
}

/**
 * Takes each credit from the first of these that has one: the lot's expired credits, the lot, credits without expiry, the other
 * lots; then it becomes debt, unless the lot has expired.
 */
export function takeBack(account: Account, { lot }: Grant, credits: number, now: number): void {
  fall(account, () => {
    for (let left = credits; left > 0; left--) {
      const [soonest] = lotsOf(account)
      if (lot !== null && lot.expired > 0) {
        lot.expired -= 1
        continue
      }
      if (balanceOf(account) === 0) {
        if (lot !== null && lot.expiresAt <= now) continue
        account.debt += 1
      } else if (lot !== null && lot.remaining > 0) lot.remaining -= 1
      else if (balanceOf(account) === sumOfLots(account)) soonest!.remaining -= 1
      account.given -= 1
    }
  })
  countEvent(account, 'grant.reversed')
}

/** Counts a request to an account endpoint, or a replay; false: there were too many this minute. */
export function countMinute(account: Account, now: number, most = 120): boolean {
  account.minute = open(account.minute, MINUTE, now)
  if (account.minute.count >= most) return false
  account.minute.count += 1
  return true
}

const periods = { total: 0, month: 'yyyy-mm'.length, day: 'yyyy-mm-dd'.length }

export function capLeft({ cap, period, spent }: TeamKey, clock: Date): number {
  if (cap === null) return Number.POSITIVE_INFINITY
  const present = (at: Date) => at.toISOString().slice(0, periods[period])
  return Math.max(0, cap - spent.filter((at) => present(at) === present(clock)).length)
}

const hasEnded = (team: TeamKey, text: string, now: number): boolean =>
  team.isRevoked ||
  [team.expiresAt, team.keys.find((key) => key.text === text)!.endsAt].some(
    (end) => end !== null && end <= now,
  )

/** A key of a lineage that a call uses. */
export interface Used {
  readonly team: TeamKey
  readonly text: string
  /** The database's clock, by whose days caps renew. */
  readonly clock: Date
}

/** The reply that the model expects to a call; updates the model. */
export function expected(
  { now }: Model,
  account: Account,
  wealth: number,
  key: string | null,
  used: Used | null = null,
) {
  const code = (status: number, name: string) => ({ status, code: name, cost: null, replayed: false })
  const team = used?.team ?? null
  if (account.suspended || (used !== null && hasEnded(used.team, used.text, now)))
    return code(401, 'api_key_invalid')
  if (account.expiresAt !== null && account.expiresAt <= now) return code(401, 'guest_key_expired')
  const bound = key === null ? undefined : account.bound.get(key)
  if (bound !== undefined && bound.expiresAt > now) {
    if (bound.wealth !== wealth) return code(409, 'idempotency_conflict')
    if (bound.replays === 10 || !countMinute(account, now, used === null ? 120 : 60))
      return code(429, 'rate_limited')
    bound.replays += 1
    account.computations += 1
    return { status: 200, code: null, cost: 0, replayed: true }
  }
  const hour = open(account.hour, HOUR, now)
  const day = open(account.day, DAY, now)
  const keyHour = open(team?.hour ?? emptyWindow(), HOUR, now)
  if (balanceOf(account) < 1) return code(402, 'credits_exhausted')
  if (used !== null && capLeft(used.team, used.clock) < 1) return code(402, 'key_cap_exhausted')
  if (hour.count >= account.hourLimit) return code(429, 'rate_limited')
  if (account.dayLimit !== null && day.count >= account.dayLimit) return code(429, 'rate_limited')
  if (team !== null && team.hourlyLimit !== null && keyHour.count >= team.hourlyLimit)
    return code(429, 'rate_limited')
  if (open(account.work, HOUR, now).count > 0) return code(429, 'rate_limited')
  account.hour = { ...hour, count: hour.count + 1 }
  account.day = { ...day, count: day.count + 1 }
  if (team !== null) team.hour = { ...keyHour, count: keyHour.count + 1 }
  account.computations += 1
  if (wealth <= 0) return code(422, 'invalid_input')
  spendOne(account)
  if (used !== null) {
    used.team.spent.push(used.clock)
    if (capLeft(used.team, used.clock) === 0) countEvent(account, 'key.cap_exhausted')
  }
  if (key !== null) account.bound.set(key, { wealth, text: '', expiresAt: now + DAY, replays: 0 })
  return { status: 200, code: null, cost: 1, replayed: false }
}
