/** A ledger in memory for tests: keeps its rows between groups of entries, as a store would. */

import { SPECIFIED_PLAN } from '../../src/base/limits/callers.ts'
import { decide } from '../../src/ledger/rules/decide.ts'
import {
  type AuditRow,
  type Binding,
  bindingId,
  type Call,
  type CostsInFlight,
  type Entry,
  type EntryGroup,
  type KeyStatus,
  type LedgerAccount,
  type LedgerSnapshot,
  type LineageKey,
  type Lot,
  type Outcome,
  type RefusalCount,
  type TeamKey,
  type Verdict,
} from '../../src/ledger/rules/types.ts'

export const START = Date.UTC(2026, 0, 1)
export const MINUTE = 60_000
export const HOUR = 3_600_000
export const DAY = 86_400_000

const unused = { startedAt: 0, count: 0 }

export function account(fields: Partial<LedgerAccount>): LedgerAccount {
  return {
    id: 1,
    tier: 'free',
    balance: 350,
    verified: true,
    expiresAt: null,
    hourLimit: null,
    dayLimit: null,
    workLimit: null,
    lowCredits: null,
    lotsExpireAt: null,
    minute: unused,
    hour: unused,
    day: unused,
    work: unused,
    ...fields,
  }
}

let calls = 0

export function call(fields: Partial<Call> = {}): Call {
  calls += 1
  return {
    id: `call-${calls}`,
    accountId: 1,
    keyId: 1,
    teamKeyId: null,
    kind: 'computation',
    method: 'POST',
    path: '/p',
    ip: '127.0.0.1',
    requestId: `request-${calls}`,
    cost: 1,
    idempotency: null,
    ...fields,
  }
}

export const keyed = (key: string, requestHash = 'hash', fields: Partial<Call> = {}): Call =>
  call({ ...fields, idempotency: { key, requestHash } })

export const success: Outcome = { status: 200, code: null, credits: 1, calls: 1, durationMs: 1, parts: null }
export const failure: Outcome = { ...success, status: 422, code: 'invalid_input', credits: 0 }

export const whole = (of: Call = call(), outcome: Outcome = success): Entry => ({
  step: 'admitAndSettle',
  call: of,
  outcome,
})

/** So many calls in flight of a cost each. */
export const inFlight = (cost: number, count: number): CostsInFlight => new Map([[cost, count]])

/** A store of one account and one key, that applies every group at once. */
export class Ledger {
  now = START
  epoch = 'first'
  account: LedgerAccount
  keyStatus: KeyStatus = 'active'
  /** The lineage of team keys, and its keys by id; null: none. */
  teamKey: TeamKey | null = null
  lineageKeys: readonly LineageKey[] = []
  lots: readonly Lot[] = []
  readonly expired: Lot[] = []
  readonly bindings = new Map<string, Binding>()
  readonly audit: AuditRow[] = []
  readonly refusals: RefusalCount[] = []

  constructor(fields: Partial<LedgerAccount> = {}) {
    this.account = account(fields)
  }

  enter(entries: readonly Entry[], { isRepeated = false }: Omit<EntryGroup, 'entries'> = {}): Verdict[] {
    const { verdicts, writes } = decide(this.#snapshot(entries, isRepeated), entries)
    for (const written of writes.accounts) this.account = written
    for (const written of writes.teamKeys) this.teamKey = written
    this.lots = this.lots.map((lot) => writes.lots.find(({ id }) => id === lot.id) ?? lot)
    this.expired.push(...writes.expired)
    this.audit.push(...writes.audit)
    for (const binding of writes.bindings)
      this.bindings.set(bindingId(binding.accountId, binding.idempotencyKey), binding)
    this.refusals.push(...writes.refusals)
    return verdicts
  }

  one(entry: Entry): Verdict {
    return this.enter([entry])[0]
  }

  get debits(): number {
    return this.audit.reduce((sum, row) => sum + row.credits, 0)
  }

  #snapshot(entries: readonly Entry[], isRepeated: boolean): LedgerSnapshot {
    const ids = new Set(entries.flatMap((entry) => (entry.step === 'refusal' ? [] : [entry.call.id])))
    const rows = isRepeated ? this.audit.filter((row) => ids.has(row.id)) : []
    return {
      now: this.now,
      epoch: this.epoch,
      isRepeated,
      ...SPECIFIED_PLAN,
      accounts: new Map([[this.account.id, this.account]]),
      keys: new Map(
        [1, ...this.lineageKeys.map(({ keyId }) => keyId)].map((id) => [
          id,
          { id, accountId: 1, status: this.keyStatus },
        ]),
      ),
      teamKeys: new Map(this.teamKey === null ? [] : [[this.teamKey.id, this.teamKey]]),
      lineageKeys: new Map(this.lineageKeys.map((key) => [key.keyId, key])),
      lots: new Map(
        this.account.lotsExpireAt === null ? [] : [[1, this.lots.filter(({ remaining }) => remaining > 0)]],
      ),
      bindings: new Map(this.bindings),
      written: new Map(rows.map(({ credits, id, replayed }) => [id, { credits, replayed }])),
    }
  }
}

/** `ok`, or the code of the refusal. */
export const codeOf = (verdict: Verdict): string => (verdict.ok ? 'ok' : verdict.code)
