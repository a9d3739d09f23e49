/** The handler of an account endpoint, and the request that it is given. */
import type { Endpoint, Fields, KeyNeeded, ValueOf } from '../compute/catalogue/endpoint.ts'
import type { AttemptLimit } from '../ledger/store/attempts.ts'
import type { Caller, Incoming } from './incoming.ts'

/** Source of a request, for the audit. */
export interface Origin {
  readonly ip: string
  /** The unit that limits per address count: `ip`, or its /64 for IPv6. */
  readonly subject: string
  readonly requestId: string
  readonly method: string
  readonly path: string
}

export const originOf = ({ ip, method, path, requestId, subject }: Incoming): Origin => ({
  ip,
  subject,
  requestId,
  method,
  path,
})

export interface AccountRequest<
  Input extends Fields = Fields,
  Query extends Fields = Fields,
  Key extends KeyNeeded = KeyNeeded,
> {
  readonly input: ValueOf<Input>
  readonly query: ValueOf<Query>
  /** null on endpoints that need no key. */
  readonly caller: Key extends 'none' ? null : Caller
  readonly origin: Origin
  /** Headers that the handler adds to its reply: names and values alternating. */
  readonly headers: string[]
}

/** Requests allowed per client address. */
export type IpLimit = Omit<AttemptLimit, 'subject'>

export interface Handler {
  readonly endpoint: Endpoint
  /** null: not limited by client address. */
  readonly perIp: IpLimit | null
  /** Returns the `data` of the reply. Throws Failure. */
  handle(request: AccountRequest): Promise<unknown>
}
