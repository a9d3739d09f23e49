/** A table that is moved from one database to another, and the digest by which its rows are compared. */
import { hash } from 'node:crypto'
import { type Runner, UnusableDatabase } from './sql.ts'

/** The types that the schema declares; both databases have them under names of their own. */
export type MovedType = 'integer' | 'text' | 'bytes'

/** A value of a row. A time is an integer; JSON is a text. */
export type MovedValue = number | string | Uint8Array | null

export interface MovedColumn {
  readonly name: string
  readonly type: MovedType
}

export interface MovedTable {
  readonly name: string
  readonly columns: readonly MovedColumn[]
  /** The last id that the database has assigned, also to a row that was deleted; null: it assigns none. */
  readonly lastId: number | null
}

/** The database from which rows are moved, in one snapshot. */
export interface MoveSource extends Runner {
  /** The tables of the schema, each after those that it refers to. */
  readonly tables: readonly MovedTable[]
  /** The rows of a table, in any order; one table is read at a time. Throws UnusableDatabase for a value that PostgreSQL refuses. */
  rowsOf(table: MovedTable): Iterable<readonly MovedValue[]>
  /** Ends the snapshot; returns whether another process has written since it began. */
  isChanged(): boolean
  close(): void
}

/** The table that records which migrations a database has had, which both databases make themselves. */
export const MIGRATIONS_TABLE = 'migrations'

const FITS: Readonly<Record<MovedType, (value: MovedValue) => boolean>> = {
  integer: Number.isSafeInteger,
  // PostgreSQL has no U+0000 in texts.
  text: (value) => typeof value === 'string' && !value.includes('\0'),
  bytes: (value) => value instanceof Uint8Array,
}

/** Throws UnusableDatabase for a value that is not of the type of its column: SQLite stores it in spite of the declaration. */
export function checkRow({ columns, name }: MovedTable, row: readonly MovedValue[]): void {
  columns.forEach((column, index) => {
    const value = row[index]
    if (value !== null && !FITS[column.type](value))
      throw new UnusableDatabase(
        `A row of the table ${name} has a value in ${column.name} that PostgreSQL cannot hold as ${column.type}.`,
      )
  })
}

/** The number of rows, and a digest of them that does not depend on their order: the sum of their hashes. */
export interface TableDigest {
  add(row: readonly MovedValue[]): void
  readonly rows: number
  readonly digest: string
}

export function tableDigest(): TableDigest {
  // Four sums of 64 bits each; the array drops what overflows.
  const sums = new BigUint64Array(4)
  let rows = 0
  return {
    add(row) {
      const printed = row.map((value) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
      )
      const hashed = hash('sha256', JSON.stringify(printed), 'buffer')
      for (let index = 0; index < sums.length; index++) sums[index] += hashed.readBigUInt64LE(8 * index)
      rows += 1
    },
    get rows() {
      return rows
    },
    get digest() {
      return Buffer.from(sums.buffer).toString('hex')
    },
  }
}
