/** A computation request while the ledger does not answer. */
import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { receiver } from '../../src/body/receive.ts'
import { computations } from '../../src/compute/computations.ts'
import type { Entry, Verdict } from '../../src/ledger/types.ts'
import { unavailable } from '../../src/metering/meter.ts'
import type { Incoming } from '../../src/pipeline/incoming.ts'
import { serveComputation } from '../../src/pipeline/serve.ts'
import { eventLoopShares } from '../../src/threads/event-loop-shares.ts'
import type { Pool } from '../../src/threads/pool.ts'

const PATH = '/quantlib/economics/utility/log'
const ACCOUNT = 1
const NO_CREDITS: Verdict = { ok: false, code: 'credits_exhausted', retryAt: null, standing: null }

/** A request of an account that was refused last time, so that the ledger is asked before its body is received. */
function incoming(): Incoming {
  const request = Object.assign(Readable.from([Buffer.from('{"wealth":2}')], { objectMode: false }), {
    headers: {
      'x-api-key': 'any',
      'content-type': 'application/json',
      'content-length': '12',
      'idempotency-key': 'paid',
    },
    method: 'POST',
    complete: false,
    socket: { destroy: () => undefined },
  }) as unknown as IncomingMessage
  return {
    request,
    path: PATH,
    query: new URLSearchParams(),
    id: 'call',
    requestId: 'request',
    ip: '192.0.2.1',
    subject: '192.0.2.1',
    outgoing: { admit: () => undefined, refusal: () => null, afterwards: (release: () => void) => release() },
    startedAt: performance.now(),
  }
}

test('a call that the ledger could not be asked about is answered 503, and not entered without its idempotency key', async () => {
  const steps: Entry['step'][] = []
  const reply = await serveComputation(
    {
      authenticate: async () => ({ accountId: ACCOUNT, keyId: 1, isGuest: true }),
      receiver: receiver(1_000_000),
      meter: {
        async enter({ step }) {
          steps.push(step)
          // The database answers again at once; the balance is used up.
          if (step === 'peek') throw unavailable()
          return NO_CREDITS
        },
      },
      pool: {} as Pool,
      eventLoop: eventLoopShares(2),
      recentlyRefused: new Set([ACCOUNT]),
      onInternalError: (error) => {
        throw error
      },
    },
    incoming(),
    computations({}).get(PATH)!,
  )
  assert.deepEqual([reply.status, steps], [503, ['peek']])
})
