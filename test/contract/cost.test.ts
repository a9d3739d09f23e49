/** What a call costs: a credit for each second that its estimate begins. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { batch } from '../../src/compute/catalogue/batch.ts'
import { operation } from '../../src/compute/catalogue/operation.ts'
import { exactly, number } from '../../src/compute/catalogue/schema.ts'
import { columnsComputation, compileColumns } from '../../src/compute/columns/columns.ts'
import { compileOperation, type Job } from '../../src/compute/computation.ts'
import { compileComputations } from '../../src/compute/computations.ts'
import type { Result } from '../../src/compute/result.ts'
import { DomainError } from '../../src/numerics/domain-error.ts'
import { number as figure } from '../support/database.ts'
import { COMPUTED, useService } from '../support/people.ts'

const CALIBRATE = '/quantlib/models/variance-gamma/calibrate'
const cheap = { path: COMPUTED, body: { wealth: 2 } }
const heavy = {
  path: CALIBRATE,
  body: {
    S: 100,
    r: 0.01,
    q: 0,
    quotes: Array.from({ length: 700 }, (_, i) => ({
      K: 80 + (i % 40),
      T: 0.1 + i / 100,
      implied_volatility: 0.2 + (i % 7) / 100,
    })),
  },
}
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const job = compileComputations()({}).get(CALIBRATE)!.read(bytesOf(heavy.body)) as Job

const service = await useService()

describe('a call that is estimated at more than a second', () => {
  it('costs a credit for each started second', async () => {
    assert.ok(job.micros > 1e6, String(job.micros))
    assert.equal(job.cost, Math.ceil(job.micros / 1e6))
    const key = await service.guest()
    const { body, headers, status } = await service.call(CALIBRATE, { key, body: heavy.body })
    assert.equal(status, 200, JSON.stringify(body).slice(0, 300))
    assert.equal(headers.get('x-credits-cost'), String(job.cost))
    assert.equal(headers.get('x-credits-remaining'), String(50 - job.cost))
  })

  for (const [where, blanks] of [
    ['on the event loop', 0],
    ['in a thread', 100_000],
  ] as const)
    it(`is refused with its cost before it is computed, if it is read ${where}`, async () => {
      const key = await service.guestWith(`balance = ${job.cost - 1}`)
      const raw = JSON.stringify(heavy.body) + ' '.repeat(blanks)
      const { body, headers, status } = await service.call(CALIBRATE, { key, raw })
      assert.equal(status, 402)
      assert.equal(
        body.message,
        `This request needs ${job.cost} credits; the balance is ${job.cost - 1}; register at /user/register for more.`,
      )
      assert.equal(headers.get('x-ratelimit-remaining'), '50')
    })

  it('costs as much in a batch, beside calls that cost 1', async () => {
    const key = await service.guest()
    const { headers, status } = await service.call(batch.path, {
      key,
      body: { calls: [cheap, heavy, cheap] },
    })
    assert.equal(status, 200)
    assert.equal(headers.get('x-credits-cost'), String(job.cost + 2))
  })
})

describe('a row of columns', () => {
  /** An operation of which each call takes as many seconds as its input says; it refuses 3. */
  const slow = operation({
    path: '/quantlib/slow',
    title: 'Slow',
    summary: '',
    input: exactly({ seconds: number('seconds') }),
    output: exactly({ seconds: number('seconds') }),
    example: { input: { seconds: 1 }, output: { seconds: 1 } },
    work: ({ seconds }) => 1e6 * seconds,
    compute({ seconds }) {
      if (seconds === 3) throw new DomainError('seconds', 'is refused')
      return { seconds }
    },
  })
  const columns = (costs = {}) => columnsComputation(compileOperation(slow, costs), compileColumns(slow))
  const read = (seconds: readonly number[], costs = {}) =>
    columns(costs).read(bytesOf({ columns: { seconds } })) as Job

  it('costs 1 credit, and another one for each further second of its own estimate', () => {
    assert.equal(read([0.001, 0.5, 1]).cost, 3)
    assert.equal(read([0.001, 1.5, 4]).cost, 1 + 2 + 4)
    assert.equal(read([0.001, 1.5, 4], { [slow.path]: 5 }).cost, 5 * (1 + 2 + 4))
  })

  it('costs nothing if it fails, and the others what they cost alone', () => {
    assert.equal((read([0.001, 3, 4, 3]).run() as Result).credits, 1 + 4)
    assert.equal((read([0.001, 0.5]).run() as Result).credits, 2)
  })
})

describe('the window of processor time', () => {
  const work = async (key: string) => {
    const { body } = await service.call('/user/credits', { key })
    return body.data.windows.find(({ name }: { name: string }) => name === 'work')
  }
  const micros = () =>
    figure(service, 'SELECT work_micros FROM accounts WHERE id = (SELECT max(id) FROM accounts)')

  it('counts calls on the event loop, also those that fail', async () => {
    const key = await service.guest()
    await service.call(COMPUTED, { key, body: { wealth: 2 } })
    const first = await micros()
    assert.ok(first > 0)
    await service.call(COMPUTED, { key, body: { wealth: -2 } })
    assert.ok((await micros()) > first)
    const { resets_at: _, ...shown } = await work(key)
    assert.deepEqual(shown, { name: 'work', limit: 60, used: 1 })
  })

  it('counts a thread that computes, and then refuses the next call until it ends', async () => {
    const key = await service.guestWith('work_limit = 1')
    const small = { ...heavy.body, quotes: heavy.body.quotes.slice(0, 60) }
    let status = 200
    // A machine of any speed uses up a second by some of these calls.
    for (let i = 0; i < 40 && status === 200; i++)
      status = (await service.call(CALIBRATE, { key, body: small })).status
    const refused = await service.call(COMPUTED, { key, body: { wealth: 2 } })
    assert.equal(refused.status, 429)
    assert.equal(refused.body.error.code, 'rate_limited')
    assert.match(
      refused.body.message,
      /^The limit of 1 processor second of work an hour is used up; try again in \d+ s\.$/,
    )
    const seconds = Number(refused.headers.get('retry-after'))
    assert.ok(seconds > 3_000 && seconds <= 3_600, String(seconds))
    assert.ok((await work(key)).used >= 1)
    service.advance(3_600_000)
    assert.equal((await service.call(COMPUTED, { key, body: { wealth: 2 } })).status, 200)
  })
})
