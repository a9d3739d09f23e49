/** Computation requests while the ledger does not answer, or refuses, and while a thread is stopped. */
import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { databaseAway } from '../../../src/base/errors/requests.ts'
import { Failure } from '../../../src/base/failure.ts'
import { receiver } from '../../../src/compute/body/receive.ts'
import { compileComputations } from '../../../src/compute/computations.ts'
import { eventLoopShares } from '../../../src/compute/threads/event-loop-shares.ts'
import type { Pool } from '../../../src/compute/threads/pool.ts'
import type { Entry, Verdict } from '../../../src/ledger/rules/types.ts'
import type { Incoming } from '../../../src/protocol/incoming.ts'
import type { Reply } from '../../../src/protocol/reply.ts'
import { serveComputation } from '../../../src/serve/pipeline/serve.ts'

const LOG = '/quantlib/economics/utility/log'
const BATCH = '/quantlib/batch'
const COLUMNS = '/quantlib/pricing/bs/price/columns'
const ACCOUNT = 1
const NO_CREDITS: Verdict = { ok: false, code: 'credits_exhausted', retryAt: null, standing: null }
const PASSED: Verdict = {
  ok: true,
  admission: { replay: false, epoch: '', hourStartedAt: 0, dayStartedAt: 0, keyHourStartedAt: 0 },
  replayed: false,
  charged: 0,
  standing: { now: 0, credits: 100, inFlight: 0, workLimit: 60, isGuest: true, windows: [] },
}

function incoming(path: string, body: Buffer, type = 'application/json'): Incoming {
  const request = Object.assign(Readable.from([body], { objectMode: false }), {
    headers: {
      'x-api-key': 'any',
      'content-type': type,
      'content-length': String(body.length),
      'idempotency-key': 'paid',
    },
    method: 'POST',
    complete: false,
    socket: { destroy: () => undefined },
  }) as unknown as IncomingMessage
  return {
    method: 'POST',
    scheme: 'http',
    headers: request.headers as Incoming['headers'],
    body: request,
    caller: null,
    path,
    query: new URLSearchParams(),
    id: 'call',
    requestId: 'request',
    ip: '192.0.2.1',
    subject: '192.0.2.1',
    replyRoom: { take: () => undefined, refusal: () => null, afterwards: (release: () => void) => release() },
    startedAt: performance.now(),
  }
}

/** @param recentlyRefused whether the ledger is asked before the body is received */
async function served(
  request: Incoming,
  enter: (entry: Entry) => Promise<Verdict>,
  { pool = {}, recentlyRefused = false }: { pool?: Partial<Pool>; recentlyRefused?: boolean },
) {
  const pipeline = {
    authenticate: async () => ({ accountId: ACCOUNT, keyId: 1, tier: 'guest' as const, team: null }),
    receiver: receiver(1_000_000),
    meter: { enter },
    pool: pool as Pool,
    eventLoop: eventLoopShares(2),
    recentlyRefused: new Set(recentlyRefused ? [ACCOUNT] : []),
    onInternalError(error: unknown) {
      throw error
    },
  }
  const all = compileComputations()({})
  return await serveComputation({ pipeline, incoming: request, computation: all.get(request.path)! })
}

const statusOf = ({ outcome }: Reply) => (outcome instanceof Failure ? outcome.status : 200)

test('a call that the ledger could not be asked about is answered 503, and not entered without its idempotency key', async () => {
  const steps: Entry['step'][] = []
  const enter = async ({ step }: Entry) => {
    steps.push(step)
    // The database answers again at once; the balance is used up.
    if (step === 'peek') throw databaseAway()
    return NO_CREDITS
  }
  const reply = await served(incoming(LOG, Buffer.from('{"wealth":2}')), enter, { recentlyRefused: true })
  assert.deepEqual([statusOf(reply), steps], [503, ['peek']])
})

test('a batch whose thread is stopped before its cost is known counts as a call', async () => {
  const calls = Array.from({ length: 50 }, () => ({ path: LOG, body: { wealth: 2 } }))
  const entries: Entry[] = []
  const enter = async (entry: Entry) => {
    entries.push(entry)
    return PASSED
  }
  const pool = {
    runOnceAdmitted: async () => ({ admitted: null, outcome: new Failure('overloaded', 'It was stopped.') }),
  }
  const reply = await served(
    incoming(BATCH, Buffer.from(JSON.stringify({ calls }) + ' '.repeat(100_000))),
    enter,
    { pool },
  )
  assert.equal(statusOf(reply), 503)
  assert.deepEqual(
    entries.map((entry) => [entry.step, 'outcome' in entry ? entry.outcome.code : null]),
    [
      ['peek', null],
      // The hash of the body, to which the idempotency key may be bound, is known only now.
      ['peek', null],
      ['admitAndSettle', 'overloaded'],
    ],
  )
})

test('an Arrow stream whose cost is not known gets no thread if the account cannot pay for any call', async () => {
  const steps: Entry['step'][] = []
  const enter = async ({ step }: Entry) => {
    steps.push(step)
    return NO_CREDITS
  }
  const pool = { runOnceAdmitted: () => assert.fail('a thread was used') }
  const stream = incoming(COLUMNS, Buffer.alloc(10_000), 'application/vnd.apache.arrow.stream')
  const reply = await served(stream, enter, { pool })
  assert.deepEqual([statusOf(reply), steps], [402, ['peek']])
})
