/** One caller of a run: it sends its requests one after another and holds every reply against what must be true. */
import { type Account, type Books, UNNAMED } from './books.ts'
import type { ApiDocument } from './document.ts'
import { judge } from './oracle.ts'
import type { RawShot } from './raw-bytes.ts'
import { bytesOf, echoedId, type Shot } from './requests.ts'
import type { Tally } from './tally.ts'
import { openWire, provoke, type Reply } from './wire.ts'

export interface LaneParts {
  readonly port: number
  readonly document: ApiDocument
  readonly books: Books
  readonly tally: Tally
  /** While faults strike, a reply may be missing and 503 may come. */
  readonly isFaulty: () => boolean
}

/** A reply with its body read. */
export interface Answer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: replies of every shape are looked at
  readonly body: any
}

export interface Lane {
  /**
   * Sends a request; null: no reply came.
   * @param caller whose key it carries, where that is an account whose books are followed
   * @param pieces how its bytes are split on the way; absent: not at all
   */
  fire(
    number: number,
    shot: Shot,
    caller: Account | null,
    pieces?: (bytes: Buffer) => Buffer[],
  ): Promise<Answer | null>
  /** Sends bytes that may be anything, on a connection of their own. */
  provoke(number: number, shot: RawShot, caller: Account): Promise<void>
  /** States a violation of a request that was sent. */
  violated(number: number, fault: string, sent: Buffer, reply: Reply | null): void
  close(): void
}

/** A connection from which nothing comes for so long has been answered as far as it will be. */
const QUIET_MS = 150

/** Where an account stands, as its last reply said. */
interface Standing {
  readonly credits: number
  readonly remaining: number
  readonly resetAt: number
}

export function openLane({ books, document, isFaulty, port, tally }: LaneParts): Lane {
  const wire = openWire(port)
  const standings = new Map<number, Standing>()

  const violated = (number: number, fault: string, sent: Buffer, reply: Reply | null) =>
    tally.violation({ number, fault, sent, reply })

  const standingFaults = (
    account: Account,
    shot: Shot,
    { headers, status }: Reply,
    calls: number,
  ): string[] => {
    const before = standings.get(account.id)
    const credits = number(headers.get('x-credits-remaining'))
    const remaining = number(headers.get('x-ratelimit-remaining'))
    const resetAt = number(headers.get('x-ratelimit-reset'))
    const cost = number(headers.get('x-credits-cost')) ?? 0
    standings.delete(account.id)
    if (credits === null || remaining === null || resetAt === null || status === 503) return []
    standings.set(account.id, { credits, remaining, resetAt })
    if (before === undefined) return []
    const faults: string[] = []
    if (credits !== before.credits - cost)
      faults.push(`${before.credits} credits, cost ${cost}, then ${credits}`)
    if (!shot.endpoint?.isComputation || Math.abs(resetAt - before.resetAt) > 2) return faults
    const used = COUNTED.has(status) && !headers.has('idempotent-replayed') ? calls : 0
    if (remaining !== Math.max(0, before.remaining - used))
      faults.push(`${before.remaining} requests left in the window, status ${status}, then ${remaining}`)
    return faults
  }

  return {
    violated,
    async fire(number, shot, caller, pieces) {
      const bytes = bytesOf(shot)
      const sentAt = performance.now()
      const reply = await wire.exchange(
        pieces === undefined ? [bytes] : pieces(bytes),
        shot.method !== 'HEAD',
      )
      const { endpoint } = shot
      tally.reply(shot.kind, endpoint, reply?.status ?? null, performance.now() - sentAt)
      const id = echoedId(shot)
      if (reply === null) {
        if (caller !== null) standings.delete(caller.id)
        if (caller !== null && endpoint?.isComputation)
          books.told(caller, { id: id ?? UNNAMED, status: null, charged: 0 })
        if (!isFaulty()) violated(number, 'the connection ended without a reply', bytes, null)
        return null
      }
      const { body, faults } = judge(document, { ...shot, id }, bytes.toString('latin1'), reply)
      const isExcused = reply.status === 503 && isFaulty()
      const found = isExcused ? faults.filter((fault) => fault !== 'unavailable') : [...faults]
      // A refund may come at any time after a fault.
      if (caller !== null && isFaulty()) standings.delete(caller.id)
      else if (caller !== null)
        found.push(...standingFaults(caller, shot, reply, body?.data?.results?.length ?? 1))
      if (caller !== null && endpoint?.isComputation)
        books.told(caller, {
          id: id ?? reply.headers.get('x-request-id') ?? UNNAMED,
          status: reply.status,
          charged: Number(reply.headers.get('x-credits-cost') ?? 0),
        })
      if (found.length > 0) violated(number, found.join('; '), bytes, reply)
      return { status: reply.status, headers: reply.headers, body }
    },
    async provoke(number, { end, kind, mayBeHead, pieces }, caller) {
      const sent = Buffer.concat(pieces)
      const sentAt = performance.now()
      const heard = await provoke(port, pieces, { end, quietMs: QUIET_MS })
      const text = sent.toString('latin1')
      let charged = 0
      for (const reply of heard.replies) {
        charged += Number(reply.headers.get('x-credits-cost') ?? 0)
        const shot = {
          endpoint: null,
          method: isBare(reply) ? 'HEAD' : 'POST',
          statuses: RAW_STATUSES,
          id: reply.headers.get('x-request-id') ?? null,
        }
        const { faults } = judge(document, shot, text, reply)
        if (faults.length > 0) violated(number, faults.join('; '), sent, reply)
      }
      tally.reply(kind, null, heard.replies[0]?.status ?? null, performance.now() - sentAt)
      const isInterim = heard.rest.toString('latin1').startsWith('HTTP/1.1 100 ')
      if (heard.rest.length > 0 && !isInterim && !mayBeHead && heard.endedBy === 'service' && !isFaulty())
        violated(
          number,
          `${heard.rest.length} bytes came that are no reply: ${heard.rest.toString('latin1', 0, 80)}`,
          sent,
          null,
        )
      // How many requests these bytes were to the service is not known, nor which of them were answered too late.
      books.toldRoughly(caller, charged, 1)
    },
    close: wire.close,
  }
}

/** The reply to HEAD announces a body that does not come. */
const isBare = ({ body, headers }: Reply) =>
  body.length === 0 && Number(headers.get('content-length') ?? 0) > 0

const COUNTED = new Set([200, 400, 413, 415, 422])
const RAW_STATUSES = [200, 304, 400, 401, 402, 403, 404, 405, 408, 413, 415, 422, 429, 431, 503]

const number = (text: string | undefined): number | null => (text === undefined ? null : Number(text))
