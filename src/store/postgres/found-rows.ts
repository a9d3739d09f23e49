/**
 * The accounts and the keys of a group as PostgreSQL answers: in one row of JSON arrays, because the driver takes longer for each
 * column of each row.
 */
import type { Tier } from '../../ledger/tiers.ts'
import type { KeyStatus, LedgerKey } from '../../ledger/types.ts'
import { type AccountRow, accountNumbers } from '../ledger-rows.ts'

/** Null: there is none. The numbers of each account are in the order of `accountNumbers`. */
export interface FoundAccounts {
  readonly tiers: readonly Tier[] | null
  readonly numbers: readonly (readonly (number | null)[])[] | null
}

/** The time and the epoch of the server, whether the rows have their place there, and the keys; null: there is none. */
export interface FoundKeys {
  readonly now: number
  readonly epoch: string
  readonly isHere: boolean
  readonly ids: readonly number[] | null
  readonly accountIds: readonly number[] | null
  readonly statuses: readonly KeyStatus[] | null
}

export const accountRows = ({ numbers, tiers }: FoundAccounts): AccountRow[] =>
  (tiers ?? []).map((tier, index) => {
    const row: Record<string, unknown> = { tier }
    accountNumbers.forEach((name, place) => {
      row[name] = numbers![index][place]
    })
    return row as AccountRow
  })

export const keysOf = ({ accountIds, ids, statuses }: FoundKeys): LedgerKey[] =>
  (ids ?? []).map((id, index) => ({ id, accountId: accountIds![index], status: statuses![index] }))
