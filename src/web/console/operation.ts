/** The module of an operation: how its page computes a preview, draws it, and shows an answer. */
import type { ComponentType } from 'preact'
import type { Form } from '../../derive/forms.ts'
import type { SentTable, TableSpec } from './data/shapes.ts'

/** The values of the fields of a form, or the data of a reply, by name. */
export type Values = Readonly<Record<string, unknown>>

/** A number to show large. */
export interface Quantity {
  readonly name: string
  readonly label: string
  readonly value: number
  readonly unit?: string
}

/** The page of the operation, for pictures that change its entries. */
export interface PageOfOperation {
  readonly form: Form
  /** The values that were entered. */
  readonly sent: Values
  /** Sets a field with a number. */
  move(name: string, value: number): void
  /** Starts again from these values. */
  restore(values: Values | null): void
}

/**
 * What a page shows: a preview or an answer. A module names the types of its own values and data, which are those of its request
 * and reply in clients/typescript/types.ts, and of what its `model` returns.
 */
export interface Shown<Input = Values, Data = Values, Model = unknown> {
  readonly values: Input
  /** The rows that were sent; null: the operation has no table. */
  readonly table: SentTable | null
  readonly data: Data
  readonly model: Model
}

export interface PictureProps<Input = Values, Data = Values, Model = unknown>
  extends Shown<Input, Data, Model> {
  readonly page: PageOfOperation
}

export interface MatrixShown {
  readonly title: string
  readonly rows: readonly (readonly number[])[]
  readonly names: readonly string[]
}

/**
 * Methods, because each module takes the values and data of its own operation, whose types are in clients/typescript/types.ts.
 */
export interface Operation {
  /** The data of a reply, or the part that the picture needs; a generator computes it in steps. null: there is no preview. */
  readonly preview: ((values: Values) => object) | null
  headline(data: Values, table: SentTable | null): readonly Quantity[]
  readonly Picture: ComponentType<PictureProps> | null
  readonly table?: TableSpec
  tableOf?(form: Form): TableSpec
  /** Values of the entries at first, instead of those of the example; that of a table is its text. */
  readonly sample?: Values
  /** Whether the preview takes longer than a frame. */
  readonly isLong?: boolean
  readonly byRow?: boolean
  /** What the picture needs besides values and data. */
  model?(values: Values, result: object): unknown
  /** The result of the preview, made of the data of a reply. */
  resultOf?(data: Values, values: Values): object
  matrices?(data: Values, table: SentTable | null): readonly MatrixShown[]
  /** A further view of the data. */
  readonly Result?: ComponentType<{ readonly data: Values }>
}
