/** The fuzzer's checks of replies find every kind of fault. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDocument } from './document.ts'
import { judge } from './judge.ts'
import { leaks } from './leaks.ts'
import type { Reply } from './wire.ts'

const document = readDocument()
const endpoint = document.endpoints.find(({ path }) => path === '/quantlib/economics/utility/log')!
const planned = { endpoint, method: 'POST', statuses: null, id: 'r-1' }

const DATA = { utility: 0, marginal_utility: 1, absolute_risk_aversion: 1, relative_risk_aversion: 1 }

function reply(status: number, body: string, more: Record<string, string> = {}): Reply {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': 'r-1',
    ...(status === 200 && {
      'x-credits-cost': '1',
      'x-credits-remaining': '9',
      ratelimit: '"hour";r=1;t=1',
      'ratelimit-policy': '"hour";q=1;w=3600',
      'x-ratelimit-reset': '1',
    }),
    ...more,
  }
  return { status, headers: new Map(Object.entries(headers)), repeated: [], body: Buffer.from(body) }
}

const success = (data: unknown) => JSON.stringify({ success: true, data })
const failure = (code: string, message: string, requestId = 'r-1') =>
  JSON.stringify({ success: false, message, error: { code, request_id: requestId } })

const faultsOf = (given: Reply, sent = '') => judge(document, planned, sent, given).faults.join('; ')

test('correct replies have no faults', () => {
  assert.equal(faultsOf(reply(200, success(DATA))), '')
  assert.equal(faultsOf(reply(422, failure('invalid_input', 'wealth must be a number.'))), '')
})

test('each fault of a reply is reported', () => {
  const internal = failure('internal', 'Something went wrong on our side.')
  const wrong: readonly (readonly [RegExp, Reply])[] = [
    [/status 500/, reply(500, internal)],
    [/status 418; expected/, reply(418, internal)],
    [/does not fit its schema: .*utility/, reply(200, success({ ...DATA, utility: '0' }))],
    [/does not fit its schema/, reply(200, success({ ...DATA, more: 1 }))],
    [/does not fit its schema/, reply(422, failure('invalid_json', 'wealth must be a number.'))],
    [
      /null or a number that is not finite/,
      reply(200, success(DATA).replace('"utility":0', '"utility":1e999')),
    ],
    [/not JSON/, reply(200, '{"success":true')],
    [/X-Request-Id other for r-1/, reply(200, success(DATA), { 'x-request-id': 'other' })],
    [/request_id is not/, reply(422, failure('invalid_input', 'wealth must be a number.', 'other'))],
    [/may be cached/, reply(200, success(DATA), { 'cache-control': 'public' })],
    [/x-credits-cost: x/, reply(200, success(DATA), { 'x-credits-cost': 'x' })],
    [/Retry-After/, reply(429, failure('rate_limited', 'The rate limit is reached.'))],
    [/shows internals/, reply(422, failure('invalid_input', 'at parse (/srv/app/parse.ts:10:5)'))],
    [/shows internals/, reply(422, failure('invalid_input', 'SELECT id FROM accounts'))],
    [/shows internals/, reply(422, failure('invalid_input', 'cannot open /tmp/quantd/quantd.db'))],
    [/contains an API key/, reply(422, failure('invalid_input', `qd_user_${'a'.repeat(43)}`))],
    [/contains a password/, reply(422, failure('invalid_input', 'unutterable password'))],
    [/repeated headers/, { ...reply(200, success(DATA)), repeated: ['x-request-id'] }],
  ]
  for (const [pattern, given] of wrong) assert.match(faultsOf(given), pattern)
})

test('text that the request itself contains is not a leak', () => {
  const echo = reply(422, failure('invalid_input', '/tmp/x is not a field of this endpoint.'))
  assert.equal(faultsOf(echo, '{"/tmp/x":1}'), '')
  assert.match(faultsOf(echo, '{}'), /shows internals/)
})

test('memory and descriptors that grow after the warm-up are leaks, garbage and a warm-up are not', () => {
  const held = (residentMb: number[], descriptors = residentMb.map(() => 30)) =>
    leaks(residentMb.map((mb, index) => ({ residentMb: mb, descriptors: descriptors[index] })))
  assert.deepEqual(held([90, 120, 150, 160, 200, 165, 240, 170, 230]), [])
  assert.deepEqual(held([90, 120, 150, 160, 170, 180, 190, 200, 210]), ['memory has grown by 30 MB'])
  const steady = Array<number>(9).fill(160)
  assert.deepEqual(held(steady, [10, 20, 30, 30, 31, 30, 60, 50, 47]), ['17 descriptors more than before'])
})
