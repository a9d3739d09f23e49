/** Refused requests cost the event loop at most 2 ms besides the discarding of their bytes, and the worker threads nothing. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, describe, it } from 'node:test'
import { query } from '../support/database.ts'
import { filled } from '../support/hostile-bodies.ts'
import { COMPUTED, useService } from '../support/people.ts'
import { startSender } from './sender.ts'

const BATCH = '/quantlib/batch'
const PRICE = '/quantlib/pricing/bs/price'
const FOREST = '/quantlib/ml/clustering/isolation-forest'
const LIMIT_MS = 2
/** The clock of a thread's processor time may tick every 4 ms only. */
const TIMES = 40

const unknownFields = (count: number, index: number) =>
  Array.from({ length: count }, (_, field) => `"volatilit${index}_${field}":1`).join(',')
const faultyBatch = (bytes: number) =>
  filled(bytes, '{"calls":[', (index) => `{"path":"${PRICE}","body":{${unknownFields(20, index)}}}`, ']}')

/**
 * A request that costs as little as possible to refuse: a small one, or for a large one blanks of the same length, since
 * its bytes must be discarded for the client to receive its reply.
 */
const least = (path: string, body: string): readonly [string, string] =>
  body.length <= LARGEST_INLINE ? [COMPUTED, '{"wealth":2}'] : [path, ' '.repeat(body.length)]

/** A call so large that the service first looks at the account, and finds it in good standing. */
const LARGE_LOG = { path: COMPUTED, body: `{"wealth":-1}${' '.repeat(70_000)}` }

const SMALL = 8 * 1024
const LARGEST_INLINE = 64 * 1024

const attacks: readonly (readonly [string, string, string])[] = [
  ['a batch of calls with 20 unknown fields each', BATCH, faultyBatch(65_000)],
  ['6.6 MB of such calls', BATCH, faultyBatch(6_600_000)],
  ['a small batch of such calls', BATCH, faultyBatch(SMALL)],
  [
    'a batch of calls to nowhere',
    BATCH,
    filled(LARGEST_INLINE, '{"calls":[', () => '{"path":"","body":{}}', ']}'),
  ],
  ['a call with 99 unknown fields', PRICE, `{${unknownFields(99, 1)}}`],
  ['a call with thousands of fields', PRICE, filled(SMALL, '{', (index) => `"k${index}":1`, '}')],
  [
    'a matrix of objects with names of their own',
    FOREST,
    filled(LARGEST_INLINE, '{"X":[', (index) => `{"a${index}":1}`, ']}'),
  ],
  ['a small matrix of words', FOREST, filled(SMALL, '{"X":[', () => '["a"]', ']}')],
  ['JSON that breaks off', FOREST, filled(LARGEST_INLINE, '{"X":[', () => '[]', ']]')],
  ['small JSON that breaks off', FOREST, filled(SMALL, '{"X":[', () => '[]', ']]')],
  ['deep nesting', FOREST, filled(SMALL, '{"X":[', () => '['.repeat(28) + ']'.repeat(28), ']}')],
  ['a long word', PRICE, `{"option_type":"${'a'.repeat(60_000)}"}`],
]

const service = await useService()
const sender = startSender()
after(() => sender.end())

/** Milliseconds of processor time that the thread of the event loop takes for one of these requests. */
async function costOf(path: string, key: string, body: string, status: number): Promise<number> {
  const sent = { url: service.url + path, key, body, times: TIMES }
  const statuses = new Set(await sender.send({ ...sent, times: 5 }))
  const before = process.threadCpuUsage()
  for (const one of await sender.send(sent)) statuses.add(one)
  const { system, user } = process.threadCpuUsage(before)
  assert.deepEqual([...statuses], [status])
  return (system + user) / 1_000 / TIMES
}

/** Threads that compute are started when the first task arrives, and end a minute after the last. */
function poolThreads(): number {
  const names = readdirSync('/proc/self/task').map((id) =>
    readFileSync(`/proc/self/task/${id}/comm`, 'utf8').trim(),
  )
  return names.filter((name) => name === 'WorkerThread').length
}

describe('a request that is refused', () => {
  /** The least cost of a refusal, by status and length. */
  const leastCosts = new Map<string, number>()
  for (const [status, change] of [
    [402, 'balance = 0'],
    [429, 'hour_limit = 0'],
  ] as const)
    for (const [what, path, body] of attacks)
      it(`with ${status} costs little: ${what}`, async (test) => {
        const key = await service.guestWith(change)
        const [leastPath, leastBody] = least(path, body)
        const measured = `${status} ${leastBody.length}`
        // The account is known as refused from its first request on.
        await sender.send({ url: service.url + leastPath, key, body: leastBody, times: 1 })
        const leastCost = leastCosts.get(measured) ?? (await costOf(leastPath, key, leastBody, status))
        leastCosts.set(measured, leastCost)
        const threads = poolThreads()
        const costs: number[] = []
        for (let attempt = 0; attempt < 3 && (costs.at(-1) ?? LIMIT_MS + 1) > LIMIT_MS; attempt++)
          costs.push((await costOf(path, key, body, status)) - leastCost)
        test.diagnostic(
          `${costs.map((ms) => ms.toFixed(2)).join(', ')} ms more than ${leastCost.toFixed(2)} ms`,
        )
        assert.ok(costs.at(-1)! <= LIMIT_MS, `${costs} ms of the event loop`)
        assert.equal(poolThreads(), threads, 'a worker thread was started for it')
      })

  it('with 409, because its idempotency key is bound to another body, takes no thread', async () => {
    const key = await service.guest()
    const headers = { 'idempotency-key': 'bound' }
    const call = { path: COMPUTED, body: { wealth: 2 } }
    assert.equal((await service.call(BATCH, { key, body: { calls: [call] }, headers })).status, 200)
    await query(service, 'UPDATE accounts SET balance = 0 WHERE id = (SELECT max(id) FROM accounts)')
    const threads = poolThreads()
    const columns = filled(200_000, '{"columns":{"wealth":[', String, ']}}')
    for (const [path, raw] of [
      [BATCH, faultyBatch(200_000)],
      [`${COMPUTED}/columns`, columns],
    ] as const) {
      const { body, status } = await service.call(path, { key, raw, headers })
      assert.deepEqual([status, body.error.code], [409, 'idempotency_conflict'])
    }
    assert.equal(poolThreads(), threads, 'a worker thread was started for it')
  })

  it('costs little even where the account was in good standing until then', async (test) => {
    const key = await service.guest()
    const account = '(SELECT max(id) FROM accounts)'
    /** Mean of several requests, each of which finds the account's credits spent since its last request. */
    const meanOf = async (path: string, body: string): Promise<number> => {
      await sender.send({ url: service.url + path, key, body, times: 1 })
      let sum = 0
      for (let i = 0; i < TIMES; i++) {
        await query(
          service,
          `UPDATE accounts SET balance = 1, hour_count = 0, day_count = 0 WHERE id = ${account}`,
        )
        assert.equal((await service.call(LARGE_LOG.path, { key, raw: LARGE_LOG.body })).status, 422)
        await query(service, `UPDATE accounts SET balance = 0 WHERE id = ${account}`)
        const before = process.threadCpuUsage()
        const [status] = await sender.send({ url: service.url + path, key, body, times: 1 })
        const { system, user } = process.threadCpuUsage(before)
        assert.equal(status, 402)
        sum += (system + user) / 1_000
      }
      return sum / TIMES
    }
    await meanOf(COMPUTED, '{"wealth":2}')
    const leastCosts = new Map<number, number>()
    for (const [what, path, body] of attacks) {
      const reference = least(path, body)
      const leastCost = leastCosts.get(reference[1].length) ?? (await meanOf(...reference))
      leastCosts.set(reference[1].length, leastCost)
      let more = (await meanOf(path, body)) - leastCost
      for (let attempt = 0; attempt < 2 && more > LIMIT_MS; attempt++)
        more = (await meanOf(path, body)) - leastCost
      test.diagnostic(`${what}: ${more.toFixed(2)} ms more than ${leastCost.toFixed(2)} ms`)
      assert.ok(more <= LIMIT_MS, `${what}: ${more} ms`)
    }
  })

  it('leaves the windows as they were, and says how to go on', async () => {
    const key = await service.guestWith('balance = 0')
    const { body, headers, status } = await service.call(BATCH, { key, raw: faultyBatch(65_000) })
    assert.deepEqual([status, body.error.code, headers.get('retry-after')], [402, 'credits_exhausted', null])
    assert.match(body.message, /^This request needs .*; the balance is 0; register at \/user\/register/)
    assert.equal(headers.get('x-ratelimit-remaining'), '50')
  })
})

describe('a batch that is admitted', () => {
  it('reports at most five faults of each call', async () => {
    const key = await service.guest()
    const { body } = await service.call(BATCH, { key, raw: faultyBatch(1_500) })
    const [{ error, success }] = body.data.results
    assert.deepEqual([success, error.code, error.details.length], [false, 'invalid_input', 5])
  })
})
