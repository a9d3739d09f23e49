/** The client against a real HTTP server that replies as the service does. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { afterEach, test } from 'node:test'
import {
  type ClientOptions,
  createClient,
  QuantdError,
  type Standing,
} from '../../clients/typescript/index.ts'
import { type HttpPeer, httpPeer, type Sent } from '../support/http-peer.ts'
import { until } from '../support/until.ts'

type Respond = (response: ServerResponse) => void

const peers: HttpPeer[] = []
afterEach(() => {
  for (const { close } of peers.splice(0)) close()
})

/** A client, and a server that sends the replies in this order and repeats the last one. */
async function peer(answers: readonly Respond[], options: Partial<ClientOptions> = {}) {
  const peer = await httpPeer((response, _, count) => answers[Math.min(count, answers.length) - 1](response))
  peers.push(peer)
  const { sent: seen, url: baseUrl } = peer
  return { seen, address: baseUrl, client: createClient({ baseUrl, apiKey: 'qd_guest_x', ...options }) }
}

const success =
  (data: unknown, headers: Record<string, string> = {}): Respond =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'r-1', ...headers })
    response.end(JSON.stringify({ success: true, data }))
  }

const failure =
  (status: number, code: string, headers: Record<string, string> = {}, more: object = {}): Respond =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r-1', ...headers })
    const error = { code, request_id: 'r-1', ...more }
    response.end(JSON.stringify({ success: false, message: `It is ${code}.`, error }))
  }

const hangUp: Respond = (response) => response.socket!.destroy()

const utility = {
  utility: 0,
  marginal_utility: 1,
  absolute_risk_aversion: 1,
  relative_risk_aversion: 1,
}

async function refused(call: Promise<unknown>): Promise<QuantdError> {
  const error = await call.then(
    () => assert.fail('it succeeded'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof QuantdError, String(error))
  return error
}

test('a computation sends the key, the body and an Idempotency-Key, and resolves to the data', async () => {
  const { client, seen } = await peer([success(utility)])
  const data = await client.economicsUtilityLog({ wealth: 1 })
  assert.deepEqual(data, utility)
  const [{ method, url, headers, body }] = seen as [Sent]
  assert.equal(`${method} ${url}`, 'POST /quantlib/economics/utility/log')
  assert.equal(headers['x-api-key'], 'qd_guest_x')
  assert.equal(headers['content-type'], 'application/json')
  assert.match(headers['idempotency-key'] as string, /^[\x21-\x7e]{1,255}$/)
  assert.deepEqual(JSON.parse(body), { wealth: 1 })
})

test('two computations have different Idempotency-Keys, unless one is given', async () => {
  const { client, seen } = await peer([success(utility)])
  await client.economicsUtilityLog({ wealth: 1 })
  await client.economicsUtilityLog({ wealth: 1 })
  await client.economicsUtilityLog({ wealth: 1 }, { idempotencyKey: 'mine' })
  const keys = seen.map(({ headers }) => headers['idempotency-key'])
  assert.notEqual(keys[0], keys[1])
  assert.equal(keys[2], 'mine')
})

test('a call whose reply is lost is retried with the same key and the same bytes', async () => {
  const { client, seen } = await peer([hangUp, success(utility, { 'idempotent-replayed': 'true' })])
  assert.deepEqual(await client.economicsUtilityLog({ wealth: 2 }), utility)
  assert.equal(seen.length, 2)
  assert.equal(seen[0].headers['idempotency-key'], seen[1].headers['idempotency-key'])
  assert.equal(seen[0].body, seen[1].body)
})

test('after 503 and 429 the client retries after Retry-After', async () => {
  const { client, seen } = await peer([
    failure(503, 'overloaded', { 'retry-after': '0' }),
    failure(429, 'rate_limited', { 'retry-after': '1' }),
    success(utility),
  ])
  const began = performance.now()
  await client.economicsUtilityLog({ wealth: 2 })
  assert.equal(seen.length, 3)
  assert.ok(performance.now() - began >= 950)
})

test('a Retry-After beyond maxWaitMs fails at once and is reported', async () => {
  const { client, seen } = await peer([failure(429, 'rate_limited', { 'retry-after': '3600' })])
  const error = await refused(client.economicsUtilityLog({ wealth: 2 }))
  assert.equal(seen.length, 1)
  assert.equal(error.code, 'rate_limited')
  assert.equal(error.retryAfterSeconds, 3600)
})

test('an error has the numbers of its message', async () => {
  const { client } = await peer([failure(402, 'credits_exhausted', {}, { needed: 3, balance: 1 })])
  assert.deepEqual((await refused(client.economicsUtilityLog({ wealth: 2 }))).numbers, {
    needed: 3,
    balance: 1,
  })
})

test('the client gives up after the allowed number of retries', async () => {
  const { client, seen } = await peer([failure(503, 'overloaded', { 'retry-after': '0' })], { retries: 2 })
  assert.equal((await refused(client.economicsUtilityLog({ wealth: 2 }))).code, 'overloaded')
  assert.equal(seen.length, 3)
})

test('a permanent failure is not retried and carries code, status, request id and details', async () => {
  const details = [{ path: '/wealth', message: 'must be greater than 0' }]
  const { client, seen } = await peer([failure(422, 'invalid_input', {}, { details })])
  const error = await refused(client.economicsUtilityLog({ wealth: 0 }))
  assert.equal(seen.length, 1)
  assert.deepEqual(
    { message: error.message, code: error.code, status: error.status, id: error.requestId, d: error.details },
    { message: 'It is invalid_input.', code: 'invalid_input', status: 422, id: 'r-1', d: details },
  )
})

test('a change of the account is never retried', async () => {
  const { client, seen } = await peer([hangUp])
  assert.equal((await refused(client.userRegenerateApiKey())).code, 'network')
  assert.equal(seen.length, 1)
  assert.equal(seen[0].headers['idempotency-key'], undefined)
  assert.equal(seen[0].body, '{}')
})

test('a query sends its parameters in the URL and is retried', async () => {
  const { client, seen } = await peer([hangUp, success({ items: [], next_cursor: null })])
  const page = await client.userUsage({ limit: 10, cursor: 'a&b' })
  assert.equal(page.next_cursor, null)
  assert.equal(`${seen[1].method} ${seen[1].url}`, 'GET /user/usage?limit=10&cursor=a%26b')
  assert.equal(seen[1].body, '')
})

test('withKey returns a client with another key', async () => {
  const { client, seen } = await peer([success({ account_type: 'guest', credits: 50 })])
  await client.withKey('qd_user_y').userProfile()
  assert.equal(seen[0].headers['x-api-key'], 'qd_user_y')
})

test('a reply that does not come from quantd is an error of its own', async () => {
  const { client } = await peer([(response) => response.writeHead(404).end('<h1>nginx</h1>')])
  const error = await refused(client.userProfile())
  assert.equal(error.code, 'reply')
  assert.equal(error.status, 404)
})

test('a redirection is reported, and neither followed nor repeated', async () => {
  const other = await peer([success(utility)])
  const target = `${other.address}/quantlib/economics/utility/log`
  const { client, seen } = await peer([(response) => response.writeHead(307, { location: target }).end()])
  const error = await refused(client.economicsUtilityLog({ wealth: 1 }))
  assert.deepEqual([error.code, error.status], ['reply', 307])
  assert.equal(error.message, `The address redirects to ${target}; use the address of the service itself.`)
  assert.deepEqual([seen.length, other.seen.length], [1, 0])
})

test('a service that does not reply in time causes a timeout error', async () => {
  const { client } = await peer([() => {}], { timeoutMs: 50, retries: 0 })
  assert.equal((await refused(client.userProfile())).code, 'timeout')
})

test('an abort ends the call, or its wait before a retry, with the reason of the abort', async () => {
  const { client, seen } = await peer([failure(503, 'overloaded', { 'retry-after': '20' })])
  const reason = new Error('enough')
  const controller = new AbortController()
  const call = client.economicsUtilityLog({ wealth: 1 }, { signal: controller.signal })
  const rejected = assert.rejects(call, reason)
  await until(() => seen.length === 1, 'the call was sent')
  controller.abort(reason)
  await rejected
  assert.equal(seen.length, 1)
})

test('onReply receives credits and windows of the key', async () => {
  const told: Standing[] = []
  const headers = {
    'x-credits-remaining': '49',
    'x-credits-cost': '1',
    ratelimit: '"hour";r=59;t=3600, "day";r=49;t=86400',
  }
  const { client } = await peer([success(utility, headers)], { onReply: (standing) => told.push(standing) })
  await client.economicsUtilityLog({ wealth: 1 })
  assert.deepEqual(told, [
    {
      path: '/quantlib/economics/utility/log',
      requestId: 'r-1',
      creditsRemaining: 49,
      creditsCost: 1,
      replayed: false,
      windows: [
        { name: 'hour', remaining: 59, resetSeconds: 3600 },
        { name: 'day', remaining: 49, resetSeconds: 86400 },
      ],
    },
  ])
})

test('a base URL may have a path and a trailing slash', async () => {
  const { seen, client } = await peer([success({ status: 'ok' })])
  await client.healthz()
  const port = seen[0].headers.host!.split(':')[1]
  await createClient({ baseUrl: `http://127.0.0.1:${port}/quantd/` }).healthz()
  assert.deepEqual(
    seen.map(({ url }) => url),
    ['/healthz', '/quantd/healthz'],
  )
})
