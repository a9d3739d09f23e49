/** The shapes of a table on its way to a request: what was read, what its columns mean, and what is sent. */
import type { WorkerOutcome } from '../replies.ts'

export interface Column {
  readonly name: string
  readonly type: string
  /** Numbers, milliseconds since 1970, or indices into `words`; NaN: the cell is empty or of another type. */
  readonly values: Float64Array
  /** null: the column has numbers or times. */
  readonly words: readonly string[] | null
  /** The number of empty cells. */
  readonly gaps: number
  /** The first cells of another type, with their rows from 0. */
  readonly odd: readonly { readonly row: number; readonly text: string }[]
  readonly oddCount: number
  readonly doubt: string | null
  readonly isPercent: boolean
}

/** A table as it was read. */
export interface Table {
  readonly rows: number
  readonly columns: readonly Column[]
  readonly hasHeader: boolean
  readonly separator: string | null
  /** The lines above the headings. */
  readonly skipped: number
  /** The texts of the first rows. */
  readonly head: readonly (readonly string[])[]
  /** The other fields of a request in JSON. */
  readonly others?: Readonly<Record<string, unknown>>
  /** The names of the sheets of a workbook, and the one that was read. */
  readonly sheets?: readonly string[]
  readonly sheet?: string
}

/** The part of an operation's declaration that says which of its fields are a table. */
export interface TableSpec {
  readonly kind: 'matrix' | 'columns' | 'rows' | 'records' | 'samples' | 'transitions'
  /** The field that is a matrix or a list of objects. */
  readonly field?: string
  /** The field with the headings of the columns of a matrix. */
  readonly names?: string
  /** The fields that may be columns. */
  readonly fields?: readonly string[]
  /** The fields that must have a column; absent: with the kind `columns` all, else none. */
  readonly needed?: readonly string[]
  /** The values of fields that have few. */
  readonly choices?: Readonly<Record<string, readonly unknown[]>>
  /** The field whose values can be turned around. */
  readonly turns?: string
  /** Whether the results are shown beside the rows of the table. */
  readonly byRow?: boolean
  /** The text of the table at first; absent: that of the example. */
  readonly sample?: string
}

/** The meaning of the columns, guessed and then confirmed or changed by the person. Columns are numbers; -1: none. */
export interface Mapping {
  /** The column of each field. */
  readonly fields: Readonly<Record<string, number>>
  /** The columns of a matrix. */
  readonly used: readonly number[]
  /** The column that names the rows. */
  readonly names: number
  /** For each field, the value of each word of its column, or LEFT_OUT. */
  readonly meanings: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly units: Readonly<Record<string, string | null>>
  /** The day from which times to maturity count. */
  readonly day: string
  readonly isTurned: boolean | null
  /** The ratings from best to worst; null: those of ratingOrder. */
  readonly order: readonly string[] | null
  /** Whether each row is a move from one rating to another. */
  readonly isHistory: boolean
  /** Whether rows without a value are left out. */
  readonly leavesOut: boolean
  readonly guesses: readonly Ask[]
}

/** Something that the person must say before the request is sent. */
export interface Ask {
  readonly key: string
  readonly text: string
}

/** Numbers of a matrix, row by row. */
export interface Matrix {
  readonly values: Float64Array
  readonly rows: number
  readonly columns: number
}

/** Indices into words. */
export interface Words {
  readonly values: Float64Array
  readonly words: readonly unknown[]
}

export type FieldValue =
  | Float64Array
  | Words
  | Matrix
  | readonly string[]
  | readonly Readonly<Record<string, unknown>>[]

export interface TableRequest {
  /** If there is one, the others are null. */
  readonly asks: readonly Ask[]
  readonly fields: Readonly<Record<string, FieldValue>> | null
  readonly shown: SentTable | null
}

/** The rows that were sent, as pictures and results need them. */
export interface SentTable {
  readonly rows: number
  /** The rows of the table that were sent; null: all. */
  readonly kept: Uint32Array | null
  readonly given: Table
  /** The heading of the column that names the rows; null: there is none. */
  readonly heading: string | null
  nameOf(row: number): string
  /** The row of the table. */
  rowOf(row: number): number
  /** Milliseconds since 1970; null: the rows are not named by dates. */
  readonly times: Float64Array | null
  readonly isTurned?: boolean | null
  /** Of a matrix. */
  readonly columns?: number
  readonly names?: readonly string[]
  readonly values?: Float64Array
  /** The names of ratings; null: the table has none. */
  readonly labels?: readonly string[] | null
  /** The moves of a history, and those to ratings that are not counted. */
  readonly moves?: number
  readonly outside?: number
}

/** The rows of a matrix that were sent. */
export type SentMatrix = SentTable & Matrix & { readonly names: readonly string[] }

/** How far a task is. `share`: from 0 to 1, null: unknown; `isSent`: whether the whole body of a call was sent. */
export interface TaskProgress {
  readonly phase: string
  readonly share: number | null
  readonly isSent?: boolean
}

type Values = Readonly<Record<string, unknown>>

interface Reading {
  readonly files: readonly File[]
  readonly types: Readonly<Record<number, string>>
  readonly sheet: string | null
  readonly own: readonly string[]
  readonly isList: boolean
  readonly isRagged: boolean
}

interface Previewing {
  readonly operation: string
  readonly others: Values
  /** Absent: those of the preview before. */
  readonly fields?: Readonly<Record<string, FieldValue>> | null
}

interface Calling {
  readonly operation: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly spec: TableSpec
  readonly mapping: Mapping
  readonly others: Values
}

/** A worker with one table. Each promise rejects with an Error that has a message for people. */
export interface TableWorker {
  read(given: Reading): Promise<Table>
  preview(given: Previewing): Promise<{ readonly result: object; readonly model: unknown }>
  call(given: Calling, onProgress: (progress: TaskProgress) => void): Promise<WorkerOutcome>
  /** The model of the result of the latest call. */
  model(): Promise<unknown>
  /** Cancels the running call. */
  cancel(): Promise<unknown>
  /** Ends the worker. A running call resolves as cancelled; the promises of other tasks never settle. */
  close(): void
}

/** The entry of a table. */
export interface TableEntry {
  readonly text: string
  readonly file: File | null
  /** The file of the second of two samples. */
  readonly beside: File | null
  readonly table: Table | null
  /** The worker that has the table, if it is large. */
  readonly worker: TableWorker | null
  readonly mapping: Mapping | null
  /** Types that the person chose, by the number of the column. */
  readonly types: Readonly<Record<number, string>>
  readonly error: string | null
}
