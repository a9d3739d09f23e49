/** Requests to account endpoints whose row of the audit cannot be written. */
import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { databaseAway } from '../../../src/base/errors/requests.ts'
import { Failure } from '../../../src/base/failure.ts'
import { receiver } from '../../../src/compute/body/receive.ts'
import type { Entry, Verdict } from '../../../src/ledger/rules/types.ts'
import type { Handler } from '../../../src/protocol/handler.ts'
import type { Incoming } from '../../../src/protocol/incoming.ts'
import { type AccountPipeline, accountServer } from '../../../src/serve/pipeline/serve-account.ts'

const ADMITTED: Verdict = {
  ok: true,
  admission: { replay: false, epoch: '', hourStartedAt: 0, dayStartedAt: 0, keyHourStartedAt: 0 },
  replayed: false,
  charged: 0,
  standing: { now: 0, credits: 100, inFlight: 0, workLimit: 60, isGuest: false, windows: [] },
}
const ACCOUNT = 7

/** The reply of an endpoint while nothing can be settled. */
async function served(method: 'GET' | 'POST', result: object | Failure) {
  const pipeline = {
    authenticate: async () => ({ accountId: ACCOUNT, keyId: 1, tier: 'free', team: null }),
    receiver: receiver(1_000_000),
    closed: new Map(),
    refuseUnpaid: () => null,
    ipLimits: false,
    meter: {
      enter: async ({ step }: Entry) => {
        if (step === 'settle') throw databaseAway()
        return ADMITTED
      },
    },
  } as unknown as AccountPipeline
  const handler = {
    endpoint: { method, path: '/x', key: 'registered', perIp: null, query: null, input: null, message: null },
    async handle() {
      if (result instanceof Failure) throw result
      return result
    },
  } as unknown as Handler
  const request = Object.assign(Readable.from([], { objectMode: false }), { headers: {}, complete: true })
  return await accountServer(
    pipeline,
    handler,
  )({
    method,
    scheme: 'http',
    headers: { 'x-api-key': 'any' },
    body: request as unknown as IncomingMessage,
    caller: null,
    path: '/x',
    query: new URLSearchParams(),
    id: 'call',
    requestId: 'request',
    ip: '192.0.2.1',
    subject: '192.0.2.1',
    startedAt: performance.now(),
    replyRoom: { take: () => undefined, refusal: () => null, afterwards: (release) => release() },
  } as Incoming)
}

test('what was done is answered all the same, with a key that is shown once', async () => {
  const { accountId, outcome } = await served('POST', { key: 'qd_team_x' })
  assert.deepEqual([accountId, 'body' in outcome && outcome.body], [ACCOUNT, '{"key":"qd_team_x"}'])
})

test('a read, and an act that was refused, are answered 503', async () => {
  const replies = [await served('GET', { items: [] }), await served('POST', new Failure('conflict', 'No.'))]
  for (const { outcome } of replies)
    assert.deepEqual(
      [outcome instanceof Failure, outcome instanceof Failure && outcome.code],
      [true, 'unavailable'],
    )
})
