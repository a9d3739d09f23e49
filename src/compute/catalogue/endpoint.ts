/** The declaration of an endpoint other than a computation: its route, its checks and its documents are made from it. */
import type { Static, TObject, TSchema } from 'typebox'
import type { FailureCode } from '../../base/failure.ts'

/** A schema of named fields; null where an endpoint takes none. */
export type Fields = TObject | null
/** The value that a schema of named fields describes. */
export type ValueOf<Given extends Fields> = Given extends TObject ? Static<Given> : null

/** none: no X-API-Key is needed; any: a guest's key is enough; registered: guests are refused. */
export type KeyNeeded = 'none' | 'any' | 'registered'

export interface Endpoint<
  Input extends Fields = Fields,
  Query extends Fields = Fields,
  Output extends TSchema = TSchema,
> {
  readonly method: 'GET' | 'POST'
  readonly path: `/${string}`
  /** The name of the operation in documents and clients, where another method of the same path has the usual one. */
  readonly id?: string
  /** Heading of the reference under which the endpoint is listed. */
  readonly area: string
  readonly title: string
  readonly summary: string
  readonly key: KeyNeeded
  /** Present where team keys may call the endpoint; elsewhere they are refused with `key_forbidden`. */
  readonly teamKeys?: true
  /** Query parameters. They arrive as text: the route converts those with an integer schema to numbers. */
  readonly query: Query
  /** JSON body; null: none is read. Unknown fields are ignored. The body may be absent if no field is required. */
  readonly input: Input
  readonly output: Output
  /** Top-level `message` of a success; null: none. */
  readonly message: string | null
  /** A read replica may answer, which lags behind the database. */
  readonly mayLag?: true
  /** Failures of this endpoint, besides those that follow from its method, key and body. */
  readonly failures: readonly FailureCode[]
  readonly example: { readonly input: ValueOf<Input>; readonly output: Static<Output> }
}

/** A declaration as it is written, in which parts that an endpoint does not have are left out. */
export type Declared<
  Whole extends Pick<Endpoint, 'query' | 'failures'>,
  Input extends Fields,
  Output extends TSchema,
  Absent extends keyof Whole = never,
> = Omit<Whole, Absent | Always> &
  Partial<Pick<Whole, Absent | 'query' | 'failures'>> & {
    readonly input?: Input
    readonly example: { readonly output: Static<Output> } & (Input extends null
      ? object
      : { readonly input: ValueOf<Input> })
  }
type Always = 'method' | 'input' | 'query' | 'failures' | 'example'

/** The declaration with the parts that it leaves out. An endpoint with a body is a POST. */
export const completed = <Given extends { readonly example: object; readonly input?: unknown }>(
  declared: Given,
) => ({
  method: declared.input === undefined ? 'GET' : 'POST',
  input: null,
  query: null,
  failures: [],
  ...declared,
  example: { input: null, ...declared.example },
})
