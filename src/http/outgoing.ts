/** Replies that were not taken yet: what they may hold together, and how they are written. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Failure } from '../errors.ts'
import type { OutgoingReply } from '../pipeline/incoming.ts'
import type { Connection } from './connections.ts'

export interface OutgoingLimits {
  /** Bytes of replies that the calls of one account may hold. */
  readonly perAccount: number
  /** Bytes of replies that all calls of the process may hold. */
  readonly perProcess: number
  /** A reply must be taken within this time … */
  readonly graceMs: number
  /** … and the time that its bytes take at this rate. */
  readonly leastBytesPerSecond: number
}

export const OUTGOING_LIMITS: OutgoingLimits = {
  perAccount: 64 * 1024 * 1024,
  perProcess: 256 * 1024 * 1024,
  graceMs: 60_000,
  leastBytesPerSecond: 256 * 1024,
}

/** A body up to this size asks for a small reply: what others hold is no reason to refuse it. */
const SMALL_BODY_BYTES = 64 * 1024
/** Large replies are written in pieces of this size, so that it shows whether the client takes them. */
const PIECE_BYTES = 64 * 1024

/** The reply to one request. */
export interface Outgoing extends OutgoingReply {
  /** Writes a body behind a head that was written. */
  write(body: string | Uint8Array, encoding: 'latin1' | 'utf8'): void
}

export interface OutgoingReplies {
  of(request: IncomingMessage, response: ServerResponse, connection: Connection | undefined): Outgoing
  /** Destroys the connections of replies that were not taken in time. */
  look(now: number): void
}

interface Held {
  readonly response: ServerResponse
  readonly bytes: number
  readonly dueAt: number
}

/**
 * The budget of replies that were computed and not taken yet. A connection holds one reply at a time (in-turn.ts). The
 * budget is consulted before a call's body is read: when it is used up, the call is refused with 503 `overloaded`, having
 * consumed nothing. A call that was let in is computed, charged and sent whatever its reply's size: what is under way may
 * exceed the budget by the replies of the bodies that the receiver has let in, whose leases last until the reply was taken.
 *
 * A reply is held until the operating system has all of it or the connection ends. A connection of which the system takes
 * nothing for the silence limit (connections.ts), or not all in time, is destroyed; the call stays charged, and its
 * client can have the result again with the same Idempotency-Key. The system takes more when a third of its own buffer
 * (some 100 KB to 3 MB) is free.
 */
export function openOutgoing(limits: OutgoingLimits): OutgoingReplies {
  const byAccount = new Map<number, number>()
  const replies = new Set<Held>()
  let heldInAll = 0

  const hold = (account: number, bytes: number, response: ServerResponse): void => {
    const dueAt = performance.now() + limits.graceMs + (bytes / limits.leastBytesPerSecond) * 1_000
    const held = { response, bytes, dueAt }
    replies.add(held)
    heldInAll += bytes
    byAccount.set(account, (byAccount.get(account) ?? 0) + bytes)
    response.once('close', () => {
      replies.delete(held)
      heldInAll -= bytes
      const left = byAccount.get(account)! - bytes
      if (left === 0) byAccount.delete(account)
      else byAccount.set(account, left)
    })
  }
  const refuse = (account: number, request: IncomingMessage): void => {
    const own = byAccount.get(account) ?? 0
    if (own >= limits.perAccount) throw accountHoldsTooMuch()
    if (heldInAll >= limits.perProcess && (own > 0 || !isSmall(request))) throw allHoldTooMuch()
  }

  return {
    of(request, response, connection) {
      let account: number | null = null
      return {
        admit(accountId) {
          refuse(accountId, request)
          account = accountId
        },
        afterwards(release) {
          if (response.closed) release()
          else response.once('close', release)
        },
        write(body, encoding) {
          if (connection !== undefined) connection.movedAt = performance.now()
          if (body.length <= PIECE_BYTES) {
            response.end(body, encoding)
            return
          }
          const bytes = typeof body === 'string' ? Buffer.from(body, encoding) : body
          if (account !== null && !response.closed) hold(account, bytes.length, response)
          writeInPieces(response, bytes, connection)
        },
      }
    },
    look(now) {
      for (const { dueAt, response } of replies) if (now >= dueAt) response.socket?.destroy()
    },
  }
}

function writeInPieces(response: ServerResponse, bytes: Uint8Array, connection?: Connection): void {
  let start = 0
  const write = (): void => {
    for (;;) {
      if (response.destroyed) return
      if (connection !== undefined) connection.movedAt = performance.now()
      const piece = bytes.subarray(start, start + PIECE_BYTES)
      start += PIECE_BYTES
      if (start >= bytes.length) {
        response.end(piece)
        return
      }
      if (!response.write(piece)) break
    }
    response.once('drain', write)
  }
  write()
}

const isSmall = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= SMALL_BODY_BYTES

const accountHoldsTooMuch = () =>
  new Failure(
    'overloaded',
    'Replies to this account are waiting to be read; read them, then send the next.',
    {
      retryAfterSeconds: 1,
    },
  )

const allHoldTooMuch = () =>
  new Failure('overloaded', 'Too many large replies are waiting to be read; try again shortly.', {
    retryAfterSeconds: 5,
  })
