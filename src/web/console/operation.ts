/** The module of an operation: how its page computes a preview, draws it, and shows an answer; and the values and samples that it takes. */
import type { ComponentChildren } from 'preact'
import type { Form, FormField } from '../../derive/forms.ts'
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
 * and reply in clients/typescript/types.ts, or of its functions in kernels/; and of what its `model` returns.
 */
export interface Shown<Input = Values, Data = Values, Model = unknown, Sent = SentTable | null> {
  readonly values: Input
  /** The rows that were sent; null: the operation has no table. */
  readonly table: Sent
  readonly data: Data
  readonly model: Model
}

export interface PictureProps<Input = Values, Data = Values, Model = unknown, Sent = SentTable | null>
  extends Shown<Input, Data, Model, Sent> {
  readonly page: PageOfOperation
}

export interface MatrixShown {
  readonly title: string
  readonly rows: readonly (readonly number[])[]
  readonly names: readonly string[]
}

/** Methods, because each module takes the values, data and table of its own operation. */
export interface Operation {
  /** The use of the operation, in a sentence; absent: the first sentence of its summary. */
  readonly lead?: string
  /** The data of a reply, or the part that the picture needs; a generator computes it in steps. */
  preview?(values: object): object
  headline(data: object, table: SentTable | null): readonly Quantity[]
  Picture(props: PictureProps<object, object>): ComponentChildren
  readonly table?: TableSpec
  tableOf?(form: Form): TableSpec
  /** Values of the entries at first, instead of those of the example; that of a table is its text. */
  readonly sample?: Values
  /** Whether the preview takes longer than a frame. */
  readonly isLong?: boolean
  readonly byRow?: boolean
  /** What the picture needs besides values and data. */
  model?(values: object, result: object): unknown
  /** The result of the preview, made of the data of a reply. */
  resultOf?(data: object, values: object): object
  matrices?(data: object, table: SentTable | null): readonly MatrixShown[]
  /** A further view of the data. */
  Result?(props: { readonly data: object }): ComponentChildren
}

export const withDefaults = (fields: readonly FormField[], sent: Values): Values =>
  Object.fromEntries(fields.map(({ name, default: fallback }) => [name, sent[name] ?? fallback ?? undefined]))

/** A number from 0 to 1 for row `i`; another `salt` gives other numbers. */
export const madeUp = (i: number, salt: number): number =>
  Math.abs((Math.sin(i * 127.1 + salt * 311.7) * 43758.5453) % 1)
