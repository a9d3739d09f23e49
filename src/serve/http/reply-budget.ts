/** Limits the bytes of replies that wait for their clients to read them, and the time of the wait. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tooManyUnreadReplies, tooManyUnreadRepliesOfAccount } from '../../base/errors/requests.ts'
import type { Failure } from '../../base/failure.ts'
import { LAST_REPLIES_MS, SMALL_BODY_BYTES } from '../../base/limits/callers.ts'
import type { ReplyRoom } from '../../protocol/incoming.ts'

export interface ReplyLimits {
  /** Bytes of replies that the calls of one account may hold. */
  readonly perAccount: number
  /** Bytes of replies that all calls of the process may hold. */
  readonly perProcess: number
  /** A client must read a reply within this time … */
  readonly graceMs: number
  /** … and the time that its bytes take at this rate. */
  readonly leastBytesPerSecond: number
}

/** The room of a reply, for the connection that sends it. */
export interface OwnRoom extends ReplyRoom {
  /** Counts the bytes of the reply until the response closes. */
  hold(bytes: number): void
  /** To be called once the response is closed. */
  end(): void
}

export type ReplyBudget = ReturnType<typeof replyBudget>

/**
 * The budget of replies that were computed and that their clients have not read yet. A connection holds one reply at a
 * time (exchange.ts). The budget is consulted before the body of a call is read, and where the body waits for a
 * thread, again before it is computed: once it is used up, the call is refused with 503 `overloaded` and consumes nothing.
 * A call that is being computed is charged and sent whatever the size of its reply. The calls on the threads may therefore
 * exceed the budget; the leases of their bodies last until the reply was read.
 *
 * A reply is held until the operating system has accepted all of it or the connection has closed. A connection is
 * destroyed if the system accepts nothing for the silence limit (`watchSilence`), or not everything in time. The call
 * stays charged, and its client gets the result with the same Idempotency-Key. The system accepts more once a third of
 * its own buffer (about 100 KB to 3 MB) is free.
 */
export function replyBudget(limits: ReplyLimits) {
  const byAccount = new Map<number, number>()
  const replies = new Set<{ readonly response: ServerResponse; dueAt: number }>()
  let total = 0
  const count = (accountId: number, bytes: number): void => {
    const held = (byAccount.get(accountId) ?? 0) + bytes
    if (held === 0) byAccount.delete(accountId)
    else byAccount.set(accountId, held)
    total += bytes
  }

  /** Failure `overloaded` if the budget is used up. */
  const refusal = (accountId: number, request: IncomingMessage): Failure | null => {
    const ofAccount = byAccount.get(accountId) ?? 0
    if (ofAccount >= limits.perAccount) return tooManyUnreadRepliesOfAccount()
    if (total >= limits.perProcess && (ofAccount > 0 || !isSmall(request))) return tooManyUnreadReplies()
    return null
  }
  /** Counts the bytes of a reply until its response closes. @param accountId null: the reply is not counted */
  const hold = (accountId: number | null, bytes: number, response: ServerResponse): void => {
    const dueAt = performance.now() + limits.graceMs + (bytes / limits.leastBytesPerSecond) * 1_000
    const held = { response, dueAt }
    replies.add(held)
    if (accountId !== null) count(accountId, bytes)
    response.once('close', () => {
      replies.delete(held)
      if (accountId !== null) count(accountId, -bytes)
    })
  }

  return {
    /** The room for the reply to one request. */
    room(request: IncomingMessage, response: ServerResponse): OwnRoom {
      let owner: number | null = null
      let waiting: (() => void) | null = null
      const refused = () => (owner === null ? null : refusal(owner, request))
      return {
        take(accountId) {
          owner = accountId
          const failure = refused()
          if (failure !== null) throw failure
        },
        refusal: refused,
        afterwards(release) {
          if (response.closed) release()
          else waiting = release
        },
        hold: (bytes) => hold(owner, bytes, response),
        end() {
          waiting?.()
          waiting = null
        },
      }
    },
    /** Gives clients less time to read, because the service stops. @param now by performance.now() */
    hurry(now: number): void {
      for (const held of replies) held.dueAt = Math.min(held.dueAt, now + LAST_REPLIES_MS)
    },
    /** Destroys the connections of replies that were not read in time. @param now by performance.now() */
    endOverdue(now: number): void {
      for (const { dueAt, response } of replies) if (now >= dueAt) response.socket?.destroy()
    },
  }
}

const isSmall = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= SMALL_BODY_BYTES
