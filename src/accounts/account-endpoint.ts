/** An account endpoint: its declaration and its handler in one value. */
import type { Static, TSchema } from 'typebox'
import type { Endpoint, Fields, KeyNeeded } from '../catalogue/endpoint.ts'
import type { AccountRequest, IpLimit } from '../pipeline/handler.ts'
import type { AccountContext } from './context.ts'

export interface AccountEndpoint<
  Input extends Fields = Fields,
  Query extends Fields = Fields,
  Output extends TSchema = TSchema,
  Key extends KeyNeeded = KeyNeeded,
> extends Endpoint<Input, Query, Output> {
  readonly key: Key
  /** null: not limited by client address. */
  readonly perIp: IpLimit | null
  /** Returns the `data` of the reply. Throws Failure. */
  handle(context: AccountContext, request: AccountRequest<Input, Query, Key>): Promise<Static<Output>>
}

/** Infers the types of the handler from the declared schemas. */
export const accountEndpoint = <
  Input extends Fields,
  Query extends Fields,
  Output extends TSchema,
  Key extends KeyNeeded,
>(
  endpoint: AccountEndpoint<Input, Query, Output, Key>,
): AccountEndpoint<Input, Query, Output, Key> => endpoint
