/** Settles calls of many accounts as fast as a meter takes them. */
import { uuidv7 } from '../src/base/ids.ts'
import type { Meter } from '../src/ledger/metering/meter.ts'
import type { Call } from '../src/ledger/rules/types.ts'
import { settle } from '../src/serve/pipeline/settle.ts'

const SECONDS = 1
export const PATH = '/quantlib/pricing/bs/price'

export interface Payer {
  readonly accountId: number
  readonly keyId: number
}

export const callOf = (of: Payer, id = uuidv7()): Call => ({
  ...of,
  teamKeyId: null,
  id,
  kind: 'computation',
  method: 'POST',
  path: PATH,
  ip: '203.0.113.77',
  // The call's own id, as for a caller that gives no request id.
  requestId: id,
  cost: 1,
  idempotency: null,
})

/** The request of a call, and its result. */
export const request = { body: Buffer.alloc(90, 'x'), digest: null, spent: { ms: 0 } }
export const paid = {
  body: '{"price":8.021352235143176,"option_type":"call"}',
  digest: null,
  encoding: 'json' as const,
  credits: 1,
  calls: 1,
  parts: null,
}

/** Each of the concurrent callers settles its next call after the one before. */
export async function settledPerSecond(
  meter: Meter,
  accounts: readonly Payer[],
  concurrency: number,
): Promise<{ settled: number; perSecond: number }> {
  const started = performance.now()
  const until = started + SECONDS * 1_000
  let settled = 0
  const one = async (number: number) => {
    while (performance.now() < until) {
      await settle(meter, {
        call: callOf(accounts[number % accounts.length]),
        admission: null,
        outcome: paid,
        request,
        startedAt: started,
      })
      settled += 1
    }
  }
  await Promise.all(Array.from({ length: concurrency }, (_, number) => one(number)))
  return { settled, perSecond: settled / ((performance.now() - started) / 1_000) }
}
