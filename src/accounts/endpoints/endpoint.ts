/** What one endpoint beside the computations is: a declaration that its route and its documents are made from. */
import type { Static, TObject, TSchema } from 'typebox'
import type { FailureCode } from '../../errors.ts'

export interface Endpoint<
  Input extends TObject | null = TObject | null,
  Query extends TObject | null = TObject | null,
  Output extends TSchema = TSchema,
> {
  readonly method: 'GET' | 'POST'
  readonly path: `/${string}`
  /** Heading it stands under in the reference. */
  readonly area: string
  readonly title: string
  readonly summary: string
  /** Whether X-API-Key is needed, and whether a guest's will do. */
  readonly key: 'none' | 'any' | 'registered'
  /** Parameters after the `?`. They arrive as text: the route turns those of an integer schema into numbers. */
  readonly query: Query
  /** The body; null: none is read. Unknown fields are ignored; with no required field the body may be absent. */
  readonly input: Input
  readonly output: Output
  /** Text of the top-level `message` of a success, where it has one. */
  readonly message: string | null
  /** Failures of its own, besides those that follow from the method, the key and the body. */
  readonly failures: readonly FailureCode[]
  readonly example: {
    readonly input: Input extends TObject ? Static<Input> : null
    readonly output: Static<Output>
  }
}

/** Declares an endpoint; only fixes the types. */
export function endpoint<Input extends TObject | null, Query extends TObject | null, Output extends TSchema>(
  declaration: Endpoint<Input, Query, Output>,
): Endpoint<Input, Query, Output> {
  return declaration
}
