/** A request, the account and key that it is authenticated as, and the parts of the service that it passes through. */
import type { IncomingMessage } from 'node:http'
import type { Failure } from '../base/failure.ts'
import type { Receiver } from '../compute/body/receive.ts'
import type { EventLoopShares } from '../compute/threads/event-loop-shares.ts'
import type { Pool } from '../compute/threads/pool.ts'
import type { Meter } from '../ledger/metering/meter.ts'
import type { Tier } from '../ledger/rules/tiers.ts'

/** The account and key that a request was authenticated as. */
export interface Caller {
  readonly accountId: number
  readonly keyId: number
  readonly tier: Tier
  /** Null: the account's own key. */
  readonly team: TeamCaller | null
}

/** A team key's lineage, and what its keys may call. */
interface TeamCaller {
  readonly id: number
  /** Paths of computations; null: all. */
  readonly paths: ReadonlySet<string> | null
}

/** Finds the caller by the key or the access token. Throws Failure. */
export type Authenticate = (incoming: Incoming) => Promise<Caller>

/** Values by names in lower case; Node joins the values of a header that is sent several times. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>

/** The scheme by which the client has sent a request, as a trusted proxy reports it; otherwise http, because the service has no TLS. */
export type Scheme = 'http' | 'https'

export interface Incoming {
  readonly method: string
  readonly scheme: Scheme
  readonly headers: RequestHeaders
  /** The stream that arrives over HTTP, or the bytes of a body that was taken out of another one (MCP). */
  readonly body: IncomingMessage | Buffer
  /** null: the request is not authenticated yet. */
  readonly caller: Caller | null
  readonly path: string
  readonly query: URLSearchParams
  /** A UUID that the service makes; `requestId` may be the client's. */
  readonly id: string
  readonly requestId: string
  readonly ip: string
  /** The form of `ip` that limits per client address count: an IPv6 address as its /64. */
  readonly subject: string
  readonly replyRoom: ReplyRoom
  /** The time of arrival by performance.now(). */
  readonly startedAt: number
}

/** The room of one reply in the budget of replies that their clients have not read yet. Its functions need no `this`. */
export interface ReplyRoom {
  /** Throws Failure `overloaded` if unread replies leave no room for another one to this account. */
  readonly take: (accountId: number) => void
  /** The failure if there is no room any more for a reply that is not computed yet. */
  readonly refusal: () => Failure | null
  /** Runs `release` once the reply was read in full or its connection has ended. */
  readonly afterwards: (release: () => void) => void
}

export interface Pipeline {
  readonly authenticate: Authenticate
  readonly receiver: Receiver
  readonly meter: Meter
  readonly pool: Pool
  readonly eventLoop: EventLoopShares
  /** Accounts whose last request a rate limit or the balance refused: a `peek` precedes the receipt of their next body. */
  readonly recentlyRefused: Set<number>
  readonly onInternalError: OnInternalError
}

/** Called with every error that is a bug. */
export type OnInternalError = (error: unknown, requestId: string) => void
