/** A client of a crash run: makes calls, repeats those with an idempotency key, and records every reply. */
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance, PlannedCall } from './schedule.ts'
import { plannedCall } from './schedule.ts'

/** The outcome of one call, as its client saw it. */
export interface CallRecord {
  /** Sent as X-Request-Id, and as Idempotency-Key by the clients that use one. */
  readonly id: string
  readonly keyed: boolean
  readonly kind: PlannedCall['kind']
  readonly large: boolean
  /** The status of the last reply; null: the connection died without one. */
  readonly status: number | null
  readonly data: string
  readonly replayed: boolean
  /** The number of earlier tries, which got no definite answer. */
  readonly retries: number
}

export interface ClientOptions {
  readonly name: string
  readonly keyed: boolean
  readonly apiKey: string
  readonly urls: readonly string[]
  readonly draw: Chance
  readonly isOver: () => boolean
  /** Counts every request that is sent. */
  readonly onRequest: () => void
  /** Called for each call that got no reply although its connection lived. */
  readonly onSilence: (violation: string) => void
}

const PATH = '/quantlib/economics/utility/log'
/** The size of a large body. It is not computed on the event loop, so its call is admitted and settled in two transactions. */
const LARGE_BYTES = 70_000
/** Tries of one call after the last fault of the round, when every node serves again. */
const LAST_TRIES = 500
/** The time limit of a reply, far longer than any fault. */
const REPLY_MS = 120_000
/** The pause between tries at a node that is down. */
const DOWN_MS = 60

/** A body that was sent, with its id. */
interface Sent {
  readonly id: string
  readonly kind: PlannedCall['kind']
  readonly wealth: number
  readonly large: boolean
}

/** Calls until the round is over; a keyed client repeats each call until it gets a definite answer. */
export async function runClient(options: ClientOptions): Promise<CallRecord[]> {
  const { draw, isOver, keyed, name, urls } = options
  const records: CallRecord[] = []
  const paid: Sent[] = []
  const agent = new Agent({ keepAlive: true })
  for (let number = 1; !isOver(); number++) {
    const planned = plannedCall(draw, urls.length)
    const sent = toSend(planned, `${name}-${number}`, paid)
    if (sent === null) continue
    const answer = await (keyed ? untilAnswered : ask)({ ...options, agent }, planned, sent)
    records.push(answer)
    if (keyed && answer.status === 200 && answer.id === `${name}-${number}`) paid.push(sent)
    await sleep(answer.status === null ? DOWN_MS : planned.pauseMs)
  }
  // An idle connection would keep a file of its node open for a minute.
  agent.destroy()
  return records
}

/** The body to send; null if the plan repeats a call and there is none to repeat. */
function toSend({ kind, wealth }: PlannedCall, id: string, paid: readonly Sent[]): Sent | null {
  if (kind !== 'again' && kind !== 'other') return { id, kind, wealth, large: kind === 'large' }
  const earlier = paid[wealth % Math.max(1, paid.length)]
  if (earlier === undefined) return null
  return kind === 'again' ? { ...earlier, kind } : { ...earlier, kind, wealth: earlier.wealth + 1 }
}

/** The options with the client's own connections. */
type Connected = ClientOptions & { readonly agent: Agent }

async function untilAnswered(options: Connected, planned: PlannedCall, sent: Sent) {
  let left = LAST_TRIES
  for (let retries = 0; ; retries++) {
    const answer = await ask(options, planned, sent, retries)
    const isDefinite = answer.status !== null && answer.status !== 503 && answer.status !== 429
    if (options.isOver()) left -= 1
    if (isDefinite || left <= 0) return answer
    await sleep(DOWN_MS)
  }
}

/** @param retries the next node is asked at each */
async function ask(
  options: Connected,
  planned: PlannedCall,
  { id, kind, large, wealth }: Sent,
  retries = 0,
): Promise<CallRecord> {
  const { agent, apiKey, keyed, onRequest, onSilence, urls } = options
  const body = JSON.stringify({ wealth: kind === 'fail' ? -wealth : wealth })
  onRequest()
  const facts = { id, keyed, kind, large, retries }
  const signal = AbortSignal.timeout(REPLY_MS)
  try {
    const asked = request(urls[(planned.node + retries) % urls.length] + PATH, {
      agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': apiKey,
        'x-request-id': id,
        ...(keyed && { 'idempotency-key': id }),
      },
      signal,
    }).end(large ? body.padEnd(LARGE_BYTES) : body)
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    const data = await text(response)
    const replayed = response.headers['idempotent-replayed'] === 'true'
    return { ...facts, status: response.statusCode!, data, replayed }
  } catch {
    if (signal.aborted) onSilence(`${id}: no reply for ${REPLY_MS / 1_000} s`)
    return { ...facts, status: null, data: '', replayed: false }
  }
}
