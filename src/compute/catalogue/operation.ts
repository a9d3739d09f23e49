/** The declaration of one computation endpoint, from which its route, documents and tests are derived. */
import type { Static, TArray, TObject } from 'typebox'
import { MAX_WORK_MICROS } from '../../base/limits/callers.ts'
import type { Stream } from '../../wire/arrow/read-stream.ts'

/** A request as `compute` receives it: validated, with every default filled in, also in the items of lists. */
export type Filled<Input extends TObject> = Required<{
  [Name in keyof Static<Input>]: Input['properties'][Name] extends TArray<infer Item extends TObject>
    ? FilledItem<Item>[]
    : Static<Input>[Name]
}>

/** The input of any operation. */
export type Input = Filled<TObject>

/** Fields of an item that have no default may be absent. */
type FilledItem<Item extends TObject> = Static<Item> & {
  [Name in keyof Item['properties'] as Item['properties'][Name] extends { readonly default: unknown }
    ? Name
    : never]-?: Static<Item['properties'][Name]>
}

export interface Operation<Input extends TObject = TObject, Output extends TObject = TObject> {
  /** Route below the service's base address; always POST. */
  readonly path: `/quantlib/${string}`
  readonly title: string
  /** One or two sentences for the reference: what is computed, by which method, from which source. */
  readonly summary: string
  /** Optional properties carry a `default`; the properties' descriptions give units. */
  readonly input: Input
  readonly output: Output
  /** A request and the data of its reply; a test runs it. */
  readonly example: { readonly input: Static<Input>; readonly output: Static<Output> }
  /**
   * Estimated computing time in microseconds on one core, from the input alone: a computation that needs over four times as
   * much is stopped (numerics/budget.ts). It decides whether a call may hold the event loop.
   */
  work(input: Filled<Input>): number
  /** Wire name of a numerics parameter, where the two differ: `{ rate: 'risk_free_rate' }`. */
  readonly fields?: Readonly<Record<string, string>>
  /** Present if a body may have any number of different texts. */
  readonly hasTexts?: true
  /** Pure and deterministic. Refuses by DomainError. */
  compute(input: Filled<Input>): Static<Output>
  /** Present if Arrow columns are read without making lists of them, because they may have more rows than JSON. */
  readonly rows?: ArrowRows<Input, Output>
}

/** How an operation takes some of its fields as the columns of an Arrow stream. */
export interface ArrowRows<Input extends TObject = TObject, Output extends TObject = TObject> {
  /** The fields that are columns; all others are in the metadata. */
  readonly columns: readonly (keyof Static<Input> & string)[]
  readonly most: number
  /** As `work` of the operation. */
  work(stream: Stream): number
  /** Refuses by ArrowFault, or by DomainError. @param others the fields in the metadata, with every default filled in */
  compute(stream: Stream, others: Filled<Input>): Static<Output>
}

/** Declares an operation; it only infers the types. */
export function operation<Input extends TObject, Output extends TObject>(
  declaration: Operation<Input, Output>,
): Operation<Input, Output> {
  return declaration
}

/** The estimate of an operation, at most MAX_WORK_MICROS: numbers that overflow give NaN, which no limit would refuse. */
export const workOf = ({ work }: Pick<Operation, 'work'>, input: Input): number => withinLimit(work(input))

export const withinLimit = (micros: number): number =>
  Number.isNaN(micros) ? MAX_WORK_MICROS : Math.min(micros, MAX_WORK_MICROS)
