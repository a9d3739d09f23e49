/** What answers one account endpoint: its declaration, who may ask how often, and the rule behind it. */
import type { Static, TObject } from 'typebox'
import type { AttemptLimit } from '../store/store.ts'
import type { Endpoint } from './endpoints/endpoint.ts'

/** A caller whose key may be used. */
export interface Caller {
  readonly accountId: number
  readonly keyId: number
  readonly isGuest: boolean
}

/** Where a request came from, for the audit. */
export interface Origin {
  readonly ip: string
  /** What `ip` counts as where limits per address apply. */
  readonly subject: string
  readonly requestId: string
  readonly method: string
  readonly path: string
}

type Body<E extends Endpoint> = E['input'] extends TObject ? Static<E['input']> : null
type Query<E extends Endpoint> = E['query'] extends TObject ? Static<E['query']> : null

export interface AccountRequest<E extends Endpoint = Endpoint> {
  readonly input: Body<E>
  readonly query: Query<E>
  /** null on endpoints without a key. */
  readonly caller: Caller | null
  readonly origin: Origin
}

export interface Handler<E extends Endpoint = Endpoint> {
  readonly endpoint: E
  /** Requests per client address, on endpoints without a key. */
  readonly perIp: Omit<AttemptLimit, 'subject'> | null
  /** Returns the reply's data. Throws Failure. */
  handle(request: AccountRequest<E>): Promise<Static<E['output']>>
}

/** Declares a handler; only fixes the types. */
export function handler<E extends Endpoint>(
  endpoint: E,
  perIp: Handler['perIp'],
  handle: Handler<E>['handle'],
): Handler {
  return { endpoint, perIp, handle } as unknown as Handler
}
