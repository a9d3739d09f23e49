/** An account endpoint: its declaration and its handler in one value. */
import type { Static, TSchema } from 'typebox'
import {
  completed,
  type Declared,
  type Endpoint,
  type Fields,
  type KeyNeeded,
} from '../compute/catalogue/endpoint.ts'
import type { AccountRequest, IpLimit } from '../protocol/handler.ts'
import type { AccountContext } from './context.ts'

export interface AccountEndpoint<
  Input extends Fields = Fields,
  Query extends Fields = Fields,
  Output extends TSchema = TSchema,
  Key extends KeyNeeded = KeyNeeded,
> extends Endpoint<Input, Query, Output> {
  readonly key: Key
  /** The limit by client address; null: there is none. */
  readonly perIp: IpLimit | null
  /** Returns the `data` of the reply. Throws Failure. */
  handle(context: AccountContext, request: AccountRequest<Input, Query, Key>): Promise<Static<Output>>
}

/** Infers the types of the handler from the declared schemas. */
export const accountEndpoint = <
  Output extends TSchema,
  Key extends KeyNeeded,
  Input extends Fields = null,
  Query extends Fields = null,
>(
  declared: Declared<AccountEndpoint<Input, Query, Output, Key>, Input, Output, 'message' | 'perIp'>,
): AccountEndpoint<Input, Query, Output, Key> =>
  ({ message: null, perIp: null, ...completed(declared) }) as never
