/**
 * Assertions of what types cannot say about a decision. A broken one is a bug of quantd, not a failure of the caller: the group is
 * rolled back, and entered again entry by entry.
 */
import { spentAt } from './team-keys.ts'
import type { Entry, LedgerAccount, LedgerSnapshot, Lot, TeamKey, Writes } from './types.ts'

/** The sentences that must hold. */
export const assertions = {
  balance: 'A balance is a whole number of at least 0',
  locked: 'Every changed row belongs to a locked account',
  movement: 'A balance falls by what is charged and what expires',
  cap: 'A team key spends at most its cap',
  lot: 'What is left of a lot, and what expired of it, are within its grant',
  epoch: 'A call is settled in the run of the database that admitted it',
  row: 'An update changes one row',
  group: 'The groups of a stream are numbered without a gap, and hold each row of the audit once',
} as const

export type Assertion = keyof typeof assertions

/** Ids of what is concerned, for the log. */
type Ids = Readonly<Record<string, number | string | null>>

export class BrokenAssertion extends Error {
  override readonly name = 'BrokenAssertion'
  readonly assertion: Assertion
  readonly ids: Ids

  constructor(assertion: Assertion, ids: Ids) {
    super(`${assertions[assertion]}: broken for ${JSON.stringify(ids)}`)
    this.assertion = assertion
    this.ids = ids
  }
}

/** Throws BrokenAssertion if the changes of a group must not be written. */
export function assertSound(snapshot: LedgerSnapshot, entries: readonly Entry[], writes: Writes): void {
  const moved = movedOf(writes)
  for (const account of writes.accounts) {
    assertAccount(snapshot, account, moved.get(account.id) ?? 0)
    moved.delete(account.id)
  }
  for (const accountId of moved.keys()) throw new BrokenAssertion('movement', { account_id: accountId })
  for (const key of writes.teamKeys) assertTeamKey(snapshot, key)
  for (const lot of writes.lots) assertLot(snapshot, lot)
  for (const { accountId, auditId } of writes.bindings)
    if (!snapshot.accounts.has(accountId))
      throw new BrokenAssertion('locked', { account_id: accountId, audit_id: auditId })
  assertEpochs(snapshot, entries, writes)
}

/** The credits that leave each balance. */
function movedOf({ audit, expired }: Writes): Map<number, number> {
  const moved = new Map<number, number>()
  const move = (accountId: number, credits: number) =>
    moved.set(accountId, (moved.get(accountId) ?? 0) + credits)
  for (const { accountId, credits, id } of audit) {
    if (credits === 0) continue
    if (!(credits > 0) || accountId === null)
      throw new BrokenAssertion('movement', { account_id: accountId, audit_id: id })
    move(accountId, credits)
  }
  for (const { accountId, remaining } of expired) move(accountId, remaining)
  return moved
}

function assertAccount(snapshot: LedgerSnapshot, { balance, id }: LedgerAccount, moved: number): void {
  const before = snapshot.accounts.get(id)
  if (before === undefined) throw new BrokenAssertion('locked', { account_id: id })
  if (!(Number.isSafeInteger(balance) && balance >= 0))
    throw new BrokenAssertion('balance', { account_id: id, balance })
  if (before.balance - balance !== moved)
    throw new BrokenAssertion('movement', { account_id: id, before: before.balance, balance, moved })
}

/** The owner may have set a cap below what was spent already. */
function assertTeamKey({ accounts, now, teamKeys }: LedgerSnapshot, key: TeamKey): void {
  const ids = { account_id: key.accountId, team_key_id: key.id }
  const before = teamKeys.get(key.id)
  if (before === undefined || !accounts.has(key.accountId)) throw new BrokenAssertion('locked', ids)
  const { creditCap, spent } = key
  if (creditCap !== null && spent > creditCap && spent > spentAt(before, now))
    throw new BrokenAssertion('cap', { ...ids, credit_cap: creditCap, spent })
}

function assertLot({ accounts }: LedgerSnapshot, { accountId, expired, granted, id, remaining }: Lot): void {
  const ids = { account_id: accountId, lot_id: id }
  if (!accounts.has(accountId)) throw new BrokenAssertion('locked', ids)
  if (!(remaining >= 0 && expired >= 0 && remaining + expired <= granted))
    throw new BrokenAssertion('lot', { ...ids, granted, remaining, expired })
}

function assertEpochs({ epoch }: LedgerSnapshot, entries: readonly Entry[], { audit }: Writes): void {
  for (const entry of entries) {
    if (entry.step !== 'settle' || entry.admission.epoch === epoch) continue
    const { accountId, id } = entry.call
    if (audit.some((row) => row.id === id))
      throw new BrokenAssertion('epoch', { account_id: accountId, audit_id: id })
  }
}
