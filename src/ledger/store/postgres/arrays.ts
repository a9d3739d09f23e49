/**
 * Rows as arrays. A statement takes one array for each column as a parameter. PostgreSQL returns the accounts and the keys of a
 * group as JSON arrays in one row, because the driver's time grows with the number of columns and rows.
 */
import type { Tier } from '../../rules/tiers.ts'
import type { KeyStatus, LedgerKey } from '../../rules/types.ts'
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

/** A field is null where there are no rows. The numbers of an account are in the order of `accountNumbers`. */
export interface FoundAccounts {
  readonly tiers: readonly Tier[] | null
  readonly numbers: readonly (readonly (number | null)[])[] | null
}

/** The time and epoch of the server, whether it holds the rows of the group, and the keys; null: none was found. */
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
