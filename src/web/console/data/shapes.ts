/** The shapes of a table on its way to a request: what was read, what its columns mean, and what is sent. */
import type { WorkerOutcome } from '../replies.ts'
import type { Mapping, TableSpec } from './mapping.ts'
import type { FileOptions } from './read-table.ts'
import type { Fields, Matrix, Shown } from './request.ts'
import type { AsideKey, ColumnType, Table } from './table.ts'

export type { Mapping, TableSpec } from './mapping.ts'
export type { Matrix, Shown as SentTable, TableRequest } from './request.ts'
export type { Column, Table } from './table.ts'
export type { Ask } from './values.ts'
export type FieldValue = Fields[string]

/** The rows of a matrix that were sent. */
export type SentMatrix = Shown & Matrix & { readonly names: readonly string[] }

/** How far a task is. `share`: from 0 to 1, null: unknown; `isSent`: whether the whole body of a call was sent. */
export interface TaskProgress {
  readonly phase: string
  readonly share: number | null
  readonly isSent?: boolean
}

type Values = Readonly<Record<string, unknown>>

export interface Reading extends FileOptions {
  readonly files: readonly File[]
}

export interface Previewing {
  readonly operation: string
  readonly others: Values
  /** Absent: those of the preview before. */
  readonly fields?: Readonly<Record<string, FieldValue>> | null
}

/** A result in typed arrays, and the model of its picture. */
export interface Previewed {
  readonly result: object
  readonly model: unknown
}

export interface Calling {
  readonly operation: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly spec: TableSpec
  readonly mapping: Mapping
  readonly others: Values
  /** The others, with the defaults of those that are not sent. */
  readonly values: Values
}

/** A request without its reply. */
export type Bodied = Pick<Calling, 'spec' | 'mapping' | 'others'>

/** What the page asks the worker. */
export type WorkerTask =
  | ({ readonly task: 'read' } & Reading)
  | ({ readonly task: 'preview' } & Previewing)
  | ({ readonly task: 'call' } & Calling)
  | ({ readonly task: 'body' } & Bodied)
  | { readonly task: 'model' | 'cancel' }

/** The message of a task to the worker. */
export interface WorkerQuestion {
  readonly id: number
  readonly asked: WorkerTask
}

/** A message of the worker about the task of this id: its progress, the text of a fault, or the result. */
export type WorkerAnswer = { readonly id: number } & (
  | { readonly progress: TaskProgress }
  | { readonly fault: string }
  | { readonly result: unknown }
)

/** A worker with one table. Each promise rejects with an Error that has a message for people. */
export interface TableWorker {
  read(given: Reading): Promise<Table>
  preview(given: Previewing): Promise<Previewed>
  call(given: Calling, onProgress: (progress: TaskProgress) => void): Promise<WorkerOutcome>
  /** The body of a request as JSON. */
  body(given: Bodied): Promise<Blob>
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
  readonly types: Readonly<Record<number, ColumnType>>
  /** The keys of rows, or of all rows of a kind, that the person took back. */
  readonly taken: readonly AsideKey[]
  readonly error: string | null
}

/** The entry without a table: of an operation that has none, or before one is entered. */
export const NO_TABLE: TableEntry = {
  text: '',
  file: null,
  beside: null,
  table: null,
  worker: null,
  mapping: null,
  types: {},
  taken: [],
  error: null,
}
