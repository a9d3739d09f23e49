/**
 * Rows as arrays: of their columns, which a statement takes as parameters; and in one row of JSON, as PostgreSQL answers with the
 * accounts and the keys of a group, because the driver takes longer for each column of each row.
 */
import type { Tier } from '../../ledger/tiers.ts'
import type { KeyStatus, LedgerKey } from '../../ledger/types.ts'
import { type AccountRow, accountNumbers, type Column, namesOf } from '../ledger-rows.ts'

/** Rows of a table as `new`, from one array for each column. @param first number of the first array */
export const rowsFrom = (columns: readonly Column<never>[], first = 1): string =>
  `unnest(${columns.map(({ type }, index) => `$${first + index}::${type}[]`)}) AS new (${namesOf(columns)})`

/** An array as PostgreSQL reads it. The driver's own conversion takes five times as long. */
export const arrayOf = <Item>({ type, value }: Column<Item>, items: readonly Item[]): string => {
  const printed = type === 'bytea' ? bytesOf : elementOf
  return `{${items.map((item) => printed(value(item))).join()}}`
}

const bytesOf = (hex: string | number | null): string => (hex === null ? 'NULL' : `"\\\\x${hex}"`)

export const elementOf = (value: string | number | null): string | number => {
  if (typeof value !== 'string') return value ?? 'NULL'
  return `"${/["\\]/.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`
}

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
