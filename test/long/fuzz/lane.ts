/** One caller of a run: sends its requests one after another and checks every reply. */
import type { ApiDocument } from './document.ts'
import { judge } from './judge.ts'
import { type Account, type LedgerCheck, UNNAMED } from './ledger-check.ts'
import type { RawRequest } from './raw-bytes.ts'
import { bytesOf, echoedId, type PlannedRequest } from './requests.ts'
import type { Tally } from './tally.ts'
import { openWire, type Reply, sendRaw } from './wire.ts'

export interface LaneParts {
  readonly port: number
  readonly document: ApiDocument
  readonly ledgerCheck: LedgerCheck
  readonly tally: Tally
}

/** A reply with its parsed body. */
export interface Answer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: replies may have any shape
  readonly body: any
}

export interface Lane {
  /**
   * Sends a request; null: the connection ended without a reply.
   * @param caller the account whose key the request carries; null: its ledger is not checked
   * @param pieces splits the bytes into several writes; absent: one write
   */
  send(
    number: number,
    planned: PlannedRequest,
    caller: Account | null,
    pieces?: (bytes: Buffer) => Buffer[],
  ): Promise<Answer | null>
  /** Sends raw bytes on a new connection and checks all replies to them. */
  sendRaw(number: number, planned: RawRequest, caller: Account): Promise<void>
  close(): void
}

/** A connection on which no bytes arrive for this time is closed: no further reply is expected. */
const QUIET_MS = 150

/** The standing of an account by the headers of its last reply. */
interface Standing {
  readonly credits: number
  readonly remaining: number
  readonly resetAt: number
}

export function openLane({ ledgerCheck, document, port, tally }: LaneParts): Lane {
  const wire = openWire(port)
  const standings = new Map<number, Standing>()

  const violated = (number: number, fault: string, sent: Buffer, reply: Reply | null) =>
    tally.violation({ number, fault, sent, reply })

  const standingFaults = (
    account: Account,
    planned: PlannedRequest,
    { headers, status }: Reply,
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
    if (!planned.endpoint?.isComputation || Math.abs(resetAt - before.resetAt) > 2) return faults
    const used = COUNTED.has(status) && !headers.has('idempotent-replayed') ? 1 : 0
    if (remaining !== Math.max(0, before.remaining - used))
      faults.push(`${before.remaining} requests left in the window, status ${status}, then ${remaining}`)
    return faults
  }

  return {
    async send(number, planned, caller, pieces) {
      const bytes = bytesOf(planned)
      const sentAt = performance.now()
      const reply = await wire.exchange(pieces === undefined ? [bytes] : pieces(bytes))
      const { endpoint } = planned
      tally.reply(planned.kind, endpoint, reply?.status ?? null, performance.now() - sentAt)
      const id = echoedId(planned)
      if (reply === null) {
        if (caller !== null) standings.delete(caller.id)
        if (caller !== null && endpoint?.isComputation)
          ledgerCheck.record(caller, { id: id ?? UNNAMED, status: null, charged: 0 })
        violated(number, 'the connection ended without a reply', bytes, null)
        return null
      }
      const { body, faults } = judge(document, { ...planned, id }, bytes.toString('latin1'), reply)
      const found = caller === null ? faults : [...faults, ...standingFaults(caller, planned, reply)]
      if (caller !== null && endpoint?.isComputation)
        ledgerCheck.record(caller, {
          id: id ?? reply.headers.get('x-request-id') ?? UNNAMED,
          status: reply.status,
          charged: Number(reply.headers.get('x-credits-cost') ?? 0),
        })
      if (found.length > 0) violated(number, found.join('; '), bytes, reply)
      return { status: reply.status, headers: reply.headers, body }
    },
    async sendRaw(number, { end, kind, mayBeHead, pieces }, caller) {
      const sent = Buffer.concat(pieces)
      const sentAt = performance.now()
      const received = await sendRaw(port, pieces, { end, quietMs: QUIET_MS })
      const text = sent.toString('latin1')
      let charged = 0
      for (const reply of received.replies) {
        charged += Number(reply.headers.get('x-credits-cost') ?? 0)
        const planned = {
          endpoint: null,
          method: isBare(reply) ? 'HEAD' : 'POST',
          statuses: RAW_STATUSES,
          id: reply.headers.get('x-request-id') ?? null,
        }
        const { faults } = judge(document, planned, text, reply)
        if (faults.length > 0) violated(number, faults.join('; '), sent, reply)
      }
      tally.reply(kind, null, received.replies[0]?.status ?? null, performance.now() - sentAt)
      const isInterim = received.rest.toString('latin1').startsWith('HTTP/1.1 100 ')
      if (received.rest.length > 0 && !isInterim && !mayBeHead && received.endedBy === 'service')
        violated(
          number,
          `${received.rest.length} bytes are not a reply: ${received.rest.toString('latin1', 0, 80)}`,
          sent,
          null,
        )
      // Unknown: how many requests the service read in these bytes, and whether a reply followed after the close.
      ledgerCheck.recordSum(caller, charged, 1)
    },
    close: wire.close,
  }
}

/** A reply to HEAD has the Content-Length of a body that is not sent. */
const isBare = ({ body, headers }: Reply) =>
  body.length === 0 && Number(headers.get('content-length') ?? 0) > 0

const COUNTED = new Set([200, 400, 413, 415, 422])
const RAW_STATUSES = [200, 304, 400, 401, 402, 403, 404, 405, 408, 413, 415, 422, 429, 431, 503]

const number = (text: string | undefined): number | null => (text === undefined ? null : Number(text))
